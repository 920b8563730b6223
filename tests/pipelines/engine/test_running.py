"""The live engine while everything goes well: frames, previews, pauses, files that end, figures."""

import threading

import pytest

from pipelines.engine import EngineState, LiveEngine
from pipelines.overlay import Effect, EffectKind, OverlayStyle
from pipelines.sources import SourceOptions
from tests.patience import PATIENCE_S, within
from tests.pipelines.engine.fakes import CONFIG, FakePipeline, FakeSource, until


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
    until(engine, lambda: engine.figures().source_fps == pytest.approx(50, rel=0.3))  # a busy machine oversleeps


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


def test_a_file_waits_for_the_models_and_loses_nothing(bench):
    loaded = threading.Event()

    class SlowToLoad(FakePipeline):
        def __init__(self, config):
            loaded.wait(PATIENCE_S)
            super().__init__(config)

    source = FakeSource(fps=100)
    engine = bench(FakeSource())
    engine.stop(PATIENCE_S)
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
    with within(1.0):
        assert engine.stop(PATIENCE_S)
    assert source.closed == 1
    assert len(source.threads) == 1
    assert FakePipeline.made[0].is_closed
    assert engine.status().state is EngineState.IDLE


def test_slow_inference_drops_old_frames_and_says_so(bench):
    class Slow(FakePipeline):
        def process(self, frame):
            time_left.wait(0.03)
            return super().process(frame)

    time_left = threading.Event()
    source = FakeSource(fps=200)
    engine = bench(FakeSource())
    engine.stop(PATIENCE_S)
    engine._parts.pipeline_factory = Slow
    engine._parts.source_factory = lambda text, options: source
    engine.start("fake", SourceOptions(), CONFIG, OverlayStyle())
    until(engine, lambda: engine.figures().frames > 60 and engine.figures().dropped > 20)
    assert engine.figures().processed_fps < 50
    source.release.set()


def test_pause_holds_the_picture_and_goes_on_where_it_was(bench):
    source = FakeSource(fps=100)
    engine = bench(source)
    until(engine, lambda: engine.view() is not None and engine.view().serial > 5)
    engine.pause(True)
    assert engine.status().state is EngineState.PAUSED
    until(engine, lambda: engine.figures().source_fps == 0.0)
    held = FakePipeline.made[0].seen[-1].index
    # How many are looked at once it goes on depends on the machine; where it goes on does not.
    assert source.given <= held + 3
    engine.pause(False)
    until(engine, lambda: FakePipeline.made[0].seen[-1].index > held + 3)
    indices = [frame.index for frame in FakePipeline.made[0].seen]
    assert indices == sorted(set(indices))


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
