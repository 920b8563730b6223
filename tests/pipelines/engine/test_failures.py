"""The live engine with sources and pipelines that stall, fail, and come back."""

import threading

import pytest

from pipelines.engine import EngineState
from tests.patience import within
from tests.pipelines.engine.fakes import FakePipeline, FakeSource, until


def test_nothing_is_seen_of_a_run_that_failed(bench):
    hang = threading.Event()
    engine = bench(FakeSource(live=True), [{"hang": hang, "always_fail": True}])
    until(engine, lambda: engine.preview() is not None)
    hang.set()
    until(engine, lambda: engine.status().state is EngineState.FAILED)
    assert (engine.preview(), engine.status().starting) == (None, False)


@pytest.mark.parametrize("culprit", ["source", "model"])
def test_stop_does_not_wait_for_what_is_stuck(bench, culprit):
    stuck = threading.Event()
    source = FakeSource(count=1, ending="stall") if culprit == "source" else FakeSource()
    engine = bench(source, [{"hang": stuck}] if culprit == "model" else [])
    until(
        engine,
        lambda: source.stalled.is_set() if culprit == "source" else FakePipeline.made and FakePipeline.made[0].seen,
    )
    with within(1.0):
        assert not engine.stop(0.5)
    assert engine.status().state is EngineState.IDLE
    stuck.set()


def test_a_missing_source_is_one_sentence(bench):
    engine = bench(FakeSource(open_error="fake: no such file"))
    until(engine, lambda: engine.status().state is EngineState.FAILED)
    assert engine.status().message == "fake: no such file"


def test_a_pipeline_that_does_not_load_is_one_sentence(bench):
    engine = bench(FakeSource(), [{"load_error": "no gpu backend is installed"}])
    until(engine, lambda: engine.status().state is EngineState.FAILED)
    assert engine.status().message == "no gpu backend is installed"


def test_an_empty_source_says_so(bench):
    engine = bench(FakeSource(count=0))
    until(engine, lambda: engine.status().state is EngineState.FAILED)
    assert engine.status().message == "fake holds no picture"


def test_a_lost_camera_is_opened_again(bench):
    source = FakeSource(count=6, live=True, ending="break")
    engine = bench(source)
    said = set()

    def collect():
        said.add(engine.status().message)
        return source.opened >= 2 and engine.status().state is EngineState.RUNNING

    until(engine, collect)
    assert "fake was unplugged. Trying again…" in said
    before = engine.view().serial
    until(engine, lambda: engine.view().serial > before)


def test_single_failed_frames_do_not_end_the_run(bench):
    engine = bench(FakeSource(), [{"fail_at": (2, 3, 7)}])
    until(engine, lambda: engine.view() is not None and engine.view().result.frame.index > 8)
    assert engine.status().state is EngineState.RUNNING


def test_three_failures_in_a_row_end_it_with_the_reason(bench):
    engine = bench(FakeSource(), [{"always_fail": True}])
    until(engine, lambda: engine.status().state is EngineState.FAILED)
    assert "the model failed on frame" in engine.status().message
    assert len(FakePipeline.made[0].seen) == 3


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_in_a_source_is_told_and_not_swallowed(bench):
    engine = bench(FakeSource(count=2, ending="crash"))
    until(engine, lambda: engine.status().state is EngineState.FAILED)
    assert "internal error in the capture thread" in engine.status().message
