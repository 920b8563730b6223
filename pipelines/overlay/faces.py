"""Faces on the picture: contours, mesh, points or a box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.face_topology import (
    BROW_LEFT,
    BROW_RIGHT,
    EYE_LEFT,
    EYE_RIGHT,
    FACE_OVAL,
    IRIS_CENTERS,
    IRISES,
    LIPS_INNER,
    LIPS_OUTER,
    Contour,
    edges,
)
from models.results import Face, FaceLandmarks
from pipelines.overlay.colours import CARD, FACE_BROW, FACE_EYE, FACE_HALO, FACE_LINE, FACE_LIPS, bgr
from pipelines.overlay.curves import curve_steps, curves
from pipelines.overlay.panel import blend
from pipelines.overlay.part import Part
from pipelines.overlay.pose import head_pose
from pipelines.overlay.stickers import STICKERS, draw_sticker
from pipelines.overlay.style import FaceStyle
from pipelines.overlay.text import SEMIBOLD, draw_text, text_width

PARTS: Final[tuple[tuple[Contour, str], ...]] = (
    (FACE_OVAL, FACE_LINE),
    (BROW_LEFT, FACE_BROW),
    (BROW_RIGHT, FACE_BROW),
    (LIPS_OUTER, FACE_LIPS),
    (LIPS_INNER, FACE_LIPS),
    (EYE_LEFT, FACE_EYE),
    (EYE_RIGHT, FACE_EYE),
)
PARTS_OF_SMALL: Final = tuple(part for part in PARTS if part[0] is not LIPS_INNER)
MESH_POINTS: Final = 468
"""A face with fewer points (another model's) has no contours that we know; it is drawn as points."""
SMALL_FACE: Final = 48.0
"""Faces below this size in pixels are drawn without inner lips, irises and shadow, which would run together."""
LINE_PER_FACE: Final = 1 / 170
"""Line width relative to the face's size."""
SHADOW_STRENGTH: Final = 0.5
MESH_STRENGTH: Final = 0.40
_SHIFT: Final = 4
"""OpenCV takes points in 1/16 pixels."""


def line_width(face_size: float, size_wh: tuple[int, int], line_scale: float) -> int:
    """Return the width of a face's lines in pixels.

    It follows the face, but is at least what a viewer sees when the whole picture is shrunk to a screen (1 px at
    720p, 2 px at 4K), and at most 1/150 of the picture's shorter side.
    """
    short = min(size_wh)
    least = max(1.0, short / 1080)
    most = max(least, short / 150)
    return max(1, round(min(max(face_size * LINE_PER_FACE, least), most) * line_scale))


def _fixed(points: NDArray[np.float32]) -> NDArray[np.int32]:
    """Points in OpenCV's 1/16 pixels."""
    return np.rint(points * (1 << _SHIFT)).astype(np.int32)


def _irises(points: NDArray[np.float32]) -> list[tuple[tuple[int, int], int]]:
    """Centre and radius of the irises in 1/16 pixels; the radius is the mean distance of the four rim points."""
    found = []
    for centre_index, rim in zip(IRIS_CENTERS, IRISES, strict=True):
        if centre_index >= len(points):
            continue
        # Five points: numbers of Python's own are several times as fast here as arrays.
        centre: list[float] = points[centre_index].tolist()
        radii = [math.dist(points[index].tolist(), centre) for index in rim.indices]
        x, y = (round(value * (1 << _SHIFT)) for value in centre)
        found.append(((x, y), max(1, round(sum(radii) / len(radii) * (1 << _SHIFT)))))
    return found


def _thin(width: int) -> int:
    """Fine features get finer lines, or an eye of 50 px would be more line than eye."""
    return max(1, round(width * 0.7))


def _width_of(contour: Contour, width: int) -> int:
    return width if contour in (FACE_OVAL, LIPS_OUTER) else _thin(width)


def _darken(canvas: NDArray[np.uint8], shadow: NDArray[np.uint8], width: int) -> None:
    """Darken `canvas` (in place) under `shadow` with a soft edge: light lines stay visible on light skin."""
    soft = cv2.blur(shadow, (2 * width + 1, 2 * width + 1))
    keep = cv2.cvtColor(cv2.convertScaleAbs(soft, alpha=-SHADOW_STRENGTH, beta=255), cv2.COLOR_GRAY2BGR)
    cv2.multiply(canvas, keep, dst=canvas, scale=1 / 255)


def _contours(canvas: NDArray[np.uint8], points: NDArray[np.float32], size: float, width: int) -> None:
    small = size < SMALL_FACE
    wanted = PARTS_OF_SMALL if small else PARTS
    indices, matrix, ends = curves(tuple(contour for contour, _ in wanted), curve_steps(size))
    path = _fixed(matrix @ points[indices])
    # Lines of one width and colour are drawn in one call.
    lines: dict[tuple[str, int], list[NDArray[np.int32]]] = {}
    start = 0
    for (contour, colour), end in zip(wanted, (*ends, len(path)), strict=True):
        lines.setdefault((colour, _width_of(contour, width)), []).append(path[start:end])
        start = end
    irises = [] if small else _irises(points)
    thin = _thin(width)
    if not small:
        shadow = np.zeros(canvas.shape[:2], np.uint8)
        for (_, line), rings in lines.items():
            cv2.polylines(shadow, rings, True, 255, line + 2 * max(1, round(line * 0.6)), cv2.LINE_8, _SHIFT)
        for centre, radius in irises:
            cv2.circle(shadow, centre, radius, 255, thin + 2 * max(1, round(thin * 0.6)), cv2.LINE_8, _SHIFT)
        _darken(canvas, shadow, width)
    for (colour, line), rings in lines.items():
        cv2.polylines(canvas, rings, True, bgr(colour), line, cv2.LINE_AA, _SHIFT)
    for centre, radius in irises:
        cv2.circle(canvas, centre, radius, bgr(FACE_LINE), thin, cv2.LINE_AA, _SHIFT)


def _mesh(canvas: NDArray[np.uint8], points: NDArray[np.float32], size: float, width: int) -> None:
    net = canvas.copy()
    segments = _fixed(points)[edges()]
    thin = max(1, round(width * 0.5))
    cv2.polylines(net, list(segments), False, bgr(FACE_LINE), thin, cv2.LINE_AA, _SHIFT)
    cv2.addWeighted(net, MESH_STRENGTH, canvas, 1 - MESH_STRENGTH, 0, dst=canvas)
    _contours(canvas, points, size, width)


def _dots(canvas: NDArray[np.uint8], points: NDArray[np.float32], colours: NDArray[np.uint8], radius: float) -> None:
    """Draw round dots at fractions of a pixel, in place; where they overlap the later one gives the colour.

    OpenCV's small antialiased circles come out as crosses, hence coverage computed from the distance to the centre.
    """
    height, width = canvas.shape[:2]
    reach = int(np.ceil(radius + 0.5))
    step = np.arange(-reach, reach + 1)
    anchor = np.rint(points).astype(np.int64)
    columns = (anchor[:, 0, None, None] + step[None, None, :]) + np.zeros_like(step)[None, :, None]
    rows = (anchor[:, 1, None, None] + step[None, :, None]) + np.zeros_like(step)[None, None, :]
    distance = np.hypot(columns - points[:, 0, None, None], rows - points[:, 1, None, None])
    coverage = np.rint(np.clip(radius + 0.5 - distance, 0, 1) * 255).astype(np.uint8)
    seen = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height) & (coverage > 0)
    owner = np.broadcast_to(np.arange(len(points))[:, None, None], seen.shape)[seen]
    where = (rows[seen], columns[seen])
    alpha = np.zeros((height, width), np.uint8)
    np.maximum.at(alpha, where, coverage[seen])
    layer = canvas.copy()
    layer[where] = colours[owner]
    blend(canvas, layer, alpha)


