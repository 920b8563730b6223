"""A new configuration while the live engine runs: it takes over when it is ready, or says why it does not."""

from pipelines.config import PipelineConfig, RunningMode
from pipelines.engine import EngineState
from pipelines.overlay import OverlayStyle
from tests.patience import PATIENCE_S
from tests.pipelines.engine.fakes import FakePipeline, FakeSource, until


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
    assert engine.stop(PATIENCE_S)
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


def test_what_a_pipeline_has_to_say_is_shown(bench):
    engine = bench(FakeSource(), [{"notes": ["litert-cpu runs face_mesh_468 instead"]}])
    until(engine, lambda: engine.status().message == "litert-cpu runs face_mesh_468 instead")
    assert engine.status().state is EngineState.RUNNING
    engine.set_config(PipelineConfig(tasks=("face",), pipeline="other"))
    until(engine, lambda: engine.status().message == "")
