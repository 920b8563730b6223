"""Frames a second of the live path: three tasks on 1280x720 frames, results only and with the overlay drawn.

The frames are the demo clip's, decoded beforehand, so that neither decoding nor the clip's own rate is measured.
Inference and drawing run in a thread each with a mailbox of one frame in between, as in `pipelines.engine`, but the
feeder waits for the pipeline: every frame is analysed.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from queue import Queue

from pipelines.config import TASKS, PipelineConfig
from pipelines.frame import Frame
from pipelines.overlay import OverlayStyle, draw_results
from pipelines.pipeline import FrameResult, Pipeline
from pipelines.sources import make_source


@dataclass(frozen=True)
class LiveFigures:
    """Medians over the rounds: frames a second, and milliseconds of one frame."""

    results_fps: float
    drawn_fps: float
    pipeline_ms: float
    draw_ms: float


def demo_frames(limit: int = 90) -> list[Frame]:
    """Decode the first frames of the demo clip."""
    source = make_source("demo")
    source.open()
    frames: list[Frame] = []
    while len(frames) < limit and (frame := source.read()) is not None:
        frames.append(frame)
    source.close()
    return frames


def results_only(pipeline: Pipeline, frames: Sequence[Frame]) -> tuple[float, list[float]]:
    """Return frames a second and the latency of each frame in ms."""
    pipeline.reset()
    start = time.perf_counter()
    latencies = [pipeline.process(frame).total_ms for frame in frames]
    return len(frames) / (time.perf_counter() - start), latencies


def with_overlay(pipeline: Pipeline, frames: Sequence[Frame]) -> tuple[float, list[float]]:
    """Return frames a second with drawing in a second thread, and the drawing time of each frame in ms."""
    pipeline.reset()
    results: Queue[FrameResult | None] = Queue(1)
    draw_ms: list[float] = []

    def draw() -> None:
        while (result := results.get()) is not None:
            start = time.perf_counter()
            draw_results(result, OverlayStyle())
            draw_ms.append((time.perf_counter() - start) * 1e3)

    thread = threading.Thread(target=draw)
    thread.start()
    start = time.perf_counter()
    for frame in frames:
        results.put(pipeline.process(frame))
    results.put(None)
    thread.join()
    return len(frames) / (time.perf_counter() - start), draw_ms


def measure(rounds: int = 5, tasks: tuple[str, ...] = TASKS) -> LiveFigures:
    """Measure both ways in turn, `rounds` times after one round of warm-up."""
    frames = demo_frames()
    with Pipeline(PipelineConfig(tasks=tasks, pipeline="ort-cpu")) as pipeline:
        with_overlay(pipeline, frames)
        plain_fps, drawn_fps, latency_ms, draw_ms = [], [], [], []
        for _ in range(rounds):
            fps, latencies = results_only(pipeline, frames)
            plain_fps.append(fps)
            latency_ms += latencies
            fps, drawing = with_overlay(pipeline, frames)
            drawn_fps.append(fps)
            draw_ms += drawing
    return LiveFigures(
        statistics.median(plain_fps),
        statistics.median(drawn_fps),
        statistics.median(latency_ms),
        statistics.median(draw_ms),
    )


def main() -> None:
    """Print the figures."""
    figures = measure()
    print("three tasks, 1280x720, ort-cpu")
    print(f"  results only     {figures.results_fps:6.1f} frames/s   {figures.pipeline_ms:.2f} ms a frame")
    print(f"  overlay drawn    {figures.drawn_fps:6.1f} frames/s   {figures.draw_ms:.2f} ms of drawing a frame")


if __name__ == "__main__":
    main()
