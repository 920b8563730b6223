"""The person mask on the picture: tint, outline, spotlight or cut-out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.overlay.buffers import scratch
from pipelines.overlay.colours import CUTOUT, bgr
from pipelines.overlay.style import MaskStyle, Tint

TINT_STRENGTH: Final = 0.25
"""Share of the picture's light that the tint replaces on the person and that is missing behind: skin and clothes still
look like themselves, and the person stands out."""
SPOTLIGHT_DIM: Final = 0.55
OUTLINE_LONG_SIDE: Final = 640
"""Outlines are traced on a mask of at most this size; at 720p every second pixel, smoothed to a fine curve."""
OUTLINE_MIN_SHARE: Final = 0.0006
"""Specks and holes below this share of the picture get no outline."""
OUTLINE_ERROR: Final = 0.2
"""Pixels of the traced mask by which the smooth line may be cut short."""
_SMOOTHING: Final = 7
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
    if picture.flags.c_contiguous and picture.size % 8 == 0:
        # Eight values at a time: half the time of single bytes, for which processors have no shift.
        eights = picture.reshape(-1).view(np.uint64)
        quarter = np.right_shift(eights, np.uint64(2))
        np.bitwise_and(quarter, _LOW_SIX_BITS, out=quarter)
        np.subtract(eights, quarter, out=quarter)
        return quarter.view(np.uint8).reshape(picture.shape)
    return np.asarray(cv2.subtract(picture, np.right_shift(picture, 2)), np.uint8)


def draw_tint(
    image: NDArray[np.uint8],
    alpha: NDArray[np.uint8],
    box_xywh: tuple[int, int, int, int],
    tint: Tint,
    opacity: float,
) -> None:
    """Give the share `TINT_STRENGTH` of the light back as tint on the person, in place.

    `image` comes from `dimmed`, `box_xywh` holds the person. A constant share needs no multiplication with the mask:
    half the time of blending two pictures by it.
    """
    strength = TINT_STRENGTH * opacity
    x, y, width, height = box_xywh
    if not width or not height:
        return
    person = alpha[y : y + height, x : x + width]
    area = image[y : y + height, x : x + width]
    light = scratch("added", area.shape)
    ramps = [_ramp(person, 0, strength * value, f"ramp{channel}") for channel, value in enumerate(bgr(TINTS[tint]))]
    cv2.merge(ramps, dst=light)
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


def shrunk(alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the mask at the size at which its edge is traced, at most `OUTLINE_LONG_SIDE`; a small one as it is."""
    height, width = alpha.shape
    step = max(width, height) / OUTLINE_LONG_SIDE
    if step <= 1:
        return alpha
    small_wh = (max(1, round(width / step)), max(1, round(height / step)))
    return np.asarray(cv2.resize(alpha, small_wh, interpolation=cv2.INTER_LINEAR), np.uint8)


