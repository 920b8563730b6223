"""Face detection: boxes and six key points from a square of a picture.

Model    : BlazeFace short range, Google, Apache-2.0, from the package mediapipe 0.10.21 (see face_detection.toml in
           models/weights)
Paper    : Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", 2019
Input    : "image", uint8 (1, 128, 128, 3) BGR; beyond the picture is black
Output   : "regressors", float32 (1, 896, 16), box and key points relative to the anchors, in input pixels;
           "scores", float32 (1, 896, 1), logits
Checked  : against MediaPipe's own solution, tests/pipelines/test_face_parity.py
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError
from models.geometry import Square, overlaps

INPUT_SIZE: Final = 128
KEY_POINTS: Final = (
    "eye at image left",
    "eye at image right",
    "nose",
    "mouth",
    "ear at image left",
    "ear at image right",
)
SCORE_THRESHOLD: Final = 0.5
IOU_THRESHOLD: Final = 0.3
_GRIDS: Final = ((16, 2), (8, 6))
"""Cells along a side and anchors a cell, for the strides 8 and 16."""


@dataclass(frozen=True, eq=False, slots=True)
class Detections:
    """Boxes that may hold a face, the best first, in pixels of the picture.

    Parameters
    ----------
    boxes_xyxy : ndarray of float32, shape (N, 4)
        Left, top, right, bottom. They span brows to chin, and may reach beyond the picture.
    scores : ndarray of float32, shape (N,)
        Confidence in [0, 1].
    keypoints : ndarray of float32, shape (N, 6, 2)
        x, y of the points named in `KEY_POINTS`.
    """

    boxes_xyxy: NDArray[np.float32]
    scores: NDArray[np.float32]
    keypoints: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.scores)

    def take(self, indices: NDArray[np.intp]) -> Detections:
        """Return the chosen ones, in this order."""
        return Detections(self.boxes_xyxy[indices], self.scores[indices], self.keypoints[indices])


NOTHING: Final = Detections(
    np.zeros((0, 4), np.float32), np.zeros(0, np.float32), np.zeros((0, len(KEY_POINTS), 2), np.float32)
)


def make_anchors() -> NDArray[np.float32]:
    """Return the anchor centres, float32 (896, 2): x, y from 0 to 1, row by row, those of one cell side by side."""
    parts = []
    for cells, copies in _GRIDS:
        steps = (np.arange(cells, dtype=np.float32) + 0.5) / cells
        x, y = np.meshgrid(steps, steps)
        parts.append(np.repeat(np.stack([x.ravel(), y.ravel()], axis=1), copies, axis=0))
    return np.concatenate(parts)


_ANCHORS: Final = make_anchors()


def decode(
    regressors: NDArray[np.float32],
    logits: NDArray[np.float32],
    square: Square,
    threshold: float = SCORE_THRESHOLD,
) -> Detections:
    """Turn the network's outputs into faces, overlapping boxes merged.

    Parameters
    ----------
    regressors : ndarray of float32, shape (1, 896, 16)
        Output "regressors".
    logits : ndarray of float32, shape (1, 896, 1)
        Output "scores".
    square : Square
        Which part of the picture the network looked at; upright.
    threshold : float
        Boxes below this confidence, in (0, 1), are ignored.

    Returns
    -------
    Detections
        In pixels of the picture.

    Raises
    ------
    ModelError
        If an output has another shape: the weights are not the ones expected.
    """
    count = len(_ANCHORS)
    if regressors.shape != (1, count, 16) or logits.shape != (1, count, 1):
        raise ModelError(
            f"the face detector gave regressors {regressors.shape} and scores {logits.shape}, "
            f"expected {(1, count, 16)} and {(1, count, 1)}"
        )
    # The sigmoid is monotonic: comparing logits leaves all but a handful of the 896 boxes undecoded.
    kept = np.flatnonzero(logits[0, :, 0] >= math.log(threshold / (1 - threshold)))
    if kept.size == 0:
        return NOTHING
    scores = 1.0 / (1.0 + np.exp(-np.clip(logits[0, kept, 0], -80.0, 80.0)))
    # x, y of the centre, width, height, then six key points; all but the size are relative to the anchor.
    pairs = regressors[0, kept].reshape(len(kept), 8, 2) / np.float32(INPUT_SIZE)
    half = pairs[:, 1] / 2
    center = pairs[:, 0] + _ANCHORS[kept]
    corners = np.concatenate([center - half, center + half], axis=1).astype(np.float32)
    keypoints = pairs[:, 2:] + _ANCHORS[kept, None]
    valid = (half > 0).all(axis=1)
    order = np.argsort(-scores, kind="stable")
    order = order[valid[order]]
    merged = merge_overlapping(Detections(corners, scores, keypoints).take(order))
    return Detections(
        square.to_picture(merged.boxes_xyxy.reshape(-1, 2, 2), 1).reshape(-1, 4),
        merged.scores,
        square.to_picture(merged.keypoints, 1),
    )


def merge_overlapping(detections: Detections, iou_threshold: float = IOU_THRESHOLD) -> Detections:
    """Weighted non-maximum suppression, the form of it that BlazeFace uses instead of picking one box.

    The best box gathers all that overlap it; they are replaced by their mean, weighted by score, with the best score.
    A box that flickers between two anchors then moves smoothly.

    Parameters
    ----------
    detections : Detections
        The best first.
    iou_threshold : float
        Boxes with a larger intersection over union are one face.
    """
    left = np.arange(len(detections))
    boxes, scores, keypoints = [], [], []
    while left.size:
        iou, _ = overlaps(detections.boxes_xyxy[left[0]], detections.boxes_xyxy[left])
        same = iou > iou_threshold
        same[0] = True
        group = left[same]
        weights = detections.scores[group] / detections.scores[group].sum()
        boxes.append(weights @ detections.boxes_xyxy[group])
        keypoints.append(np.tensordot(weights, detections.keypoints[group], axes=1))
        scores.append(detections.scores[group[0]])
        left = left[~same]
    if not boxes:
        return NOTHING
    return Detections(np.array(boxes, np.float32), np.array(scores, np.float32), np.array(keypoints, np.float32))
