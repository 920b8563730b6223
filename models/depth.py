"""Relative depth: how near each pixel is, without a unit.

Model    : `depth_v2`, our own weights (see depth_v2.toml in models/weights)
Input    : "image", uint8 (1, 192, 320, 3) BGR, the whole frame stretched to this size
Output   : "depth", float32 (1, 1, 192, 320), inverse depth, about 0 to 1.3, larger is nearer; the scale holds from
           frame to frame and is left alone
Checked  : against the trained network before conversion, and against the real disparity of the Middlebury motorcycle,
           tests/models/test_depth.py and tests/pipelines/test_depth_task.py

Frames of every shape are stretched. On held-out pictures the rank correlation with the teacher (mean of four ways of
feeding it) was, stretched / best letterbox (border mirrored): portrait 0.956 / 0.952, square 0.971 / 0.959, 4:3 0.973 /
0.968; a black border is clearly worse (0.943 for portrait). Stretching also keeps all of the network's pixels for the
picture, and no border can leak into the map.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError

NEAR_PERCENTILE: Final = 98.0
FAR_PERCENTILE: Final = 2.0
"""A few pixels with wild values (thin things, specular spots) must not decide what is shown as nearest."""
MIN_SPAN: Final = 0.1
"""Smallest distance of near and far that is shown, on the network's scale of about 0 to 1.3. A flat wall spans less:
stretched to all colours its noise would look like relief."""
_STEP: Final = 4
"""Every 4th row and column decides the range: within 0.003 of the full percentile, 16 times as fast."""


def preprocess(image_bgr: NDArray[np.uint8], input_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Stretch a frame to the network's input.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (H, W, 3)
        The frame.
    input_wh : tuple of int
        Width w and height h of the network's input.

    Returns
    -------
    ndarray of uint8, shape (1, h, w, 3)
        Bilinear, pixel i covers an equal share of the frame. Without antialiasing: averaging first changed the rank
        correlation with real disparity by 0.002 (0.714 against 0.711) and takes 4 to 20 times as long at 1280x720.
    """
    return cv2.resize(image_bgr, input_wh, interpolation=cv2.INTER_LINEAR)[None].astype(np.uint8, copy=False)


def decode(depth: NDArray[np.float32], map_wh: tuple[int, int]) -> NDArray[np.float32]:
    """Return the network's output "depth" as float32 (h, w), inverse depth.

    Raises
    ------
    ModelError
        If it has another shape than map_wh (width, height): the weights are not the ones expected.
    """
    w, h = map_wh
    if depth.shape != (1, 1, h, w):
        raise ModelError(f"the depth network gave a map of shape {depth.shape}, expected {(1, 1, h, w)}")
    return depth[0, 0]


def robust_range(inverse_depth: NDArray[np.float32]) -> tuple[float, float]:
    """Return the inverse depth to show as nearest and as farthest.

    Parameters
    ----------
    inverse_depth : ndarray of float32, shape (h, w)
        A map of any size.

    Returns
    -------
    near, far : float
        The 98th and the 2nd percentile, moved apart evenly to `MIN_SPAN` where they are closer: near is always larger.
    """
    # Sorting takes a quarter of the time of `np.percentile`.
    ranked = np.sort(inverse_depth[::_STEP, ::_STEP], axis=None)
    return widened(_at(ranked, NEAR_PERCENTILE), _at(ranked, FAR_PERCENTILE))


def _at(ranked: NDArray[np.float32], percentile: float) -> float:
    """Return a percentile of sorted values, interpolated linearly as `np.percentile` does."""
    below, share = divmod(percentile / 100 * (ranked.size - 1), 1)
    low, high = float(ranked[int(below)]), float(ranked[min(int(below) + 1, ranked.size - 1)])
    return low + share * (high - low)


def widened(near: float, far: float) -> tuple[float, float]:
    """Return `near` and `far`, moved apart evenly where they are closer than `MIN_SPAN`."""
    lacking = MIN_SPAN - (near - far)
    return (near + lacking / 2, far - lacking / 2) if lacking > 0 else (near, far)
