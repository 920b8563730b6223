"""The figures of a live run: what the source gives, what is shown, what the pipeline could do."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pipelines.pipeline import FrameResult
from pipelines.timing import LatencyStats, RateMeter, RollingLatency

KEEPS_PACE = 0.92
"""Shown frames per source frame above which the source, not the pipeline, sets the rate."""


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """Measured figures of one task; None where not yet measured.

    Parameters
    ----------
    backend : str
        Backend that made the newest result.
    total : LatencyStats or None
        Whole task, milliseconds.
    stages : mapping of str to LatencyStats
        By stage, milliseconds.
    """

    backend: str
    total: LatencyStats | None
    stages: Mapping[str, LatencyStats]


@dataclass(frozen=True, slots=True)
class Figures:
    """A snapshot of the figures of a live run.

    Parameters
    ----------
    source_fps, processed_fps : float
        Frames a second that the source delivers, and that were analysed and drawn. 0 when nothing moves.
    capacity_fps : float or None
        Frames a second the pipeline alone could analyse: 1000 / median latency in ms.
    frames, dropped : int
        Frames read, and frames that a newer one replaced before they were analysed or drawn.
    age_ms : float or None
        From capture to the end of drawing, newest frame.
    capture, pipeline, draw : LatencyStats or None
        Milliseconds to read a frame, to run all tasks, to draw the results.
    tasks : mapping of str to TaskFigures
        By task.
    load_ms : float or None
        Time it took to load the models, first run included.
    bottleneck : str
        One line that says what limits the rate; "" before there are figures.
    """

    source_fps: float = 0.0
    processed_fps: float = 0.0
    capacity_fps: float | None = None
    frames: int = 0
    dropped: int = 0
    age_ms: float | None = None
    capture: LatencyStats | None = None
    pipeline: LatencyStats | None = None
    draw: LatencyStats | None = None
    tasks: Mapping[str, TaskFigures] = field(default_factory=dict)
    load_ms: float | None = None
    bottleneck: str = ""


@dataclass(slots=True)
class _TaskMeter:
    backend: str
    total: RollingLatency = field(default_factory=RollingLatency)
    stages: dict[str, RollingLatency] = field(default_factory=dict)


class FigureBook:
    """Collects measurements from the engine's threads and gives snapshots. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._source = RateMeter()
        self._shown = RateMeter()
        self._capture = RollingLatency()
        self._draw = RollingLatency()
        self._pipeline = RollingLatency()
        self._tasks: dict[str, _TaskMeter] = {}
        self._age_ms: float | None = None
        self._load_ms: float | None = None

    def captured(self, read_ms: float) -> None:
        """Note that the source delivered a frame and how long reading it took."""
        with self._lock:
            self._source.tick()
            self._capture.add(read_ms)

    def pipeline_changed(self, load_ms: float) -> None:
        """Start the pipeline's figures afresh: figures of two pipelines must not mix."""
        with self._lock:
            self._pipeline = RollingLatency()
            self._tasks = {}
            self._load_ms = load_ms

    def processed(self, result: FrameResult) -> None:
        """Note the times of an analysed frame."""
        with self._lock:
            self._pipeline.add(result.total_ms)
            for name, times in result.times.items():
                meter = self._tasks.get(name)
                if meter is None or meter.backend != result.backends[name]:
                    meter = self._tasks[name] = _TaskMeter(result.backends[name])
                meter.total.add(times.total_ms)
                for stage, ms in times.ms.items():
                    meter.stages.setdefault(stage, RollingLatency()).add(ms)

    def drawn(self, draw_ms: float, captured_s: float) -> None:
        """Note a finished picture."""
        with self._lock:
            self._shown.tick()
            self._draw.add(draw_ms)
            self._age_ms = (time.monotonic() - captured_s) * 1e3

    def snapshot(self, source_kind: str, dropped: int) -> Figures:
        """Return the figures as they are now."""
        with self._lock:
            source_fps, shown_fps = self._source.rate(), self._shown.rate()
            pipeline, draw = self._pipeline.stats(), self._draw.stats()
            tasks = {}
            for name, meter in self._tasks.items():
                stages = {stage: stats for stage, rolling in meter.stages.items() if (stats := rolling.stats())}
                tasks[name] = TaskFigures(meter.backend, meter.total.stats(), stages)
            figures = Figures(
                source_fps=source_fps,
                processed_fps=shown_fps,
                capacity_fps=1e3 / pipeline.p50 if pipeline else None,
                frames=self._source.count,
                dropped=dropped,
                age_ms=self._age_ms,
                capture=self._capture.stats(),
                pipeline=pipeline,
                draw=draw,
                tasks=tasks,
                load_ms=self._load_ms,
            )
        return _with_bottleneck(figures, source_kind)


def _with_bottleneck(figures: Figures, source_kind: str) -> Figures:
    return replace(figures, bottleneck=bottleneck(figures, source_kind))


def bottleneck(figures: Figures, source_kind: str) -> str:
    """Say in one line what limits the rate.

    Parameters
    ----------
    figures : Figures
        A snapshot.
    source_kind : str
        Kind of the source ("camera", "video", ...).

    Returns
    -------
    str
        "" while there is nothing to say yet.
    """
    if figures.source_fps <= 0 or figures.pipeline is None:
        return ""
    if figures.processed_fps >= KEEPS_PACE * figures.source_fps:
        verb = "gives" if source_kind in ("camera", "stream") else "plays at"
        noun = {"video": "file", "images": "pictures", "demo": "demo clip"}.get(source_kind, source_kind)
        return f"{noun} {verb} {figures.source_fps:.0f} fps"
    if figures.draw and figures.draw.p50 > figures.pipeline.p50:
        return f"drawing takes {figures.draw.p50:.1f} ms a frame"
    shares = {name: task.total.p50 for name, task in figures.tasks.items() if task.total}
    if not shares:
        return ""
    name = max(shares, key=lambda task: shares[task])
    return f"{name} is {100 * shares[name] / sum(shares.values()):.0f}% of the time"
