"""Results and figures drawn on a copy of the frame, effects behind the person, and the pixels of the layers.

Needs NumPy and OpenCV only. One module for each kind of result; `compose` puts them together.
"""

from pipelines.overlay.colours import COLOUR_A, COLOUR_B, bgr
from pipelines.overlay.compose import depth_place, draw_results, draw_split
from pipelines.overlay.effects import Effect, EffectKind, apply_effect, effect_on, parse_effect
from pipelines.overlay.figures import FigureRow, draw_figures
from pipelines.overlay.layers import depth_png_pixels, mask_png_pixels
from pipelines.overlay.style import DepthColours, DepthStyle, FaceStyle, MaskStyle, OverlayStyle, Tint

__all__ = [
    "COLOUR_A",
    "COLOUR_B",
    "DepthColours",
    "DepthStyle",
    "Effect",
    "EffectKind",
    "FaceStyle",
    "FigureRow",
    "MaskStyle",
    "OverlayStyle",
    "Tint",
    "apply_effect",
    "bgr",
    "depth_place",
    "depth_png_pixels",
    "draw_figures",
    "draw_results",
    "draw_split",
    "effect_on",
    "mask_png_pixels",
    "parse_effect",
]
