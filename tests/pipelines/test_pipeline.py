"""Tasks run side by side or one after the other, with the same results; a failure leaves nothing running."""

import threading

import numpy as np
import pytest

from models.errors import VisionError
from models.results import FaceLandmarks
from pipelines.backends import get_backend
from pipelines.config import PipelineConfig, RunningMode
from pipelines.errors import BackendError, ConfigError
from pipelines.frame import Frame
from pipelines.pipeline import Pipeline
from pipelines.tasks.base import TASK_REGISTRY


class Report:
    backend = "ort-cpu"


class FakeTask:
    """Counts what is asked of it; fails or waits as `plan` says."""

    plan = {}
    made = []

    def __init__(self, context, name):
        if self.plan.get(name) == "refuse":
            raise BackendError(f"{name} does not load")
        self.name, self.context = name, context
        self.resets = self.closes = self.calls = 0
        self.threads = set()
        type(self).made.append(self)

    def process(self, frame, times):
        self.calls += 1
        self.threads.add(threading.current_thread().name)
        with times.stage("inference"):
            if self.plan.get(self.name) == "fail":
                raise BackendError(f"{self.name} failed")
        return FaceLandmarks()

    def reset(self):
        self.resets += 1

    def close(self):
        self.closes += 1

    @property
    def reports(self):
        return (Report(),)


@pytest.fixture(autouse=True)
def fake_tasks(monkeypatch):
    FakeTask.made, FakeTask.plan = [], {}
    monkeypatch.setattr(TASK_REGISTRY, "_discovered", True)
    monkeypatch.setattr(
        TASK_REGISTRY,
        "_entries",
        {name: (lambda context, name=name: FakeTask(context, name)) for name in ("face", "segmentation", "depth")},
    )
    monkeypatch.setattr("pipelines.pipeline.cores", lambda: 4)


FRAME = Frame(np.zeros((48, 64, 3), np.uint8), 7, 0.25)


@pytest.mark.parametrize("parallel", [False, True])
def test_every_task_gives_a_result_with_its_times_and_backend(parallel):
    with Pipeline(PipelineConfig(pipeline="ort-cpu", parallel=parallel)) as pipeline:
        result = pipeline.process(FRAME)
    assert set(result.results) == set(result.times) == set(result.backends) == {"face", "segmentation", "depth"}
    assert result.frame is FRAME
    assert set(result.backends.values()) == {"ort-cpu"}
    assert all(times.ms.keys() == {"inference"} for times in result.times.values())
    assert result.total_ms > 0
    used = {name for task in FakeTask.made for name in task.threads}
    assert (len(used) > 1) == parallel
    assert result.side_by_side is parallel


def test_a_task_that_is_off_is_absent():
    with Pipeline(PipelineConfig(tasks=("face",), pipeline="ort-cpu")) as pipeline:
        result = pipeline.process(FRAME)
    assert result.faces is not None
    assert result.mask is None
    assert result.depth is None


@pytest.mark.parametrize("culprit", ["face", "depth"])
def test_a_failing_task_raises_after_all_have_ended(culprit):
    FakeTask.plan = {culprit: "fail"}
    with Pipeline(PipelineConfig(pipeline="ort-cpu")) as pipeline:
        with pytest.raises(BackendError, match=f"{culprit} failed"):
            pipeline.process(FRAME)
        assert [task.calls for task in FakeTask.made] == [1, 1, 1]
        FakeTask.plan = {}
        assert len(pipeline.process(FRAME).results) == 3


def test_a_task_that_does_not_load_releases_the_others():
    FakeTask.plan = {"depth": "refuse"}
    with pytest.raises(BackendError, match="depth does not load"):
        Pipeline(PipelineConfig(pipeline="ort-cpu"))
    assert [task.closes for task in FakeTask.made] == [1, 1]


def test_reset_and_close_reach_every_task_and_leave_no_thread():
    before = threading.active_count()
    pipeline = Pipeline(PipelineConfig(pipeline="ort-cpu"))
    pipeline.process(FRAME)
    pipeline.reset()
    pipeline.close()
    assert [(task.resets, task.closes) for task in FakeTask.made] == [(1, 1)] * 3
    assert threading.active_count() == before


def test_tasks_are_told_the_configuration():
    config = PipelineConfig(pipeline="ort-cpu", mode=RunningMode.IMAGE, max_faces=5)
    with Pipeline(config):
        assert all(task.context.config == config for task in FakeTask.made)
        assert all(task.context.backend is get_backend("ort-cpu") for task in FakeTask.made)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"tasks": ()}, "no task was chosen"),
        ({"tasks": ("face", "face")}, "named twice"),
        ({"max_faces": 0}, "between 1 and 100"),
        ({"threads": 0}, "at least 1 thread"),
    ],
)
def test_a_configuration_that_makes_no_sense_is_refused(options, sentence):
    with pytest.raises(ConfigError, match=sentence):
        PipelineConfig(**options)


def test_an_unknown_task_lists_the_known_ones():
    with pytest.raises(VisionError, match="no task called 'pose'"):
        Pipeline(PipelineConfig(tasks=("pose",), pipeline="ort-cpu"))
