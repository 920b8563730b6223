"""What a task found on one frame, in pixels of that frame.

All coordinates have their origin at the top left corner, x to the right and y down. Arrays are read-only from the
moment a result exists, since several threads look at the same one. What costs much and is not always wanted (the mask's
pixels) is computed when somebody asks for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from models.soft_mask import SoftMask


def _freeze(array: NDArray[np.generic]) -> None:
    array.flags.writeable = False


@dataclass(frozen=True, eq=False, slots=True)
class Face:
    """One face.

    Parameters
    ----------
    score : float
        Confidence in [0, 1] that this is a face.
    box_xyxy : ndarray of float32, shape (4,)
        Left, top, right, bottom of the landmarks, in pixels.
    landmarks : ndarray of float32, shape (N, 3)
        N is 478 (with irises) or 468. x, y in pixels; z in the unit of x, negative towards the camera.
    track_id : int
        Stays the same while the face is tracked; -1 where frames are unrelated.
    """

    score: float
    box_xyxy: NDArray[np.float32]
    landmarks: NDArray[np.float32]
    track_id: int = -1

    def __post_init__(self) -> None:
        if self.box_xyxy.shape != (4,):
            raise ValueError(f"a face box has 4 numbers, not shape {self.box_xyxy.shape}")
        if self.landmarks.ndim != 2 or self.landmarks.shape[1] != 3:
            raise ValueError(f"landmarks are (N, 3), not {self.landmarks.shape}")
        _freeze(self.box_xyxy)
        _freeze(self.landmarks)


@dataclass(frozen=True, eq=False, slots=True)
class FaceLandmarks:
    """All faces of a frame: the best first on a picture, the one tracked longest first on a video."""

    faces: tuple[Face, ...] = ()


class SegmentationMask:
    """Where the people are.

    Parameters
    ----------
    alpha : ndarray of uint8, shape (H, W), or callable that returns it
        See the attribute. A function is called when somebody asks for the pixels, and never again.
    coverage : float
        Share of the picture that is a person, in [0, 1], by the confidence that the network itself gives.
    soften : callable, optional
        Returns the mask in a few pixels (see `SoftMask`) from a column of the frame to the one before another. Not
        called any more once `alpha` is there.

    Attributes
    ----------
    coverage : float
        As given. The mean of `alpha`, whose edge follows the picture, differs from it by less than 0.01.

    Notes
    -----
    Enlarging the mask costs more than the network that finds it. Who only wants to know whether somebody is there
    (`coverage`) does not pay for pixels that nobody looks at.
    """

    __slots__ = ("_alpha", "_lock", "_make", "_soften", "coverage")

    def __init__(
        self,
        alpha: NDArray[np.uint8] | Callable[[], NDArray[np.uint8]],
        coverage: float,
        soften: Callable[[int, int], SoftMask] | None = None,
    ) -> None:
        self.coverage = coverage
        self._lock = threading.Lock()
        self._make = alpha if callable(alpha) else None
        self._soften = soften
        self._alpha = None if callable(alpha) else _mask_pixels(alpha)

    @property
    def alpha(self) -> NDArray[np.uint8]:
        """Confidence that a pixel belongs to a person at source resolution, uint8 (H, W), soft at the edge.

        0 = background, 255 = person. Read-only. Computed on first use, by whichever thread asks first.
        """
        if self._alpha is None:
            with self._lock:
                if self._make is not None:
                    self._alpha = _mask_pixels(self._make())
                    self._make = self._soften = None  # and with them the picture that they look at
        assert self._alpha is not None
        return self._alpha

    def soft(self, first: int, end: int) -> SoftMask:
        """Return the mask from column `first` to the one before `end`, in a few pixels where it was made of few.

        What is drawn once needs no more. To draw a part costs a part.
        """
        soften = self._soften
        if soften is not None and self._alpha is None:
            return soften(first, end)
        return SoftMask.of(self.alpha, (first, end))


def _mask_pixels(alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    if alpha.ndim != 2 or alpha.dtype != np.uint8:
        raise ValueError(f"a mask is uint8 (H, W), not {alpha.dtype} {alpha.shape}")
    _freeze(alpha)
    return alpha


@dataclass(frozen=True, eq=False, slots=True)
class DepthMap:
    """Relative inverse depth: bigger is nearer, without a unit.

    Parameters
    ----------
    inverse_depth : ndarray of float32, shape (h, w)
        As the network gives it (on the network's own scale, not rescaled a frame) over the whole frame, at the
        network's resolution. Pixel (i, j) covers an equal share of the frame.
    size_wh : tuple of int
        Width and height of the frame in pixels.
    near, far : float
        The values shown as nearest and farthest. They follow the picture slowly so that colours do not pump.
    """

    inverse_depth: NDArray[np.float32]
    size_wh: tuple[int, int]
    near: float
    far: float

    def __post_init__(self) -> None:
        if self.inverse_depth.ndim != 2:
            raise ValueError(f"a depth map is (h, w), not {self.inverse_depth.shape}")
        if not self.near > self.far:
            raise ValueError(f"near ({self.near}) must be larger than far ({self.far}): inverse depth")
        _freeze(self.inverse_depth)

    @property
    def percentiles(self) -> tuple[float, float, float]:
        """The 5th, 50th and 95th percentile of `inverse_depth`, computed when asked for: a live view never does."""
        # Every 4th pixel in both directions: within 0.003 of the full percentile, 16 times as fast.
        p05, p50, p95 = np.percentile(self.inverse_depth[::4, ::4], (5, 50, 95))
        return float(p05), float(p50), float(p95)

    def normalised(self) -> NDArray[np.float32]:
        """Return the map scaled to [0, 1] by `far` and `near`, float32 (h, w), 1 = nearest."""
        scaled = (self.inverse_depth - np.float32(self.far)) * np.float32(1.0 / (self.near - self.far))
        return np.clip(scaled, 0.0, 1.0, out=scaled)

    def at_source(self) -> NDArray[np.float32]:
        """Return `inverse_depth` at the size of the frame, float32 (H, W), bilinear."""
        return cv2.resize(self.inverse_depth, self.size_wh, interpolation=cv2.INTER_LINEAR).astype(
            np.float32, copy=False
        )


TaskResult: TypeAlias = FaceLandmarks | SegmentationMask | DepthMap
