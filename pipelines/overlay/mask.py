"""The person mask on the picture: tint, outline, spotlight or cut-out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.results import SegmentationMask
from models.soft_mask import SoftMask
from pipelines.overlay.buffers import scratch
from pipelines.overlay.colours import CUTOUT, bgr
from pipelines.overlay.part import Part
from pipelines.overlay.style import MaskStyle, Tint

TINT_STRENGTH: Final = 0.25
"""Share of the picture's light that the tint replaces on the person and that is missing behind: skin and clothes still
look like themselves, and the person stands out."""
SPOTLIGHT_DIM: Final = 0.55
OUTLINE_LONG_SIDE: Final = 640
"""Outlines are traced where the edge was found, in at most so many pixels (427 at 720p), and smoothed to a fine curve.
Brought to 640 first, lines lay 1.0 px inside of a disc's edge, with a deviation of 0.2; at 427, moved out by the half
pixel that a trace lies inside, they lie on it, with a deviation of 0.3, for two thirds of the time."""
OUTLINE_MIN_SHARE: Final = 0.0006
"""Specks and holes below this share of the picture get no outline."""
OUTLINE_ERROR: Final = 0.2
"""Pixels of the traced mask by which the smooth line may be cut short."""
_SMOOTHING: Final = 7
_BEYOND: Final = 16.0
"""Pixels of the traced mask by which a line leaves the picture that the person does."""
_LOW_SIX_BITS: Final = np.uint64(0x3F3F3F3F3F3F3F3F)
"""Of eight bytes: what is left of each after a shift by two; the other bits came from its neighbour."""
_SHIFT: Final = 4
"""OpenCV takes points in 1/16 pixels."""

TINTS: Final = {Tint.VIOLET: "#7c5cff", Tint.BLUE: "#2f80ff", Tint.ROSE: "#ff4d8d", Tint.WHITE: "#ffffff"}
OUTLINES: Final = {Tint.VIOLET: "#cfc2ff", Tint.BLUE: "#bcd8ff", Tint.ROSE: "#ffc9dc", Tint.WHITE: "#ffffff"}


def _ramp(alpha: NDArray[np.uint8], background: float, person: float, name: str) -> NDArray[np.uint8]:
    """Return alpha stretched to run from `background` at 0 to `person` at 255, both in [0, 255], in a scratch array."""
    ramp = scratch(name, alpha.shape)
    cv2.convertScaleAbs(alpha, dst=ramp, alpha=(person - background) / 255, beta=background)
    return ramp


def _mix(
    image: NDArray[np.uint8], alpha: NDArray[np.uint8], keep: tuple[float, float], add: Sequence[tuple[float, float]]
) -> None:
    """image = image * keep + add in place, in 8 bits, at most 2 levels off.

    `keep` and, for each channel, `add` are a value in [0, 255] for the background and one for the person; in between
    they follow alpha. Straight lines cost a third of what a table of 256 entries does (`cv2.LUT`).
    """
    share = scratch("share", image.shape)
    cv2.cvtColor(_ramp(alpha, *keep, "ramp"), cv2.COLOR_GRAY2BGR, dst=share)
    cv2.multiply(image, share, dst=image, scale=1 / 255)
    added = scratch("added", image.shape)
    cv2.merge([_ramp(alpha, *ends, f"ramp{channel}") for channel, ends in enumerate(add)], dst=added)
    cv2.add(image, added, dst=image)


def dimmed(picture: NDArray[np.uint8], opacity: float) -> NDArray[np.uint8]:
    """Return a copy of `picture`, uint8 (H, W, 3), that lacks the share of light that the tint replaces.

    One pass instead of a copy and a second pass over it.
    """
    share = TINT_STRENGTH * opacity
    if share != 0.25:
        return np.asarray(cv2.convertScaleAbs(picture, alpha=1 - share), np.uint8)
    if picture.size % 8 == 0:
        # Eight values at a time: half the time of single bytes, for which processors have no shift.
        eights = np.ascontiguousarray(picture).reshape(-1).view(np.uint64)
        quarter = np.right_shift(eights, np.uint64(2))
        np.bitwise_and(quarter, _LOW_SIX_BITS, out=quarter)
        np.subtract(eights, quarter, out=quarter)
        return quarter.view(np.uint8).reshape(picture.shape)
    return np.asarray(cv2.subtract(picture, np.right_shift(picture, 2)), np.uint8)


def draw_tint(image: NDArray[np.uint8], mask: SoftMask, tint: Tint, opacity: float) -> None:
    """Give the share `TINT_STRENGTH` of the light back as tint on the person, in place.

    `image` comes from `dimmed` and shows the mask's columns. A constant share needs no multiplication with the mask:
    half the time of blending two pictures by it.
    """
    strength = TINT_STRENGTH * opacity
    colour = bgr(TINTS[tint])
    area = image[mask.inside]
    if area.size:
        ramps = [_ramp(mask.levels, 0, strength * value, f"ramp{channel}") for channel, value in enumerate(colour)]
        _, _, width, height = mask.box_xywh
        # In colour before it is enlarged: a third of the passes over what is large.
        small = scratch("tint", (*mask.levels.shape, 3))
        cv2.merge(ramps, dst=small)
        light = mask.enlarged(small, scratch("added", (height, width, 3)))
        cv2.add(area, light, dst=area)
    for rows, columns, level in mask.sides():
        area = image[rows, columns]
        if level and area.size:
            light = np.full(area.shape, [round(strength * value * level / 255) for value in colour], np.uint8)
            cv2.add(area, light, dst=area)


def draw_spotlight(image: NDArray[np.uint8], alpha: NDArray[np.uint8], opacity: float) -> None:
    """Turn everything but the person grey and dark, in place."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    cv2.multiply(grey, _ramp(alpha, 255 * opacity * (1 - SPOTLIGHT_DIM), 0, "ramp"), dst=grey, scale=1 / 255)
    keep = scratch("share", image.shape)
    cv2.cvtColor(_ramp(alpha, 255 * (1 - opacity), 255, "ramp"), cv2.COLOR_GRAY2BGR, dst=keep)
    cv2.multiply(image, keep, dst=image, scale=1 / 255)
    grey3 = scratch("added", image.shape)
    cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR, dst=grey3)
    cv2.add(image, grey3, dst=image)


