"""A close look at one face: its picture with every landmark, and its figures. Made outside the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from PySide6.QtGui import QImage

from app.qimage import wrap_bgrx
from models.results import Face, FaceLandmarks
from pipelines.overlay.pose import HeadPose, head_pose
from pipelines.pipeline import FrameResult

MARGIN: Final = 0.15
"""Room around the face, as a share of its longer side."""
DOT: Final = (245, 245, 245)
_SHIFT: Final = 4


@dataclass(frozen=True, eq=False, slots=True)
class FaceView:
    """What is shown of a face.

    Parameters
    ----------
    image : QImage
        Square, Format_RGB32, in device pixels.
    number : int
        Which face it is, from 1.
    face : Face
        As found.
    pose : HeadPose or None
        Which way it is turned.
    """

    image: QImage
    number: int
    face: Face
    pose: HeadPose | None


def pin_of(face: Face, index: int) -> int:
    """Return what a face is pinned by: its track, or its place where frames are unrelated."""
    return face.track_id if face.track_id >= 0 else -1 - index


def faces_of(result: FrameResult) -> tuple[Face, ...]:
    """Return the faces that were found."""
    found = result.results.get("face")
    return found.faces if isinstance(found, FaceLandmarks) else ()


def pin_at(result: FrameResult, x: float, y: float) -> int | None:
    """Return what the face at a point of the picture is pinned by; the smallest where several overlap."""
    there = [
        (float((face.box_xyxy[2] - face.box_xyxy[0]) * (face.box_xyxy[3] - face.box_xyxy[1])), pin_of(face, index))
        for index, face in enumerate(faces_of(result))
        if face.box_xyxy[0] <= x <= face.box_xyxy[2] and face.box_xyxy[1] <= y <= face.box_xyxy[3]
    ]
    return min(there)[1] if there else None


def next_pin(result: FrameResult, pin: int | None) -> int | None:
    """Return the face after the one that is pinned; None after the last."""
    pins = [pin_of(face, index) for index, face in enumerate(faces_of(result))]
    if pin not in pins:
        return pins[0] if pins else None
    after = pins[pins.index(pin) + 1 :]
    return after[0] if after else None


def face_view(result: FrameResult, pin: int | None, side_px: int) -> FaceView | None:
    """Make the close look at the face that is pinned.

    Parameters
    ----------
    result : FrameResult
        What is shown, mirrored if that is.
    pin : int or None
        As `pin_of` returns it.
    side_px : int
        Side of the picture in device pixels.

    Returns
    -------
    FaceView or None
        None without a pin, or when the face is gone.
    """
    if pin is None:
        return None
    for index, face in enumerate(faces_of(result)):
        if pin_of(face, index) == pin:
            return FaceView(_draw(result, face, side_px), index + 1, face, head_pose(face))
    return None


def _draw(result: FrameResult, face: Face, side_px: int) -> QImage:
    left, top, right, bottom = (float(value) for value in face.box_xyxy)
    side = max(1.0, (1 + 2 * MARGIN) * max(right - left, bottom - top))
    scale = side_px / side
    x, y = (left + right - side) / 2, (top + bottom - side) / 2
    # Pixel centres have whole coordinates: half a pixel is added before scaling and taken off after it.
    matrix = np.array([[scale, 0, (0.5 - x) * scale - 0.5], [0, scale, (0.5 - y) * scale - 0.5]])
    close = cv2.warpAffine(result.frame.image_bgr, matrix, (side_px, side_px), flags=cv2.INTER_LINEAR)
    dots = (face.landmarks[:, :2].astype(np.float64) + np.array([0.5 - x, 0.5 - y])) * scale - 0.5
    radius = max(1, round(0.004 * side_px * 2**_SHIFT))
    for column, row in np.rint(dots * 2**_SHIFT).astype(int):
        cv2.circle(close, (int(column), int(row)), radius, DOT, cv2.FILLED, cv2.LINE_AA, _SHIFT)
    return wrap_bgrx(np.asarray(cv2.cvtColor(close, cv2.COLOR_BGR2BGRA), np.uint8))
