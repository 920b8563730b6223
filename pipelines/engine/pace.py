"""When a frame of a file is due."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

LATE_S: Final = 0.5
"""Late by more than this (a slow disk, a suspended machine), catching up would be a race: time starts afresh."""
LONGEST_S: Final = 5.0
"""A gap between two times that is longer than this is not waited for."""


class Pace:
    """Turns times of a file into moments of the clock.

    Parameters
    ----------
    clock : callable
        Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._speed = 1.0
        self._anchor: tuple[float, float] | None = None  # a time of the file, and the moment at which it was due

    def restart(self) -> None:
        """Let the next frame be due at once: the file was held, or went to another place."""
        self._anchor = None

    def wait_s(self, time_s: float, speed: float = 1.0) -> float:
        """Return how many seconds are left until the frame with this time is due, 0 if it is.

        Parameters
        ----------
        time_s : float
            Time of the frame, not before that of the last one.
        speed : float
            Seconds of the file a second of the clock.
        """
        now = self._clock()
        if self._anchor is None:
            self._anchor = time_s, now
        elif speed != self._speed:
            # What was played so far was played at the old speed.
            played_s = min(time_s, self._anchor[0] + (now - self._anchor[1]) * self._speed)
            self._anchor = played_s, now
        self._speed = speed
        left_s = self._anchor[1] + (time_s - self._anchor[0]) / speed - now
        if left_s < -LATE_S or left_s > LONGEST_S / min(1.0, speed):
            self._anchor = time_s, now
            return 0.0
        return max(0.0, left_s)
