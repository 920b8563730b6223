"""Frames a second of the live path: three tasks on 1280x720 frames, results only and with the overlay drawn.

    python -m benchmarks live

The frames are the demo clip's, decoded beforehand, so that neither decoding nor the clip's own rate is measured.
Inference and drawing run in a thread each with a mailbox of one frame in between, as in `pipelines.engine`, but the
feeder waits for the pipeline: every frame is analysed. CPU time is that of the whole process: on a machine that is
doing other things as well, frames a second fall and CPU time hardly rises.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Sequence
from queue import Queue

from benchmarks.rows import Row, in_turn, table
from pipelines.config import TASKS, PipelineConfig
from pipelines.frame import Frame
from pipelines.machine import cores
from pipelines.overlay import OverlayStyle, draw_results
from pipelines.pipeline import FrameResult, Pipeline
from pipelines.sources import make_source

ROUNDS = 7


def demo_frames(limit: int = 90) -> list[Frame]:
    """Decode the first frames of the demo clip."""
    source = make_source("demo")
    source.open()
    frames: list[Frame] = []
    while len(frames) < limit and (frame := source.read()) is not None:
        frames.append(frame)
    source.close()
    return frames


def results_only(pipeline: Pipeline, frames: Sequence[Frame]) -> None:
    """Analyse all frames, one after the other."""
    pipeline.reset()
    for frame in frames:
        pipeline.process(frame)


def with_overlay(pipeline: Pipeline, frames: Sequence[Frame]) -> None:
    """Analyse all frames; a second thread draws the one before."""
    pipeline.reset()
    results: Queue[FrameResult | None] = Queue(1)

    def draw() -> None:
        while (result := results.get()) is not None:
            draw_results(result, OverlayStyle())

    thread = threading.Thread(target=draw)
    thread.start()
    for frame in frames:
        results.put(pipeline.process(frame))
    results.put(None)
    thread.join()


def measure(rounds: int = ROUNDS, tasks: tuple[str, ...] = TASKS) -> list[Row]:
    """Measure both ways in turn, `rounds` times after one round of warm-up."""
    frames = demo_frames()
    cpu_ms: dict[str, list[float]] = {"results": [], "overlay": []}

    def rate(name: str, work: Callable[[Pipeline, Sequence[Frame]], None], pipeline: Pipeline) -> float:
        start_s, start_cpu_s = time.perf_counter(), time.process_time()
        work(pipeline, frames)
        cpu_ms[name].append((time.process_time() - start_cpu_s) / len(frames) * 1e3)
        return len(frames) / (time.perf_counter() - start_s)

    with Pipeline(PipelineConfig(tasks=tasks, pipeline="ort-cpu")) as pipeline:
        found = in_turn(
            {
                "results": lambda: rate("results", results_only, pipeline),
                "overlay": lambda: rate("overlay", with_overlay, pipeline),
            },
            rounds,
        )

    def row(name: str, what: str, goal: float) -> Row:
        figures = f"best round {max(found[name]):.0f}, {min(cpu_ms[name]):.1f} ms of CPU a frame, {cores()} cores"
        return Row(what, figures, statistics.median(found[name]), goal, "frames/s")

    return [
        row("results", "three tasks, results only, 1280x720", 120),
        row("overlay", "three tasks with overlay drawn", 60),
    ]


def main() -> list[Row]:
    """Print the figures."""
    rows = measure()
    print(table(rows))
    return rows
