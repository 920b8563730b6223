"""Anchors, decoding and weighted suppression on arrays that can be checked by eye."""

import math

import numpy as np
import pytest

from models.errors import ModelError
from models.face_detection import NOTHING, Detections, decode, make_anchors, merge_overlapping
from models.geometry import Square


def outputs(*faces: tuple[int, float, list[float]]) -> tuple[np.ndarray, np.ndarray]:
    """Network outputs with the given (anchor, logit, 16 numbers) and nothing else."""
    regressors, logits = np.zeros((1, 896, 16), np.float32), np.full((1, 896, 1), -50, np.float32)
    for anchor, logit, numbers in faces:
        logits[0, anchor, 0] = logit
        regressors[0, anchor] = numbers
    return regressors, logits


def boxes(*rows: tuple[float, float, float, float, float]) -> Detections:
    """Detections from (x0, y0, x1, y1, score), key points all at the left top corner."""
    table = np.array(rows, np.float32)
    return Detections(table[:, :4], table[:, 4], np.repeat(table[:, None, :2], 6, axis=1))


def test_anchors() -> None:
    anchors = make_anchors()
    assert anchors.shape == (896, 2)
    np.testing.assert_allclose(anchors[[0, 1, 2]], [[1 / 32, 1 / 32], [1 / 32, 1 / 32], [3 / 32, 1 / 32]])
    np.testing.assert_allclose(anchors[32], [1 / 32, 3 / 32])
    np.testing.assert_allclose(anchors[512:518], np.full((6, 2), 1 / 16))
    np.testing.assert_allclose(anchors[-1], [15 / 16, 15 / 16])


def test_decode_in_pixels_of_the_picture() -> None:
    # Anchor 0 is at (4, 4) of 128. In a picture of 1280x720 a step of the input is 10 px and y is shifted by -280.
    numbers = [60, 60, 32, 16, *range(12)]
    found = decode(*outputs((0, 2.0, numbers)), Square.letterbox(1280, 720))
    np.testing.assert_allclose(found.boxes_xyxy, [[480, 280, 800, 440]], atol=1e-3)
    np.testing.assert_allclose(found.scores, [1 / (1 + math.exp(-2))], rtol=1e-6)
    np.testing.assert_allclose(found.keypoints[0, 0], [40, 10 + 40 - 280], atol=1e-3)
    np.testing.assert_allclose(found.keypoints[0, 5], [40 + 100, 110 + 40 - 280], atol=1e-3)


@pytest.mark.parametrize(
    ("logit", "threshold", "count"),
    [(0.0, 0.5, 1), (-0.01, 0.5, 0), (1e6, 0.5, 1), (-1e6, 0.5, 0), (2.0, 0.9, 0), (2.2, 0.9, 1)],
)
def test_threshold(logit: float, threshold: float, count: int) -> None:
    found = decode(*outputs((7, logit, [0, 0, 10, 10, *[0] * 12])), Square.letterbox(128, 128), threshold)
    assert len(found) == count
    assert ((found.scores >= threshold) & (found.scores <= 1)).all()


def test_an_empty_box_is_no_face() -> None:
    assert len(decode(*outputs((7, 3.0, [0, 0, -5, 10, *[0] * 12])), Square.letterbox(64, 64))) == 0


def test_wrong_weights_are_named() -> None:
    with pytest.raises(ModelError, match=r"face detector gave regressors \(1, 2304, 16\)"):
        decode(np.zeros((1, 2304, 16), np.float32), np.zeros((1, 2304, 1), np.float32), Square.letterbox(9, 9))


def test_suppression_averages_by_score() -> None:
    merged = merge_overlapping(boxes((0, 0, 10, 10, 0.9), (50, 50, 60, 60, 0.8), (1, 0, 11, 10, 0.6)))
    np.testing.assert_allclose(merged.scores, [0.9, 0.8])
    np.testing.assert_allclose(merged.boxes_xyxy, [[0.4, 0, 10.4, 10], [50, 50, 60, 60]], rtol=1e-6)
    np.testing.assert_allclose(merged.keypoints[0], np.tile([0.4, 0], (6, 1)), rtol=1e-6)


def test_suppression_gathers_around_the_best_box_only() -> None:
    # The third overlaps the second, not the first: it stays a face of its own.
    merged = merge_overlapping(boxes((0, 0, 10, 10, 0.9), (5, 0, 15, 10, 0.8), (10, 0, 20, 10, 0.7)))
    assert len(merged) == 2
    np.testing.assert_allclose(merged.scores, [0.9, 0.7])


def test_suppression_of_nothing() -> None:
    assert len(merge_overlapping(NOTHING)) == 0
