"""The demonstration: the embedded clip on every available pipeline, as files."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from models.errors import VisionError
from pipelines.atomic import reason_of
from pipelines.bench import Benchmark, Contender, contenders, run_benchmark
from pipelines.bench.markdown import markdown
from pipelines.config import TASKS, PipelineConfig, RunningMode
from pipelines.errors import BackendError, ExportError
from pipelines.export import encode_picture, result_text, with_png_text
from pipelines.frame import Frame
from pipelines.machine import APP, cpu_name
from pipelines.offline.comparison import Comparison
from pipelines.offline.crew import Cancelled
from pipelines.offline.figures import FigureDrawing
from pipelines.offline.job import Tools, run_job
from pipelines.offline.jobs import Job
from pipelines.offline.pool import PipelinePool
from pipelines.overlay import OverlayStyle, draw_results
from pipelines.pipeline import Pipeline
from pipelines.sources import make_source

FILES: Final = ("demo.mp4", "comparison.mp4", "screenshot.png", "report.json", "report.md")
SOURCE: Final = "demo"
BENCH_FRAMES: Final = 60
"""Frames that are measured; they are held in memory, 2.8 MB each at 720p."""

COMPARISON_S: Final = 12.0

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Showcase:
    """What a demonstration left.

    Parameters
    ----------
    files : tuple of str
        Names of the files, of `FILES`.
    benchmark : Benchmark
        What was measured.
    notes : tuple of str
        What could not be made, and why.
    """

    files: tuple[str, ...]
    benchmark: Benchmark
    notes: tuple[str, ...]


def make_showcase(folder: Path, say: Say, cancel: threading.Event, samples: int = 100) -> Showcase:
    """Measure every available pipeline and write video, screenshot and reports into an empty folder.

    Parameters
    ----------
    folder : Path
        Existing folder that gets the files.
    say : callable
        Gets a sentence when a new step starts.
    cancel : Event
        Calls the work off when set.
    samples : int
        Rounds measured for each model.

    Raises
    ------
    VisionError
        If the CPU pipeline, which works everywhere, failed.
    Cancelled
        If the work was called off.
    """
    field = contenders()
    config = PipelineConfig()
    names = ", ".join(f"{item.pipeline} ({item.backend.id})" for item in field)
    say(f"measuring {names}")
    frames = read_frames(BENCH_FRAMES, cancel)
    style = OverlayStyle()
    benchmark = run_benchmark(frames, field, lambda result: draw_results(result, style), samples=samples)
    middle = frames[len(frames) // 2]
    del frames
    _check(cancel)
    files, notes = ["demo.mp4"], []
    say(f"writing demo.mp4 ({field[0].backend.id})")
    _write_video(folder / "demo.mp4", config, field[0], cancel)
    if len(field) > 1:
        say("writing comparison.mp4")
        try:
            tasks = common_tasks(field[0], field[1])
            length = comparison_frames(benchmark)
            _write_comparison(
                folder / "comparison.mp4", replace(config, tasks=tasks), field[0], field[1], length, cancel
            )
            files.append("comparison.mp4")
            left_out = [task for task in config.tasks if task not in tasks]
            if left_out:
                notes.append(
                    f"comparison.mp4 is without {', '.join(left_out)}: {field[1].backend.id} has no form of it"
                )
        except VisionError as error:
            notes.append(f"comparison.mp4 was not written: {error}")
    else:
        notes.append(f"comparison.mp4 was not written: {field[0].backend.id} is the only backend on this machine")
    say("writing screenshot.png and the reports")
    _write_screenshot(folder / "screenshot.png", config, field[0], middle)
    report = json.dumps(benchmark.record(), indent=1, ensure_ascii=False) + "\n"
    _write(folder / "report.json", report.encode())
    _write(folder / "report.md", markdown(benchmark, notes).encode())
    _check(cancel)
    return Showcase((*files, "screenshot.png", "report.json", "report.md"), benchmark, tuple(notes))


def comparison_frames(benchmark: Benchmark) -> int:
    """Return how many frames the comparison gets: the whole clip, or what slow backends do in `COMPARISON_S`."""
    frame_ms = sum(run.frame.p50 for run in benchmark.end_to_end[:2])
    return max(15, min(10**6, int(COMPARISON_S * 1e3 / frame_ms))) if frame_ms > 0 else 15


def common_tasks(first: Contender, second: Contender) -> tuple[str, ...]:
    """Return the tasks that both can run.

    Raises
    ------
    BackendError
        If there is none.
    """
    tasks = []
    for task in TASKS:
        try:
            for contender in (first, second):
                Pipeline(PipelineConfig(tasks=(task,), pipeline=contender.backend.id)).close()
        except BackendError:
            continue
        tasks.append(task)
    if not tasks:
        raise BackendError(f"{first.backend.id} and {second.backend.id} have no task in common")
    return tuple(tasks)


def read_frames(count: int, cancel: threading.Event | None = None) -> list[Frame]:
    """Return the first frames of the embedded clip, at most `count`.

    Raises
    ------
    SourceError
        If the clip cannot be read.
    Cancelled
        If the work was called off.
    """
    source = make_source(SOURCE)
    frames: list[Frame] = []
    try:
        source.open()
        while len(frames) < count and (frame := source.read()) is not None:
            frames.append(frame)
            if cancel is not None:
                _check(cancel)
    finally:
        source.close()
    return frames


def _check(cancel: threading.Event) -> None:
    if cancel.is_set():
        raise Cancelled


def _write_video(path: Path, config: PipelineConfig, contender: Contender, cancel: threading.Event) -> None:
    with PipelinePool(_on(config, contender)) as pipelines:
        draw = FigureDrawing(contender.pipeline.upper(), f"{cpu_name()}, while this video is being encoded")
        run_job(Job(Path("demo"), output=path, source=SOURCE), Tools(pipelines, draw, cancel), None, _no_tick)


def _write_comparison(
    path: Path, config: PipelineConfig, first: Contender, second: Contender, frames: int, cancel: threading.Event
) -> None:
    with Comparison(config, first.backend.id, second.backend.id) as pair:
        run_job(
            Job(Path("demo"), output=path, max_frames=frames, source=SOURCE),
            Tools(pair, pair.draw, cancel),
            None,
            _no_tick,
        )


def _no_tick(done: int, expected: int | None) -> None:
    """Take no notice of progress: the demonstration says its steps instead."""


def _write_screenshot(path: Path, config: PipelineConfig, contender: Contender, frame: Frame) -> None:
    with Pipeline(_on(config, contender, RunningMode.IMAGE)) as pipeline:
        result = pipeline.process(frame)
    picture = encode_picture(draw_results(result, OverlayStyle()), ".png")
    _write(path, with_png_text(picture, result_text(result, APP)))


def _on(config: PipelineConfig, contender: Contender, mode: RunningMode = RunningMode.VIDEO) -> PipelineConfig:
    return replace(config, pipeline=contender.backend.id, mode=mode)


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ExportError(f"{path.name} cannot be written: {reason_of(error)}") from error
