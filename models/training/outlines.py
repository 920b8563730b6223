"""How far the step in a depth map lies from a person's outline."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

REACH_PX: Final = 16
"""How far to both sides of the outline the step is looked for."""
LEAST_STEP: Final = 0.05
"""A step is at least this share of the map's range (2nd to 98th percentile): where a person leans on something there is
none, and a place would be taken from noise."""


def outline_distances(
    depth: NDArray[np.float32], person: NDArray[np.float32], every: int = 3
) -> tuple[NDArray[np.float64], float]:
    """Return how far the depth step is from the outline, one value for every few pixels of the outline.

    Along the outline's normal, from 16 px inside to 16 px outside, the step is where inverse depth falls most over
    three pixels.

    Parameters
    ----------
    depth : ndarray of float32, shape (h, w)
        Inverse depth.
    person : ndarray of float32, shape (h, w)
        Probability of a person, 0 to 1. The outline is at one half.
    every : int
        Pixels of the outline from one place to the next.

    Returns
    -------
    distances : ndarray of float64, shape (n,)
        In pixels, positive outside. Places closer than the reach to the border of the picture are left out.
    found : float
        Share of the places that have a step; the others are not in `distances`. 0 without an outline.
    """
    points, normals = _outline(person, every)
    if not len(points):
        return np.zeros(0), 0.0
    offsets = np.arange(-REACH_PX, REACH_PX + 1)
    places = points[:, None] + offsets[None, :, None] * normals[:, None]
    x, y = places[..., 0].astype(np.float32), places[..., 1].astype(np.float32)
    profiles = np.asarray(cv2.remap(depth, x, y, cv2.INTER_LINEAR), np.float64)
    falls = profiles[:, :-3] - profiles[:, 3:]
    low, high = np.percentile(depth, (2, 98))
    steepest = falls.max(1)
    clear = steepest >= LEAST_STEP * max(high - low, 1e-6)
    # A fall over three pixels lies in their middle. A broad step has several places that are as steep: their mean.
    best = falls[clear] >= 0.98 * steepest[clear, None]
    return (best * (offsets[:-3] + 1.5)).sum(1) / best.sum(1), float(clear.mean())


def _outline(person: NDArray[np.float32], every: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points (x, y) on the outline, and the unit normals that point away from the person; both (n, 2)."""
    height, width = person.shape
    inside: Any = (person > 0.5).astype(np.uint8)
    contours, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # The contour runs over the outermost pixels; the outline is half a pixel farther out, which is neglected.
    smooth: Any = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 3)
    down, right = (np.asarray(slope, np.float64) for slope in np.gradient(smooth))
    points, normals = [], []
    for contour in contours:
        if cv2.contourArea(contour) < 400:  # a speck
            continue
        for x, y in contour[::every, 0]:
            if not (REACH_PX < x < width - 1 - REACH_PX and REACH_PX < y < height - 1 - REACH_PX):
                continue
            length = float(np.hypot(right[y, x], down[y, x]))
            if length > 1e-6:
                points.append((x, y))
                normals.append((-right[y, x] / length, -down[y, x] / length))
    return np.array(points, np.float64).reshape(-1, 2), np.array(normals, np.float64).reshape(-1, 2)