def box_of(alpha: NDArray[np.uint8], small: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the mask, all of zero where it is empty.

    From the small mask where that is made of all pixels, up to half the size: a quarter of the memory to read. Pixels
    that a mean with their neighbours rounds to nothing do not count then.
    """
    height, width = alpha.shape
    rows, columns = small.shape
    if not (columns < width <= 2 * columns and height <= 2 * rows):
        x, y, across, down = cv2.boundingRect(alpha)
        return x, y, across, down
    x, y, across, down = cv2.boundingRect(small)
    if not across:
        return 0, 0, 0, 0
    left, top = max(0, x * width // columns - 2), max(0, y * height // rows - 2)
    right = min(width, -(-(x + across) * width // columns) + 2)
    bottom = min(height, -(-(y + down) * height // rows) + 2)
    return left, top, right - left, bottom - top


def outlines(alpha: NDArray[np.uint8], small: NDArray[np.uint8] | None = None) -> list[NDArray[np.float32]]:
    """Trace the edge of the mask.

    Parameters
    ----------
    alpha : ndarray of uint8, shape (H, W)
        The mask; its edge is where it crosses one half.
    small : ndarray of uint8, optional
        `shrunk` of it, if it is there already.

    Returns
    -------
    list of ndarray of float32, shape (n, 2)
        Closed, smooth lines in pixels of the mask, holes included. Where the person is cut off by the picture's edge
        the line runs outside of the picture, so that no line is drawn along the edge.
    """
    height, width = alpha.shape
    step = max(1.0, max(width, height) / OUTLINE_LONG_SIDE)
    small = shrunk(alpha) if small is None else small
    small_wh = (small.shape[1], small.shape[0])
    inside = cv2.threshold(small, 127, 255, cv2.THRESH_BINARY)[1]
    found, _ = cv2.findContours(inside, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    least = OUTLINE_MIN_SHARE * small_wh[0] * small_wh[1]
    scale = np.array([width / small_wh[0], height / small_wh[1]], np.float32)
    last = np.array(small_wh, np.int32) - 1
    lines = []
    for contour in found:
        if len(contour) < 2 * _SMOOTHING or cv2.contourArea(contour) < least:
            continue
        points = contour.reshape(-1, 2)
        # The mean over neighbours along the closed line turns pixel steps into a curve.
        wrapped = np.concatenate([points[-(_SMOOTHING // 2) :], points, points[: _SMOOTHING // 2]]).astype(np.float32)
        sums = np.cumsum(np.concatenate([np.zeros((1, 2), np.float32), wrapped]), axis=0, dtype=np.float64)
        smooth = (sums[_SMOOTHING:] - sums[:-_SMOOTHING]) / _SMOOTHING
        smooth[points == 0] = -16.0
        smooth = np.where(points == last, last + 16.0, smooth)
        line = ((smooth + 0.5) * scale - 0.5).astype(np.float32)
        # OpenCV's thick lines cost 2 us a piece; where the line is nearly straight it needs fewer pieces.
        lines.append(np.asarray(cv2.approxPolyDP(line, OUTLINE_ERROR * step, True), np.float32).reshape(-1, 2))
    return lines


def draw_outline(
    image: NDArray[np.uint8],
    lines_xy: list[NDArray[np.float32]],
    box_xywh: tuple[int, int, int, int],
    tint: Tint,
    width: int,
    opacity: float,
) -> None:
    """Draw the edge of the mask (`outlines`) as a light line, `width` pixels wide, in place. `box_xywh` holds it."""
    lines = [np.rint(line * (1 << _SHIFT)).astype(np.int32) for line in lines_xy]
    if not lines:
        return
    x, y, box_width, box_height = box_xywh
    pad = width + 1
    y0, x0 = max(0, y - pad), max(0, x - pad)
    area = image[y0 : y + box_height + pad, x0 : x + box_width + pad]
    below = area.copy() if opacity < 1 else None
    cv2.polylines(image, lines, True, bgr(OUTLINES[tint]), width, cv2.LINE_AA, _SHIFT)
    if below is not None:
        cv2.addWeighted(area, opacity, below, 1 - opacity, 0, dst=area)


def draw_mask(
    image: NDArray[np.uint8], alpha: NDArray[np.uint8], style: MaskStyle, tint: Tint, opacity: float, line: int
) -> None:
    """Draw the mask into `image` (in place).

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        Drawn into. For `MaskStyle.TINT` it is a picture from `dimmed`.
    alpha : ndarray of uint8, shape (H, W)
        The mask.
    style, tint : MaskStyle, Tint
        How, and in which colour.
    opacity : float
        0 = invisible, 1 = as designed.
    line : int
        Width of the outline in pixels.
    """
    if style is MaskStyle.OFF or opacity <= 0:
        return
    if style is MaskStyle.SPOTLIGHT:
        draw_spotlight(image, alpha, opacity)
    elif style is MaskStyle.CUTOUT:
        draw_cutout(image, alpha, bgr(CUTOUT), opacity)
    else:
        small = shrunk(alpha)
        box_xywh = box_of(alpha, small)
        if style is MaskStyle.TINT:
            draw_tint(image, alpha, box_xywh, tint, opacity)
        draw_outline(image, outlines(alpha, small), box_xywh, tint, line, opacity)
