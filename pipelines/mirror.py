"""A frame and its results with left and right swapped, for the mirror view of a camera.

The drawn picture cannot simply be flipped: the words on the depth legend would read backwards.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from models.results import DepthMap, Face, FaceLandmarks, SegmentationMask, TaskResult
from pipelines.pipeline import FrameResult


def mirrored(result: FrameResult) -> FrameResult:
    """Return what would have been found on the mirrored frame. Times and backends are those of the true one."""
    frame = result.frame
    turned = replace(frame, image_bgr=np.asarray(cv2.flip(frame.image_bgr, 1), np.uint8))
    results = {name: _mirrored(found, frame.width) for name, found in result.results.items()}
    return replace(result, frame=turned, results=results)


def _mirrored(found: TaskResult, width: int) -> TaskResult:
    if isinstance(found, SegmentationMask):
        return SegmentationMask(
            lambda: np.asarray(cv2.flip(found.alpha, 1), np.uint8),
            found.coverage,
            lambda first, end: found.soft(width - end, width - first).mirrored(width),
        )
    if isinstance(found, DepthMap):
        return DepthMap(np.asarray(cv2.flip(found.inverse_depth, 1), np.float32), found.size_wh, found.near, found.far)
    return FaceLandmarks(tuple(_mirrored_face(face, width) for face in found.faces))


def _mirrored_face(face: Face, width: int) -> Face:
    # Pixel centres have whole coordinates: the first column, 0, becomes the last, width - 1.
    landmarks = face.landmarks.copy()
    landmarks[:, 0] = width - 1 - landmarks[:, 0]
    left, top, right, bottom = face.box_xyxy
    box = np.array([width - 1 - right, top, width - 1 - left, bottom], np.float32)
    return Face(face.score, box, landmarks, face.track_id)
