"""A source and a pipeline that stall, fail and refuse as they are told, for the live engine."""

import threading
import time
from fractions import Fraction

import numpy as np

from models.results import FaceLandmarks
from pipelines.config import PipelineConfig
from pipelines.engine import EngineState
from pipelines.errors import BackendError, SourceError
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult
from pipelines.sources import SourceInfo
from pipelines.timing import StageTimes
from tests.patience import PATIENCE_S

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
                self.release.wait(PATIENCE_S)
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
            self.plan["hang"].wait(PATIENCE_S)
        if frame.index in self.plan.get("fail_at", ()) or "always_fail" in self.plan:
            raise BackendError(f"the model failed on frame {frame.index}")
        times = StageTimes()
        times.ms.update(preprocess=0.5, inference=2.0, decode=0.25)
        return FrameResult(frame, {"face": FaceLandmarks()}, {"face": times}, 3.0, {"face": self.config.pipeline})

    def reset(self):
        self.resets += 1

    def close(self):
        self.is_closed = True


def until(engine, condition, timeout_s=PATIENCE_S):
    """Wait for `condition`, looking whenever the engine has news."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        has_failed = engine.status().state is EngineState.FAILED
        assert not has_failed or condition(), engine.status()
        assert time.monotonic() < deadline, f"waited {timeout_s} s in vain; status {engine.status()}"
        engine.news.wait(0.02)
        engine.news.clear()
