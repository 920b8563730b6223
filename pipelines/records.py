"""What was found on a frame as plain values, in the form of the results file (docs/formats.md)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.results import Face
from pipelines.compare import ComparedResult
from pipelines.pipeline import FrameResult

PIXEL_DIGITS: Final = 2
"""A hundredth of a pixel: well below the jitter of the landmarks, and a third of the size of full precision."""
TIME_DIGITS: Final = 6
SHARE_DIGITS: Final = 4
MS_DIGITS: Final = 3
AGREEMENT_DIGITS: Final = 6
"""Backends that compute the same differ in the fifth."""

Json = dict[str, object]


def pixel_values(values: NDArray[np.float32]) -> list[object]:
    """Return coordinates as numbers rounded for writing, nested like the array."""
    # Through float64: a rounded float32 would print as 12.340000152587891.
    return list(np.round(values.astype(np.float64), PIXEL_DIGITS).tolist())


def face_record(face: Face) -> Json:
    """Return a face as it stands in the results file."""
    return {
        "score": round(face.score, SHARE_DIGITS),
        "box": pixel_values(face.box_xyxy),
        "landmarks": pixel_values(face.landmarks),
    }


def frame_record(result: FrameResult) -> Json:
    """Return what was found on a frame as one JSON object of the results file; a task that is off has no key."""
    frame = result.frame
    record: Json = {
        "frame": frame.index,
        "time_s": round(frame.timestamp_s, TIME_DIGITS),
        "width": frame.width,
        "height": frame.height,
    }
    if result.faces is not None:
        record["faces"] = [face_record(face) for face in result.faces.faces]
    if result.mask is not None:
        record["segmentation"] = {"coverage": round(result.mask.coverage, SHARE_DIGITS)}
    if result.depth is not None:
        names = ("p05", "p50", "p95")
        values = (round(value, SHARE_DIGITS) for value in result.depth.percentiles)
        record["depth"] = dict(zip(names, values, strict=True))
    timing = {name: round(times.total_ms, MS_DIGITS) for name, times in result.times.items()}
    record["timing_ms"] = {**timing, "total": round(result.total_ms, MS_DIGITS)}
    record["pipeline"] = dict(result.backends)
    if isinstance(result, ComparedResult):
        record["agreement"] = agreement_record(result)
    return record


def agreement_record(result: ComparedResult) -> Json:
    """Return how far two pipelines agree on a frame; what could not be compared is None."""
    found = result.agreement
    parts = ("overall", "landmark_px", "landmark_of_eyes", "mask_iou", "depth_rank")
    values = {name: getattr(found, name) for name in parts}
    timing = {name: round(times.total_ms, MS_DIGITS) for name, times in result.other.times.items()}
    return {
        **{name: None if value is None else round(value, AGREEMENT_DIGITS) for name, value in values.items()},
        "faces_differ": found.faces_differ,
        "timing_ms": {**timing, "total": round(result.other.total_ms, MS_DIGITS)},
        "pipeline": dict(result.other.backends),
    }
