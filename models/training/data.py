"""Batches from the cached views: labels mixed, outlines of people sharpened, pictures changed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError
from models.training.augment import Photographer
from models.training.fresh import Anew, Fresh
from models.training.labels import READY
from models.training.pictures import resized
from models.training.teacher import LABEL_SIZE, SIZE

DETAIL: Final = 0.4
"""Share of the larger teacher in the label: 0.991 rank correlation with the plain teacher on held-out pictures, and
0.77 with the real disparity of the motorcycle (plain 0.752)."""
_NAMES: Final = ("images", "plain", "detail", "person")
_log = logging.getLogger(__name__)

Batch = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""Pictures, uint8 (n, h, w, 3) RGB, and labels, float32 (n, h/2, w/2)."""


class Views:
    """The shards of a cache, in a new random order each time round.

    Parameters
    ----------
    cache : Path
        Where `labels.make_shards` put them. Shards that are finished meanwhile join with the next round.
    seed : int
        Of the order and the changes.
    detail : float
        Share of the larger teacher in the labels, 0 to 1.
    changed : float
        Share of the pictures that look as a webcam might show them; the others stay as they are.
    anew : Anew, optional
        What part of the views is made as they are asked for, in place of cached ones.

    Raises
    ------
    ModelError
        If no shard is finished.
    """

    def __init__(
        self, cache: Path, seed: int, detail: float = DETAIL, changed: float = 1.0, anew: Anew | None = None
    ) -> None:
        self._cache, self._detail, self._changed, self._anew = cache, detail, changed, anew
        self._seed = seed
        self._fresh: Fresh | None = None
        self._rng = np.random.default_rng(seed)
        self._photographer = Photographer(seed)
        self._shards: dict[Path, dict[str, NDArray[np.generic]]] = {}
        self._find_shards()
        if not self._shards:
            raise ModelError(f"no finished views are in {cache}")

    def twin(self, number: int = 0) -> tuple[Path, int, float, float, Anew | None]:
        """Return the arguments of another one, by its number from 0, that makes the same views, other changes."""
        return self._cache, self._seed + 1_000_000 * (number + 1), self._detail, self._changed, self._anew

    def _find_shards(self) -> None:
        for ready in sorted(self._cache.glob(f"*/{READY}")):
            if ready.parent not in self._shards:
                arrays = {name: np.load(ready.parent / f"{name}.npy", mmap_mode="r") for name in _NAMES}
                self._shards[ready.parent] = arrays

    def sample(self, count: int) -> NDArray[np.uint8]:
        """Return some pictures as they are, uint8 (count or fewer, 192, 320, 3) RGB."""
        first = next(iter(self._shards.values()))["images"]
        return np.array(first[:count], np.uint8)

    def batches(self, count: int) -> Iterator[tuple[list[tuple[Path, int]], int]]:
        """Yield the rows of a batch and the number of rounds begun, without end.

        Raises
        ------
        ModelError
            If there are fewer views than a batch has.
        """
        for round_number in range(1, 1 << 30):
            self._find_shards()
            rows = [(folder, row) for folder, arrays in self._shards.items() for row in range(len(arrays["images"]))]
            if len(rows) < count:
                raise ModelError(f"{len(rows)} views in {self._cache} are too few for a batch of {count}")
            _log.info("round %d: %d views", round_number, len(rows))
            order = self._rng.permutation(len(rows))
            for start in range(0, len(order) - count + 1, count):
                yield [rows[index] for index in order[start : start + count]], round_number

    def load(self, rows: list[tuple[Path, int]], size: tuple[int, int]) -> Batch:
        """Return these views, changed at random, at `size` (height, width)."""
        views = [self._view(folder, row, size) for folder, row in rows]
        return np.stack([image for image, _ in views]), np.stack([label for _, label in views])

    def _view(self, folder: Path, row: int, size: tuple[int, int]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        if self._anew is not None and self._rng.random() < self._anew.share:
            return self._fresh_view(self._anew, size)
        if folder not in self._shards:
            self._find_shards()
        arrays = self._shards[folder]
        image, person = np.asarray(arrays["images"][row], np.uint8), np.asarray(arrays["person"][row], np.uint8)
        plain = np.asarray(arrays["plain"][row], np.float32)
        label = plain + self._detail * (np.asarray(arrays["detail"][row], np.float32) - plain)
        if person.any():
            label = sharpened(label, person)
        image, label = self._moved(image, label)
        image = np.ascontiguousarray(resized(image, size))
        if self._rng.random() < self._changed:
            image = self._photographer(image)
        return image, np.ascontiguousarray(resized(label, (size[0] // 2, size[1] // 2)))

    def _fresh_view(self, anew: Anew, size: tuple[int, int]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        if self._fresh is None:  # in the process that needs it: the teacher is loaded for this
            self._fresh = Fresh(anew, self._seed)
        image, label = self._fresh.next()
        half = (size[0] // 2, size[1] // 2)
        return np.ascontiguousarray(resized(image, size)), resized(label.astype(np.float32), half)

    def _moved(
        self, image: NDArray[np.uint8], label: NDArray[np.float32]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Mirror one in two, crop one in four."""
        rng = self._rng
        if rng.random() < 0.5:
            image, label = image[:, ::-1], label[:, ::-1]
        if rng.random() < 0.25:
            scale = rng.uniform(0.6, 1)
            height = int(SIZE[0] / 2 * scale)
            width = int(SIZE[1] / 2 * min(1, scale * rng.uniform(0.85, 1.15)))
            top = rng.integers(LABEL_SIZE[0] - height + 1)
            left = rng.integers(LABEL_SIZE[1] - width + 1)
            label = label[top : top + height, left : left + width]
            image = image[2 * top : 2 * (top + height), 2 * left : 2 * (left + width)]
        return image, label


def sharpened(label: NDArray[np.float32], person: NDArray[np.uint8], reach: int = 5) -> NDArray[np.float32]:
    """Move the step in a label onto the person's outline.

    The person mask is the better teacher for where a person ends, the depth network for how far things are. Close to
    the outline each pixel gets the mean depth of what is near it and farther from the outline, on its own side. Where
    what is behind would come out nearer than the person (a hand on a table, a chair's back) the label stays.

    Parameters
    ----------
    label : ndarray of float32, shape (h, w)
        Inverse depth.
    person : ndarray of uint8, shape (h, w)
        Share of a person, 0 to 255.
    reach : int
        Pixels from which a mean is taken.

    Returns
    -------
    ndarray of float32, shape (h, w)
    """
    inside = (person > 127).astype(np.uint8)
    cross = np.ones((3, 3), np.uint8)
    core = cv2.erode(inside, cross, iterations=2).astype(np.float32)
    around = 1 - cv2.dilate(inside, cross, iterations=2).astype(np.float32)
    band = (core + around) == 0
    window = (2 * reach + 1, 2 * reach + 1)
    means = []
    weights = []
    for side in (core, around):
        weight = cv2.blur(side, window)
        means.append(cv2.blur(label * side, window) / np.maximum(weight, 1e-6))
        weights.append(weight)
    known = band & (weights[0] > 0.03) & (weights[1] > 0.03) & (means[0] > means[1])
    target = np.where(inside > 0, means[0], means[1])
    return np.where(known, target, label).astype(np.float32)
