"""From a coarse confidence map to a soft edge that follows the picture.

A guided filter (He, Sun and Tang, "Guided Image Filtering", 2013) in its fast form (He and Sun, "Fast Guided Filter",
2015): in every window of a small grid the confidence is explained as a linear function of the colour, and the function
is evaluated on the picture itself. Where a person's colours differ from what is behind them, the edge moves to where
the colour changes.

What decided the form, on 75 pictures of 1280x720 with people pasted into rooms, whose true edge is known to the pixel
(error: mean of |alpha - truth| within 16 px of it; contour: mean distance of the line at one half from the true one):

    variant                                           IoU    error  contour  work
    enlarged bilinearly                               0.946  0.159  2.5 px   -
    the same, contrast doubled                        0.946  0.134  2.5 px   -
    guided by grey, 256x144 cells, windows of 5x5     0.950  0.135  2.2 px   about the same
    guided by colour, 256x144 cells, windows of 9x9   0.954  0.117  1.8 px   4x for the coefficients
    guided by colour, 128x72 cells, windows of 5x5    0.954  0.116  1.9 px   this one
    the same, contrast afterwards 2 instead of 1.5    0.954  0.111  1.9 px   -

The coefficients are evaluated at 427x240 and the result is enlarged: 640x360 lowers the error by 0.003 for 1.2 times
the work, the full size by another 0.003. All of it runs only where the confidence changes and is not sure, for
elsewhere the answer is the confidence itself. Fading the colours out in the coefficients where it is sure (`_limits`),
instead of clipping the result, saves four passes and lowers the error by 0.001.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.soft_mask import SoftMask

RADIUS: Final = 2
"""Windows of 5x5 grid cells: 50x50 px at 1280x720. Smaller ones follow less, larger ones leave a halo."""
EPSILON: Final = 3e-5
"""Colour variance (colours from 0 to 1) below which a window counts as flat: noise of 1.4 levels. Anything from 1e-5
to 1e-4 gave the same; 1e-3 follows visibly less."""
GAIN_BEFORE: Final = 2.0
GAIN_AFTER: Final = 2.0
"""Contrast about one half before and after the filter. The network's edge is several pixels wide, the filter's windows
widen it again; together they give back an edge about as wide as in the picture."""
SURE: Final = 0.1
CERTAIN: Final = 0.02
"""Where the confidence is closer than `SURE` to 0 or 1 the colours lose their say, and closer than `CERTAIN` they have
none: a highlight on a forehead that looks like the wall behind would become a hole."""
WORK_PIXELS: Final = 427 * 240
"""The function is evaluated on a picture of at most about so many pixels: a whole fraction of the frame."""
_FLAT: Final = 1
"""Levels that are no change."""
_REACH: Final = 2 * RADIUS
"""A cell is influenced by cells up to so far away: one radius for the windows, one for the mean over windows."""


def refine(
    confidence: NDArray[np.float32], guide: NDArray[np.uint8], image_bgr: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Enlarge a confidence map to the size of the picture, with the edge where the picture has it.

    Parameters
    ----------
    confidence : ndarray of float32, shape (h, w)
        In [0, 1]; cells share the picture equally.
    guide : ndarray of uint8, shape (h, w, 3)
        The picture on the same grid.
    image_bgr : ndarray of uint8, shape (H, W, 3)
        The picture.

    Returns
    -------
    ndarray of uint8, shape (H, W)
        255 where the confidence is 1.
    """
    return refined(confidence, guide, image_bgr, 0, image_bgr.shape[1]).pixels()


