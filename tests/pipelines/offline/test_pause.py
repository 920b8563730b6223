"""A job that is held: nothing is analysed meanwhile, every frame comes afterwards, and it can still be called off."""

import threading

import numpy as np
import pytest

from pipelines.config import PipelineConfig
from pipelines.offline.crew import Cancelled, Fifo
from pipelines.offline.job import Tools, run_job
from pipelines.offline.jobs import Job
from tests.clips import greys, write_clip
from tests.pipelines.offline.helpers import make_result

LIMIT_S = 120.0


class CountingPool:
    """A pool whose pipeline counts the frames that it gets."""

    def __init__(self):
        self.config = PipelineConfig()
        self.notes = ()
        self.seen = 0

    def get(self, mode):
        return self

    def process(self, frame):
        self.seen += 1
        return make_result(frame.index, frame.timestamp_s, frame.size_wh)


@pytest.fixture
def job(tmp_path):
    return Job(write_clip(tmp_path / "in.mp4", greys(12)), output=tmp_path / "out.mp4", sound=False)


def tools_with(pool):
    return Tools(pool, lambda result: np.asarray(result.frame.image_bgr), threading.Event())


def test_a_held_job_analyses_nothing_and_then_everything(job):
    pool = CountingPool()
    tools = tools_with(pool)
    tools.pause.set()
    seen_while_held = []

    def tick(done, expected):
        if tools.pause.is_set():
            seen_while_held.append((pool.seen, done))
            if len(seen_while_held) == 4:
                tools.pause.clear()

    report = run_job(job, tools, None, tick)
    assert seen_while_held == [(0, 0)] * 4
    assert (report.frames, pool.seen) == (12, 12)


def test_a_held_job_can_be_called_off(job, tmp_path):
    pool = CountingPool()
    tools = tools_with(pool)
    tools.pause.set()
    with pytest.raises(Cancelled):
        run_job(job, tools, None, lambda done, expected: tools.cancel.set())
    assert pool.seen == 0
    assert [path.name for path in tmp_path.iterdir()] == ["in.mp4"]


def test_a_held_queue_gives_nothing_out_until_it_is_let_go():
    fifo = Fifo(2)
    fifo.put("a")
    fifo.close()
    fifo.hold(True)
    got = []
    consumer = threading.Thread(target=lambda: got.extend(fifo))
    consumer.start()
    consumer.join(0.05)
    assert consumer.is_alive()
    assert got == []
    fifo.hold(False)
    consumer.join(LIMIT_S)
    assert got == ["a"]
