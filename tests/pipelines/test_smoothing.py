"""The One Euro filter against what theory says of it."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.smoothing import OneEuroFilter, blend_weight


def points(value: float, count: int = 3) -> np.ndarray:
    return np.full((count, 3), value, np.float32)


@given(st.floats(0, 10), st.floats(1e-3, 10))
def test_blend_weight_is_the_step_response(dt: float, tau: float) -> None:
    assert blend_weight(dt, tau) == pytest.approx(1 - math.exp(-dt / tau), abs=1e-12)


@pytest.mark.parametrize(("dt", "tau", "weight"), [(0.0, 1.0, 0.0), (-1.0, 1.0, 0.0), (0.1, 0.0, 1.0)])
def test_blend_weight_at_the_ends(dt: float, tau: float, weight: float) -> None:
    assert blend_weight(dt, tau) == weight


@given(st.integers(1, 200), st.floats(0.01, 1.0))
def test_blend_in_many_strides_equals_one(strides: int, tau: float) -> None:
    remaining = (1 - blend_weight(1.0 / strides, tau)) ** strides
    assert remaining == pytest.approx(math.exp(-1.0 / tau), rel=1e-6, abs=1e-12)


@given(st.floats(-1e4, 1e4, width=32))
def test_a_constant_stays(value: float) -> None:
    smoother = OneEuroFilter(0.5, 20.0, 3.0)
    for index in range(5):
        np.testing.assert_array_equal(smoother(points(value), index / 30), points(value))


@pytest.mark.parametrize("fps", [5, 30, 240])
def test_without_beta_a_step_decays_at_the_cutoff_whatever_the_rate(fps: int) -> None:
    smoother = OneEuroFilter(1.0, 0.0, 1.0)
    smoother(points(0.0), 0.0)
    for index in range(1, fps + 1):
        result = smoother(points(1.0), index / fps)
    np.testing.assert_allclose(result, 1 - math.exp(-2 * math.pi), rtol=1e-4)


def test_a_step_converges() -> None:
    smoother = OneEuroFilter(0.5, 20.0, 3.0)
    smoother(points(0.0), 0.0)
    distances = [float(1 - smoother(points(1.0), index / 30)[0, 0]) for index in range(1, 60)]
    assert all(0 <= later <= earlier for earlier, later in itertools.pairwise(distances))
    assert distances[-1] < 1e-3


@pytest.mark.parametrize("fps", [60, 240])
def test_steady_motion_lags_by_at_most_one_over_two_pi_beta(fps: int) -> None:
    beta, speed = 20.0, 3.0
    smoother = OneEuroFilter(0.5, beta, 3.0)
    for index in range(2 * fps):
        position = speed * index / fps
        # Motion along x alone: the speed of the point, not of the coordinate, decides.
        result = smoother(np.array([[position, 0.0, 0.0]], np.float32), index / fps)
    assert 0 <= position - result[0, 0] <= 1 / (2 * math.pi * beta)


def test_noise_at_rest_shrinks() -> None:
    rng = np.random.default_rng(0)
    smoother = OneEuroFilter(0.5, 20.0, 3.0)
    noisy = [rng.normal(0, 0.0015, (200, 2)).astype(np.float32) for _ in range(90)]
    smooth = [smoother(measured, index / 30) for index, measured in enumerate(noisy)]
    assert np.std(smooth[30:]) < 0.45 * np.std(noisy[30:])


@pytest.mark.parametrize("factor", [0.1, 10.0])
def test_scale_makes_sizes_alike(factor: float) -> None:
    rng = np.random.default_rng(1)
    plain, scaled = OneEuroFilter(0.5, 20.0, 3.0), OneEuroFilter(0.5, 20.0, 3.0)
    for index in range(20):
        measured = rng.normal(0, 0.1, (4, 2)).astype(np.float32)
        first = plain(measured, index / 30, 1.0)
        second = scaled(measured * np.float32(factor), index / 30, factor)
        np.testing.assert_allclose(second, first * factor, rtol=1e-3, atol=1e-5 * factor)


def test_speed_does_not_depend_on_the_axes() -> None:
    c, s = math.cos(0.7), math.sin(0.7)
    turn = np.array([[c, -s], [s, c]], np.float32)
    rng = np.random.default_rng(2)
    straight, turned = OneEuroFilter(0.5, 20.0, 3.0), OneEuroFilter(0.5, 20.0, 3.0)
    for index in range(20):
        measured = rng.normal(0, 0.1, (4, 2)).astype(np.float32)
        np.testing.assert_allclose(
            turned(measured @ turn, index / 30), straight(measured, index / 30) @ turn, atol=1e-5
        )


@pytest.mark.parametrize("timestamp_s", [1.0, 0.5])
def test_time_that_does_not_pass_starts_afresh(timestamp_s: float) -> None:
    smoother = OneEuroFilter(0.5, 20.0, 3.0)
    smoother(points(0.0), 1.0)
    np.testing.assert_array_equal(smoother(points(9.0), timestamp_s), points(9.0))


def test_another_number_of_points_and_reset_start_afresh() -> None:
    smoother = OneEuroFilter(0.5, 20.0, 3.0)
    smoother(points(0.0, 478), 0.0)
    np.testing.assert_array_equal(smoother(points(9.0, 468), 0.1), points(9.0, 468))
    smoother.reset()
    np.testing.assert_array_equal(smoother(points(5.0, 468), 0.2), points(5.0, 468))


def test_a_long_pause_forgets_the_old_place() -> None:
    smoother = OneEuroFilter(0.5, 20.0, 3.0)
    smoother(points(0.0), 0.0)
    np.testing.assert_allclose(smoother(points(1.0), 10.0), 1.0, rtol=1e-5)


def test_the_input_is_left_alone() -> None:
    smoother = OneEuroFilter(0.5, 20.0, 3.0)
    first, second = points(0.0), points(1.0)
    first.flags.writeable = second.flags.writeable = False
    smoother(first, 0.0)
    smoother(second, 0.1)
    assert (first == 0).all()
    assert (second == 1).all()


@pytest.mark.parametrize("parameters", [(0.0, 1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, 0.0)])
def test_parameters_are_checked(parameters: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="cut-off"):
        OneEuroFilter(*parameters)
