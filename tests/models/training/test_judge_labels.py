"""Judging labels: what a mean of two maps keeps, and nine versions of a picture with known disparity."""

import logging

import numpy as np
import pytest

from models.training import evaluate, judge_labels
from models.training.evaluate import motorcycle_versions
from tests.models.training.makers import save_pictures, save_teacher


@pytest.fixture(scope="module")
def teacher(tmp_path_factory):
    return save_teacher(tmp_path_factory.mktemp("teacher") / "teacher.onnx", bias=0)


def test_a_label_is_as_near_to_the_plain_one_as_its_share_says(teacher):
    image = np.random.default_rng(3).integers(0, 256, (400, 600, 3), np.uint8)
    maps = judge_labels.Labels(teacher)(image)
    quarter, half, whole = (np.abs(maps[f"{share}% of 480x288"] - maps["plain"]).mean() for share in (25, 50, 100))
    assert half == pytest.approx(2 * quarter, rel=1e-3)
    assert whole == pytest.approx(4 * quarter, rel=1e-3)
    # This teacher looks at pixels one by one, so that a mirror image is nothing new.
    np.testing.assert_allclose(maps["plain, with its mirror image"], maps["plain"], atol=0.02)


def test_everything_is_said(teacher, tmp_path, monkeypatch, caplog):
    save_pictures(tmp_path / "heldout", ["in_1.jpg", "face_1.jpg"], first_seed=20)
    red = np.random.default_rng(5).integers(1, 256, (40, 60), np.uint8)
    monkeypatch.setattr(judge_labels, "motorcycle_scene", lambda: (np.dstack([red] * 3), red.astype(np.float32)))
    with caplog.at_level(logging.INFO):
        judge_labels.run(tmp_path, teacher)
    lines = [record.getMessage() for record in caplog.records]
    assert lines[0].startswith("plain: 1.0000 of the plain one, motorcycle 0.9")
    assert len(lines) == 2 + 2 * len(judge_labels.SHARES)


def test_nine_versions_of_the_motorcycle(monkeypatch):
    """A picture whose red is the disparity: known in all versions, and the other way round in none."""
    disparity = np.linspace(2, 250, 192 * 320, dtype=np.float32).reshape(192, 320)
    left = np.dstack([disparity.astype(np.uint8)] * 3)
    monkeypatch.setattr(evaluate, "motorcycle_scene", lambda: (left, disparity))
    seen = []

    def red(image):
        seen.append(image)
        return image[:, :, 0].astype(np.float32)

    assert motorcycle_versions(red) > 0.99
    assert motorcycle_versions(lambda image: -red(image)) < -0.99
    assert len(seen) == 18
