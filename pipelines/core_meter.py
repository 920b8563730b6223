"""How much of the processor this program takes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from pipelines.machine import cores

SPAN_S: Final = 2.0
"""A load over less than that jumps from reading to reading."""
LEAST_S: Final = 0.4
"""A first value may come after that."""


class CoreMeter:
    """Measures the share of the processor cores that this process kept busy, children not included.

    Parameters
    ----------
    wall, cpu : callable
        Seconds that have passed, and seconds of processor time of all threads of this process.
    count : int, optional
        Cores that the process may use; by default those that the system gives it.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.monotonic,
        cpu: Callable[[], float] = time.process_time,
        count: int | None = None,
    ) -> None:
        self._wall, self._cpu = wall, cpu
        self._count = cores() if count is None else count
        self._readings: deque[tuple[float, float]] = deque()

    def read(self) -> float | None:
        """Return the share since the oldest reading of the last two seconds, 0 to 1; None while that is too short."""
        now, spent = self._wall(), self._cpu()
        self._readings.append((now, spent))
        while len(self._readings) > 1 and now - self._readings[0][0] > SPAN_S:
            self._readings.popleft()
        first, spent_first = self._readings[0]
        if now - first < LEAST_S:
            return None
        return min(1.0, (spent - spent_first) / (now - first) / self._count)
