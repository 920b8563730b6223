"""Judge what the network could be taught: ``python -m models.training.judge_labels --help``. Needs no PyTorch.

Labels are the teacher's map at its own size, that of a larger picture, or a mean of both (`models.training.teacher`).
What a mean keeps of the plain map is the most that a network taught with it can reach on the held-out pictures.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.training import command
from models.training.evaluate import CLEAN, agreement, motorcycle_scene
from models.training.metrics import spearman
from models.training.pictures import read_colour
from models.training.teacher import DETAIL_SIZE, Teacher
from models.training.views import kind

LARGEST: Final = (384, 640)
SHARES: Final = (0.25, 0.35, 0.5, 1.0)
"""Of the larger map in a mean."""
_log = logging.getLogger(__name__)


class Labels:
    """Every kind of label of a picture.

    Parameters
    ----------
    teacher : Path
        The teacher's ONNX file.
    """

    def __init__(self, teacher: Path) -> None:
        self._plain = Teacher(teacher)
        self._larger = {size: Teacher(teacher, size) for size in (DETAIL_SIZE, LARGEST)}

    def __call__(self, image_rgb: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        """Return the maps of a picture, uint8 (h, w, 3), by what they are; the first is the plain one."""
        plain = self._plain(image_rgb)
        mirrored = self._plain(np.ascontiguousarray(image_rgb[:, ::-1]))[:, ::-1]
        both = (plain + mirrored) * np.float32(0.5)
        found: dict[str, NDArray[np.float32]] = {"plain": plain, "plain, with its mirror image": both}
        for (height, width), teacher in self._larger.items():
            larger = teacher(image_rgb)
            for share in SHARES:
                found[f"{share:.0%} of {width}x{height}"] = plain + np.float32(share) * (larger - plain)
        return found


def correlations(labels: Labels, pictures: list[Path]) -> dict[str, float]:
    """Return the mean rank correlation of each kind of label with the plain one."""
    found: dict[str, list[float]] = {}
    for path in pictures:
        maps = labels(np.ascontiguousarray(read_colour(path)[:, :, ::-1]))
        # Below zero the teacher shows nothing, and neither does what a network is measured by.
        plain = np.maximum(maps["plain"], 0)
        for name, values in maps.items():
            found.setdefault(name, []).append(spearman(values, plain))
    return {name: float(np.mean(values)) for name, values in found.items()}


def run(images: Path, teacher: Path) -> None:
    """Print a line for each kind of label.

    Raises
    ------
    ModelError
        If the teacher or a picture cannot be used.
    """
    labels = Labels(teacher)
    pictures = [path for path in sorted((images / "heldout").glob("*.jpg")) if kind(path) in CLEAN]
    kept = correlations(labels, pictures)
    left, disparity = motorcycle_scene()
    for name, values in labels(left).items():
        _log.info("%s: %.4f of the plain one, motorcycle %.4f", name, kept[name], agreement(values, disparity))


def main() -> int:
    """Run, and turn a failure into one line and the exit status 1."""
    parser = command.parser(
        "models.training.judge_labels",
        "Compare kinds of labels: how much of the teacher's plain map they keep on the clean held-out pictures, and "
        "how well they know a real disparity.",
        images="folder with heldout/",
    )
    options = parser.parse_args()
    return command.carry_out(lambda: run(options.images, options.teacher), "%(message)s")


if __name__ == "__main__":
    raise SystemExit(main())