def draw_cutout(
    image: NDArray[np.uint8], alpha: NDArray[np.uint8], colour: tuple[int, int, int], opacity: float = 1.0
) -> None:
    """Put the person before a plain background of one colour, in place."""
    _mix(image, alpha, (255 * (1 - opacity), 255), [(opacity * value, 0) for value in colour])


def _traced(mask: SoftMask, step: float) -> tuple[NDArray[np.uint8], tuple[float, float], tuple[float, float]]:
    """Return a mask at the size at which its edge is traced, with what lies around it where that is of the frame.

    Returns
    -------
    levels : ndarray of uint8, shape (h, w)
        A box of the mask, with a border of one pixel on those sides on which it does not touch the frame's edge.
    scale, start : tuple of float
        Pixels of the frame a traced one, and the place in the frame of the first one's middle; x, y.
    """
    x, y, width, height = mask.box_xywh
    small_wh = (max(1, round(width / step)), max(1, round(height / step)))
    small = mask.levels
    if small.shape != small_wh[::-1]:
        small = np.asarray(cv2.resize(small, small_wh, interpolation=cv2.INTER_LINEAR), np.uint8)
    (first, end), around = mask.columns, mask.around
    borders = (x > first, y > 0, x + width < end, y + height < mask.height)
    levels = np.empty((small_wh[1] + borders[1] + borders[3], small_wh[0] + borders[0] + borders[2]), np.uint8)
    first_row, first_column = slice(0, 1), slice(0, 1)
    last_row, last_column, every = slice(-1, None), slice(-1, None), slice(None)
    places = ((every, first_column), (first_row, every), (every, last_column), (last_row, every))
    for place, level, is_there in zip(places, around, borders, strict=True):
        if is_there:
            levels[place] = level
    levels[borders[1] : borders[1] + small_wh[1], borders[0] : borders[0] + small_wh[0]] = small
    scale = (width / small_wh[0], height / small_wh[1])
    start = (x + (0.5 - borders[0]) * scale[0] - 0.5, y + (0.5 - borders[1]) * scale[1] - 0.5)
    return levels, scale, start


