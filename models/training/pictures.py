"""Reading and resizing arrays of pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError

Pixel = TypeVar("Pixel", bound=np.generic)


def read_colour(path: Path) -> NDArray[np.uint8]:
    """Return a picture, uint8 (h, w, 3) BGR.

    Raises
    ------
    ModelError
        If it cannot be read.
    """
    return _read(path, cv2.IMREAD_COLOR)


def read_grey(path: Path) -> NDArray[np.uint8]:
    """Return a picture, uint8 (h, w).

    Raises
    ------
    ModelError
        If it cannot be read.
    """
    return _read(path, cv2.IMREAD_GRAYSCALE)


def read_with_alpha(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return a picture, uint8 (h, w, 3) BGR, and its alpha, uint8 (h, w).

    Raises
    ------
    ModelError
        If it cannot be read or has no alpha.
    """
    image = _read(path, cv2.IMREAD_UNCHANGED)
    if image.ndim != 3 or image.shape[2] != 4:
        raise ModelError(f"the picture {path} has no alpha channel")
    return np.ascontiguousarray(image[:, :, :3]), np.ascontiguousarray(image[:, :, 3])


def _read(path: Path, flags: int) -> NDArray[np.uint8]:
    image = cv2.imread(str(path), flags)
    if image is None:
        raise ModelError(f"the picture {path} cannot be read")
    return np.asarray(image, np.uint8)


def resized(image: NDArray[Pixel], size_hw: tuple[int, int]) -> NDArray[Pixel]:
    """Return an array stretched to (h, w): averaged if that makes it narrower, else bilinear."""
    height, width = size_hw
    if image.shape[:2] == size_hw:
        return image
    method = cv2.INTER_AREA if image.shape[1] > width else cv2.INTER_LINEAR
    pixels: Any = image
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=method), image.dtype)
