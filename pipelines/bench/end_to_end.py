"""All tasks and the drawing on whole frames, on several backends."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.errors import VisionError
from pipelines.bench.contenders import Contender
from pipelines.bench.model_runs import FEWEST_SAMPLES, LIMIT_S, WARMUP, latency_record
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult, Pipeline
from pipelines.records import MS_DIGITS, Json
from pipelines.timing import LatencyStats

Draw = Callable[[FrameResult], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class PipelineRun:
    """All tasks and the drawing on whole frames, on one backend (an entry of "end_to_end" in the benchmark file).

    Parameters
    ----------
    pipeline : str
        Name of the pipeline.
    backends : mapping of str to str
        By task, the backend that made the last result.
    size_wh : tuple of int
        Size of the frames in pixels.
    total, draw, frame : LatencyStats
        Milliseconds of all tasks together, of drawing, and of both one after the other.
    tasks : mapping of str to LatencyStats
        Milliseconds of each task; they overlap where they run side by side.
    load_ms : float
        Time to load the models, first runs included.
    """

    pipeline: str
    backends: Mapping[str, str]
    size_wh: tuple[int, int]
    total: LatencyStats
    draw: LatencyStats
    frame: LatencyStats
    tasks: Mapping[str, LatencyStats]
    load_ms: float

    def record(self) -> Json:
        """Return the entry for the benchmark file."""
        return {
            "pipeline": self.pipeline,
            "backends": dict(self.backends),
            "frame_size": list(self.size_wh),
            "samples": self.frame.count,
            "latency_ms": latency_record(self.total),
            "draw_ms": latency_record(self.draw),
            "frame_ms": latency_record(self.frame),
            "fps": round(1e3 / self.frame.p50, 1),
            "tasks": {name: latency_record(stats) for name, stats in self.tasks.items()},
            "load_ms": round(self.load_ms, MS_DIGITS),
        }


def measure_pipelines(
    frames: Sequence[Frame],
    field: Sequence[Contender],
    config: PipelineConfig,
    draw: Draw,
    warmup: int = WARMUP,
) -> tuple[list[PipelineRun], list[str]]:
    """Measure all tasks with drawing on whole frames, several backends frame by frame in turn.

    Parameters
    ----------
    frames : sequence of Frame
        Consecutive frames, more than `warmup`; the last ones are left out where they take too long (`LIMIT_S`).
    field : sequence of Contender
        Who is measured.
    config : PipelineConfig
        What is computed.
    draw : callable
        Draws a result.
    warmup : int
        Frames left out at the beginning.

    Returns
    -------
    runs : list of PipelineRun
        In the order of `field`.
    failures : list of str
        One sentence for each pipeline that failed.
    """
    meters: dict[str, _Meter] = {}
    failures: list[str] = []
    try:
        for contender in field:
            try:
                meters[contender.pipeline] = _Meter(contender, config, draw)
            except VisionError as error:
                failures.append(str(error))
        start = time.perf_counter()
        for number, frame in enumerate(frames):
            if number >= warmup + FEWEST_SAMPLES and time.perf_counter() - start > LIMIT_S:
                break
            for name in list(meters):
                try:
                    meters[name].process(frame, keep=number >= warmup)
                except BackendError as error:
                    failures.append(str(error))
                    meters.pop(name).pipeline.close()
        return [run for name, meter in meters.items() if (run := meter.run(name)) is not None], failures
    finally:
        for meter in meters.values():
            meter.pipeline.close()


class _Meter:
    """Collects the times of one pipeline."""

    def __init__(self, contender: Contender, config: PipelineConfig, draw: Draw) -> None:
        self.pipeline = Pipeline(replace(config, pipeline=contender.backend.id))
        self._backend = contender.backend.id
        self._draw_result = draw
        self._total: list[float] = []
        self._draw: list[float] = []
        self._frame: list[float] = []
        self._tasks: dict[str, list[float]] = {}
        self._last: FrameResult | None = None

    def process(self, frame: Frame, keep: bool) -> None:
        start = time.perf_counter()
        result = self.pipeline.process(frame)
        middle = time.perf_counter()
        self._draw_result(result)
        end = time.perf_counter()
        if set(result.backends.values()) != {self._backend}:
            # The pipeline went on elsewhere; its figures from now on would be another backend's.
            why = "; ".join(result.notices) or ", ".join(result.backends.values())
            raise BackendError(f"{self._backend} did not run all tasks: {why}")
        self._last = result
        if not keep:
            return
        self._total.append((middle - start) * 1e3)
        self._draw.append((end - middle) * 1e3)
        self._frame.append((end - start) * 1e3)
        for name, times in result.times.items():
            self._tasks.setdefault(name, []).append(times.total_ms)

    def run(self, name: str) -> PipelineRun | None:
        total, draw, frame = (LatencyStats.of(values) for values in (self._total, self._draw, self._frame))
        if self._last is None or total is None or draw is None or frame is None:
            return None
        tasks = {task: stats for task, values in self._tasks.items() if (stats := LatencyStats.of(values)) is not None}
        last = self._last
        return PipelineRun(name, last.backends, last.frame.size_wh, total, draw, frame, tasks, self.pipeline.load_ms)