def _points(canvas: NDArray[np.uint8], landmarks: NDArray[np.float32], points: NDArray[np.float32], width: int) -> None:
    # Far dots first and darker: a face turned aside reads as a solid.
    z = landmarks[:, 2]
    order = np.argsort(-z, kind="stable")
    span = float(z.max() - z.min())
    nearness = (z.max() - z) / span if span > 0 else np.ones_like(z)
    far, near = np.array(bgr(FACE_EYE), np.float64) * 0.55, np.array(bgr(FACE_LINE), np.float64)
    colours = np.rint(far + (near - far) * nearness[:, None]).astype(np.uint8)
    _dots(canvas, points[order], colours[order], max(1.2, 0.85 * width))


def _box(canvas: NDArray[np.uint8], box_xyxy: NDArray[np.float32], score: float, size: float, width: int) -> None:
    x0, y0, x1, y1 = _fixed(box_xyxy).tolist()
    arm = round(0.22 * min(x1 - x0, y1 - y0))
    corners = [
        np.array([[x, y + dy * arm], [x, y], [x + dx * arm, y]], np.int32)
        for x, y, dx, dy in ((x0, y0, 1, 1), (x1, y0, -1, 1), (x1, y1, -1, -1), (x0, y1, 1, -1))
    ]
    cv2.polylines(canvas, corners, False, bgr(FACE_HALO), width * 2 + 2, cv2.LINE_AA, _SHIFT)
    cv2.polylines(canvas, corners, False, bgr(FACE_LINE), width + 1, cv2.LINE_AA, _SHIFT)
    label = f"{score:.0%}"
    type_size = _label_size(size)
    x, y = x0 / (1 << _SHIFT), y0 / (1 << _SHIFT)
    pad = round(0.3 * type_size)
    tag_height = round(1.35 * type_size)
    tag_width = text_width(label, type_size, SEMIBOLD) + 2 * pad
    top = round(y) - width - tag_height
    if top < 0:  # no room above: the picture ends here
        top = round(y) + 2 * width
    cv2.rectangle(canvas, (round(x), top), (round(x) + tag_width, top + tag_height), bgr(CARD), cv2.FILLED)
    draw_text(canvas, label, round(x) + pad, top + round(1.02 * type_size), type_size, bgr(FACE_LINE), SEMIBOLD)


