"""Person segmentation: how likely each pixel belongs to a person in front of the camera.

Model    : selfie segmentation, Google, Apache-2.0, from the package mediapipe 0.10.21; `selfie_landscape` and
           `selfie_square` (see their manifests in models/weights)
Input    : "image", uint8 (1, 144, 256, 3) or (1, 256, 256, 3) BGR, the whole frame stretched to this size
Output   : "mask", float32 (1, 1, 144, 256) or (1, 1, 256, 256), probability in [0, 1], sigmoid applied; used as it
           is, never scaled by a frame's own minimum and maximum, or an empty room would turn into a person
Checked  : against MediaPipe's own solution, tests/pipelines/test_segmentation_task.py

Sampling. MediaPipe stretches without a shift by half a pixel: network pixel i looks at frame pixel i * W / w. We look
at the same points, because the networks answer visibly differently to others (IoU with MediaPipe down to 0.89, and
0.01 less IoU with hand-drawn masks for the landscape network). What the network says about pixel i therefore holds at
frame pixel i * W / w, and `to_frame` puts it exactly there. MediaPipe itself enlarges its mask with the half-pixel
shift, which moves it by (W / w - 1) / 2 pixels, 2 px at 1280, to the right and down. On pictures of 1280x720 whose true
mask is known our place is the best one (IoU 0.947; moved by 2 px 0.943), so the mask stays on the picture here. The
two still agree to an IoU of 0.974 to 0.998, and of 0.96 to 0.99 with the edge refined.

Stretched, not letterboxed: on 272 photographs with hand-drawn masks stretching was the better one for every shape of
picture and both networks (portrait pictures in the square network: mean IoU 0.908, letterboxed 0.885).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError

Level = TypeVar("Level", np.uint8, np.float32)

LANDSCAPE_MIN_ASPECT: Final = 1.15
"""Width over height from which on the landscape network is the better one: mean IoU with hand-drawn masks 0.864 against
0.848 above this (165 pictures), 0.890 against 0.911 below (107)."""


def model_for(size_wh: tuple[int, int]) -> str:
    """Return the name of the network that suits a frame of this width and height."""
    width, height = size_wh
    return "selfie_landscape" if width >= LANDSCAPE_MIN_ASPECT * height else "selfie_square"


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
        Pixel i is the frame at i * W / w, bilinear, without antialiasing.
    """
    height, width = image_bgr.shape[:2]
    w, h = input_wh
    if width % w == 0 and height % h == 0:
        # Every sample falls on a pixel, which is all that "nearest" picks: a quarter of the time at 1280x720.
        return cv2.resize(image_bgr, input_wh, interpolation=cv2.INTER_NEAREST)[None].astype(np.uint8, copy=False)
    matrix = np.array([[width / w, 0.0, 0.0], [0.0, height / h, 0.0]])
    sampled = cv2.warpAffine(
        image_bgr, matrix, input_wh, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return sampled[None].astype(np.uint8, copy=False)


def decode(mask: NDArray[np.float32], mask_wh: tuple[int, int]) -> NDArray[np.float32]:
    """Return the network's output "mask" as float32 (h, w), probability in [0, 1].

    Raises
    ------
    ModelError
        If it has another shape than mask_wh (width, height): the weights are not the ones expected.
    """
    w, h = mask_wh
    if mask.shape != (1, 1, h, w):
        raise ModelError(f"the segmentation network gave a mask of shape {mask.shape}, expected {(1, 1, h, w)}")
    return mask[0, 0]


def to_frame(values: NDArray[Level], frame_wh: tuple[int, int], out_wh: tuple[int, int]) -> NDArray[Level]:
    """Move an array from the network's grid to one whose pixels share the frame equally.

    The inverse of `preprocess`: on the network's grid, column i is about frame column i * W / w. On the result, column
    i is about the i-th of equal shares of the frame, as everywhere else in image processing, so that `cv2.resize`
    enlarges it without a shift.

    Parameters
    ----------
    values : ndarray of float32 or uint8, shape (h, w) or (h, w, C)
        On the network's grid.
    frame_wh : tuple of int
        Width and height of the frame in pixels.
    out_wh : tuple of int
        Width and height of the result. Where it is smaller, whole multiples are averaged.

    Returns
    -------
    ndarray, shape (out height, out width) or (out height, out width, C)
        Of the dtype of `values`, bilinear.
    """
    h, w = values.shape[:2]
    (width, height), (out_w, out_h) = frame_wh, out_wh
    step_x, step_y = max(1, w // out_w), max(1, h // out_h)
    # Where the result looks, in pixels of the network from its own first one, less what averaging moves.
    x0 = (0.5 * width / out_w - 0.5) * w / width - (step_x - 1) / 2
    y0 = (0.5 * height / out_h - 0.5) * h / height - (step_y - 1) / 2
    if (w, h) == (out_w * step_x, out_h * step_y) and 0 <= x0 < step_x and 0 <= y0 < step_y:
        # Cells of whole pixels, all moved alike by a part of a cell: a mean of neighbours, finer and faster.
        cells = cv2.resize(values, out_wh, interpolation=cv2.INTER_AREA)
        kernel = _shift(x0 / step_x, y0 / step_y)
        moved = cv2.filter2D(cells, -1, kernel, anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
        return np.asarray(moved, values.dtype)
    if step_x > 1 or step_y > 1:
        # Anchor 0: pixel i becomes the mean of i .. i + step - 1, which is about i + (step - 1) / 2.
        blurred = cv2.blur(values, (step_x, step_y), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
        values = np.asarray(blurred, values.dtype)
    matrix = np.array([[w / out_w, 0.0, x0], [0.0, h / out_h, y0]])
    moved = cv2.warpAffine(
        values, matrix, out_wh, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, values.dtype)


@lru_cache(maxsize=8)
def _shift(x: float, y: float) -> NDArray[np.float64]:
    """The mean of neighbours that lies this share of a cell to the right and below, float64 (2, 2)."""
    return np.outer([1 - y, y], [1 - x, x])
