"""The live engine on backends that fail in mid-run, and while backend, model and tasks are changed many times."""

import json
import os
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from models.manifest import load_manifest
from pipelines.backends import get_backend
from pipelines.config import PipelineConfig
from pipelines.engine import EngineState, LiveEngine
from pipelines.memory import keep_freed_memory
from pipelines.overlay import OverlayStyle
from pipelines.qualify import try_backend
from pipelines.sources import SourceInfo, SourceOptions
from tests.patience import PATIENCE_S

MODELS = tuple(map(load_manifest, ("face_detection", "face_mesh")))
SWITCHING = Path(__file__).parent / "switching.py"


class Steps:
    """A live source that gives a frame for each picture shown, so that none is dropped."""

    info = SourceInfo("fake", "camera", True, (320, 320), Fraction(30))

    def __init__(self, make_frame):
        self.make_frame = make_frame
        self.given = 0
        self.wanted = threading.Semaphore(1)

    def open(self):
        return self.info

    def read(self):
        self.wanted.acquire(timeout=PATIENCE_S)
        self.given += 1
        return self.make_frame(self.given - 1)

    def rewind(self):
        return False

    def close(self):
        pass


@pytest.fixture
def live(portrait):
    """Start an engine on a stub; the value takes the next pictures one by one."""
    engines = []

    def start(backend_id):
        source, news = Steps(portrait), threading.Event()
        engine = LiveEngine(news.set, source_factory=lambda text, options: source)
        engines.append((engine, source))
        engine.start("fake", SourceOptions(), PipelineConfig(tasks=("face",), pipeline=backend_id), OverlayStyle())
        serial = 0

        def next_views(count):
            nonlocal serial
            views = []
            deadline = time.monotonic() + PATIENCE_S
            while len(views) < count:
                assert time.monotonic() < deadline, engine.status()
                news.wait(0.05)
                news.clear()
                view = engine.view()
                if view is not None and view.serial > serial:
                    serial = view.serial
                    views.append(view)
                    source.wanted.release()
            return views

        return engine, next_views

    yield start
    for engine, source in engines:
        engine.stop(0.0)
        source.wanted.release()
        assert engine.stop(PATIENCE_S)


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        ("raises", "the stub refuses (3 times in a row)"),
        ("nan", "is not finite"),
        ("hangs", "gave no answer within 0.5 s"),
        ("dies", "its process crashed with SIGABRT"),
    ],
)
def test_the_picture_goes_on_and_says_why(failure, told, stubs, live, impatience):
    backend_id = f"stub-{failure}-later"
    assert try_backend(get_backend(backend_id), MODELS).problem is None
    engine, next_views = live(backend_id)
    before = next_views(3)
    assert engine.status().message == ""
    if failure == "hangs":
        impatience()
    stubs.touch()
    after = next_views(8)
    status = engine.status()
    assert status.state is EngineState.RUNNING
    assert f"face: {backend_id} failed, going on on ort-cpu" in status.message
    assert told in status.message
    views = before + after
    assert [view.result.frame.index for view in views] == list(range(len(views)))
    assert all(len(view.result.faces.faces) == 1 for view in views)
    backends = [view.result.backends["face"] for view in views]
    change = backends.index("ort-cpu")
    assert backends == [backend_id] * change + ["ort-cpu"] * (len(views) - change)
    assert change >= 3
    # Figures of the two are never mixed: the newest are the reference's alone.
    figures = engine.figures()
    assert figures.tasks["face"].backend == "ort-cpu"
    assert figures.dropped == 0


@pytest.mark.timeout(1200)
@pytest.mark.skipif(not keep_freed_memory(), reason="memory is measured where the C library is glibc")
@pytest.mark.skipif(not get_backend("litert-cpu").prerequisites().available, reason="LiteRT is not installed")
def test_many_switches_lose_no_frame_and_no_memory(own_cache):
    """49 switches between five configurations on two runtimes: ten rounds, of which the first four are the warm-up."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, str(SWITCHING), "49"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=1100)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["order"] == list(range(len(found["order"])))
    resident, used = (np.array(found[key]).reshape(10, 5).mean(axis=1) for key in ("rss_mb", "used_mb"))
    # Pages come and go with the gaps between the blocks of the heap, and on a busy machine they take longer to level
    # off: 173, 185, 192, 192, 189, 185, 190 MB, or 178, 190, 194, 201, 211, 214...
    assert resident[7:].mean() < 1.05 * resident[4:7].mean(), resident
    # ...while what is held stays as it is, 63.7 MB on average, the same for each configuration to 0.1 MB.
    assert (used[3:] <= 1.005 * used[2]).all(), used
