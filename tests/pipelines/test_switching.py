"""A change in mid-run costs no frame: everything that takes time is done beside the frames, before the change."""

import os
import sys
import threading
import time
from fractions import Fraction

import cv2
import numpy as np
import pytest

from models.results import FaceLandmarks
from pipelines.backends import get_backend
from pipelines.backends.guarded import Binding
from pipelines.background import NICE, gently, in_background, is_in_background
from pipelines.config import PipelineConfig
from pipelines.engine import LiveEngine
from pipelines.frame import Frame
from pipelines.overlay import OverlayStyle
from pipelines.pipeline import FrameResult, Pipeline
from pipelines.qualify.sample import PORTRAIT
from pipelines.sources import SourceInfo, SourceOptions
from pipelines.timing import StageTimes
from tests.patience import PATIENCE_S

INTERVAL_S = 0.1
LOAD_S = 2.0
FIRST_RUN_S = 0.5


class PacedCamera:
    """Gives a frame every `INTERVAL_S`; its own late frames are the measure of how busy the machine is."""

    info = SourceInfo("fake", "camera", True, (64, 48), Fraction(10))

    def __init__(self):
        self.stopped = threading.Event()
        self.begun = time.monotonic()
        self.given = 0
        self.late = 0

    def open(self):
        self.begun = time.monotonic()
        return self.info

    def read(self):
        due = self.begun + (self.given + 1) * INTERVAL_S
        self.stopped.wait(max(0.0, due - time.monotonic()))
        behind = time.monotonic() - due
        if behind > INTERVAL_S / 2:
            self.late += 1
            self.begun += behind  # a camera does not hurry to make up for it
        self.given += 1
        return Frame(np.zeros((48, 64, 3), np.uint8), self.given - 1, self.given * INTERVAL_S, "fake")

    def rewind(self):
        return False

    def close(self):
        pass


class SlowToStart:
    """Takes 2 s to load and half a second for its first frame, all without Python's lock; then no time at all."""

    def __init__(self, config):
        self.config, self.load_ms, self.notes = config, LOAD_S * 1e3, []
        self.is_warm = False
        self.runs = []
        threading.Event().wait(LOAD_S)

    def _run(self):
        if not self.is_warm:
            threading.Event().wait(FIRST_RUN_S)
            self.is_warm = True

    def warm_up(self, frame):
        self._run()

    def process(self, frame):
        self._run()
        self.runs.append(frame.index)
        backends = {"face": self.config.pipeline}
        return FrameResult(frame, {"face": FaceLandmarks()}, {"face": StageTimes()}, 1.0, backends)

    def reset(self):
        pass

    def close(self):
        pass


def test_a_change_costs_at_most_one_frame():
    """Counted in frames: of those that the camera gave while another pipeline was built, one may be missing."""
    camera, news, made = PacedCamera(), threading.Event(), []

    def build(config):
        made.append(SlowToStart(config))
        return made[-1]

    engine = LiveEngine(news.set, source_factory=lambda text, options: camera, pipeline_factory=build)

    def until(condition):
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, engine.status()
            news.wait(0.05)
            news.clear()

    try:
        engine.start("fake", SourceOptions(), PipelineConfig(tasks=("face",), pipeline="ort-cpu"), OverlayStyle())
        until(lambda: made and len(made[0].runs) > 3)
        begun_at, late_before = made[0].runs[-1], camera.late
        engine.set_config(PipelineConfig(tasks=("face",), pipeline="litert-cpu"))
        until(lambda: len(made) > 1 and len(made[1].runs) > 3)
    finally:
        camera.stopped.set()
        assert engine.stop(PATIENCE_S)
    shown = [index for index in made[0].runs + made[1].runs if index >= begun_at]
    assert shown == sorted(shown)
    # The old one served while the new one loaded and ran for the first time.
    served_meanwhile = sum(index >= begun_at for index in made[0].runs)
    assert served_meanwhile >= 0.7 * (LOAD_S + FIRST_RUN_S) / INTERVAL_S - (camera.late - late_before)
    missing = shown[-1] - shown[0] + 1 - len(shown)
    assert missing <= 1 + (camera.late - late_before), shown


@pytest.fixture
def picture():
    return np.ascontiguousarray(cv2.imread(str(PORTRAIT))[:320, :320])


def test_the_first_frame_after_a_warm_up_is_like_any_other(picture, monkeypatch):
    """Without it the whole picture is searched for faces (dozens of runs), and the network for squares is loaded."""
    backend = get_backend("ort-cpu")
    opened, runs = [], []
    open_model = type(backend).open

    def watched(self, manifest, threads=1):
        session = open_model(self, manifest, threads)
        opened.append(manifest.name)
        run = session.run
        session.run = lambda image: runs.append(manifest.name) or run(image)
        return session

    monkeypatch.setattr(type(backend), "open", watched)
    with Pipeline(PipelineConfig(pipeline="ort-cpu")) as pipeline:
        pipeline.warm_up(Frame(picture, 0, 0.0))
        assert "selfie_square" in opened
        assert runs.count("face_detection") > 10
        opened.clear()
        runs.clear()
        result = pipeline.process(Frame(picture, 1, 1 / 30))
    assert opened == []
    assert runs.count("face_detection") <= 1
    assert len(runs) <= 4
    assert len(result.faces.faces) == 1
    assert result.backends == dict.fromkeys(("face", "segmentation", "depth"), "ort-cpu")


def niceness():
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the priority of a thread")
def test_background_work_lets_the_frames_go_first_and_nothing_else():
    own = niceness()
    assert not is_in_background()
    assert gently(niceness) == own
    with in_background():
        assert gently(niceness) == max(own, NICE)
        assert niceness() == own
    assert gently(niceness) == own
    with in_background(), pytest.raises(ZeroDivisionError):
        gently(lambda: 1 // 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the priority of a thread")
@pytest.mark.parametrize(("threads", "is_gentle"), [(1, True), (2, False)])
def test_models_are_loaded_gently_unless_they_have_threads_to_keep(threads, is_gentle, monkeypatch):
    """A thread that a session makes inherits the priority of the one that opened it, for good."""
    own, seen = niceness(), []
    backend = get_backend("ort-cpu")
    open_model = type(backend).open
    monkeypatch.setattr(type(backend), "open", lambda self, *args: seen.append(niceness()) or open_model(self, *args))
    with in_background(), Pipeline(PipelineConfig(pipeline="ort-cpu", threads=threads)) as pipeline:
        assert set(pipeline.reports) == {"face", "segmentation", "depth"}
    assert seen
    assert set(seen) == {max(own, NICE) if is_gentle else own}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the priority of a thread")
def test_a_process_that_will_serve_keeps_its_priority():
    from pipelines.backends.host import Host

    with in_background():
        binding = Binding(get_backend("ort-cpu"))
        host = Host(binding.backend)
    assert os.getpriority(os.PRIO_PROCESS, host._process.pid) == niceness()
    host.close()
