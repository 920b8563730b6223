"""Do two pipelines agree? Differences between their results on the same frame, in units a person can judge."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.results import DepthMap, Face, FaceLandmarks, SegmentationMask
from pipelines.pipeline import FrameResult

OUTER_EYE_CORNERS: Final = (33, 263)
PERSON: Final = 128
"""Mask value from which a pixel counts as person."""


class CompareMode(Enum):
    """How two pipelines share the live frames."""

    OFF = "off"
    """One pipeline."""
    ALTERNATE = "alternate"
    """They take turns: both are measured under the same load."""
    SPLIT = "split"
    """Both run on the same frame: agreement can be measured, each gets half the time."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two results on one frame differ. None where a task is off on one side or found nothing on both.

    Parameters
    ----------
    landmark_px : float or None
        Mean distance of corresponding landmarks of all faces found by both, in pixels.
    landmark_of_eyes : float or None
        The same as a share of the distance of the outer eye corners.
    faces_differ : bool
        One found a face that the other did not.
    mask_iou : float or None
        Intersection over union of the person masks, in [0, 1]. 1 when both are empty.
    depth_rank : float or None
        Spearman's rank correlation of the depth maps, in [-1, 1].
    """

    landmark_px: float | None = None
    landmark_of_eyes: float | None = None
    faces_differ: bool = False
    mask_iou: float | None = None
    depth_rank: float | None = None

    @property
    def overall(self) -> float | None:
        """The worst of the parts in [0, 1], 1 = equal; None when nothing could be compared."""
        parts = [part for part in (self.mask_iou, self.depth_rank) if part is not None]
        if self.landmark_of_eyes is not None:
            parts.append(1.0 - self.landmark_of_eyes)
        if self.faces_differ:
            parts.append(0.0)
        return max(0.0, min(parts)) if parts else None


@dataclass(frozen=True, eq=False, slots=True)
class ComparedResult(FrameResult):
    """What one pipeline found on a frame, with what a second one found on the same frame.

    Parameters
    ----------
    other : FrameResult
        The second pipeline's result.
    agreement : Agreement
        How far both agree.
    """

    other: FrameResult = field(kw_only=True)
    agreement: Agreement = field(kw_only=True)


def agreement(a: FrameResult, b: FrameResult) -> Agreement:
    """Compare two results.

    Parameters
    ----------
    a, b : FrameResult
        Results of the same frame.

    Raises
    ------
    ValueError
        If they belong to different frames.
    """
    if a.frame is not b.frame:
        raise ValueError("results of different frames cannot be compared")
    landmark_px = landmark_of_eyes = None
    differ = False
    if a.faces is not None and b.faces is not None:
        landmark_px, landmark_of_eyes, differ = _faces(a.faces, b.faces)
    return Agreement(
        landmark_px,
        landmark_of_eyes,
        differ,
        mask_iou(a.mask, b.mask) if a.mask is not None and b.mask is not None else None,
        depth_rank(a.depth, b.depth) if a.depth is not None and b.depth is not None else None,
    )


def _faces(a: FaceLandmarks, b: FaceLandmarks) -> tuple[float | None, float | None, bool]:
    pairs = _pair(a.faces, b.faces)
    differ = len(pairs) != max(len(a.faces), len(b.faces))
    if not pairs:
        return None, None, differ
    pixels, shares = [], []
    for one, other in pairs:
        count = min(len(one.landmarks), len(other.landmarks))  # 478 against 468 points: compare those of both
        distance = float(np.linalg.norm(one.landmarks[:count, :2] - other.landmarks[:count, :2], axis=1).mean())
        left, right = one.landmarks[list(OUTER_EYE_CORNERS), :2]
        pixels.append(distance)
        shares.append(distance / max(1e-6, float(np.linalg.norm(left - right))))
    return float(np.mean(pixels)), float(np.mean(shares)), differ


def _pair(a: tuple[Face, ...], b: tuple[Face, ...]) -> list[tuple[Face, Face]]:
    """Pair faces whose boxes overlap by half, each at most once, in A's order."""
    left = list(b)
    pairs = []
    for face in a:
        best = max(left, key=lambda other: _overlap(face.box_xyxy, other.box_xyxy), default=None)
        if best is not None and _overlap(face.box_xyxy, best.box_xyxy) > 0.5:
            pairs.append((face, best))
            left.remove(best)
    return pairs


def _overlap(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    size = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    shared = float(np.prod(np.maximum(size, 0)))
    union = float(np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2])) - shared
    return shared / union if union > 0 else 0.0


def mask_iou(a: SegmentationMask, b: SegmentationMask) -> float:
    """Intersection over union of two masks of the same size, every 2nd pixel each way; 1.0 when both are empty."""
    one, other = a.alpha[::2, ::2] >= PERSON, b.alpha[::2, ::2] >= PERSON
    union = np.count_nonzero(one | other)
    return np.count_nonzero(one & other) / union if union else 1.0


def depth_rank(a: DepthMap, b: DepthMap) -> float:
    """Spearman's rank correlation of two depth maps, on at most some 4,000 pixels; 1.0 when both are constant."""
    one, other = _sample(a.inverse_depth), _sample(b.inverse_depth)
    if one.shape != other.shape:
        raise ValueError(f"depth maps of different sizes: {a.inverse_depth.shape} and {b.inverse_depth.shape}")
    return spearman(one, other)


def _sample(values: NDArray[np.float32]) -> NDArray[np.float32]:
    step = max(1, round((values.size / 4000) ** 0.5))
    return values[::step, ::step].ravel()


def spearman(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Spearman's rank correlation of two vectors, ties sharing their mean rank; 1.0 when both are constant.

    Parameters
    ----------
    a, b : ndarray of float32, shape (N,)
        N at least 2.
    """
    ranks_a, ranks_b = _ranks(a), _ranks(b)
    spread = float(np.sqrt((ranks_a**2).sum() * (ranks_b**2).sum()))
    if spread == 0.0:
        return 1.0 if not ranks_a.any() and not ranks_b.any() else 0.0
    return float((ranks_a * ranks_b).sum() / spread)


def _ranks(values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Ranks less their mean; equal values share the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    mean_rank = ends - (counts + 1) / 2
    ranks: NDArray[np.float64] = mean_rank[inverse.ravel()]
    return ranks - ranks.mean()
