"""The colours of the overlay. Written as #RRGGBB, since the window's style sheet uses the same ones."""

from __future__ import annotations

from functools import cache
from typing import Final

COLOUR_A: Final = "#f5a524"
"""Amber: pipeline A, everywhere."""
COLOUR_B: Final = "#2bc4b0"
"""Teal: pipeline B, everywhere."""

# Amber and teal belong to the pipelines, so findings use neither: the face is drawn in white, blue and rose.
FACE_LINE: Final = "#f4f6fb"
FACE_BROW: Final = "#d9dcf5"
FACE_EYE: Final = "#6fd0ff"
FACE_LIPS: Final = "#ff7f9f"
FACE_HALO: Final = "#0b0d14"

CARD: Final = "#10131a"
"""Background of panels."""
CARD_EDGE: Final = "#ffffff"
TEXT: Final = "#f2f4f8"
TEXT_MUTED: Final = "#a9b0bd"
CUTOUT: Final = "#14171f"
"""What stands behind a person that is cut out."""


@cache
def bgr(colour: str) -> tuple[int, int, int]:
    """Return "#RRGGBB" as blue, green, red in 0..255.

    Raises
    ------
    ValueError
        If the text is not a colour of this form.
    """
    digits = colour[1:]
    if len(colour) != 7 or colour[0] != "#" or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        raise ValueError(f"{colour!r} is not a colour like #1e90ff")
    red, green, blue = (int(digits[start : start + 2], 16) for start in (0, 2, 4))
    return blue, green, red
