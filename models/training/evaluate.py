"""How good a network is: held-out pictures against the plain teacher, and a real disparity."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.training.metrics import error_of_range, spearman
from models.training.pictures import read_colour, resized
from models.training.teacher import SIZE, Teacher
from models.training.views import kind

CLEAN: Final = frozenset({"in", "house", "human", "sk"})
"""Collections of which nobody and no room is in the training pictures as well."""

Predict = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""From a picture, uint8 (192, 320, 3) RGB, to its inverse depth, float32 (192, 320)."""


class HeldOut:
    """The held-out pictures and what the teacher says about them.

    Parameters
    ----------
    pictures : Path or list of Path
        A folder with them; or any pictures.
    teacher : Path
        The teacher's ONNX file, run at its own size.
    """

    def __init__(self, pictures: Path | list[Path], teacher: Path) -> None:
        plain = Teacher(teacher)
        self.paths = sorted(pictures.glob("*.jpg") if isinstance(pictures, Path) else pictures)
        self.images = [np.ascontiguousarray(resized(read_colour(path), SIZE)[:, :, ::-1]) for path in self.paths]
        self.targets = [np.maximum(plain(image), 0) for image in self.images]

    def correlations(self, predict: Predict) -> dict[str, float]:
        """Return the rank correlation with the teacher for each picture's name, at half the network's size."""
        return {
            path.name: spearman(_halved(predict(image)), target)
            for path, image, target in zip(self.paths, self.images, self.targets, strict=True)
        }

    def errors(self, predict: Predict) -> dict[str, float]:
        """Return the mean error, as a share of the teacher's range after alignment, for each picture's name."""
        return {
            path.name: error_of_range(_halved(predict(image)), target)
            for path, image, target in zip(self.paths, self.images, self.targets, strict=True)
        }


def clean_mean(values: dict[str, float]) -> float:
    """Return the mean over the pictures of the clean collections."""
    return float(np.mean([value for name, value in values.items() if kind(Path(name)) in CLEAN]))


def motorcycle(predict: Predict) -> float:
    """Return the rank correlation with the real disparity of the Middlebury motorcycle, where that is known."""
    left, disparity = motorcycle_scene()
    return agreement(predict(np.ascontiguousarray(resized(left, SIZE))), disparity)


def motorcycle_versions(predict: Predict) -> float:
    """Return the mean correlation over nine versions of the motorcycle: one picture alone says little.

    The whole, mirrored, darker, and six parts of it of two thirds of its sides: left and right, above and below.
    """
    left, disparity = motorcycle_scene()
    height, width = disparity.shape
    rows, columns = height * 2 // 3, width * 2 // 3
    versions = [(left, disparity), (left[:, ::-1], disparity[:, ::-1]), (left // 2, disparity)]
    for top in (0, height - rows):
        for start in (0, (width - columns) // 2, width - columns):
            part = (slice(top, top + rows), slice(start, start + columns))
            versions.append((left[part], disparity[part]))
    found = (agreement(predict(np.ascontiguousarray(resized(view, SIZE))), known) for view, known in versions)
    return float(np.mean(list(found)))


def agreement(depth: NDArray[np.float32], disparity: NDArray[np.float32]) -> float:
    """Return the rank correlation of a map with a disparity, float32 (h, w), where that is finite and above zero."""
    enlarged = resized(depth, disparity.shape)
    known = np.isfinite(disparity) & (disparity > 0)
    return spearman(enlarged[known], disparity[known])


def motorcycle_scene() -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the picture, uint8 (h, w, 3) RGB, and its disparity, float32 (h, w), which is not finite where unknown."""
    from skimage import data

    left, _, disparity = data.stereo_motorcycle()
    return left, disparity


def _halved(depth: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return every second pixel's neighbourhood mean, the size at which the teacher computes."""
    return resized(depth, (depth.shape[0] // 2, depth.shape[1] // 2))
