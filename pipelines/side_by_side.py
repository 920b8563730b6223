"""How tasks share the cores: side by side or one after the other, whichever takes less time here and now.

With two idle cores, side by side is half as fast again. With one of them busy it can take twice as long as one thread
alone: every hand-over between threads may wait until the other program has had its turn (`python -m benchmarks
schedule`, docs/performance.md). Which of the two holds changes with what else the machine does, so both are tried.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Mapping
from typing import Final

SETTLE: Final = 3
"""Frames at the beginning that say nothing: memory is being allocated, faces are looked for everywhere."""
TRIAL: Final = 9
"""Frames that decide; the median of them, since a frame in which a face is looked for takes longer."""
OFTEN: Final = 90
SELDOM: Final = 270
"""Frames between trials: 3 s at 30 frames a second, and 9 s where the other way was clearly slower. A trial that loses
costs a part of a percent."""
BETTER: Final = 0.92
CLEARLY_WORSE: Final = 1.3
"""What the other way takes, relative to this one, to be taken over, or to be left alone for longer."""


def shares(costs_ms: Mapping[str, float], threads: int) -> list[list[str]]:
    """Divide tasks among threads: the most expensive first, each to the thread that has least to do so far.

    A thread more than there are cores costs more in hand-overs than it wins: three tasks on two cores ran at 68 frames
    a second with three threads and at 74 with two (`python -m benchmarks schedule`).

    Parameters
    ----------
    costs_ms : mapping of str to float
        What each task takes.
    threads : int
        At most so many shares, at least one.

    Returns
    -------
    list of list of str
        Shares that are not empty, the first one with the most expensive task.
    """
    found: list[list[str]] = [[] for _ in range(min(threads, len(costs_ms)))]
    loads = [0.0] * len(found)
    for name in sorted(costs_ms, key=lambda name: -costs_ms[name]):
        least = loads.index(min(loads))
        found[least].append(name)
        loads[least] += costs_ms[name]
    return [share for share in found if share]


class SideBySide:
    """Decides for each frame, from how long the frames before took."""

    def __init__(self) -> None:
        self._is_side_by_side = True
        self._is_trial = False
        self._wait = SETTLE + TRIAL
        self._settle = SETTLE
        self._mine: deque[float] = deque(maxlen=TRIAL)
        self._other: list[float] = []

    @property
    def wanted(self) -> bool:
        """Whether the next frame's tasks run side by side."""
        return self._is_side_by_side is not self._is_trial

    def note(self, took_ms: float) -> None:
        """Take in how long the tasks of a frame took, run as `wanted` said."""
        self._wait -= 1
        if self._settle:
            self._settle -= 1
        elif self._is_trial:
            self._other.append(took_ms)
            if len(self._other) == TRIAL:
                self._decide()
        else:
            self._mine.append(took_ms)
            if self._wait <= 0 and len(self._mine) == TRIAL:
                self._is_trial, self._other = True, []

    def _decide(self) -> None:
        ratio = statistics.median(self._other) / max(statistics.median(self._mine), 1e-9)
        if ratio < BETTER:
            self._is_side_by_side = not self._is_side_by_side
            self._mine = deque(self._other, maxlen=TRIAL)
        self._is_trial = False
        self._wait = SELDOM if ratio > CLEARLY_WORSE else OFTEN
