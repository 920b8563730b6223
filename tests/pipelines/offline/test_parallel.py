"""Several processes at a time: results in the order of the inputs, crashes that cost one file, and clean ends."""

import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.errors import VisionError
from pipelines.atomic import part_path, remove_parts
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.offline.crew import Cancelled
from pipelines.offline.job import Tools
from pipelines.offline.jobs import Job
from pipelines.offline.parallel import run_parallel
from tests.clips import write_clip
from tests.patience import PATIENCE_S
from tests.pipelines.offline.helpers import make_result


class Pool:
    """Finds nothing; takes its time on a file called slow, and its process dies of one called deadly."""

    config = PipelineConfig()
    notes = ()

    def get(self, mode):
        return self

    def process(self, frame):
        if "deadly" in frame.source and frame.index == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        if "slow" in frame.source:
            time.sleep(0.2)
        result = make_result(frame.index, frame.timestamp_s, frame.size_wh)
        return type(result)(frame, result.results, result.times, result.total_ms, result.backends)


@contextlib.contextmanager
def open_tools(cancel):
    yield Tools(Pool(), lambda result: result.frame.image_bgr, cancel)


@contextlib.contextmanager
def broken_tools(cancel):
    raise BackendError("the models are gone")
    yield


class Recorder:
    """Progress that remembers, and may cancel when something happens."""

    def __init__(self, cancel=None, at=None):
        self.events = []
        self.cancel, self.at = cancel, at

    def _note(self, word, job):
        self.events.append((word, job.input.name))
        if self.at == (word, job.input.name):
            self.cancel.set()

    def begin(self, job, number, of):
        self._note("begin", job)
        self.of = of

    def opened(self, job, preflight):
        self._note("opened", job)
        assert preflight.startswith("32x24")

    def update(self, job, done, expected):
        self._note("update", job)

    def done(self, report):
        self._note("done", report.job)

    def failed(self, job, error):
        self._note("failed", job)


@pytest.fixture
def make_jobs(tmp_path):
    """Return a function that makes a clip of 8 pictures for each name, and their jobs."""

    def make(*names, frames=8, **options):
        jobs = []
        for number, name in enumerate(names):
            path = tmp_path / f"{name}.mkv"
            if "text" in name:
                path.write_text("no video")
            else:
                images = [np.full((24, 32, 3), 20 * number, np.uint8)] * frames
                write_clip(path, images)
            jobs.append(Job(path, output=tmp_path / "out" / f"{name}.mp4", sound=False, **options))
        return jobs

    return make


def run(jobs, tmp_path, tools=open_tools, recorder=None, cancel=None):
    cancel = cancel or threading.Event()
    recorder = recorder or Recorder()
    return run_parallel(jobs, 2, tools, cancel, recorder, tmp_path / "r.jsonl", False), recorder


@pytest.fixture(autouse=True)
def _no_process_is_left():
    yield
    assert multiprocessing.active_children() == []


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="kills a process by a signal")
def test_order_of_the_inputs_and_a_crash_that_costs_its_file_only(make_jobs, tmp_path):
    jobs = make_jobs("slow", "b", "text", "deadly", "e", layers=("mask",))
    jobs = [replace(job, layers_dir=tmp_path / "L" / job.input.name) for job in jobs]
    report, recorder = run(jobs, tmp_path)
    assert [item.job for item in report.reports] == [jobs[0], jobs[1], jobs[4]]
    assert [item.frames for item in report.reports] == [8] * 3
    assert [job for job, _ in report.failures] == [jobs[2], jobs[3]]
    text, deadly = (str(error) for _, error in report.failures)
    assert "text.mkv is not a video" in text
    assert deadly == f"{jobs[3].input}: the process that worked on it broke off (signal 9)"
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    expected = [(f"{name}.mkv", number) for name in ("slow", "b", "e") for number in range(8)]
    assert [(row["input"], row["frame"]) for row in rows] == expected
    for name in ("slow", "b", "e"):
        told = [word for word, of in recorder.events if of == f"{name}.mkv" and word != "update"]
        assert told == ["begin", "opened", "done"]
        assert len(list(tmp_path.glob(f"L/{name}.mkv/mask/*"))) == 8
    # Another was done while the first one went on.
    assert recorder.events.index(("done", "b.mkv")) < recorder.events.index(("done", "slow.mkv"))
    assert names(tmp_path / "out") == ["b.mp4", "e.mp4", "slow.mp4"]
    assert not list(tmp_path.rglob(".twinlens*"))


@pytest.mark.parametrize("at", [("begin", "slow.mkv"), ("done", "b.mkv")], ids=" ".join)
def test_called_off_nothing_half_done_is_left(make_jobs, tmp_path, at):
    jobs = make_jobs("slow", "b", "slow2", frames=40)
    cancel = threading.Event()
    with pytest.raises(Cancelled):
        run(jobs, tmp_path, recorder=Recorder(cancel, at), cancel=cancel)
    ended = names(tmp_path / "out") if (tmp_path / "out").exists() else []
    assert ended in ([], ["b.mp4"])
    assert ("b.mp4" in ended) >= (at[0] == "done")
    assert names(tmp_path) == sorted(["b.mkv", "slow.mkv", "slow2.mkv", *(["out"] if ended else [])])


def test_models_that_cannot_be_loaded_end_everything(make_jobs, tmp_path):
    jobs = make_jobs("a", "b", "c")
    with pytest.raises(VisionError, match="the models are gone"):
        run(jobs, tmp_path, tools=broken_tools)
    assert names(tmp_path) == ["a.mkv", "b.mkv", "c.mkv"]


def test_parts_of_another_process_are_left_alone(tmp_path):
    mine = part_path(tmp_path / "a.mp4")
    mine.touch()
    (tmp_path / f".twinlens-{os.getpid() + 1}-00.part").mkdir()
    (tmp_path / f".twinlens-{os.getpid() + 1}-01.part").touch()
    remove_parts(tmp_path, os.getpid() + 1)
    assert list(tmp_path.iterdir()) == [mine]


FIRST_START = """
import multiprocessing, signal
from pipelines.offline.parallel import _signals_later
if __name__ == "__main__":
    with _signals_later():
        process = multiprocessing.get_context("spawn").Process(target=int)
        process.start()
        held_back = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    process.join()
    assert {signal.SIGINT, signal.SIGTERM} <= held_back
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held back here")
def test_ctrl_c_is_held_back_while_the_very_first_process_starts(tmp_path):
    """In a process of its own: what Python starts along with it may be running in this one already."""
    script = tmp_path / "first.py"
    script.write_text(FIRST_START)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, env=environment, timeout=PATIENCE_S, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
