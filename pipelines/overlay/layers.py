"""The pixels of the layers that are written as PNG files: numbers for programs, not pictures for people."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.results import DepthMap, SegmentationMask

DEPTH_FULL_SCALE: Final = 2.0
"""Inverse depth that a 16-bit layer shows as 65535. The depth networks give 0 to about 1.3; a fixed scale, unlike one
taken from each frame, keeps the values of different frames and files comparable."""


def mask_png_pixels(mask: SegmentationMask) -> NDArray[np.uint8]:
    """Return the mask as 8-bit pixels, uint8 (H, W) at the frame's size: 0 = background, 255 = person."""
    return mask.alpha


def depth_png_pixels(depth: DepthMap) -> NDArray[np.uint16]:
    """Return the depth as 16-bit pixels at the frame's size.

    Returns
    -------
    ndarray of uint16, shape (H, W)
        Inverse depth, larger = nearer: value / 65535 * `DEPTH_FULL_SCALE` is the network's own number, to within
        1.6e-5. The same for all frames; what is below 0 or above `DEPTH_FULL_SCALE` is clipped.
    """
    scale = np.float32(65535 / DEPTH_FULL_SCALE)
    # Scaled and clipped before it is enlarged: bilinear interpolation stays within the range.
    steps = np.clip(depth.inverse_depth * scale, 0, 65535)
    full = cv2.resize(steps, depth.size_wh, interpolation=cv2.INTER_LINEAR)
    return np.rint(full).astype(np.uint16)
