"""Rates and latencies that can be believed: intervals are counted, warm-up is kept apart."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

STAGES = ("preprocess", "inference", "decode")
"""Stages inside a task, in the order in which they run."""
MISSING = "\N{EN DASH}"
"""Stands for a figure that was not measured."""


def format_rate(value: float | None) -> str:
    """Frames a second in at most four characters; the dash when there is none."""
    if value is None or not math.isfinite(value):
        return MISSING
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def format_ms(value: float | None) -> str:
    """Milliseconds in at most five characters; the dash when there is none."""
    if value is None or not math.isfinite(value):
        return MISSING
    return f"{value:.1f}" if value < 999.95 else f"{value:.0f}"


class StageTimes:
    """Milliseconds that each stage of a piece of work took; a stage entered twice adds up."""

    __slots__ = ("ms",)

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the duration of the block to stage `name`, also when it raises."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.ms[name] = self.ms.get(name, 0.0) + (time.perf_counter() - start) * 1e3

    @property
    def total_ms(self) -> float:
        """Sum over the stages."""
        return sum(self.ms.values())


@dataclass(frozen=True, slots=True)
class LatencyStats:
    """Summary of latencies in milliseconds."""

    count: int
    p50: float
    p90: float
    p95: float
    p99: float
    mean: float

    @classmethod
    def of(cls, samples_ms: list[float] | deque[float]) -> LatencyStats | None:
        """Summarise; None when there are no samples, for a figure that was not measured must not be shown."""
        ranked = sorted(samples_ms)  # copied first, in one step: another thread may be adding
        if not ranked:
            return None
        p50, p90, p95, p99 = (_percentile(ranked, percent) for percent in (50, 90, 95, 99))
        return cls(len(ranked), p50, p90, p95, p99, math.fsum(ranked) / len(ranked))


def _percentile(ranked: list[float], percent: int) -> float:
    """Return a percentile of sorted values, linear between neighbours, as `np.percentile` gives it.

    NumPy's own imports its masked arrays when it is first called: 50 ms, before the first picture is shown.
    """
    below, rest = divmod(percent * (len(ranked) - 1), 100)
    low, high = ranked[below], ranked[min(below + 1, len(ranked) - 1)]
    return low + (high - low) * rest / 100


class RollingLatency:
    """Latencies of the last `window` pieces of work, the first `warmup` ones left out.

    The first runs of a session allocate memory and, on a GPU, compile kernels; mixed into a median of few samples
    they would make the figure wrong (see "Warm-up" in docs/performance.md).
    """

    def __init__(self, window: int = 120, warmup: int = 3) -> None:
        self._samples: deque[float] = deque(maxlen=window)
        self._warmup_left = warmup
        self.first_ms: float | None = None

    def add(self, latency_ms: float) -> None:
        """Add one latency in milliseconds."""
        if self.first_ms is None:
            self.first_ms = latency_ms
        if self._warmup_left > 0:
            self._warmup_left -= 1
            return
        self._samples.append(latency_ms)

    def stats(self) -> LatencyStats | None:
        """Summary of the window, or None before the warm-up is over."""
        return LatencyStats.of(self._samples)


class RateMeter:
    """Events per second over the last `window_s` seconds.

    Counts intervals, not events: n events span n - 1 intervals. Reads 0 when nothing happened for a whole window,
    so that a source that stalled does not keep its last figure.
    """

    def __init__(self, window_s: float = 2.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._window_s = window_s
        self._clock = clock
        self._ticks: deque[float] = deque()
        self.count = 0

    def tick(self) -> None:
        """Note one event now."""
        self._ticks.append(self._clock())
        self.count += 1
        self._forget()

    def _forget(self) -> None:
        horizon = self._clock() - self._window_s
        # One tick older than the window is kept: at rates below 1/window it is the other end of the only interval.
        while len(self._ticks) > 2 and self._ticks[0] < horizon:
            self._ticks.popleft()

    def rate(self) -> float:
        """Events per second; 0.0 with fewer than two events or after a silent window."""
        ticks = tuple(self._ticks)
        if len(ticks) < 2 or self._clock() - ticks[-1] > self._window_s:
            return 0.0
        span = ticks[-1] - ticks[0]
        return (len(ticks) - 1) / span if span > 0 else 0.0
