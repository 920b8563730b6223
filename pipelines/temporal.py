"""Steadying maps and ranges over time, by the clock and not by the number of frames.

Both filters are exponential: what remains of a difference after a time t is exp(-t / time constant), whether that time
was cut into five frames or into fifty.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipelines.state import State, take_array, take_float, take_state

MAX_GAP_S: Final = 0.5
"""Frames further apart than this show different moments: the earlier one says nothing about how the later one looks."""


class MapSmoother:
    """Calms the small changes of a map over time and lets the large ones through at once.

    Flicker of a network moves a pixel a little; a hand that appears moves it a lot. A change up to `still` is smoothed
    with the time constant, one from `moving` on is taken over in the same frame, and in between the weight grows
    smoothly. So nothing leaves a ghost behind.

    Parameters
    ----------
    time_constant_s : float
        Time after which 1/e of a small change is still missing.
    still, moving : float
        Absolute change of a pixel, in the map's unit; `still` is smaller.
    """

    def __init__(self, time_constant_s: float, still: float, moving: float) -> None:
        if not (time_constant_s > 0 and 0 <= still < moving):
            raise ValueError(f"no filter: time constant {time_constant_s} s, still {still}, moving {moving}")
        self._time_constant_s = time_constant_s
        self._still = still
        self._moving = moving
        self._state: NDArray[np.float32] | None = None
        self._time_s = 0.0

    def update(self, values: NDArray[np.float32], timestamp_s: float) -> NDArray[np.float32]:
        """Return the smoothed map.

        Parameters
        ----------
        values : ndarray of float32, shape (h, w)
            The new map. Another size than the last one's starts afresh.
        timestamp_s : float
            Its time. A step back, or forward by more than `MAX_GAP_S`, starts afresh.

        Returns
        -------
        ndarray of float32, shape (h, w)
            Kept for the next call: not to be written to.
        """
        last, passed_s = self._state, timestamp_s - self._time_s
        self._time_s = timestamp_s
        if last is None or last.shape != values.shape or not 0 <= passed_s <= MAX_GAP_S:
            self._state = values
            return values
        change = values - last
        weight = np.abs(change)
        weight -= np.float32(self._still)
        weight *= np.float32(1 / (self._moving - self._still))
        # Two calls: `np.clip` takes as long as four.
        np.maximum(weight, np.float32(0.0), out=weight)
        np.minimum(weight, np.float32(1.0), out=weight)
        curve = weight * np.float32(-2.0)
        curve += np.float32(3.0)
        curve *= weight
        weight *= curve
        slow = np.float32(-math.expm1(-passed_s / self._time_constant_s))
        weight *= np.float32(1.0) - slow
        weight += slow
        change *= weight
        change += last
        self._state = change
        return change

    def reset(self) -> None:
        """Forget the earlier maps."""
        self._state = None

    def state(self) -> State:
        """Return what is remembered (`pipelines.state`)."""
        return {"map": self._state, "time_s": self._time_s}

    def restore(self, state: State) -> None:
        """Go on from a `state`."""
        self._state, self._time_s = take_array(state, "map"), take_float(state, "time_s")


class RangeSmoother:
    """Lets a range of values follow the picture slowly, so that colours do not pump.

    Parameters
    ----------
    time_constant_s : float
        Time after which 1/e of a change is still missing.
    """

    def __init__(self, time_constant_s: float) -> None:
        if not time_constant_s > 0:
            raise ValueError(f"a time constant is larger than 0 s, not {time_constant_s}")
        self._time_constant_s = time_constant_s
        self._state: tuple[float, float] | None = None
        self._time_s = 0.0

    def update(self, high: float, low: float, timestamp_s: float) -> tuple[float, float]:
        """Return the smoothed upper and lower end; a step back in time starts afresh.

        The distance of the ends is smoothed with them: it never becomes smaller than the smallest that went in.
        """
        passed_s = timestamp_s - self._time_s
        self._time_s = timestamp_s
        if self._state is None or passed_s < 0:
            self._state = (high, low)
            return self._state
        weight = -math.expm1(-passed_s / self._time_constant_s)
        last_high, last_low = self._state
        self._state = (last_high + weight * (high - last_high), last_low + weight * (low - last_low))
        return self._state

    def reset(self) -> None:
        """Forget the earlier ranges."""
        self._state = None

    def state(self) -> State:
        """Return what is remembered (`pipelines.state`)."""
        ends = None if self._state is None else {"high": self._state[0], "low": self._state[1]}
        return {"ends": ends, "time_s": self._time_s}

    def restore(self, state: State) -> None:
        """Go on from a `state`."""
        self._time_s = take_float(state, "time_s")
        self._state = None
        if state.get("ends") is not None:
            ends = take_state(state, "ends")
            self._state = take_float(ends, "high"), take_float(ends, "low")