def outlines(mask: SoftMask, size_wh: tuple[int, int]) -> list[NDArray[np.float32]]:
    """Trace the edge of the mask.

    Parameters
    ----------
    mask : SoftMask
        The mask; its edge is where it crosses one half.
    size_wh : tuple of int
        Width and height of the frame.

    Returns
    -------
    list of ndarray of float32, shape (n, 2)
        Closed, smooth lines in pixels of the frame, holes included. Where the person is cut off by the picture's edge
        (or that of the mask's columns) the line runs outside of it, so that no line is drawn along the edge.
    """
    if not mask.levels.size:
        return []
    fine = max(1.0, max(size_wh) / OUTLINE_LONG_SIDE)
    step = max(fine, mask.box_xywh[2] / mask.levels.shape[1])
    levels, scale, start = _traced(mask, step)
    inside = cv2.threshold(levels, 127, 255, cv2.THRESH_BINARY)[1]
    found, _ = cv2.findContours(inside, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    least = OUTLINE_MIN_SHARE * size_wh[0] * size_wh[1] / step**2
    last = np.array(inside.shape[::-1], np.int32) - 1
    # What touches the border of the traced levels goes on to the frame's edge, and the line beyond it.
    near = (mask.columns[0] - _BEYOND * step, -_BEYOND * step)
    far = (mask.columns[1] + _BEYOND * step, mask.height + _BEYOND * step)
    lines = []
    for contour in found:
        count = len(contour)
        if count < 2 * _SMOOTHING or cv2.contourArea(contour) < least:
            continue
        points = contour.reshape(-1, 2)
        # The mean over neighbours along the closed line turns pixel steps into a curve.
        reach = _SMOOTHING // 2 + 1
        wrapped = np.concatenate([points[-reach:], points, points[:reach]]).astype(np.float32)[None]
        means = np.asarray(cv2.blur(wrapped, (_SMOOTHING, 1))[0], np.float32)
        # The trace runs through the middle of the outermost pixels: the edge is half a pixel outside of them, on the
        # side on which it always has the background.
        along = means[reach + 1 : reach + 1 + count] - means[reach - 1 : reach - 1 + count]
        length = np.maximum(cv2.magnitude(along[:, 0], along[:, 1]), np.float32(1e-3)).reshape(-1, 1)
        outwards = along[:, ::-1] * np.array([-0.5, 0.5], np.float32) / length
        line = ((means[reach:-reach] + outwards) * scale + start).astype(np.float32)
        for axis in (0, 1):
            place = points[:, axis]
            line[place == 0, axis] = near[axis]
            line[place == last[axis], axis] = far[axis]
        # OpenCV's thick lines cost 2 us a piece; where the line is nearly straight it needs fewer pieces.
        lines.append(np.asarray(cv2.approxPolyDP(line, OUTLINE_ERROR * fine, True), np.float32).reshape(-1, 2))
    return lines


def draw_outline(
    image: NDArray[np.uint8], lines_xy: list[NDArray[np.float32]], tint: Tint, width: int, opacity: float
) -> None:
    """Draw the edge of the mask (`outlines`, in pixels of `image`) as a light line, `width` pixels wide, in place."""
    if not lines_xy:
        return
    lines = [np.rint(line * (1 << _SHIFT)).astype(np.int32) for line in lines_xy]
    x0, y0 = (max(0, int(min(line[:, axis].min() for line in lines_xy)) - width - 2) for axis in (0, 1))
    x1, y1 = (max(0, int(max(line[:, axis].max() for line in lines_xy)) + width + 3) for axis in (0, 1))
    area = image[y0:y1, x0:x1]
    below = area.copy() if opacity < 1 else None
    cv2.polylines(image, lines, True, bgr(OUTLINES[tint]), width, cv2.LINE_AA, _SHIFT)
    if below is not None and below.size:
        cv2.addWeighted(area, opacity, below, 1 - opacity, 0, dst=area)


def draw_mask(
    image: NDArray[np.uint8],
    mask: SegmentationMask,
    style: MaskStyle,
    tint: Tint,
    opacity: float,
    line: int,
    part: Part,
) -> None:
    """Draw the mask into `image` (in place).

    Parameters
    ----------
    image : ndarray of uint8, shape (H, columns of the part, 3)
        Drawn into. For `MaskStyle.TINT` it is a picture from `dimmed`.
    mask : SegmentationMask
        The mask of the whole frame.
    style, tint : MaskStyle, Tint
        How, and in which colour.
    opacity : float
        0 = invisible, 1 = as designed.
    line : int
        Width of the outline in pixels.
    part : Part
        Which columns of the frame `image` shows.
    """
    if style is MaskStyle.OFF or opacity <= 0:
        return
    if style in (MaskStyle.SPOTLIGHT, MaskStyle.CUTOUT):
        alpha = mask.alpha if part.is_whole else mask.soft(part.first, part.end).pixels()
        if style is MaskStyle.SPOTLIGHT:
            draw_spotlight(image, alpha, opacity)
        else:
            draw_cutout(image, alpha, bgr(CUTOUT), opacity)
        return
    soft = mask.soft(part.first, part.end)
    if style is MaskStyle.TINT:
        draw_tint(image, soft, tint, opacity)
    offset = np.array([part.first, 0], np.float32)
    draw_outline(image, [points - offset for points in outlines(soft, part.size_wh)], tint, line, opacity)
