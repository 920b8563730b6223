"""When each picture of an output is shown, in steps of its format's clock."""

from __future__ import annotations

from fractions import Fraction

from pipelines.state import State, take_int


class Timeline:
    """Places pictures one behind the other.

    Parameters
    ----------
    base : Fraction
        Step of the clock, in seconds.
    rate : Fraction
        Nominal rate; decides how long the last picture is shown.
    least_ticks : int
        Steps between two pictures at least: one that follows sooner is left out.
    from_zero : bool
        The first picture is shown at 0, whatever its time.

    Attributes
    ----------
    frames, left_out : int
        Pictures placed, and those that followed too soon.
    """

    def __init__(self, base: Fraction, rate: Fraction, least_ticks: int = 1, from_zero: bool = False) -> None:
        self.base = base
        self.frames = self.left_out = 0
        self._frame_ticks = max(1, round(1 / (rate * base)))
        self._least_ticks = least_ticks
        self._from_zero = from_zero
        self._origin = 0
        self._first: int | None = None
        self._last = self._end = 0

    @property
    def first_s(self) -> float:
        """Time of the first picture, in seconds; 0 before there is one."""
        return float((self._first or 0) * self.base)

    @property
    def last_s(self) -> float:
        """Time of the last picture, in seconds; 0 before there is one."""
        return float(self._last * self.base)

    @property
    def end_s(self) -> float:
        """When the last picture ends, in seconds."""
        return float(self._end * self.base)

    @property
    def last_ticks(self) -> int:
        """How long the last picture is shown, in steps."""
        return self._end - self._last

    def place(self, time_s: float) -> int | None:
        """Return the place of the next picture in steps, None if it is left out.

        Parameters
        ----------
        time_s : float
            Its time, not negative. One that does not come after the last picture's is moved behind it by the smallest
            step (with `least_ticks` it is left out), so that no frame is lost.
        """
        ticks = max(0, round(time_s / self.base)) - self._origin
        if self._first is None:
            if self._from_zero:
                self._origin, ticks = ticks, 0
            self._first = ticks
        elif self._least_ticks > 1 and ticks < self._last + self._least_ticks:
            self.left_out += 1
            self._end = max(self._end, ticks + self._frame_ticks)
            return None
        else:
            ticks = max(ticks, self._last + 1)
        self._last, self._end = ticks, ticks + self._frame_ticks
        self.frames += 1
        return ticks

    def state(self) -> State:
        """Return what is remembered (`pipelines.state`)."""
        return {
            "frames": self.frames,
            "left_out": self.left_out,
            "origin": self._origin,
            "first": self._first,
            "last": self._last,
            "end": self._end,
        }

    def restore(self, state: State) -> None:
        """Go on from a `state`."""
        self.frames, self.left_out = take_int(state, "frames"), take_int(state, "left_out")
        self._origin, self._last, self._end = (take_int(state, key) for key in ("origin", "last", "end"))
        self._first = None if state.get("first") is None else take_int(state, "first")
