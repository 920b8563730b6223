"""The person alone: what lies behind is transparent."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.errors import ConfigError
from pipelines.pipeline import FrameResult


def cut_out(result: FrameResult) -> NDArray[np.uint8]:
    """Return the frame with the person mask as its transparency.

    Parameters
    ----------
    result : FrameResult
        The frame and what was found on it.

    Returns
    -------
    ndarray of uint8, shape (H, W, 4)
        BGR and alpha (not premultiplied). Where nothing of the frame is seen its colour is black: a file that shows
        the person alone shall not hold the room.

    Raises
    ------
    ConfigError
        If the task segmentation is off.
    """
    if result.mask is None:
        raise ConfigError("a transparent background needs the task segmentation")
    alpha = result.mask.alpha
    seen = cv2.threshold(alpha, 0, 255, cv2.THRESH_BINARY)[1]
    colour = cv2.bitwise_and(result.frame.image_bgr, cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR))
    return np.asarray(cv2.merge([*cv2.split(colour), alpha]), np.uint8)
