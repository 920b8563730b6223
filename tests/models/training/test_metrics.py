"""The figures that networks are judged by, against SciPy and against what can be said beforehand."""

import cv2
import numpy as np
import pytest
from scipy.stats import spearmanr

from models.training.metrics import aligned, error_of_range, frame_change, ranks, spearman
from models.training.outlines import REACH_PX, outline_distances


def test_ranks_share_their_mean():
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [2.5, 0.0, 2.5, 1.0]


@pytest.mark.parametrize("levels", [3, 50, 10**9])
def test_spearman_is_scipys(levels):
    rng = np.random.default_rng(levels % 97)
    first = rng.integers(0, levels, (24, 40)).astype(np.float32)
    second = first + rng.integers(0, levels, first.shape)
    assert spearman(first, second) == pytest.approx(spearmanr(first.ravel(), second.ravel()).statistic, abs=1e-12)


def test_spearman_sees_the_order_alone():
    values = np.random.default_rng(1).uniform(0.1, 2, (20, 30))
    assert spearman(values, np.exp(values)) == pytest.approx(1)
    assert spearman(values, 1 / values) == pytest.approx(-1)
    assert spearman(values, np.ones_like(values)) == 0


def test_alignment_takes_out_scale_and_shift():
    target = np.random.default_rng(2).uniform(0, 1, (20, 30))
    np.testing.assert_allclose(aligned(0.3 * target - 5, target), target, atol=1e-9)
    assert error_of_range(7 * target + 1, target) == pytest.approx(0, abs=1e-9)
    assert frame_change(target, 2 * target, span=1) == pytest.approx(0, abs=1e-9)


def test_error_is_a_share_of_the_range():
    target = np.tile([0.0, 0.0, 4.0, 4.0], (8, 1))
    # +1 and -1 on both sides: nothing that an alignment could take away.
    depth = target + np.tile([1.0, -1.0, 1.0, -1.0], (8, 1))
    # The least-squares slope is cov / var = 4 / (4 + 1); what is left is off by 1.2 or 0.4, as often.
    assert error_of_range(depth, target) == pytest.approx(0.8 / 4)
    assert frame_change(target, target, span=0.5) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("shift", [-9, -4, 0, 3, 10])
def test_distance_of_a_shifted_step(shift):
    """A disc of depth that is larger or smaller than the person: the difference of the radii is the distance."""
    y, x = np.mgrid[:240, :320]
    radius = np.hypot(x - 160, y - 120)
    person = (radius <= 60).astype(np.float32)
    depth = cv2.GaussianBlur((radius <= 60 + shift).astype(np.float32), (0, 0), 2)
    distances, found = outline_distances(depth, person)
    assert found == 1
    assert np.median(distances) == pytest.approx(shift, abs=1)
    assert np.ptp(distances) < 4


def test_no_step_no_distance():
    y, x = np.mgrid[:240, :320]
    person = (np.hypot(x - 160, y - 120) <= 60).astype(np.float32)
    slope = np.linspace(0, 1, 320, dtype=np.float32)[None].repeat(240, 0)
    assert outline_distances(slope, person)[1] < 0.1
    assert outline_distances(slope, np.zeros_like(person)) == (pytest.approx([]), 0.0)


def test_the_picture_s_border_is_no_outline():
    person = np.zeros((240, 320), np.float32)
    person[100:, 80:240] = 1
    distances, found = outline_distances(person, person)
    assert found == 1
    top, sides = 160, 2 * (240 - 100 - REACH_PX)
    assert len(distances) == pytest.approx((top + sides) / 3, rel=0.05)
