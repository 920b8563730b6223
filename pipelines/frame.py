"""A picture with its place in time."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """One picture of a source.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (H, W, 3)
        Blue, green, red. Read-only once the frame exists: threads share it.
    index : int
        Number of the frame within its source, from 0. Live sources skip none of the numbers of frames they read.
    timestamp_s : float
        Seconds: presentation time for files, monotonic time since the start for live sources. Never decreases.
    source : str
        Name of the source, for titles and file names.
    captured_s : float
        `time.monotonic()` when the frame was read; lets a viewer show the age of what is on the screen.
    position_s : float or None
        Time in the file, seconds: that of `timestamp_s` until the file is wound or begins again. None where there is
        no file.
    """

    image_bgr: NDArray[np.uint8]
    index: int = 0
    timestamp_s: float = 0.0
    source: str = ""
    captured_s: float = 0.0
    position_s: float | None = None

    def __post_init__(self) -> None:
        image = self.image_bgr
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise ValueError(f"a frame is uint8 (H, W, 3), not {image.dtype} {image.shape}")
        image.flags.writeable = False

    @property
    def width(self) -> int:
        """Width in pixels."""
        return int(self.image_bgr.shape[1])

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.image_bgr.shape[0])

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.width, self.height


def to_bgr(image: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Turn any decoded picture into BGR uint8, the one form that pipelines accept.

    Parameters
    ----------
    image : ndarray, shape (H, W), (H, W, 1), (H, W, 2), (H, W, 3) or (H, W, 4)
        Grey, grey + alpha, BGR or BGRA; uint8, uint16 (scaled by 1/257), or float in [0, 1]. Alpha is composited
        over black.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        Contiguous; the input itself when it already has this form.

    Raises
    ------
    ValueError
        If the array is not a picture.
    """
    if image.ndim == 2:
        image = image[:, :, None]
    if image.ndim != 3 or not 1 <= image.shape[2] <= 4 or 0 in image.shape:
        raise ValueError(f"not a picture: shape {image.shape}")
    if image.dtype == np.uint16:
        pixels = (image.astype(np.uint32) // 257).astype(np.uint8)
    elif np.issubdtype(image.dtype, np.floating):
        pixels = np.rint(np.clip(np.nan_to_num(image.astype(np.float32)), 0.0, 1.0) * 255.0).astype(np.uint8)
    elif image.dtype == np.bool_:
        pixels = image.astype(np.uint8) * np.uint8(255)
    elif image.dtype == np.uint8:
        pixels = image.astype(np.uint8, copy=False)
    else:
        raise ValueError(f"not a picture: values of type {image.dtype}")
    channels = pixels.shape[2]
    if channels == 3:
        return np.ascontiguousarray(pixels)
    if channels == 1:
        return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_GRAY2BGR), np.uint8)
    colour = pixels[:, :, :-1]
    alpha = pixels[:, :, -1:].astype(np.uint16)
    flat = ((colour.astype(np.uint16) * alpha + 127) // 255).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(flat, 3, axis=2) if channels == 2 else flat)
