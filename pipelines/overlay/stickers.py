"""Glasses and a hat that sit on a face and turn with the head: our own vector shapes, in three dimensions.

All lengths are in face widths (cheek to cheek), all places from between the eyes along the axes of the head
(`HeadPose.point`): across to the picture's right, down the face, into the head.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.overlay.colours import bgr
from pipelines.overlay.pose import HeadPose
from pipelines.overlay.style import FaceStyle

STICKERS: Final = (FaceStyle.GLASSES, FaceStyle.HAT)

FRAME: Final = "#1c1f26"
GLASS: Final = "#10141c"
SHINE: Final = "#f4f6f8"
FELT: Final = "#2a2d45"
FELT_LIT: Final = "#3a3e5e"
FELT_BELOW: Final = "#191b2b"
BAND: Final = "#e0475b"

LENS_AT: Final = (0.235, 0.015)
"""Middle of a lens, to both sides and below the line of the eyes."""
LENS_WH: Final = (0.36, 0.29)
FRONT: Final = -0.06
"""Glasses sit this far in front of the eyes."""
EAR: Final = (0.53, -0.03, 0.42)
FRAME_WIDTH: Final = 0.028

BRIM_AT: Final = (0.0, -0.50, 0.27)
BRIM_RADIUS: Final = 0.80
CROWN_RADIUS: Final = 0.50
CROWN_TOP: Final = 0.53
"""Radius at the top: a little wider than below, as top hats are."""
CROWN_HEIGHT: Final = 0.62
BAND_HEIGHT: Final = 0.15
LEAN: Final = math.radians(10)
"""The hat leans back, so that its brim is seen from the front too."""
_SHIFT: Final = 4
_STEPS: Final = 40


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    """One area or line of a sticker.

    Parameters
    ----------
    points : ndarray of float64, shape (N, 2)
        In pixels.
    colour : str
        "#rrggbb".
    opacity : float
        0 to 1.
    line : float
        Width in pixels of a line; 0 for an area.
    closed : bool
        Whether a line ends where it began.
    """

    points: NDArray[np.float64]
    colour: str
    opacity: float = 1.0
    line: float = 0.0
    closed: bool = False


def shapes_of(pose: HeadPose, style: FaceStyle) -> list[Shape]:
    """Return the shapes of a sticker in the order in which they are painted."""
    return list(_glasses(pose) if style is FaceStyle.GLASSES else _hat(pose))


def _projected(pose: HeadPose, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of the head, float64 (N, 3), as pixels, float64 (N, 2)."""
    return np.asarray((pose.origin + pose.width * (points @ pose.axes))[:, :2])


# -- glasses


@cache
def _lens() -> NDArray[np.float64]:
    """Outline of a lens around its middle, float64 (N, 2): between an ellipse and a rectangle."""
    angles = np.linspace(0, 2 * math.pi, _STEPS, endpoint=False)
    x, y = np.cos(angles), np.sin(angles)
    half = np.array(LENS_WH) / 2
    return np.column_stack([np.sign(x) * np.abs(x) ** 0.62, np.sign(y) * np.abs(y) ** 0.7]) * half


def _glasses(pose: HeadPose) -> Iterator[Shape]:
    width = max(1.0, FRAME_WIDTH * pose.width)
    outer = LENS_AT[0] + LENS_WH[0] / 2
    for side in (-1.0, 1.0):
        # The temple of the side that is turned away lies behind the head.
        if side * pose.axes[0, 2] < 0.08:
            hinge, ear = (side * outer, LENS_AT[1] - 0.05, FRONT), (side * EAR[0], EAR[1], EAR[2])
            yield Shape(_projected(pose, np.array([hinge, ear])), FRAME, line=width)
    lenses = []
    for side in (-1.0, 1.0):
        flat = _lens() + np.array([side * LENS_AT[0], LENS_AT[1]])
        lenses.append(_projected(pose, np.column_stack([flat, np.full(len(flat), FRONT)])))
    for lens in lenses:
        yield Shape(lens, GLASS, 0.45)
    for side in (-1.0, 1.0):
        middle = side * LENS_AT[0]
        shine = np.array([(middle - 0.10, 0.05), (middle + 0.01, -0.09), (middle + 0.05, -0.09), (middle - 0.06, 0.05)])
        yield Shape(_projected(pose, np.column_stack([shine, np.full(4, FRONT)])), SHINE, 0.22)
    for lens in lenses:
        yield Shape(lens, FRAME, line=width, closed=True)
    inner = LENS_AT[0] - LENS_WH[0] / 2
    arch = np.array(
        [(x, LENS_AT[1] - 0.03 - 0.03 * (1 - (x / inner) ** 2), FRONT) for x in np.linspace(-inner, inner, 9)]
    )
    yield Shape(_projected(pose, arch), FRAME, line=width)


# -- hat


