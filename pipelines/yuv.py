"""BGR pictures as encoders want them: Y'CbCr 4:2:0, BT.709, limited range."""

from __future__ import annotations

from typing import Final

import av
import cv2
import numpy as np
from numpy.typing import NDArray

RED, BLUE = 0.2126, 0.0722
"""Shares of luma (BT.709)."""
_GREEN: Final = 1 - RED - BLUE
_LUMA, _CHROMA = 219 / 255, 224 / 255
_CB, _CR = _CHROMA / (2 * (1 - BLUE)), _CHROMA / (2 * (1 - RED))
FROM_BGR: Final = np.array(
    [
        [_LUMA * BLUE, _LUMA * _GREEN, _LUMA * RED, 16],
        [_CB * (1 - BLUE), -_CB * _GREEN, -_CB * RED, 128],
        [-_CR * BLUE, -_CR * _GREEN, _CR * (1 - RED), 128],
    ]
)
"""From blue, green, red in [0, 255] and 1 to luma, Cb and Cr (BT.709, section 3)."""
STRIP: Final = 180
"""Rows that are converted at a time: what lies between the steps stays in the processor's cache."""


class Yuv420:
    """Converts pictures of one size for one thread.

    FFmpeg's conversion of BGR24 takes twice the time and always rounds down, half a level too dark on average; rounded
    exactly it takes four times as long.

    Parameters
    ----------
    size_wh : tuple of int
        Width and height of the pictures, both even.

    Raises
    ------
    ValueError
        If one of them is odd.
    """

    def __init__(self, size_wh: tuple[int, int]) -> None:
        self._width, self._height = width, height = size_wh
        if width % 2 or height % 2:
            raise ValueError(f"4:2:0 needs an even size, not {width}x{height}")
        rows = min(STRIP, height)
        self._mixed = np.empty((rows, width, 3), np.uint8)
        self._cb = np.empty((rows, width), np.uint8)
        self._cr = np.empty((rows, width), np.uint8)

    def frame(self, image: NDArray[np.uint8]) -> av.VideoFrame:
        """Return a picture, uint8 (H, W, 3) BGR, as a new frame. A chroma sample is the mean of its four pixels.

        Raises
        ------
        ValueError
            If it is of another size.
        """
        width, height = self._width, self._height
        if image.shape != (height, width, 3):
            raise ValueError(f"a picture of {width}x{height} was announced, not {image.shape}")
        frame = av.VideoFrame(width, height, "yuv420p")
        luma, cb, cr = (
            np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)[:, : plane.width]
            for plane in frame.planes
        )
        for top in range(0, height, STRIP):
            end = min(top + STRIP, height)
            rows, half = slice(0, end - top), slice(top // 2, end // 2)
            mixed, full_cb, full_cr = self._mixed[rows], self._cb[rows], self._cr[rows]
            # Each writes into the array that it is given: none of them copies or makes a new one.
            cv2.transform(image[top:end], FROM_BGR, dst=mixed)
            cv2.split(mixed, mv=[luma[top:end], full_cb, full_cr])
            small = (width // 2, (end - top) // 2)
            cv2.resize(full_cb, small, dst=cb[half], interpolation=cv2.INTER_AREA)
            cv2.resize(full_cr, small, dst=cr[half], interpolation=cv2.INTER_AREA)
        return frame
