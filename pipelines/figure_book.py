"""Where the engine's threads note what they measured, and what becomes of it."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from pipelines.compare import Agreement, CompareMode
from pipelines.core_meter import CoreMeter
from pipelines.figures import Figures, PipelineFigures, Side, TaskFigures, bottleneck
from pipelines.pipeline import FrameResult
from pipelines.timing import LatencyStats, RateMeter, RollingLatency

COMPARED: Final = 30
"""Frames of each pipeline that a speed-up is told from: the first ones after a change are slower than those after."""
COMPARED_MS: Final = 10_000
"""Or so much time, of a pipeline that takes long for a frame."""
ARRANGED: Final = 60
"""Frames that say whether tasks run side by side: more than twice those of a trial of the other way."""


@dataclass(slots=True)
class _TaskMeter:
    backend: str
    software: bool = False
    total: RollingLatency = field(default_factory=RollingLatency)
    stages: dict[str, RollingLatency] = field(default_factory=dict)


class _PipelineMeter:
    """What is measured of one pipeline since it was built."""

    def __init__(self, load_ms: float | None = None) -> None:
        self._rate = RateMeter()
        self._latency = RollingLatency()
        self._tasks: dict[str, _TaskMeter] = {}
        self._beside: deque[bool] = deque(maxlen=ARRANGED)
        self.load_ms = load_ms

    def afresh(self) -> _PipelineMeter:
        """Return a meter of the same pipeline that has measured nothing."""
        meter = _PipelineMeter(self.load_ms)
        meter._tasks = {name: _TaskMeter(task.backend, task.software) for name, task in self._tasks.items()}
        return meter

    def add(self, result: FrameResult) -> None:
        self._rate.tick()
        self._latency.add(result.total_ms)
        self._beside.append(result.side_by_side)
        for name, times in result.times.items():
            meter, backend = self._tasks.get(name), result.backends[name]
            if meter is None or meter.backend != backend:
                meter = self._tasks[name] = _TaskMeter(backend, backend in result.software)
            meter.total.add(times.total_ms)
            for stage, ms in times.ms.items():
                meter.stages.setdefault(stage, RollingLatency()).add(ms)

    def figures(self) -> PipelineFigures:
        latency = self._latency.stats()
        tasks = {}
        for name, meter in self._tasks.items():
            stages = {stage: stats for stage, rolling in meter.stages.items() if (stats := rolling.stats())}
            tasks[name] = TaskFigures(meter.backend, meter.total.stats(), stages, meter.software)
        capacity_fps = 1e3 / latency.p50 if latency else None
        beside = 2 * sum(self._beside) > len(self._beside) if self._beside else None
        return PipelineFigures(self._rate.rate(), capacity_fps, latency, tasks, self.load_ms, beside)


def _speed_up(a: LatencyStats | None, b: LatencyStats | None) -> float | None:
    """Return how many times as fast B is; None while too little was measured for a word on that."""
    if a is None or b is None or not all(_says_enough(stats) for stats in (a, b)):
        return None
    return a.p50 / b.p50


def _says_enough(stats: LatencyStats) -> bool:
    return stats.count >= COMPARED or stats.count * stats.p50 >= COMPARED_MS


class FigureBook:
    """Collects measurements from the engine's threads and gives snapshots. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._source = RateMeter()
        self._shown = RateMeter()
        self._capture = RollingLatency()
        self._draw = RollingLatency()
        self._pipelines: dict[Side, _PipelineMeter] = {"A": _PipelineMeter()}
        self._mode = CompareMode.OFF
        self._agreement: Agreement | None = None
        self._overall: deque[float] = deque(maxlen=120)
        self._comparison = 0
        self._age_ms: float | None = None
        self._cores = CoreMeter()

    def captured(self, read_ms: float) -> None:
        """Note that the source delivered a frame and how long reading it took."""
        with self._lock:
            self._source.tick()
            self._capture.add(read_ms)

    def pipeline_changed(self, side: Side, load_ms: float) -> None:
        """Start a pipeline's figures afresh: figures of two pipelines must not mix."""
        with self._lock:
            self._pipelines[side] = _PipelineMeter(load_ms)
            self._forget_agreement()

    def mode_changed(self, mode: CompareMode) -> None:
        """Start afresh, since the pipelines share the frames in another way: alone, A is faster than beside B."""
        with self._lock:
            self._mode = mode
            if mode is CompareMode.OFF:
                self._pipelines.pop("B", None)
            self._pipelines = {side: meter.afresh() for side, meter in self._pipelines.items()}
            self._forget_agreement()

    def _forget_agreement(self) -> None:
        self._agreement = None
        self._overall.clear()
        self._comparison += 1

    @property
    def comparison(self) -> int:
        """Which comparison it is: another number as soon as one of the pipelines is another."""
        return self._comparison

    def processed(self, side: Side, result: FrameResult) -> None:
        """Note the times of an analysed frame."""
        with self._lock:
            if side in self._pipelines:
                self._pipelines[side].add(result)

    def compared(self, found: Agreement, comparison: int | None = None) -> None:
        """Note how far both pipelines agree on a frame, unless that belongs to an earlier `comparison`."""
        with self._lock:
            if comparison not in (None, self._comparison):
                return
            self._agreement = found
            if found.overall is not None:
                self._overall.append(found.overall)

    def drawn(self, draw_ms: float, captured_s: float) -> None:
        """Note a finished picture."""
        with self._lock:
            self._shown.tick()
            self._draw.add(draw_ms)
            self._age_ms = (time.monotonic() - captured_s) * 1e3

    def snapshot(self, source_kind: str, dropped: int) -> Figures:
        """Return the figures as they are now."""
        with self._lock:
            a = self._pipelines["A"].figures()
            b = self._pipelines["B"].figures() if "B" in self._pipelines else None
            figures = Figures(
                source_fps=self._source.rate(),
                processed_fps=self._shown.rate(),
                capacity_fps=a.capacity_fps,
                frames=self._source.count,
                dropped=dropped,
                age_ms=self._age_ms,
                capture=self._capture.stats(),
                pipeline=a.latency,
                draw=self._draw.stats(),
                tasks=a.tasks,
                load_ms=a.load_ms,
                mode=self._mode,
                b=b,
                speed_up=_speed_up(a.latency, b.latency if b is not None else None),
                agreement=self._agreement,
                agree=float(np.median(self._overall)) if self._overall else None,
                agree_frames=len(self._overall),
                side_by_side=a.side_by_side,
                cpu_share=self._cores.read(),
            )
        return replace(figures, bottleneck=bottleneck(figures, source_kind))
