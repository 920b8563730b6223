"""Smoothing over time, against closed forms."""

import math

import numpy as np
import pytest

from pipelines.temporal import MAX_GAP_S, MapSmoother, RangeSmoother

TAU = 0.12


def smoother() -> MapSmoother:
    return MapSmoother(TAU, still=0.1, moving=0.3)


def level(value: float, shape: tuple[int, int] = (3, 4)) -> np.ndarray:
    return np.full(shape, value, np.float32)


@pytest.mark.parametrize("fps", [5, 24, 30, 60, 240])
def test_a_small_change_fades_in_by_the_clock(fps):
    """exp(-t / tau) of it is missing after the time t, at any frame rate."""
    filter_ = smoother()
    filter_.update(level(0.5), 0.0)
    for index in range(1, 4 * fps // 5 + 1):
        found = filter_.update(level(0.55), index / fps)
    passed_s = (4 * fps // 5) / fps
    np.testing.assert_allclose(found, 0.55 - 0.05 * math.exp(-passed_s / TAU), atol=1e-5)


def test_uneven_frames_are_no_matter():
    filter_ = smoother()
    filter_.update(level(0.5), 0.0)
    for time_s in (0.01, 0.011, 0.2, 0.2, 0.31):
        found = filter_.update(level(0.55), time_s)
    np.testing.assert_allclose(found, 0.55 - 0.05 * math.exp(-0.31 / TAU), atol=1e-5)


def test_a_large_change_is_taken_over_at_once():
    filter_ = smoother()
    filter_.update(level(0.9), 0.0)
    np.testing.assert_allclose(filter_.update(level(0.1), 1 / 30), 0.1, atol=1e-6)
    np.testing.assert_allclose(filter_.update(level(0.9), 1 / 30), 0.9, atol=1e-6)


def test_in_between_the_weight_grows_from_slow_to_full():
    """Smoothstep from `still` to `moving`; half way it is one half."""
    slow = 1 - math.exp(-(1 / 30) / TAU)
    for change, share in ((0.1, 0.0), (0.15, 0.15625), (0.2, 0.5), (0.25, 0.84375), (0.3, 1.0)):
        filter_ = smoother()
        filter_.update(level(0.0), 0.0)
        expected = change * (slow + (1 - slow) * share)
        np.testing.assert_allclose(filter_.update(level(change), 1 / 30), expected, atol=1e-6)


def test_never_lags_by_more_than_the_small_changes():
    """Against any input, what is missing stays below `moving`; a sweep through all values shows no ghost."""
    filter_ = smoother()
    rng = np.random.default_rng(3)
    for index in range(200):
        values = rng.random((8, 8), np.float32)
        assert np.abs(filter_.update(values, index / 30) - values).max() < 0.11


def test_calms_noise_and_keeps_the_mean():
    rng = np.random.default_rng(4)
    filter_ = smoother()
    raw = [(0.5 + 0.02 * rng.standard_normal((16, 16))).astype(np.float32) for _ in range(300)]
    calm = np.array([filter_.update(values, index / 30) for index, values in enumerate(raw)])[30:]
    weight = 1 - math.exp(-(1 / 30) / TAU)
    # Closed form of the noise that an exponential filter lets through.
    assert calm.std() == pytest.approx(0.02 * math.sqrt(weight / (2 - weight)), rel=0.05)
    assert calm.mean() == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("time_s", [-0.001, MAX_GAP_S + 0.001, 100.0])
def test_a_jump_in_time_starts_afresh(time_s):
    filter_ = smoother()
    filter_.update(level(0.5), 0.0)
    np.testing.assert_array_equal(filter_.update(level(0.55), time_s), level(0.55))


def test_another_size_or_a_reset_starts_afresh():
    filter_ = smoother()
    filter_.update(level(0.5), 0.0)
    np.testing.assert_array_equal(filter_.update(level(0.55, (5, 5)), 0.03), level(0.55, (5, 5)))
    filter_.reset()
    np.testing.assert_array_equal(filter_.update(level(0.6, (5, 5)), 0.06), level(0.6, (5, 5)))


def test_inputs_are_left_alone():
    """Results are frozen by those who get them, and inputs belong to the network."""
    filter_ = smoother()
    first, second = level(0.5), level(0.55)
    for values in (first, second):
        values.flags.writeable = False
    filter_.update(first, 0.0).flags.writeable = False
    filter_.update(second, 0.03).flags.writeable = False
    filter_.update(first, 0.06)
    np.testing.assert_array_equal(first, level(0.5))
    np.testing.assert_array_equal(second, level(0.55))


@pytest.mark.parametrize("settings", [(0.0, 0.1, 0.3), (0.1, 0.3, 0.3), (0.1, -0.1, 0.3)])
def test_settings_without_sense_are_refused(settings):
    with pytest.raises(ValueError, match="no filter"):
        MapSmoother(*settings)


def test_a_range_starts_at_the_first_scene_and_stays():
    smooth = RangeSmoother(2.0)
    for index in range(50):
        assert smooth.update(0.9, 0.1, index / 30) == (0.9, 0.1)


@pytest.mark.parametrize("fps", [5, 30, 120])
def test_a_range_follows_slowly_by_the_clock(fps):
    smooth = RangeSmoother(2.0)
    smooth.update(0.9, 0.1, 0.0)
    for index in range(1, 3 * fps + 1):
        high, low = smooth.update(0.5, 0.2, index / fps)
        if index == fps // 5:
            assert high == pytest.approx(0.5 + 0.4 * math.exp(-0.2 / 2.0))
    assert high == pytest.approx(0.5 + 0.4 * math.exp(-3 / 2.0))
    assert low == pytest.approx(0.2 - 0.1 * math.exp(-3 / 2.0))


def test_a_range_never_gets_narrower_than_what_went_in():
    smooth = RangeSmoother(2.0)
    rng = np.random.default_rng(5)
    for index in range(300):
        middle = rng.random()
        high, low = smooth.update(middle + 0.05, middle - 0.05, index / 30)
        assert high - low > 0.1 - 1e-9


def test_a_range_starts_afresh_on_a_step_back_or_a_reset():
    smooth = RangeSmoother(2.0)
    smooth.update(0.9, 0.1, 10.0)
    assert smooth.update(0.5, 0.2, 9.9) == (0.5, 0.2)
    assert smooth.update(0.9, 0.1, 9.9) == (0.5, 0.2)
    smooth.reset()
    assert smooth.update(0.9, 0.1, 10.0) == (0.9, 0.1)
    with pytest.raises(ValueError, match="time constant"):
        RangeSmoother(0.0)
