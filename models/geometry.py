"""Squares of a picture that a network looks at, and the way back from network to picture.

Every face network takes a square. `Square` says which square of the picture that is (the letterboxed whole, a tile, a
turned crop around a face), `sample` cuts it out in one pass, `Square.to_picture` maps what the network found back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

FEW_PIXELS: Final = 8
"""Pixels of the picture for each one sampled, up to which `sample` copies them first."""


@dataclass(frozen=True, slots=True)
class Square:
    """A square region of a picture; it may be turned and may reach beyond the picture.

    Parameters
    ----------
    center_x, center_y : float
        Centre in pixels of the picture.
    side : float
        Length of a side in pixels, larger than 0.
    rotation : float
        Angle in radians by which the square's x axis is turned from the picture's, positive from x towards y (which
        is clockwise on the screen).
    """

    center_x: float
    center_y: float
    side: float
    rotation: float = 0.0

    def __post_init__(self) -> None:
        if not (self.side > 0 and math.isfinite(self.side)):
            raise ValueError(f"the side of a square is larger than 0, not {self.side}")

    @classmethod
    def letterbox(cls, width: int, height: int) -> Square:
        """Return the smallest upright square that holds a whole picture of this size, centred."""
        return cls(width / 2, height / 2, float(max(width, height)))

    def matrix(self, size: int) -> NDArray[np.float64]:
        """Return the affine map from a grid over the square to the picture.

        Corner to corner, as MediaPipe samples: grid point 0 is the square's left edge and `size` its right one, with
        no shift by half a pixel.

        Parameters
        ----------
        size : int
            Grid steps along a side; the input size of the network, or 1 for coordinates from 0 to 1.

        Returns
        -------
        ndarray of float64, shape (2, 3)
            Read-only.
        """
        return _matrix(self, size)

    def to_picture(self, points: NDArray[np.float32], size: int) -> NDArray[np.float32]:
        """Map points from a grid over the square to pixels of the picture.

        Parameters
        ----------
        points : ndarray of float32, shape (..., 2)
            x, y in steps of the grid (see `matrix`).
        size : int
            Grid steps along a side.

        Returns
        -------
        ndarray of float32, shape (..., 2)
        """
        return apply_affine(self.matrix(size), points)

    def from_picture(self, points: NDArray[np.float32], size: int) -> NDArray[np.float32]:
        """Map pixels of the picture to a grid over the square: the inverse of `to_picture`."""
        return apply_affine(np.asarray(cv2.invertAffineTransform(self.matrix(size)), np.float64), points)


@lru_cache(maxsize=64)
def _matrix(square: Square, size: int) -> NDArray[np.float64]:
    """See `Square.matrix`. What a network found is mapped back by the matrix that cut out what it looked at."""
    c, s = math.cos(square.rotation), math.sin(square.rotation)
    k, half = square.side / size, square.side / 2
    matrix = np.array(
        [
            [c * k, -s * k, square.center_x + (s - c) * half],
            [s * k, c * k, square.center_y - (s + c) * half],
        ]
    )
    matrix.flags.writeable = False
    return matrix


def apply_affine(matrix: NDArray[np.float64], points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Map points of shape (..., 2) by an affine matrix of shape (2, 3), in float64 inside."""
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float32)


def sample(image: NDArray[np.uint8], square: Square, out: NDArray[np.uint8], border: int = cv2.BORDER_CONSTANT) -> None:
    """Fill `out` with a square of a picture: one bilinear pass without antialiasing.

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        The picture.
    square : Square
        What to cut out.
    out : ndarray of uint8, shape (size, size, 3)
        Written in place.
    border : int
        What lies beyond the picture: `cv2.BORDER_CONSTANT` (black) or `cv2.BORDER_REPLICATE`.
    """
    size = out.shape[0]
    matrix = square.matrix(size)
    height, width = image.shape[:2]
    half = square.side / 2 * (abs(math.cos(square.rotation)) + abs(math.sin(square.rotation))) + 2
    left, top = max(0, int(square.center_x - half)), max(0, int(square.center_y - half))
    right = min(width, math.ceil(square.center_x + half))
    bottom = min(height, math.ceil(square.center_y + half))
    few = 0 < (right - left) * (bottom - top) < FEW_PIXELS * size * size and right > left
    if few:
        # OpenCV samples four channels in half the time of three: what is looked at gets a fourth one on the way.
        image = np.asarray(cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2BGRA), np.uint8)
        matrix = matrix - np.array([[0.0, 0.0, left], [0.0, 0.0, top]])
    sampled = cv2.warpAffine(
        image,
        matrix,
        (size, size),
        dst=None if few else out,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=border,
    )
    if few:
        cv2.cvtColor(sampled, cv2.COLOR_BGRA2BGR, dst=out)


def overlaps(box_xyxy: NDArray[np.float32], boxes_xyxy: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
    """Compare one box with others.

    Parameters
    ----------
    box_xyxy : ndarray, shape (4,)
        Left, top, right, bottom.
    boxes_xyxy : ndarray, shape (N, 4)
        The others.

    Returns
    -------
    iou : ndarray of float32, shape (N,)
        Intersection over union, in [0, 1]; 0 where both boxes are empty.
    nesting : ndarray of float32, shape (N,)
        Intersection over the smaller area: 1 where one box lies inside the other.
    """
    low = np.maximum(box_xyxy[:2], boxes_xyxy[:, :2])
    high = np.minimum(box_xyxy[2:], boxes_xyxy[:, 2:])
    shared = np.prod(np.maximum(high - low, 0), axis=1)
    area = np.prod(np.maximum(box_xyxy[2:] - box_xyxy[:2], 0))
    areas = np.prod(np.maximum(boxes_xyxy[:, 2:] - boxes_xyxy[:, :2], 0), axis=1)
    tiny = np.finfo(np.float32).tiny
    iou = shared / np.maximum(area + areas - shared, tiny)
    nesting = shared / np.maximum(np.minimum(area, areas), tiny)
    return np.asarray(iou, np.float32), np.asarray(nesting, np.float32)