@cache
def _hat_axes() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Direction from the brim's middle to its front, and up the crown, in the head's axes."""
    return np.array([0.0, -math.sin(LEAN), -math.cos(LEAN)]), np.array([0.0, -math.cos(LEAN), math.sin(LEAN)])


def _circle(radius: float, up: float, end: float) -> NDArray[np.float64]:
    """Points of a circle around the hat's middle, `up` above the brim; half a turn from 0 goes over the front."""
    front, above = _hat_axes()
    angles = np.linspace(0.0, end, _STEPS)
    across = np.array([1.0, 0.0, 0.0])
    turn = np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * front
    return np.array(BRIM_AT) + radius * turn + up * above


def _hull(points: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.asarray(cv2.convexHull(np.concatenate(points).astype(np.float32))[:, 0], np.float64)


def _hat(pose: HeadPose) -> Iterator[Shape]:
    def circle(radius: float, up: float, end: float = 2 * math.pi) -> NDArray[np.float64]:
        return _projected(pose, _circle(radius, up, end))

    thick = 0.03
    at_band = CROWN_RADIUS + (CROWN_TOP - CROWN_RADIUS) * BAND_HEIGHT / CROWN_HEIGHT
    _, above = _hat_axes()
    if float((above @ pose.axes)[2]) < 0:  # seen from above
        bottom, top = circle(CROWN_RADIUS, thick), circle(CROWN_TOP, CROWN_HEIGHT)
        yield Shape(_hull([circle(BRIM_RADIUS, 0.0), circle(BRIM_RADIUS, thick)]), FELT)
        yield Shape(circle(BRIM_RADIUS, thick), FELT_LIT)
        yield Shape(_hull([bottom, top]), FELT)
        yield Shape(_hull([bottom, circle(at_band, BAND_HEIGHT)]), BAND)
        yield Shape(top, FELT_LIT)
        return
    # From below, the front halves of all circles are what is seen; the other halves are behind the head.
    half = math.pi
    bottom = circle(CROWN_RADIUS, thick, half)
    yield Shape(np.concatenate([bottom, circle(CROWN_TOP, CROWN_HEIGHT, half)[::-1]]), FELT)
    yield Shape(np.concatenate([bottom, circle(at_band, BAND_HEIGHT, half)[::-1]]), BAND)
    inner = circle(CROWN_RADIUS, 0.0, half)[::-1]
    yield Shape(np.concatenate([circle(BRIM_RADIUS, thick, half), inner]), FELT)
    yield Shape(np.concatenate([circle(BRIM_RADIUS, 0.0, half), inner]), FELT_BELOW)


# -- painting


def draw_sticker(image: NDArray[np.uint8], pose: HeadPose, style: FaceStyle, opacity: float) -> None:
    """Draw a sticker into `image` (in place).

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        Drawn into; only pixels near the sticker change.
    pose : HeadPose
        The head that wears it.
    style : FaceStyle
        One of `STICKERS`.
    opacity : float
        0 = invisible, 1 = as designed.
    """
    shapes = shapes_of(pose, style)
    if opacity >= 1:
        for shape in shapes:
            _paint(image, shape)
        return
    pad = 2 + math.ceil(max(shape.line for shape in shapes))
    everything = np.concatenate([shape.points for shape in shapes])
    area = _area(image, everything, pad)
    if area is None or opacity <= 0:
        return
    (x0, y0), part = area
    # Painted as one thing and mixed then: of shapes that are mixed one by one, those below would be seen.
    canvas = part.copy()
    for shape in shapes:
        _paint(canvas, replace(shape, points=shape.points - (x0, y0)))
    cv2.addWeighted(canvas, opacity, part, 1 - opacity, 0, dst=part)


def _area(
    image: NDArray[np.uint8], points: NDArray[np.float64], pad: int
) -> tuple[tuple[int, int], NDArray[np.uint8]] | None:
    """The part of a picture around points, and where it begins; None where they are outside."""
    height, width = image.shape[:2]
    lows, highs = points.min(axis=0) - pad, points.max(axis=0) + pad
    x0, y0 = (max(0, math.floor(value)) for value in lows)
    x1, y1 = min(width, math.ceil(highs[0])), min(height, math.ceil(highs[1]))
    return None if x1 <= x0 or y1 <= y0 else ((x0, y0), image[y0:y1, x0:x1])


def _paint(image: NDArray[np.uint8], shape: Shape) -> None:
    found = _area(image, shape.points, math.ceil(shape.line) + 2)
    if found is None:
        return
    start, area = found
    canvas = area if shape.opacity >= 1 else area.copy()
    points = np.rint((shape.points - start) * (1 << _SHIFT)).astype(np.int32)
    if shape.line:
        thickness = max(1, round(shape.line))
        cv2.polylines(canvas, [points], shape.closed, bgr(shape.colour), thickness, cv2.LINE_AA, _SHIFT)
    else:
        cv2.fillPoly(canvas, [points], bgr(shape.colour), cv2.LINE_AA, _SHIFT)
    if shape.opacity < 1:
        cv2.addWeighted(canvas, shape.opacity, area, 1 - shape.opacity, 0, dst=area)
