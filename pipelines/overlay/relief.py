"""Depth as a relief: the picture lies on a surface that rises towards the viewer, turned a little and lit from above.

The surface stands on a plate. Seen from far away, a point at height h of the plate appears where the point h times
(k_x, k_y) beside it would lie flat, so that no mesh is needed: for each place on the plate, the highest point that
appears there is looked for, level by level (parallax occlusion mapping; N. Tatarchuk, "Dynamic parallax occlusion
mapping with approximate soft shadows", I3D 2006). That is done on a coarse grid. One warp then brings its places into
the plate's perspective, and one `remap` fetches the pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.results import DepthMap
from pipelines.overlay.buffers import scratch
from pipelines.overlay.depth import levels

GRID: Final = 160
"""Cells along the longer side. With twice as many the picture is the same: the networks' edges are softer."""
STEPS: Final = 12
HEIGHT: Final = 0.17
"""From the farthest to the nearest, as a share of the picture's longer side."""
BEND: Final = 0.62
"""Height is depth to this power: people stand out less from the wall, and faces more from people."""
DISTANCE: Final = 2.6
"""From the eye to the plate, in lengths of the picture's longer side."""
MARGIN: Final = 0.03
RESOLUTION: Final = 0.7
"""The relief is drawn at this share of the picture's size: turned and smaller than the picture, it has no more pixels
to show, and fetching them is half of the work."""
COARSE: Final = 4
LIGHT: Final = (-0.45, -0.62, 0.64)
"""Direction to the light: from the upper left, behind the viewer."""
AMBIENT: Final = 0.62


def draw_relief(image: NDArray[np.uint8], depth: DepthMap, yaw: float, pitch: float, strength: float) -> None:
    """Show `image` as a relief, in place.

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        The picture with whatever is drawn on it.
    depth : DepthMap
        Its depth.
    yaw, pitch : float
        Degrees by which the plate's right edge is turned away and its upper edge is tilted away; well below 90.
    strength : float
        0 = flat, 1 = as high as designed.
    """
    height, width = image.shape[:2]
    plate = _plate_seen(yaw, pitch, (width, height))
    lift = strength * HEIGHT * GRID
    surface = _heights(depth, plate.grid_wh)
    x, y, light = _seen(surface, plate, lift)
    _paint(image, np.dstack([x, y]), light, plate)


@dataclass(frozen=True, eq=False, slots=True)
class Plate:
    """How the plate is seen.

    Parameters
    ----------
    grid_wh : tuple of int
        Columns and rows of the grid over the picture.
    border : int
        Cells beyond the picture on each side: what is raised at its edges is seen there.
    shift : tuple of float
        By how much of its height a point is moved on the plate, right and down.
    to_area : ndarray of float64, shape (3, 3)
        From the grid with its border to pixels of `area`.
    area : tuple of int
        Left, top, width and height of what the plate covers, in pixels of the small picture; multiples of `COARSE`.
    small_wh : tuple of int
        Size of the picture at `RESOLUTION`, about: multiples of `COARSE`.
    """

    grid_wh: tuple[int, int]
    border: int
    shift: tuple[float, float]
    to_area: NDArray[np.float64]
    area: tuple[int, int, int, int]
    small_wh: tuple[int, int]


@lru_cache(maxsize=8)
def _plate_seen(yaw: float, pitch: float, size_wh: tuple[int, int]) -> Plate:
    turn, tilt = math.radians(yaw), math.radians(pitch)
    extent = np.array(size_wh) / max(size_wh)
    columns, rows = (max(2, round(GRID * float(side))) for side in extent)
    # The plate's directions in space: right, down, away from the viewer.
    right = np.array([math.cos(turn), math.sin(turn) * math.sin(tilt), math.sin(turn) * math.cos(tilt)])
    down = np.array([0.0, math.cos(tilt), -math.sin(tilt)])
    up = np.cross(down, right)  # out of the plate, towards the viewer
    shift = np.linalg.solve(np.column_stack([right[:2], down[:2]]), up[:2])
    border = math.ceil(HEIGHT * GRID / 2 * float(np.abs(shift).max())) + 2

    def seen(share_x: float, share_y: float) -> NDArray[np.float64]:
        point = (share_x - 0.5) * extent[0] * right + (share_y - 0.5) * extent[1] * down
        return np.asarray(point[:2] * (DISTANCE / (DISTANCE + point[2])))

    corners = np.array([seen(*corner) for corner in ((0, 0), (1, 0), (1, 1), (0, 1))])
    low, high = corners.min(axis=0), corners.max(axis=0)
    small_w, small_h = (COARSE * max(1, round(RESOLUTION * side / COARSE)) for side in size_wh)
    scale = (1 - 2 * MARGIN) * min(small_w / (high[0] - low[0]), small_h / (high[1] - low[1]))
    offset = (small_w, small_h) / np.array(2.0) - scale * (low + high) / 2
    # What rises at the edges of the plate reaches beyond its corners.
    rest = scale * HEIGHT / 2 * np.abs(up[:2]) + 2
    first = COARSE * np.maximum(np.floor((offset + scale * low - rest) / COARSE), 0).astype(int)
    last = np.minimum(COARSE * np.ceil((offset + scale * high + rest) / COARSE), (small_w, small_h)).astype(int)
    onto = np.array([(0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)]) + border
    target = corners * scale + offset - first
    to_area = np.asarray(cv2.getPerspectiveTransform(onto.astype(np.float32), target.astype(np.float32)), np.float64)
    area = (int(first[0]), int(first[1]), int(last[0] - first[0]), int(last[1] - first[1]))
    return Plate((columns, rows), border, (float(shift[0]), float(shift[1])), to_area, area, (small_w, small_h))


