"""The live engine with sources and pipelines that stall, fail, and come back."""

import threading
import time
from fractions import Fraction

import numpy as np
import pytest

from models.results import FaceLandmarks
from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig, RunningMode
from pipelines.engine import EngineState, LiveEngine
from pipelines.engine.state import Drawing
from pipelines.errors import BackendError, SourceError
from pipelines.frame import Frame
from pipelines.overlay import Effect, EffectKind, OverlayStyle
from pipelines.pipeline import FrameResult
from pipelines.sources import SourceInfo, SourceOptions
from pipelines.timing import StageTimes

CONFIG = PipelineConfig(tasks=("face",))


class FakeSource:
    """Gives `count` frames, then does what `ending` says."""

    def __init__(self, count=10**9, fps=200, live=False, still=False, loops=False, ending="end", open_error=None):
        self.info = SourceInfo("fake", "video", live, (64, 48), Fraction(fps), still=still, loops=loops)
        self.count, self.ending, self.open_error = count, ending, open_error
        self.given = self.rewound = self.opened = self.closed = 0
        self.release = threading.Event()
        self.stalled = threading.Event()
        self.threads = set()

    def open(self):
        self.threads.add(threading.current_thread())
        self.opened += 1
        if self.open_error:
            raise SourceError(self.open_error)
        return self.info

    def read(self):
        self.threads.add(threading.current_thread())
        if self.given >= self.count:
            if self.ending == "stall":
                self.stalled.set()
                self.release.wait(30)
            elif self.ending == "break":
                self.given = 0
                raise SourceError("fake was unplugged.")
            elif self.ending == "crash":
                raise ZeroDivisionError("a bug")
            return None
        if self.info.live:
            self.release.wait(float(1 / self.info.fps))
        number = self.given
        self.given += 1
        image = np.full((48, 64, 3), number % 251, np.uint8)
        return Frame(image, number, float(number / self.info.fps), "fake")

    def rewind(self):
        self.rewound += 1
        self.given = 0
        return not self.info.live

    def close(self):
        self.threads.add(threading.current_thread())
        self.closed += 1


class FakePipeline:
    """Returns no faces; fails, hangs or refuses to load as told by `plan`."""

    made = []

    def __init__(self, config, plan=None):
        self.plan = plan or {}
        if "load_error" in self.plan:
            raise BackendError(self.plan["load_error"])
        self.config = config
        self.load_ms = 1.5
        self.notes = self.plan.get("notes", [])
        self.seen = []
        self.resets = 0
        self.is_closed = False
        type(self).made.append(self)

    def warm_up(self, frame):
        if "warm_error" in self.plan:
            raise BackendError(self.plan["warm_error"])

    def process(self, frame):
        self.seen.append(frame)
        if "hang" in self.plan:
            self.plan["hang"].wait(30)
        if frame.index in self.plan.get("fail_at", ()) or "always_fail" in self.plan:
            raise BackendError(f"the model failed on frame {frame.index}")
        times = StageTimes()
        times.ms.update(preprocess=0.5, inference=2.0, decode=0.25)
        return FrameResult(frame, {"face": FaceLandmarks()}, {"face": times}, 3.0, {"face": self.config.pipeline})

    def reset(self):
        self.resets += 1

    def close(self):
        self.is_closed = True


@pytest.fixture
def bench():
    """Engines that are stopped, and stuck fakes that are let go, when the test ends."""
    FakePipeline.made = []
    made = []

    def make(source, plans=()):
        plans = list(plans)
        news = threading.Event()
        engine = LiveEngine(
            news.set,
            source_factory=lambda text, options: source,
            pipeline_factory=lambda config: FakePipeline(config, plans.pop(0) if plans else None),
        )
        engine.news = news
        made.append((engine, source))
        engine.start("fake", SourceOptions(), CONFIG, OverlayStyle())
        return engine

    yield make
    for engine, source in made:
        source.release.set()
        for pipeline in FakePipeline.made:
            pipeline.plan.get("hang", threading.Event()).set()
        assert engine.stop(5.0)


