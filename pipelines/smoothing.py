"""Steadying of measurements over time, independent of the frame rate.

Source: Casiez, Roussel, Vogel, "1 Euro Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive
Systems", CHI 2012. It was chosen over a Kalman filter because it has no model of the motion to get wrong, and two
parameters that mean something: how still a still point is, and how closely a moving one is followed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pipelines.state import State, take_array, take_float


def blend_weight(dt_s: float, time_constant_s: float) -> float:
    """Return the share of the new value in an exponential average, in [0, 1].

    ``old + blend_weight(dt, tau) * (new - old)`` covers 63 % of a step after `tau` seconds, in one stride or in a
    hundred: this exact form (the paper approximates it by dt / (dt + tau)) makes the result independent of the rate.

    Parameters
    ----------
    dt_s : float
        Seconds since the old value; below 0 counts as 0.
    time_constant_s : float
        Seconds; 0 follows at once.
    """
    if time_constant_s <= 0:
        return 1.0
    return -math.expm1(-max(dt_s, 0.0) / time_constant_s)


class OneEuroFilter:
    """One Euro filter for a set of points: strong smoothing at rest, little when they move.

    The cut-off frequency of each point is ``min_cutoff_hz + beta * speed``. Points are vectors here: one speed and one
    cut-off for all coordinates of a point, so that the result does not depend on the direction of the axes.

    Parameters
    ----------
    min_cutoff_hz : float
        Cut-off frequency at rest, larger than 0: lower is steadier.
    beta : float
        Hertz by which the cut-off rises for a speed of one `scale` a second. A point in steady motion lags
        at most ``1 / (2 pi beta)`` of the scale behind.
    derivative_cutoff_hz : float
        Cut-off frequency of the speed itself, larger than 0.
    """

    def __init__(self, min_cutoff_hz: float, beta: float, derivative_cutoff_hz: float) -> None:
        if min_cutoff_hz <= 0 or derivative_cutoff_hz <= 0 or beta < 0:
            raise ValueError("cut-off frequencies are larger than 0, and beta is not negative")
        self._min_cutoff_hz = min_cutoff_hz
        self._beta = beta
        self._derivative_cutoff_hz = derivative_cutoff_hz
        self._timestamp_s = 0.0
        self._raw: NDArray[np.float32] | None = None
        self._smooth: NDArray[np.float32] | None = None
        self._velocity: NDArray[np.float32] | None = None

    def reset(self) -> None:
        """Forget the past: the next points come out as they are."""
        self._raw = self._smooth = self._velocity = None

    def state(self) -> State:
        """Return what is remembered (`pipelines.state`)."""
        return {
            "time_s": self._timestamp_s,
            "raw": self._raw,
            "smooth": self._smooth,
            "velocity": self._velocity,
        }

    def restore(self, state: State) -> None:
        """Go on from a `state`."""
        self._timestamp_s = take_float(state, "time_s")
        self._raw, self._smooth = take_array(state, "raw"), take_array(state, "smooth")
        self._velocity = take_array(state, "velocity")

    def __call__(self, points: NDArray[np.float32], timestamp_s: float, scale: float = 1.0) -> NDArray[np.float32]:
        """Smooth the points of one moment.

        Parameters
        ----------
        points : ndarray of float32, shape (N, D)
            In any unit. Another N than before starts afresh.
        timestamp_s : float
            When they were measured. A time not later than the one before starts afresh: a clip looped, or the source
            has no times, and freezing the points would be worse than not smoothing them.
        scale : float
            Length that makes speeds comparable, in the unit of the points, such as the size of the face.

        Returns
        -------
        ndarray of float32, shape (N, D)
            A new array, except after a fresh start, when it is `points` itself.
        """
        dt = timestamp_s - self._timestamp_s
        self._timestamp_s = timestamp_s
        raw, smooth, velocity = self._raw, self._smooth, self._velocity
        self._raw = points
        if raw is None or smooth is None or velocity is None or dt <= 0 or raw.shape != points.shape:
            self._smooth, self._velocity = points, np.zeros_like(points)
            return points
        rate = np.float32(blend_weight(dt, 1.0 / (2 * math.pi * self._derivative_cutoff_hz)))
        velocity = velocity + rate * ((points - raw) / np.float32(dt) - velocity)
        speed = np.sqrt(np.einsum("nd,nd->n", velocity, velocity)) / np.float32(scale)
        cutoff = np.float32(self._min_cutoff_hz) + np.float32(self._beta) * speed
        weight = -np.expm1(np.float32(-2 * math.pi * dt) * cutoff)
        self._velocity = velocity
        self._smooth = smooth + weight[:, None] * (points - smooth)
        return self._smooth
