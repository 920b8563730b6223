"""The figures of a live run: what the source gives, what is shown, what the pipeline could do."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from pipelines.compare import Agreement, CompareMode
from pipelines.pipeline import FrameResult
from pipelines.timing import LatencyStats, RateMeter, RollingLatency, format_rate

Side = Literal["A", "B"]
"""The two pipelines of a comparison; a single pipeline is A."""

KEEPS_PACE: Final = 0.92
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
    software : bool
        The backend's device is software: a test device, not a GPU.
    """

    backend: str
    total: LatencyStats | None
    stages: Mapping[str, LatencyStats]
    software: bool = False


@dataclass(frozen=True, slots=True)
class PipelineFigures:
    """Measured figures of one pipeline; None where not yet measured.

    Parameters
    ----------
    fps : float
        Frames a second that it analysed.
    capacity_fps : float or None
        Frames a second it alone could analyse: 1000 / median latency in ms.
    latency : LatencyStats or None
        Milliseconds of all tasks together.
    tasks : mapping of str to TaskFigures
        By task.
    load_ms : float or None
        Time it took to load the models, first run included.
    """

    fps: float = 0.0
    capacity_fps: float | None = None
    latency: LatencyStats | None = None
    tasks: Mapping[str, TaskFigures] = field(default_factory=dict)
    load_ms: float | None = None


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
    mode : CompareMode
        Whether and how two pipelines share the frames. `pipeline`, `tasks` and `capacity_fps` are A's.
    b : PipelineFigures or None
        The second pipeline of a comparison.
    speed_up : float or None
        A's median latency divided by B's: above 1, B is faster.
    agreement : Agreement or None
        Of the newest frame that was compared.
    agree : float or None
        Median of `Agreement.overall` over the last frames that were compared.
    agree_frames : int
        How many frames that is; a live comparison looks at some of those that both analysed.
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
    mode: CompareMode = CompareMode.OFF
    b: PipelineFigures | None = None
    speed_up: float | None = None
    agreement: Agreement | None = None
    agree: float | None = None
    agree_frames: int = 0


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
        self.load_ms = load_ms

    def afresh(self) -> _PipelineMeter:
        """Return a meter of the same pipeline that has measured nothing."""
        meter = _PipelineMeter(self.load_ms)
        meter._tasks = {name: _TaskMeter(task.backend, task.software) for name, task in self._tasks.items()}
        return meter

    def add(self, result: FrameResult) -> None:
        self._rate.tick()
        self._latency.add(result.total_ms)
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
        return PipelineFigures(self._rate.rate(), 1e3 / latency.p50 if latency else None, latency, tasks, self.load_ms)


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
                speed_up=a.latency.p50 / b.latency.p50 if a.latency and b and b.latency else None,
                agreement=self._agreement,
                agree=float(np.median(self._overall)) if self._overall else None,
                agree_frames=len(self._overall),
            )
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
        return f"{noun} {verb} {format_rate(figures.source_fps)} fps"
    if figures.mode is not CompareMode.OFF:
        return "both pipelines share the time"
    if figures.draw and figures.draw.p50 > figures.pipeline.p50:
        return f"drawing takes {figures.draw.p50:.1f} ms a frame"
    shares = {name: task.total.p50 for name, task in figures.tasks.items() if task.total}
    if not shares:
        return ""
    name = max(shares, key=lambda task: shares[task])
    return f"{name} is {100 * shares[name] / sum(shares.values()):.0f}% of the time"
