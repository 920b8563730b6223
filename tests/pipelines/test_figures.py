"""What the figures say of a run, from values that the test sets."""

import time
from dataclasses import replace

import numpy as np
import pytest

from models.results import FaceLandmarks
from pipelines.compare import Agreement, CompareMode
from pipelines.figure_book import FigureBook
from pipelines.figures import Figures, PipelineFigures, TaskFigures, bottleneck
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult
from pipelines.timing import LatencyStats, StageTimes


def stats(ms):
    return LatencyStats(10, ms, ms, ms, ms, ms)


def figures(source=30.0, shown=30.0, draw=2.0, mode=CompareMode.OFF, b=None, **tasks):
    return Figures(
        b=PipelineFigures(latency=stats(b)) if b else None,
        source_fps=source,
        processed_fps=shown,
        pipeline=stats(20.0),
        draw=stats(draw),
        tasks={name: TaskFigures("ort-cpu", stats(ms), {}) for name, ms in tasks.items()},
        mode=mode,
    )


@pytest.mark.parametrize(
    ("given", "kind", "sentence"),
    [
        (figures(), "camera", "camera gives 30 fps"),
        (figures(0.42, 0.42), "stream", "stream gives 0.4 fps"),
        (figures(29.97, 29.0), "video", "file plays at 30 fps"),
        (figures(), "stream", "stream gives 30 fps"),
        (figures(), "demo", "demo clip plays at 30 fps"),
        (figures(60, 40, face=5.0, depth=15.0), "camera", "depth is 75% of the work"),
        (figures(60, 40, draw=25.0, face=5.0), "camera", "drawing takes 25.0 ms a frame"),
        (figures(60, 40, mode=CompareMode.SPLIT, face=5.0), "camera", "both pipelines share the time"),
        # A takes 20 ms: a frame is with both in a split, with one of them when they take turns.
        (figures(60, 15, draw=57.0, mode=CompareMode.SPLIT, b=30.0), "demo", "drawing takes 57.0 ms a frame"),
        (figures(60, 15, draw=45.0, mode=CompareMode.SPLIT, b=30.0), "demo", "both pipelines share the time"),
        (figures(60, 15, draw=27.0, mode=CompareMode.ALTERNATE, b=30.0), "demo", "drawing takes 27.0 ms a frame"),
        (figures(60, 15, draw=23.0, mode=CompareMode.ALTERNATE, b=30.0), "demo", "both pipelines share the time"),
        (figures(0, 0), "camera", ""),
        (Figures(source_fps=30.0), "camera", ""),
    ],
)
def test_one_line_names_what_limits_the_rate(given, kind, sentence):
    assert bottleneck(given, kind) == sentence


def result(ms, backend="ort-cpu"):
    times = StageTimes()
    times.ms["inference"] = ms
    return FrameResult(
        Frame(np.zeros((4, 4, 3), np.uint8)), {"face": FaceLandmarks()}, {"face": times}, ms, {"face": backend}
    )


def test_the_first_runs_are_left_out():
    book = FigureBook()
    for ms in (900.0, 90.0, 90.0, 10.0, 10.0):
        book.processed("A", result(ms))
    snapshot = book.snapshot("video", 0)
    assert snapshot.pipeline.p50 == 10.0
    assert snapshot.capacity_fps == pytest.approx(100.0)


def test_figures_of_two_backends_never_mix():
    book = FigureBook()
    for _ in range(10):
        book.processed("A", result(10.0))
    for _ in range(10):
        book.processed("A", result(50.0, "ort-webgpu"))
    face = book.snapshot("video", 0).tasks["face"]
    assert (face.backend, face.total.p50, face.total.count) == ("ort-webgpu", 50.0, 7)


def test_a_new_pipeline_starts_afresh():
    book = FigureBook()
    for _ in range(10):
        book.processed("A", result(10.0))
    book.pipeline_changed("A", 33.0)
    snapshot = book.snapshot("video", 0)
    assert snapshot.pipeline is None
    assert snapshot.load_ms == 33.0


def test_a_comparison_starts_afresh():
    """What A took alone is nothing to measure B against, who shares the machine with it."""
    book = FigureBook()
    book.pipeline_changed("A", 33.0)
    for _ in range(100):
        book.processed("A", result(10.0))
    book.pipeline_changed("B", 5.0)
    book.mode_changed(CompareMode.ALTERNATE)
    snapshot = book.snapshot("video", 0)
    assert (snapshot.pipeline, snapshot.speed_up, snapshot.load_ms) == (None, None, 33.0)
    assert {name: (task.backend, task.total) for name, task in snapshot.tasks.items()} == {"face": ("ort-cpu", None)}
    for _ in range(20):
        book.processed("A", result(20.0))
        book.processed("B", result(10.0, "ort-webgpu"))
    # Both have latencies, which are too few for a verdict.
    assert book.snapshot("video", 0).b.latency is not None
    assert book.snapshot("video", 0).speed_up is None
    for _ in range(20):
        book.processed("A", result(20.0))
        book.processed("B", result(10.0, "ort-webgpu"))
    assert book.snapshot("video", 0).speed_up == pytest.approx(2.0)


def test_a_very_slow_pipeline_is_judged_after_some_time():
    book = FigureBook()
    book.pipeline_changed("B", 5.0)
    book.mode_changed(CompareMode.SPLIT)
    for _ in range(6):
        book.processed("A", result(20.0))
        book.processed("B", result(4000.0, "ort-webgpu"))
    assert book.snapshot("video", 0).speed_up is None
    for _ in range(40):
        book.processed("A", result(20.0))
    assert book.snapshot("video", 0).speed_up == pytest.approx(0.005)


def test_two_pipelines_have_figures_of_their_own():
    book = FigureBook()
    book.pipeline_changed("B", 5.0)
    book.mode_changed(CompareMode.SPLIT)
    for _ in range(40):
        book.processed("A", result(30.0))
        book.processed("B", result(10.0, "ort-webgpu"))
        book.compared(Agreement(mask_iou=0.9))
    snapshot = book.snapshot("video", 0)
    assert snapshot.speed_up == pytest.approx(3.0)
    assert snapshot.b.capacity_fps == pytest.approx(100.0)
    assert snapshot.agree == pytest.approx(0.9)
    assert snapshot.agree_frames > 0
    book.mode_changed(CompareMode.OFF)
    assert book.snapshot("video", 0).b is None
    assert book.snapshot("video", 0).agree is None


def test_most_of_the_newest_frames_say_whether_tasks_run_side_by_side():
    book = FigureBook()
    assert book.snapshot("video", 0).side_by_side is None
    beside = replace(result(10.0), side_by_side=True)
    for _ in range(60):
        book.processed("A", beside)
    for _ in range(9):  # a trial of the other way
        book.processed("A", result(20.0))
    assert book.snapshot("video", 0).side_by_side is True
    for _ in range(40):
        book.processed("A", result(20.0))
    assert book.snapshot("video", 0).side_by_side is False


def test_the_load_is_measured():
    book = FigureBook()
    book.snapshot("video", 0)

    def share():
        return book.snapshot("video", 0).cpu_share

    deadline = time.monotonic() + 60
    while share() is None:
        assert time.monotonic() < deadline
    assert 0 < share() <= 1