def _label_size(face_size: float) -> int:
    return max(9, round(0.09 * face_size))


def draw_face(
    image: NDArray[np.uint8],
    face: Face,
    style: FaceStyle,
    opacity: float,
    line_scale: float,
    part: Part | None = None,
) -> None:
    """Draw one face into `image` (in place); one whose numbers are not finite is left out.

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        Drawn into; only pixels near the face change.
    face : Face
        Landmarks in pixels of the frame; they may lie outside of it.
    style : FaceStyle
        How.
    opacity : float
        0 = invisible, 1 = as designed.
    line_scale : float
        Line width relative to the design.
    part : Part, optional
        Which columns of the frame `image` shows, if not all.
    """
    if style is FaceStyle.OFF or opacity <= 0 or not len(face.landmarks):
        return
    if not (np.isfinite(face.landmarks).all() and np.isfinite(face.box_xyxy).all()):
        return
    part = part or Part.whole((image.shape[1], image.shape[0]))
    if style in STICKERS and (pose := head_pose(face)) is not None:
        moved = replace(pose, origin=pose.origin - np.array([part.first, 0, 0])) if part.first else pose
        draw_sticker(image, moved, style, opacity)
        return
    width, height = part.size_wh
    reach = 4.0 * max(width, height) + 64.0  # keeps OpenCV's fixed-point numbers far from overflow
    points = np.clip(face.landmarks[:, :2], -reach, reach) - np.array([part.first, 0], np.float32)
    box = np.clip(face.box_xyxy, -reach, reach) - np.array([part.first, 0, part.first, 0], np.float32)
    # Column by column: four times as fast as a minimum along the first axis.
    x, y = points[:, 0], points[:, 1]
    left, top, right, bottom = float(x.min()), float(y.min()), float(x.max()), float(y.max())
    size = max(right - left, bottom - top)
    line = line_width(size, (width, height), line_scale)
    pad = 3 * line + 3
    if style is FaceStyle.BOX:
        label = _label_size(size)
        left, top = min(left, float(box[0])), min(top, float(box[1])) - 1.5 * label
        right, bottom = max(right, float(box[2]), left + 4.0 * label), max(bottom, float(box[3]))
    x0, y0 = (max(0, math.floor(value) - pad) for value in (left, top))
    x1, y1 = (max(0, math.ceil(value) + pad) for value in (right, bottom))
    area = image[y0:y1, x0:x1]
    if not area.size:
        return
    canvas = area if opacity >= 1 else area.copy()
    local = points - np.array([x0, y0], np.float32)
    if style is FaceStyle.BOX:
        _box(canvas, box - np.array([x0, y0, x0, y0], np.float32), face.score, size, line)
    elif style is FaceStyle.POINTS or style in STICKERS or len(points) < MESH_POINTS:
        _points(canvas, face.landmarks, local, line)
    elif style is FaceStyle.CONTOURS:
        _contours(canvas, local, size, line)
    else:
        _mesh(canvas, local, size, line)
    if opacity < 1:
        cv2.addWeighted(canvas, opacity, area, 1 - opacity, 0, dst=area)


def draw_faces(
    image: NDArray[np.uint8],
    faces: FaceLandmarks,
    style: FaceStyle,
    opacity: float,
    line_scale: float,
    part: Part | None = None,
) -> None:
    """Draw all faces into `image` (in place), the best one last so that it lies on top."""
    ordered: Sequence[Face] = faces.faces[::-1]
    for face in ordered:
        draw_face(image, face, style, opacity, line_scale, part)