@cache
def _bend() -> NDArray[np.uint8]:
    return np.rint(255 * np.linspace(0, 1, 256) ** BEND).astype(np.uint8)


def _heights(depth: DepthMap, grid_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Heights on the grid, uint8 (h, w): 0 the farthest, 255 the nearest."""
    coarse = cv2.resize(levels(depth), grid_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.LUT(coarse, _bend()), (3, 3), 0.8), np.uint8)


def _seen(
    surface: NDArray[np.uint8], plate: Plate, lift: float
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint8]]:
    """Find what is seen at each place of the plate with its border.

    Returns
    -------
    ndarray of float32, shape (h, w)
        Column of the grid over the picture.
    ndarray of float32, shape (h, w)
        Row.
    ndarray of uint8, shape (h, w)
        How brightly it is lit, 128 = as the picture is.
    """
    border = plate.border
    around = cv2.copyMakeBorder(surface, *(4 * (2 * border,)), cv2.BORDER_REPLICATE)
    height, width = (side + 2 * border for side in surface.shape)
    # Half of the height lies behind the plate, so that the picture keeps its place.
    best = np.zeros((height, width), np.uint8)
    for step in range(1, STEPS + 1):
        raised = lift * (step / STEPS - 0.5)
        left, top = (border - round(raised * k) for k in plate.shift)
        level = round(255 * step / STEPS)
        np.copyto(best, np.uint8(level), where=around[top : top + height, left : left + width] >= level)
    columns, rows = _places(width, height, border)
    coarse = (best.astype(np.float32) * np.float32(1 / 255) - np.float32(0.5)) * np.float32(lift)
    # Between two levels: as high as the surface is where the lower one meets it.
    there = cv2.remap(
        surface,
        columns - coarse * np.float32(plate.shift[0]),
        rows - coarse * np.float32(plate.shift[1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float32)
    fine = np.clip(there, best, best + np.float32(255 / STEPS))
    raised_by = cv2.GaussianBlur((fine / np.float32(255) - np.float32(0.5)) * np.float32(lift), (3, 3), 0)
    x = columns - raised_by * np.float32(plate.shift[0])
    y = rows - raised_by * np.float32(plate.shift[1])
    light = cv2.remap(_light(surface, lift), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return x, y, np.asarray(light, np.uint8)


@lru_cache(maxsize=4)
def _places(width: int, height: int, border: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return columns - np.float32(border), rows - np.float32(border)


def _light(surface: NDArray[np.uint8], lift: float) -> NDArray[np.uint8]:
    """How brightly each point of the surface is lit (Lambert), 128 where it is flat, uint8 (h, w)."""
    slope_x, slope_y = (cv2.Scharr(surface, cv2.CV_32F, dx, 1 - dx, scale=lift / 255 / 32) for dx in (1, 0))
    facing = LIGHT[2] - LIGHT[0] * slope_x - LIGHT[1] * slope_y
    lit = np.maximum(facing, 0) / np.sqrt(1 + slope_x * slope_x + slope_y * slope_y)
    return np.asarray(cv2.convertScaleAbs(AMBIENT + (1 - AMBIENT) / LIGHT[2] * lit, alpha=128), np.uint8)


def _paint(image: NDArray[np.uint8], places: NDArray[np.float32], light: NDArray[np.uint8], plate: Plate) -> None:
    """Fetch the pixels of `image` from where they are seen (in place)."""
    height, width = image.shape[:2]
    columns, rows = plate.grid_wh
    places *= np.array([(width - 1) / (columns - 1), (height - 1) / (rows - 1)], np.float32)
    left, top, area_w, area_h = plate.area
    # Pixel centres: those of the coarse picture lie in the middle of COARSE fine ones.
    shrink = np.array([[1 / COARSE, 0, 0.5 / COARSE - 0.5], [0, 1 / COARSE, 0.5 / COARSE - 0.5], [0, 0, 1]])
    warp = shrink @ plate.to_area
    coarse_wh = area_w // COARSE, area_h // COARSE
    edge = cv2.BORDER_REPLICATE
    rough = cv2.warpPerspective(places, warp, coarse_wh, flags=cv2.INTER_LINEAR, borderMode=edge)
    x, y = (scratch(f"relief {axis}", (area_h, area_w, 4)).view(np.float32)[..., 0] for axis in "xy")
    for coarse, fine in zip(cv2.split(rough), (x, y), strict=True):
        cv2.resize(coarse, (area_w, area_h), dst=fine, interpolation=cv2.INTER_LINEAR)
    small_w, small_h = plate.small_wh
    small = scratch("relief", (small_h, small_w, 3))
    small.fill(0)
    area = small[top : top + area_h, left : left + area_w]
    # With these floats as they are: OpenCV 5 takes a fifth longer with maps of whole numbers and fractions.
    cv2.remap(image, x, y, cv2.INTER_LINEAR, dst=area, borderMode=cv2.BORDER_CONSTANT)
    lit = scratch("relief light", area.shape)
    dim = cv2.warpPerspective(
        cv2.merge((light, light, light)), warp, coarse_wh, flags=cv2.INTER_LINEAR, borderMode=edge
    )
    cv2.resize(dim, (area_w, area_h), dst=lit, interpolation=cv2.INTER_LINEAR)
    cv2.multiply(area, lit, dst=area, scale=1 / 128)
    cv2.resize(small, (width, height), dst=image, interpolation=cv2.INTER_LINEAR)
