"""A second pipeline beside the first one of the live engine: taking turns, and split pictures."""

import numpy as np
import pytest

from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig
from pipelines.engine import EngineState
from pipelines.engine.state import Drawing
from pipelines.overlay import OverlayStyle
from pipelines.sources import SourceOptions
from tests.pipelines.engine.fakes import CONFIG, FakePipeline, FakeSource, until

B = PipelineConfig(tasks=("face",), pipeline="other")


def start_comparing(bench, mode, plans=()):
    engine = bench(FakeSource(fps=120), plans)
    until(engine, lambda: engine.view() is not None)
    engine.set_compare(mode, B)
    return engine


def test_taking_turns_measures_both_on_half_of_the_frames(bench):
    engine = start_comparing(bench, CompareMode.ALTERNATE)
    until(engine, lambda: engine.figures().b is not None and engine.figures().b.latency is not None)
    first, second = FakePipeline.made
    before = (len(first.seen), len(second.seen))
    until(engine, lambda: len(second.seen) > before[1] + 20)
    a, b = len(first.seen) - before[0], len(second.seen) - before[1]
    assert abs(a - b) <= 2
    shared = {frame.index for frame in first.seen} & {frame.index for frame in second.seen}
    assert not shared
    until(engine, lambda: engine.figures().speed_up is not None)
    figures = engine.figures()
    assert figures.mode is CompareMode.ALTERNATE
    assert figures.speed_up == pytest.approx(1.0)
    assert figures.b.tasks["face"].backend == "other"
    assert figures.tasks["face"].backend == "auto"
    assert figures.agree is None
    sides = set()
    until(engine, lambda: sides.add(engine.view().side) or sides == {"A", "B"})


def test_a_split_runs_both_on_the_same_frame_and_measures_agreement(bench):
    engine = start_comparing(bench, CompareMode.SPLIT)
    until(engine, lambda: engine.view().other is not None)
    view = engine.view()
    assert view.other.frame is view.result.frame
    assert (view.result.backends["face"], view.other.backends["face"]) == ("auto", "other")
    assert view.other_bgr is view.image_bgr
    assert view.divider == 0.5
    until(engine, lambda: engine.figures().agreement is not None)


def test_a_split_is_drawn_where_the_divider_is(bench):
    engine = bench(FakeSource(count=1, still=True))
    engine.set_divider(0.25)
    until(engine, lambda: engine.status().state is EngineState.ENDED and engine.view() is not None)
    engine.set_compare(CompareMode.SPLIT, B)
    until(engine, lambda: engine.view().divider == 0.25)
    engine.set_divider(0.75)  # the picture is at rest, and drawn again
    until(engine, lambda: engine.view().divider == 0.75)


def test_a_mirror_image_is_drawn_instead_of_the_picture(bench):
    """That one comes when somebody wants it, as a recording does."""
    engine = bench(FakeSource(count=1, still=True))
    until(engine, lambda: engine.status().state is EngineState.ENDED and engine.view() is not None)
    assert engine.view().mirror_bgr is None
    engine.set_mirror(True)  # the picture is at rest, and drawn again
    until(engine, lambda: engine.view().mirror_bgr is not None)
    view = engine.view()
    np.testing.assert_array_equal(view.mirror_bgr, view.plain_bgr[:, ::-1])
    assert isinstance(view.drawn, Drawing)
    np.testing.assert_array_equal(view.image_bgr, view.plain_bgr)
    assert view.image_bgr is view.image_bgr
    engine.set_compare(CompareMode.SPLIT, B)
    until(engine, lambda: engine.view().other is not None)
    assert engine.view().divider == 0.5
    np.testing.assert_array_equal(engine.view().mirror_bgr, view.mirror_bgr)


def test_the_end_of_a_comparison_releases_the_second_pipeline(bench):
    engine = start_comparing(bench, CompareMode.SPLIT)
    until(engine, lambda: engine.view().other is not None)
    engine.set_compare(CompareMode.OFF)
    until(engine, lambda: engine.view().other is None and FakePipeline.made[1].is_closed)
    assert engine.figures().b is None
    assert not FakePipeline.made[0].is_closed


def test_a_change_between_turns_and_split_keeps_the_second_pipeline(bench):
    engine = start_comparing(bench, CompareMode.ALTERNATE)
    until(engine, lambda: engine.view().side == "B")
    engine.set_compare(CompareMode.SPLIT)
    until(engine, lambda: engine.view().other is not None)
    assert len(FakePipeline.made) == 2


def test_a_second_pipeline_that_does_not_load_leaves_the_first_alone(bench):
    engine = start_comparing(bench, CompareMode.SPLIT, [{}, {"load_error": "no GPU can be used here"}])
    until(engine, lambda: engine.status().message == "Not compared: no GPU can be used here")
    before = engine.view().serial
    until(engine, lambda: engine.view().serial > before + 3)
    assert engine.figures().mode is CompareMode.OFF


def test_a_second_pipeline_that_keeps_failing_costs_the_comparison_not_the_run(bench):
    engine = start_comparing(bench, CompareMode.SPLIT, [{}, {"always_fail": True}])
    until(engine, lambda: "Not compared: the model failed" in engine.status().message)
    until(engine, lambda: engine.figures().mode is CompareMode.OFF)
    assert engine.status().state is EngineState.RUNNING


def test_a_refusal_is_not_taken_for_the_answer_to_the_next_wish(bench):
    engine = start_comparing(bench, CompareMode.SPLIT, [{}, {"load_error": "no GPU can be used here"}])
    until(engine, lambda: engine.status().message == "Not compared: no GPU can be used here")
    engine.set_compare(CompareMode.SPLIT, B)
    assert engine.status().message == ""
    until(engine, lambda: engine.view().other is not None)


def test_the_reason_for_the_end_of_a_comparison_stays(bench):
    plan = {"notes": ["B runs another model"], "fail_at": range(10**6)}
    engine = start_comparing(bench, CompareMode.SPLIT, [{}, plan])
    until(engine, lambda: engine.figures().mode is CompareMode.OFF and "Not compared" in engine.status().message)
    before = engine.view().serial
    until(engine, lambda: engine.view().serial > before + 5)
    assert "Not compared: the model failed" in engine.status().message


def test_a_still_picture_is_compared_too(bench):
    engine = bench(FakeSource(count=1, still=True))
    until(engine, lambda: engine.status().state is EngineState.ENDED and engine.view() is not None)
    engine.set_compare(CompareMode.SPLIT, B)
    until(engine, lambda: engine.view().other is not None)


def test_a_run_can_begin_with_a_comparison(bench):
    engine = bench(FakeSource())
    engine.start("fake", SourceOptions(), CONFIG, OverlayStyle(), CompareMode.SPLIT, B)
    until(engine, lambda: engine.view() is not None and engine.view().other is not None)
