"""How results are drawn: one immutable value, handed from the window to the drawing thread."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from pipelines.errors import ConfigError

FAR_NEAR: Final = ("far", "near")
MOST_YAW: Final = 45.0
MOST_PITCH: Final = 35.0
"""Degrees by which a relief is turned at most. Beyond, one sees more of what no camera has seen than of the picture."""


class FaceStyle(Enum):
    """How faces are drawn."""

    OFF = "off"
    CONTOURS = "contours"
    """Outline, brows, eyes, irises and lips."""
    MESH = "mesh"
    """The whole mesh as a fine net, with the contours on it."""
    POINTS = "points"
    """Every landmark as a dot, the nearer the brighter."""
    BOX = "box"
    """Corners around the face, and its score."""
    GLASSES = "glasses"
    """Glasses that turn with the head."""
    HAT = "hat"
    """A hat that turns with the head."""


class MaskStyle(Enum):
    """How the person mask is drawn."""

    OFF = "off"
    TINT = "tint"
    """The person tinted and outlined, the rest a little darker. Over depth colours only the outline is drawn."""
    OUTLINE = "outline"
    """Only a line around the person."""
    SPOTLIGHT = "spotlight"
    """The person in colour, the rest grey and dark."""
    CUTOUT = "cutout"
    """The person on a plain dark background."""


class DepthStyle(Enum):
    """How depth is drawn."""

    OFF = "off"
    AUTO = "auto"
    """Over the whole picture where depth is the only task, in the corner otherwise."""
    INSET = "inset"
    """A small picture in the lower right corner."""
    FULL = "full"
    """Over the whole picture."""
    RELIEF = "relief"
    """The picture, with what is drawn on it, as a relief: turned a little, and lit."""


class DepthColours(Enum):
    """Colour maps for depth. All but TURBO are perceptually uniform: equal steps of depth look equally large."""

    INFERNO = "inferno"
    MAGMA = "magma"
    VIRIDIS = "viridis"
    TURBO = "turbo"
    GREY = "grey"


class Tint(Enum):
    """Colour of the person mask."""

    VIOLET = "violet"
    BLUE = "blue"
    ROSE = "rose"
    WHITE = "white"


@dataclass(frozen=True, slots=True)
class OverlayStyle:
    """What is drawn and how.

    Parameters
    ----------
    face : FaceStyle
        How faces are drawn.
    mask : MaskStyle
        How the person mask is drawn.
    depth : DepthStyle
        How and where depth is drawn.
    face_opacity, mask_opacity, depth_opacity : float
        0 = invisible, 1 = as designed. Depth is mixed with the picture below, also in the corner; of a relief it is
        the height.
    mask_tint : Tint
        Colour of the mask's tint and outline.
    depth_colours : DepthColours
        Colour map of depth, also of its legend.
    line_scale : float
        Width of all lines and dots relative to the design, 0.5 to 4; larger for a projector.
    relief_yaw, relief_pitch : float
        Degrees by which the right and the upper edge of a relief are turned away, up to `MOST_YAW` and `MOST_PITCH`.
    legend : tuple of str
        What the farthest and the nearest are called in the legend of depth.

    Raises
    ------
    ConfigError
        If a number is out of its range.
    """

    face: FaceStyle = FaceStyle.CONTOURS
    mask: MaskStyle = MaskStyle.TINT
    depth: DepthStyle = DepthStyle.AUTO
    face_opacity: float = 1.0
    mask_opacity: float = 1.0
    depth_opacity: float = 1.0
    mask_tint: Tint = Tint.VIOLET
    depth_colours: DepthColours = DepthColours.INFERNO
    line_scale: float = 1.0
    relief_yaw: float = 24.0
    relief_pitch: float = 10.0
    legend: tuple[str, str] = FAR_NEAR

    def __post_init__(self) -> None:
        for name in ("face", "mask", "depth"):
            opacity = getattr(self, f"{name}_opacity")
            if not 0.0 <= opacity <= 1.0:
                raise ConfigError(f"the opacity of {name} must be between 0 and 1, not {opacity:g}")
        if not 0.5 <= self.line_scale <= 4.0:
            raise ConfigError(f"the line width must be between 0.5 and 4 times the usual one, not {self.line_scale:g}")
        for angle, most in ((self.relief_yaw, MOST_YAW), (self.relief_pitch, MOST_PITCH)):
            if not -most <= angle <= most:
                raise ConfigError(f"a relief is turned by {most:g} degrees at most, not by {angle:g}")
