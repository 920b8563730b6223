"""Text on pictures, with the TrueType face that OpenCV 5 carries ("sans"). Its digits all have one width."""

from __future__ import annotations

import threading
from enum import IntEnum
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

REGULAR: Final = 400
SEMIBOLD: Final = 600
CAP_HEIGHT: Final = 0.70
"""Height of a capital letter relative to the size of the type."""


class Align(IntEnum):
    """Which point of the text `draw_text` puts at the given x."""

    LEFT = cv2.PUT_TEXT_ALIGN_LEFT
    RIGHT = cv2.PUT_TEXT_ALIGN_RIGHT


class _Faces(threading.local):
    # One for each thread: OpenCV does not say whether a face may be shared, and loading one takes 0.1 ms.
    def __init__(self) -> None:
        self.sans = cv2.FontFace("sans")


_FACES = _Faces()


def draw_text(
    image: NDArray[np.uint8],
    text: str,
    x: float,
    baseline: float,
    size: int,
    colour: tuple[int, int, int],
    weight: int = REGULAR,
    align: Align = Align.LEFT,
) -> None:
    """Draw one line of text into `image` (in place).

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        Drawn into; what falls outside is left out.
    x, baseline : float
        Pixels: left (or right, see `align`) end of the line, and the line the letters stand on.
    size : int
        Size of the type in pixels.
    colour : tuple of int
        Blue, green, red.
    weight : int
        400 = regular, 600 = semibold.
    """
    origin = (round(x), round(baseline))
    cv2.putText(image, text, origin, colour, _FACES.sans, size, weight, int(align), (-10_000, 100_000))


@lru_cache(maxsize=1024)
def text_width(text: str, size: int, weight: int = REGULAR) -> int:
    """Return the advance of `text` in pixels, rounded up."""
    return int(cv2.getTextSize((0, 0), text, (0, 0), _FACES.sans, size, weight)[2])
