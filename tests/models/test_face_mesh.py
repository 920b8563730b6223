"""Regions for the mesh and the way back, against closed forms."""

import math

import numpy as np
import pytest

from models.errors import ModelError
from models.face_mesh import box_of, decode, drift, region_of_detection, region_of_landmarks
from models.geometry import Square

ANGLE_STEP = 1 / 2048


def mesh(count: int = 478) -> np.ndarray:
    """Points spread over a square from (10, 20) to (110, 220), eyes level."""
    points = np.random.default_rng(3).uniform([10, 20, -5], [110, 220, 5], (count, 3)).astype(np.float32)
    points[0, :2], points[1, :2] = (10, 20), (110, 220)
    points[33, :2], points[263, :2] = (30, 80), (90, 80)
    return points


def turned(points: np.ndarray, degrees: float, center: tuple[float, float]) -> np.ndarray:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    out = points.copy()
    out[:, :2] = (points[:, :2] - center) @ np.array([[c, s], [-s, c]]) + center
    return out.astype(np.float32)


def test_region_of_a_detection() -> None:
    keypoints = np.zeros((6, 2), np.float32)
    keypoints[1] = (10, 10)
    region = region_of_detection(np.array([100, 50, 180, 110], np.float32), keypoints)
    assert region == Square(140, 80, 120, pytest.approx(math.pi / 4, abs=ANGLE_STEP / 2))


def test_region_of_landmarks() -> None:
    assert region_of_landmarks(mesh()) == Square(60, 120, 300, 0)


@pytest.mark.parametrize("degrees", [-150, -30, 45, 90])
def test_region_turns_with_the_eyes(degrees: float) -> None:
    region = region_of_landmarks(turned(mesh(), degrees, (60, 120)))
    assert region.rotation == pytest.approx(math.radians(degrees), abs=ANGLE_STEP / 2 + 1e-5)


def test_regions_lie_on_a_grid_that_rounding_does_not_leave() -> None:
    """Landmarks that differ by what backends differ give the same region, but for those beside a border."""
    random = np.random.default_rng(5)
    same = 0
    for _ in range(200):
        points = turned(mesh() * random.uniform(0.2, 3), random.uniform(-40, 40), tuple(random.uniform(0, 500, 2)))
        region = region_of_landmarks(points)
        step = 2.0 ** round(math.log2(region.side / 4096))
        for value in (region.center_x, region.center_y, region.side):
            assert value / step == round(value / step)
        x0, y0, x1, y1 = box_of(points)
        assert region.center_x == pytest.approx((x0 + x1) / 2, abs=step / 2 + 1e-4)
        assert region.side == pytest.approx(1.5 * max(x1 - x0, y1 - y0), abs=step / 2 + 1e-4)
        noise = random.uniform(-2e-4, 2e-4, points.shape).astype(np.float32)
        same += region_of_landmarks(points + noise) == region
    assert same > 185


def test_box() -> None:
    np.testing.assert_array_equal(box_of(mesh()), [10, 20, 110, 220])
    assert box_of(mesh()).dtype == np.float32


@pytest.mark.parametrize("count", [478, 468])
def test_decode_scales_turns_and_shifts(count: int) -> None:
    crop = np.zeros((1, count, 3), np.float32)
    crop[0, 0] = (96, 96, 10)  # the centre
    crop[0, 1] = (192, 96, -20)  # the middle of the right edge
    points, score = decode(crop, np.zeros((1, 1), np.float32), Square(300, 200, 384, math.pi / 2))
    assert points.shape == (count, 3)
    np.testing.assert_allclose(points[0], [300, 200, 20], atol=1e-3)
    np.testing.assert_allclose(points[1], [300, 392, -40], atol=1e-3)
    assert score == 0.5


@pytest.mark.parametrize(("logit", "score"), [(-1e9, 0.0), (1e9, 1.0), (2.0, 1 / (1 + math.exp(-2)))])
def test_score(logit: float, score: float) -> None:
    _, found = decode(np.zeros((1, 478, 3), np.float32), np.array([[logit]], np.float32), Square(0, 0, 1))
    assert found == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize(("points", "flag"), [((1, 478, 2), (1, 1)), ((478, 3), (1, 1)), ((1, 71, 3), (1, 1))])
def test_wrong_weights_are_named(points: tuple[int, ...], flag: tuple[int, ...]) -> None:
    with pytest.raises(ModelError, match="face mesh gave landmarks"):
        decode(np.zeros(points, np.float32), np.zeros(flag, np.float32), Square(0, 0, 1))


def test_drift_in_eye_distances() -> None:
    assert drift(mesh(), mesh()) == 0
    assert drift(mesh() + np.float32([3, 4, 99]), mesh()) == pytest.approx(5 / 60)
    assert drift(mesh(), np.zeros((478, 3), np.float32)) == math.inf