def until(engine, condition, timeout_s=8.0):
    """Wait for `condition`, looking whenever the engine has news."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"waited {timeout_s} s in vain; status {engine.status()}"
        engine.news.wait(0.02)
        engine.news.clear()


def test_frames_arrive_with_their_results_in_order(bench):
    engine = bench(FakeSource())
    views = []

    def collect():
        view = engine.view()
        if view and (not views or view.serial != views[-1].serial):
            views.append(view)
        return len(views) >= 8

    until(engine, collect)
    indices = [view.result.frame.index for view in views]
    assert indices == sorted(set(indices))
    assert all((view.plain_bgr == view.result.frame.image_bgr).all() for view in views)
    assert engine.status().state is EngineState.RUNNING


def test_a_file_is_played_at_its_own_speed(bench):
    source = FakeSource(fps=50)
    engine = bench(source)
    until(engine, lambda: engine.figures().frames >= 40)
    assert engine.figures().source_fps == pytest.approx(50, rel=0.3)  # a busy machine oversleeps


def test_a_camera_is_seen_while_the_first_results_are_on_their_way(bench):
    """As it is, frame after frame, and not with an effect: nobody knows yet where the person is."""
    hang = threading.Event()
    engine = bench(FakeSource(live=True), [{"hang": hang}])
    seen = []

    def collect():
        view = engine.preview()
        if view is not None and (not seen or view is not seen[-1]):
            seen.append(view)
        return len(seen) >= 3

    until(engine, collect)
    assert engine.view() is None
    assert engine.status().starting
    for view in seen:
        assert view.is_preview
        assert view.image_bgr is view.result.frame.image_bgr
        assert (view.result.results, view.result.times, view.result.backends) == ({}, {}, {})
    assert engine.figures().pipeline is None
    assert engine.figures().draw is None
    engine.set_effect(Effect(EffectKind.BLUR))
    assert engine.preview() is None
    engine.set_effect(Effect())
    assert engine.preview() is not None
    hang.set()
    until(engine, lambda: engine.view() is not None)
    assert not engine.view().is_preview
    assert (engine.preview(), engine.status().starting) == (None, False)


def test_nothing_is_seen_of_a_run_that_failed(bench):
    hang = threading.Event()
    engine = bench(FakeSource(live=True), [{"hang": hang, "always_fail": True}])
    until(engine, lambda: engine.preview() is not None)
    hang.set()
    until(engine, lambda: engine.status().state is EngineState.FAILED)
    assert (engine.preview(), engine.status().starting) == (None, False)


def test_a_file_waits_for_the_models_and_loses_nothing(bench):
    loaded = threading.Event()

    class SlowToLoad(FakePipeline):
        def __init__(self, config):
            loaded.wait(10)
            super().__init__(config)

    source = FakeSource(fps=100)
    engine = bench(FakeSource())
    engine.stop(2)
    FakePipeline.made = []
    engine._parts.pipeline_factory = SlowToLoad
    engine._parts.source_factory = lambda text, options: source
    engine.start("fake", SourceOptions(), CONFIG, OverlayStyle())
    until(engine, lambda: engine.preview() is not None)
    assert source.given == 1
    assert engine.status().starting
    loaded.set()
    until(engine, lambda: engine.view() is not None and FakePipeline.made and len(FakePipeline.made[0].seen) > 3)
    assert FakePipeline.made[0].seen[0].index == 0
    assert (engine.preview(), engine.status().starting) == (None, False)
    source.release.set()


def test_the_end_of_a_file_starts_it_again_and_time_goes_on(bench):
    source = FakeSource(count=5)
    engine = bench(source)
    until(engine, lambda: source.rewound >= 3 and FakePipeline.made[0].resets >= 2)
    times = [frame.timestamp_s for frame in FakePipeline.made[0].seen]
    assert times == sorted(times)


def test_a_seamless_loop_does_not_reset_the_tasks(bench):
    source = FakeSource(count=5, loops=True)
    engine = bench(source)
    until(engine, lambda: source.rewound >= 3)
    assert FakePipeline.made[0].resets == 0


def test_stop_is_clean_and_closes_source_and_pipeline_in_their_threads(bench):
    source = FakeSource()
    engine = bench(source)
    until(engine, lambda: engine.view() is not None)
    start = time.monotonic()
    assert engine.stop(1.0)
    assert time.monotonic() - start < 1.0
    assert source.closed == 1
    assert len(source.threads) == 1
    assert FakePipeline.made[0].is_closed
    assert engine.status().state is EngineState.IDLE


@pytest.mark.parametrize("culprit", ["source", "model"])
def test_stop_does_not_wait_for_what_is_stuck(bench, culprit):
    stuck = threading.Event()
    source = FakeSource(count=1, ending="stall") if culprit == "source" else FakeSource()
    engine = bench(source, [{"hang": stuck}] if culprit == "model" else [])
    until(
        engine,
        lambda: source.stalled.is_set() if culprit == "source" else FakePipeline.made and FakePipeline.made[0].seen,
    )
    start = time.monotonic()
    assert not engine.stop(0.5)
    assert time.monotonic() - start < 1.0
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


def test_slow_inference_drops_old_frames_and_says_so(bench):
    class Slow(FakePipeline):
        def process(self, frame):
            time_left.wait(0.03)
            return super().process(frame)

    time_left = threading.Event()
    source = FakeSource(fps=200)
    engine = bench(FakeSource())
    engine.stop(2)
    engine._parts.pipeline_factory = Slow
    engine._parts.source_factory = lambda text, options: source
    engine.start("fake", SourceOptions(), CONFIG, OverlayStyle())
    until(engine, lambda: engine.figures().frames > 60)
    figures = engine.figures()
    assert figures.dropped > 20
    assert figures.processed_fps < 50
    source.release.set()


def test_a_new_configuration_takes_over_when_it_is_ready(bench):
    engine = bench(FakeSource())
    until(engine, lambda: engine.view() is not None)
    engine.set_config(PipelineConfig(tasks=("face",), pipeline="other"))
    until(engine, lambda: engine.view().result.backends["face"] == "other")
    assert [pipeline.is_closed for pipeline in FakePipeline.made] == [True, False]
    assert not engine.status().loading


def test_a_new_configuration_that_fails_leaves_the_old_one_running(bench):
    engine = bench(FakeSource(), [{}, {"load_error": "no such backend"}])
    until(engine, lambda: engine.view() is not None)
    engine.set_config(PipelineConfig(tasks=("face",), pipeline="other"))
    until(engine, lambda: engine.status().message == "Not changed: no such backend")
    before = engine.view().serial
    until(engine, lambda: engine.view().serial > before + 3)
    assert engine.view().result.backends["face"] == "auto"


def test_a_new_configuration_that_fails_on_a_real_frame_does_not_take_over(bench):
    engine = bench(FakeSource(), [{}, {"warm_error": "fake backend cannot do that"}])
    until(engine, lambda: FakePipeline.made and len(FakePipeline.made[0].seen) > 3)
    engine.set_config(PipelineConfig(tasks=("depth",)))
    until(engine, lambda: engine.status().message)
    assert engine.status().message == "Not changed: fake backend cannot do that"
    assert [pipeline.is_closed for pipeline in FakePipeline.made] == [False, True]


def test_only_the_last_of_many_configurations_stays_open(bench):
    engine = bench(FakeSource())
    until(engine, lambda: engine.view() is not None)
    for number in range(20):
        engine.set_config(PipelineConfig(tasks=("face",), pipeline=f"p{number}"))
    until(engine, lambda: engine.view().result.backends["face"] == "p19" and not engine.status().loading)
    until(engine, lambda: sum(not pipeline.is_closed for pipeline in FakePipeline.made) == 1)
    assert engine.stop(2)
    assert all(pipeline.is_closed for pipeline in FakePipeline.made)


def test_a_still_picture_is_analysed_as_one_and_again_after_a_change(bench):
    engine = bench(FakeSource(count=1, still=True))
    until(engine, lambda: engine.status().state is EngineState.ENDED and engine.view() is not None)
    assert FakePipeline.made[-1].config.mode is RunningMode.IMAGE
    engine.set_config(PipelineConfig(tasks=("face",), pipeline="other"))
    until(engine, lambda: engine.view().result.backends["face"] == "other")
    serial = engine.view().serial
    engine.set_style(OverlayStyle())
    until(engine, lambda: engine.view().serial == serial + 1)


def test_pause_holds_the_picture_and_goes_on_where_it_was(bench):
    engine = bench(FakeSource(fps=100))
    until(engine, lambda: engine.view() is not None and engine.view().serial > 5)
    engine.pause(True)
    assert engine.status().state is EngineState.PAUSED
    until(engine, lambda: engine.figures().source_fps == 0.0)
    held = FakePipeline.made[0].seen[-1].index
    engine.pause(False)
    until(engine, lambda: FakePipeline.made[0].seen[-1].index > held + 3)
    first_after = next(frame.index for frame in FakePipeline.made[0].seen if frame.index > held)
    assert first_after <= held + 3


def test_starting_again_replaces_the_run_before(bench):
    first = FakeSource()
    engine = bench(first)
    until(engine, lambda: engine.view() is not None)
    second = FakeSource()
    engine._parts.source_factory = lambda text, options: second
    engine.start("second", SourceOptions(), CONFIG, OverlayStyle())
    until(engine, lambda: second.given > 3 and engine.view() is not None)
    assert first.closed == 1
    second.release.set()


def test_figures_are_none_before_they_are_measured(bench):
    engine = bench(FakeSource(count=1, ending="stall"))
    until(engine, lambda: engine.view() is not None)
    figures = engine.figures()
    assert figures.pipeline is None
    assert figures.capacity_fps is None
    assert figures.bottleneck == ""


def test_figures_name_backend_stages_and_bottleneck(bench):
    engine = bench(FakeSource(fps=100))
    until(engine, lambda: engine.figures().pipeline is not None and engine.figures().frames > 30)
    figures = engine.figures()
    assert figures.capacity_fps == pytest.approx(1000 / 3.0)
    assert figures.tasks["face"].backend == "auto"
    assert figures.tasks["face"].stages["inference"].p50 == 2.0
    assert figures.tasks["face"].total.p50 == 2.75
    assert figures.bottleneck


def test_an_idle_engine_answers():
    engine = LiveEngine(lambda: None)
    assert engine.stop()
    assert engine.view() is None
    assert engine.status().state is EngineState.IDLE
    assert engine.figures().frames == 0
    engine.pause(True)
    engine.set_style(OverlayStyle())


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


def test_what_a_pipeline_has_to_say_is_shown(bench):
    engine = bench(FakeSource(), [{"notes": ["litert-cpu runs face_mesh_468 instead"]}])
    until(engine, lambda: engine.status().message == "litert-cpu runs face_mesh_468 instead")
    assert engine.status().state is EngineState.RUNNING
    engine.set_config(PipelineConfig(tasks=("face",), pipeline="other"))
    until(engine, lambda: engine.status().message == "")


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
