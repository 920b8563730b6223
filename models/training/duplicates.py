"""Finds held-out pictures that a training picture resembles: whole, mirrored, or one a part of the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.training.pictures import read_grey, resized

SIDE: Final = 16
ALIKE: Final = 0.95
"""Correlation of two thumbnails from which on a pair is looked at."""
_PARTS: Final = (1.0, 0.8, 0.65, 0.5)
"""Sides of the parts that are compared, as a share of the picture's."""


@dataclass(frozen=True)
class Pair:
    """A held-out picture, the training picture that is most like it, and the correlation of their thumbnails."""

    held_out: Path
    training: Path
    correlation: float


def near_duplicates(training: list[Path], held_out: list[Path], alike: float = ALIKE) -> list[Pair]:
    """Return, for each held-out picture, its closest training picture if it is closer than `alike`.

    Thumbnails of 16x16 grey pixels, less their mean and of unit length, of the whole picture and of overlapping parts
    of 80, 65 and 50 % of its sides. Each part of one is compared with the whole of the other, mirrored too. A picture
    that was turned, or cut to less than half of a side, is not found.
    """
    if not training or not held_out:
        return []
    # Mirrored thumbnails are added to the held-out side only: a mirrored pair is found from either end.
    others = np.stack([_with_mirrored(_thumbnails(path)) for path in held_out])
    count, parts, length = others.shape
    wholes = others[:, [0, parts // 2]]
    best: list[tuple[float, Path]] = [(0.0, training[0])] * count
    for path in training:
        thumbnails = _thumbnails(path)
        parts_against_whole = (others.reshape(-1, length) @ thumbnails[0]).reshape(count, -1).max(1)
        whole_against_parts = (wholes.reshape(-1, length) @ thumbnails.T).reshape(count, -1).max(1)
        for index, correlation in enumerate(np.maximum(parts_against_whole, whole_against_parts).tolist()):
            if correlation > best[index][0]:
                best[index] = correlation, path
    pairs = [
        Pair(path, found, correlation)
        for path, (correlation, found) in zip(held_out, best, strict=True)
        if correlation > alike
    ]
    return sorted(pairs, key=lambda pair: -pair.correlation)


def _with_mirrored(thumbnails: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32 (2 n, 256): the thumbnails, then each from left to right."""
    mirrored = thumbnails.reshape(-1, SIDE, SIDE)[:, :, ::-1].reshape(thumbnails.shape)
    return np.concatenate([thumbnails, mirrored])


def _thumbnails(path: Path) -> NDArray[np.float32]:
    """Return float32 (n, 256): the whole picture first, then its parts."""
    small = resized(read_grey(path), (64, 64))
    thumbnails = []
    for share in _PARTS:
        length = round(64 * share)
        steps = [0] if length == 64 else [round(place * (64 - length) / 4) for place in range(5)]
        for top in steps:
            for left in steps:
                part = small[top : top + length, left : left + length]
                values = resized(part, (SIDE, SIDE)).astype(np.float32).ravel()
                values -= values.mean()
                thumbnails.append(values / max(float(np.linalg.norm(values)), 1.0))
    return np.stack(thumbnails)