def refined(
    confidence: NDArray[np.float32], guide: NDArray[np.uint8], image_bgr: NDArray[np.uint8], first: int, end: int
) -> SoftMask:
    """Find the edge as `refine` does, and leave it at the size at which it is found.

    Parameters
    ----------
    confidence, guide, image_bgr
        As for `refine`.
    first, end : int
        The columns that are wanted: from `first` to the one before `end`. A part costs its part of the work, and its
        levels are those of the whole to within the rounding of sizes.

    Returns
    -------
    SoftMask
    """
    height, width = image_bgr.shape[:2]
    rows, columns = confidence.shape
    shrink = max(1, math.ceil(math.sqrt(width * height / WORK_PIXELS)))
    low, free = _limits(confidence)
    left, top, across, down = _edges(confidence, low, free)
    if down:
        # So that the small picture's pixels are whole numbers of pixels, of which `evaluate` then reads few, and a part
        # looks at the same ones as the whole.
        down += _more(top, down, rows, height, shrink)
        across += _more(left, across, columns, width, shrink)
    flat = _stretched(confidence, GAIN_BEFORE * GAIN_AFTER, 0.5 - 0.5 * GAIN_BEFORE * GAIN_AFTER)
    middle = slice(top, top + down)
    around = (
        _level(flat[middle, :left]),
        _level(flat[:top]),
        _level(flat[middle, left + across :]),
        _level(flat[top + down :]),
    )
    # The cells that change among those wanted and one beside them, in steps that are whole pixels of the small picture.
    is_right_of_them = left * width // columns >= end
    skipped = max(0, first * columns // width - 1 - left) // shrink * shrink
    wanted = -(-max(0, -(-end * columns // width) + 1 - left) // shrink) * shrink
    left, across = left + skipped, min(across, wanted) - skipped
    x0, x1 = left * width // columns, _pixels(left + across, width, columns)
    y0, y1 = top * height // rows, _pixels(top + down, height, rows)
    if across <= 0:
        x0 = end if is_right_of_them else first
        return SoftMask((first, end), height, (x0, y0, 0, y1 - y0), np.empty((y1 - y0, 0), np.uint8), around)
    cells = (middle, slice(left, left + across))
    work_wh = (-(-(x1 - x0) // shrink), -(-(y1 - y0) // shrink))
    # What lies further away than the windows reach does not count.
    y, x = max(0, top - _REACH), max(0, left - _REACH)
    near = (slice(y, top + down + _REACH), slice(x, left + across + _REACH))
    inner = (slice(top - y, top - y + down), slice(left - x, left - x + across))
    factors, offset = coefficients(contrast(confidence[near], GAIN_BEFORE), guide[near])
    share = free[cells] * np.float32(1 / 255)
    levels = evaluate(
        factors[inner] * share[:, :, None],
        offset[inner] * share + low[cells].astype(np.float32),
        image_bgr[y0:y1, x0:x1],
        work_wh,
    )
    return SoftMask((first, end), height, (x0, y0, x1 - x0, y1 - y0), levels, around)


def coefficients(
    confidence: NDArray[np.float32], guide: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Explain the confidence by the colour, window by window.

    Parameters
    ----------
    confidence : ndarray of float32, shape (h, w)
        In [0, 1].
    guide : ndarray of uint8, shape (h, w, 3)
        The picture on the same grid.

    Returns
    -------
    factors : ndarray of float32, shape (h, w, 3)
    offset : ndarray of float32, shape (h, w)
        Such that ``factors @ (B, G, R) + offset`` is the level from 0 to 255, with the contrast afterwards, before
        clipping. Both are means over all windows that hold the cell.
    """
    # Colours about zero: differences of large squares would cost digits.
    centred = guide.astype(np.float32) * np.float32(1 / 255) - np.float32(0.5)
    blue, green, red = (np.asarray(plane, np.float32) for plane in cv2.split(centred))
    m_b, m_g, m_r, m_p = (_window_mean(plane) for plane in (blue, green, red, confidence))
    # Covariances of the colours with each other, and with the confidence.
    eps = np.float32(EPSILON)
    d_b = _window_mean(blue * blue) - m_b * m_b + eps
    bg = _window_mean(blue * green) - m_b * m_g
    br = _window_mean(blue * red) - m_b * m_r
    gg = _window_mean(green * green) - m_g * m_g + eps
    gr = _window_mean(green * red) - m_g * m_r
    rr = _window_mean(red * red) - m_r * m_r + eps
    bp = _window_mean(blue * confidence) - m_b * m_p
    gp = _window_mean(green * confidence) - m_g * m_p
    rp = _window_mean(red * confidence) - m_r * m_p
    # Solve covariance * a = (bp, gp, rp) by Cholesky (L D L^T): unlike Cramer's rule it keeps its digits in float32
    # where a window holds only two colours.
    l_g, l_r = bg / d_b, br / d_b
    d_g = gg - l_g * bg
    rest = gr - l_r * bg
    l_rg = rest / d_g
    d_r = rr - l_r * br - l_rg * rest
    y_g = gp - l_g * bp
    a_r = (rp - l_r * bp - l_rg * y_g) / d_r
    a_g = y_g / d_g - l_rg * a_r
    a_b = bp / d_b - l_g * a_g - l_r * a_r
    # Means of the centred colours are 0.5 below those of the picture.
    half = np.float32(0.5)
    offset = m_p - a_b * (m_b + half) - a_g * (m_g + half) - a_r * (m_r + half)
    factors = _window_mean(np.asarray(cv2.merge((a_b, a_g, a_r)), np.float32))
    offset = _window_mean(offset)
    # The contrast afterwards is linear too, up to the clipping that the conversion to uint8 does.
    gain = np.float32(GAIN_AFTER)
    return factors * gain, offset * (gain * 255) + (half - half * gain) * 255


def evaluate(
    factors: NDArray[np.float32], offset: NDArray[np.float32], image_bgr: NDArray[np.uint8], work_wh: tuple[int, int]
) -> NDArray[np.uint8]:
    """Evaluate coefficients on a picture.

    Parameters
    ----------
    factors, offset : ndarray of float32, shape (h, w, 3) and (h, w)
        From `coefficients`; cells share the picture equally.
    image_bgr : ndarray of uint8, shape (H, W, 3)
        The picture.
    work_wh : tuple of int
        Width and height at which to evaluate, at most those of the picture.

    Returns
    -------
    ndarray of uint8, shape (work height, work width)
    """
    times = image_bgr.shape[0] // work_wh[1]
    if times % 2 == 1 and image_bgr.shape[0] == times * work_wh[1]:
        image_bgr = image_bgr[times // 2 :: times]  # the middle rows are all that bilinear sampling looks at
    if work_wh != (image_bgr.shape[1], image_bgr.shape[0]):
        image_bgr = cv2.resize(image_bgr, work_wh, interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False)
    product = cv2.resize(factors, work_wh, interpolation=cv2.INTER_LINEAR)
    # Converting the picture on the way saves a pass over two megabytes: a sixth of all this.
    cv2.multiply(product, image_bgr, dst=product, dtype=cv2.CV_32F)
    # Three channels to one is fast in OpenCV; four to one (the offset along with them) took 6 times as long.
    total = cv2.transform(product, np.ones((1, 3), np.float32))
    enlarged = cv2.resize(offset, work_wh, interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.add(total, enlarged, dtype=cv2.CV_8U), np.uint8)  # rounded and clipped on the way


def _window_mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
    size = 2 * RADIUS + 1
    return cv2.blur(values, (size, size), borderType=cv2.BORDER_REFLECT_101).astype(np.float32, copy=False)


def _limits(confidence: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Where the confidence is sure: the lowest level of the mask, and the room above it that the colours have.

    Both of the shape of `confidence`. The room is 255 wherever the confidence is not sure and 0 where it is `CERTAIN`
    or more: the mask is ``low + free / 255 * (what the colours say)``.
    """
    gain = 1 / (SURE - CERTAIN)
    low = _stretched(confidence, gain, -gain * (1 - SURE))
    high = _stretched(confidence, gain, -gain * CERTAIN)
    return low, np.asarray(cv2.subtract(high, low), np.uint8)


def _edges(
    confidence: NDArray[np.float32], low: NDArray[np.uint8], free: NDArray[np.uint8]
) -> tuple[int, int, int, int]:
    """Left, top, width and height of the cells that do not look like all those beyond."""
    sharp = _stretched(confidence, GAIN_BEFORE, 0.5 - 0.5 * GAIN_BEFORE)
    moving = _spread(np.asarray(cv2.addWeighted(free, 0.5, low, 1.0, 0), np.uint8), 1)
    coloured = cv2.min(_spread(sharp, _REACH), free)
    found = cv2.threshold(cv2.max(moving, coloured), _FLAT, 255, cv2.THRESH_BINARY)[1]
    left, top, across, down = cv2.boundingRect(found)
    return left, top, across, down


def _spread(levels: NDArray[np.uint8], reach: int) -> NDArray[np.uint8]:
    """Difference of the largest and the smallest level up to `reach` cells away."""
    return np.asarray(cv2.morphologyEx(levels, cv2.MORPH_GRADIENT, _square(reach)), np.uint8)


@cache
def _square(reach: int) -> NDArray[np.uint8]:
    return np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)


def _stretched(confidence: NDArray[np.float32], gain: float, offset: float) -> NDArray[np.uint8]:
    """Return ``confidence * gain + offset``, clipped to [0, 1], as levels from 0 to 255, in one pass."""
    levels = cv2.addWeighted(confidence, 255 * gain, confidence, 0, 255 * offset, dtype=cv2.CV_8U)
    return np.asarray(levels, np.uint8)


def _more(start: int, count: int, cells: int, pixels: int, shrink: int) -> int:
    """How many cells beyond `count` make what they cover a multiple of `shrink` pixels; 0 where there is no room."""
    for more in range(min(shrink, cells - start - count + 1)):
        if (_pixels(start + count + more, pixels, cells) - start * pixels // cells) % shrink == 0:
            return more
    return 0


def _pixels(cell: int, pixels: int, cells: int) -> int:
    """Return the first pixel beyond all that the cells before `cell` cover."""
    return -(-cell * pixels // cells)


def contrast(confidence: NDArray[np.float32], gain: float) -> NDArray[np.float32]:
    """Return the confidence, any shape, stretched by `gain` about one half and clipped to [0, 1]."""
    stretched = confidence * np.float32(gain) + np.float32(0.5 - 0.5 * gain)
    return np.clip(stretched, 0.0, 1.0, out=stretched)


def _level(levels: NDArray[np.uint8]) -> int:
    """The one level of a region without change; what a region without pixels gets is of no matter."""
    return round(cv2.mean(levels)[0]) if levels.size else 0
