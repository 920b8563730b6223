"""What a user asks of a file that plays, and where it is: the place where the window and the capture thread meet."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Speeds that a window offers; any other between the first and the last will do, too."""


@dataclass(frozen=True, slots=True)
class Playback:
    """Where a file is and how it plays.

    Parameters
    ----------
    position_s : float
        Time of the newest frame in the file; the wanted one while it is being looked for.
    length_s : float or None
        Time at which the file ends; None while nobody knows.
    speed : float
        1 is the file's own.
    loop : bool
        Begin again after the end.
    rounds : int
        How often it began again.
    is_seeking : bool
        A frame is being looked for.
    """

    position_s: float = 0.0
    length_s: float | None = None
    speed: float = 1.0
    loop: bool = True
    rounds: int = 0
    is_seeking: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """What to do next.

    Parameters
    ----------
    target_s : float or None
        Time to go to first.
    steps : int
        Frames to go on from there, negative backwards.
    """

    target_s: float | None = None
    steps: int = 0


class PlaybackDesk:
    """Takes orders from any thread for the one that plays. A newer place to go to replaces an older one; steps add up.

    Parameters
    ----------
    speed : float
        To begin with.
    loop : bool
        To begin with.
    """

    def __init__(self, speed: float = 1.0, loop: bool = True) -> None:
        self._condition = threading.Condition()
        self._target_s: float | None = None
        self._steps = 0
        self._woken = False
        self._is_busy = False
        self._position_s = 0.0
        self._length_s: float | None = None
        self._rounds = 0
        self._speed = speed
        self._loop = loop

    # -- orders, from any thread

    def seek(self, time_s: float) -> None:
        """Go to a time of the file, in seconds."""
        with self._condition:
            self._target_s, self._steps = max(0.0, time_s), 0
        self.wake()

    def step(self, frames: int) -> None:
        """Go on by so many frames, back if negative."""
        with self._condition:
            self._steps += frames
        self.wake()

    def set_speed(self, speed: float) -> None:
        """Play faster or slower from the next frame on, between the first and the last of `SPEEDS`."""
        self._speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        self.wake()

    def set_loop(self, loop: bool) -> None:
        """Begin again after the end, or stop there."""
        self._loop = loop
        self.wake()

    def wake(self) -> None:
        """Let the playing thread look around: there is an order, or the run is held, goes on or ends."""
        with self._condition:
            self._woken = True
            self._condition.notify_all()

    def state(self) -> Playback:
        """Return where the file is."""
        with self._condition:
            wanted_s = self._target_s
            is_seeking = wanted_s is not None or self._steps != 0 or self._is_busy
            position_s = self._position_s if wanted_s is None else wanted_s
            return Playback(position_s, self._length_s, self._speed, self._loop, self._rounds, is_seeking)

    # -- for the playing thread

    @property
    def speed(self) -> float:
        """How fast to play."""
        return self._speed

    @property
    def loop(self) -> bool:
        """Whether to begin again after the end."""
        return self._loop

    @property
    def has_newer(self) -> bool:
        """Whether there is another place to go to by now."""
        return self._target_s is not None

    def take(self) -> Order | None:
        """Return what is to be done, None for nothing. The place that is looked for counts as where the file is."""
        with self._condition:
            if self._target_s is None and not self._steps:
                self._is_busy = False
                return None
            order = Order(self._target_s, self._steps)
            self._target_s, self._steps = None, 0
            self._is_busy = True
            if order.target_s is not None:
                self._position_s = order.target_s
            return order

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until somebody calls `wake`, or for so long. Return whether somebody did since the last time."""
        with self._condition:
            self._condition.wait_for(lambda: self._woken, timeout_s)
            woken, self._woken = self._woken, False
            return woken

    def tell(self, position_s: float) -> None:
        """Say where the file is."""
        with self._condition:
            self._position_s = position_s
            if self._length_s is not None:
                self._length_s = max(self._length_s, position_s)

    def tell_length(self, length_s: float | None) -> None:
        """Say when the file ends."""
        with self._condition:
            self._length_s = length_s

    def tell_round(self) -> None:
        """Say that the file begins again."""
        with self._condition:
            self._rounds += 1
