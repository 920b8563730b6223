"""Blurred backgrounds that hold nothing of the person in front.

An ordinary blur smears the person's colours into the background as a halo. Here the background's pixels are averaged
with the weight 1 - mask and divided by the average of the weights ("normalised convolution", Knutsson and Westin,
1993), all on a small copy: 0.1 ms instead of 37 for a wide blur at 720p.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import cv2.typing
import numpy as np
from numpy.typing import NDArray

from models.results import DepthMap

BLUR_LONG_SIDE: Final = 160
"""The plain blur works at this size: 1/8 of 720p."""
BLUR_SIGMA: Final = 2.4
"""In pixels of the small copy; 19 px at 720p."""
BOKEH_LONG_SIDE: Final = 256
BOKEH_RADIUS: Final = 5
"""Largest disc in pixels of the small copy; 25 px at 720p. From 6 on OpenCV's filter takes 5 times as long."""
HIGHLIGHT_GAIN: Final = 3.0
"""Bright spots count more, as a lens that gathers light would show them; a display has lost their real brightness."""
BEHIND: Final = 0.30
"""Difference of normalised inverse depth to the person at which the blur is full."""
STILL_SHARP: Final = 0.12
"""Differences below this are in focus: the floor the person stands on, a hand held out."""
_LITTLE: Final = 1e-3

Planes = list[NDArray[np.float32]]


def _small(image: NDArray[np.uint8], long_side: int) -> NDArray[np.uint8]:
    height, width = image.shape[:2]
    scale = min(1.0, long_side / max(width, height))
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    # Shrunk in two steps: linear to twice the size (fast), then by areas, which keeps bright spots from flickering.
    if scale < 0.5:
        image = np.asarray(
            cv2.resize(image, (2 * size_wh[0], 2 * size_wh[1]), interpolation=cv2.INTER_LINEAR), np.uint8
        )
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def _stack(planes: Planes, alpha: NDArray[np.uint8], gain: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
    """Colours times their weight in the background, and the weight itself as a fourth channel: float32 (h, w, 4).

    The weight is 0 wherever some of the person may be in a pixel of the small copy.
    """
    grown = cv2.dilate(alpha, np.ones((3, 3), np.uint8))
    weights = 1.0 - np.minimum(grown.astype(np.float32) * np.float32(2 / 255), 1.0)
    if not weights.any():
        weights = np.ones_like(weights)  # the person fills the picture
    if gain is not None:
        weights = weights * gain
    return np.asarray(cv2.merge([plane * weights for plane in planes] + [weights]), np.float32)


def _mean_colour(blurred: cv2.typing.MatLike, stack: NDArray[np.float32]) -> Planes:
    """Divide the blurred colours by the blurred weights. Out of reach of any background: the mean of all of it."""
    *colours, weights = cv2.split(blurred)
    *sums, total = cv2.mean(stack)
    share = 1.0 / (weights + np.float32(_LITTLE))
    return [(plane + np.float32(_LITTLE * mean / total)) * share for plane, mean in zip(colours, sums, strict=True)]


def _planes(image: NDArray[np.uint8]) -> Planes:
    """Blue, green and red as float32; whole planes, since NumPy is slow along an axis of length 3."""
    return [plane.astype(np.float32) for plane in cv2.split(image)]


def blurred_background(image: NDArray[np.uint8], alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the picture blurred, without the person in it.

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        The frame.
    alpha : ndarray of uint8, shape (H, W)
        The person mask.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        New; meaningful where the mask is below 255.
    """
    height, width = alpha.shape
    stack = _stack(_planes(_small(image, BLUR_LONG_SIDE)), _small(alpha, BLUR_LONG_SIDE))
    blurred = cv2.GaussianBlur(stack, (0, 0), BLUR_SIGMA, borderType=cv2.BORDER_REPLICATE)
    flat = cv2.convertScaleAbs(cv2.merge(_mean_colour(blurred, stack)))
    return np.asarray(cv2.resize(flat, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


@cache
def _disc(radius: float) -> NDArray[np.float32]:
    """A round aperture of `radius` pixels with a soft rim, sum 1."""
    reach = int(np.ceil(radius))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)


def _aperture(stack: NDArray[np.float32], radius: float) -> Planes:
    return _mean_colour(cv2.filter2D(stack, -1, _disc(radius), borderType=cv2.BORDER_REPLICATE), stack)


def _defocus(alpha_small: NDArray[np.float32], depth: DepthMap | None) -> NDArray[np.float32]:
    """How far out of focus each small pixel is, float32 in [0, 1], by its distance from the person in depth."""
    if depth is None:
        return np.ones_like(alpha_small)
    size_wh = (alpha_small.shape[1], alpha_small.shape[0])
    nearness = cv2.resize(depth.normalised(), size_wh, interpolation=cv2.INTER_LINEAR)
    person = float(alpha_small.sum())
    focus = float((nearness * alpha_small).sum()) / person if person > 1 else float(np.percentile(nearness, 95))
    apart = np.abs(nearness - np.float32(focus))
    return np.asarray(np.clip((apart - STILL_SHARP) / (BEHIND - STILL_SHARP), 0, 1), np.float32)


def bokeh_background(
    image: NDArray[np.uint8], alpha: NDArray[np.uint8], depth: DepthMap | None
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the picture as a wide lens focused on the person shows its background.

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        The frame.
    alpha : ndarray of uint8, shape (H, W)
        The person mask.
    depth : DepthMap or None
        Where it is known, the blur grows with the distance from the person; otherwise all background is blurred alike.

    Returns
    -------
    background : ndarray of uint8, shape (H, W, 3)
        New; the background, without the person in it.
    sharpness : ndarray of uint8, shape (H, W)
        How much of the frame itself is to be seen: 255 on the person and on what is as near.
    """
    height, width = alpha.shape
    alpha_small = _small(alpha, BOKEH_LONG_SIDE)
    # Light adds up, display values do not: squared they are nearly proportional to light.
    light = [(plane * np.float32(1 / 255)) ** 2 for plane in _planes(_small(image, BOKEH_LONG_SIDE))]
    peak = np.maximum(np.maximum(light[0], light[1]), light[2])
    stack = _stack(light, alpha_small, 1 + np.float32(HIGHLIGHT_GAIN) * peak * peak)
    far = _aperture(stack, BOKEH_RADIUS)
    near = _aperture(stack, BOKEH_RADIUS / 2)
    defocus = _defocus(alpha_small.astype(np.float32) * np.float32(1 / 255), depth)
    between = np.clip(2 * defocus - 1, 0, 1)
    mixed = [np.sqrt(little + (much - little) * between) for little, much in zip(near, far, strict=True)]
    flat = cv2.convertScaleAbs(cv2.merge(mixed), alpha=255)
    background = np.asarray(cv2.resize(flat, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    if depth is None:
        return background, alpha
    in_focus = np.rint(255 * (1 - np.clip(2 * defocus, 0, 1))).astype(np.uint8)
    sharp = cv2.resize(in_focus, (width, height), interpolation=cv2.INTER_LINEAR)
    return background, np.asarray(cv2.max(sharp, alpha), np.uint8)
