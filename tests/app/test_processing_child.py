"""The real child process with the real engine: files in, files out, held, called off, killed; nobody is left behind."""

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from app.processing.child import Child, kept
from app.processing.items import State
from app.processing.options import ProcessOptions, outputs_for, to_record
from app.processing.runner import Runner
from app.processing.teller import Teller
from pipelines.errors import ConfigError, ExportError
from pipelines.offline.jobs import Job
from pipelines.pipeline import Pipeline
from tests.app.clips import make_clip, portrait
from tests.app.processing_fakes import Lines
from tests.clips import write_clip
from tests.patience import within
from tests.pipelines.offline.resume_helpers import wait_for_segments

MEDIA = Path(__file__).parents[2].parent / "shared" / "media"
WAIT_MS = 300_000
"""The machine may be busy: long enough never to matter."""
TIMES = [number / 25 for number in range(12)]


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", TIMES)


@pytest.fixture(scope="module")
def long_clip(tmp_path_factory):
    return write_clip(tmp_path_factory.mktemp("clip") / "long.mp4", [np.full((48, 64, 3), 90, np.uint8)] * 2000)


@pytest.fixture
def runner(qtbot):
    one = Runner()
    yield one
    one.close()


def add(qtbot, runner, *paths):
    runner.add([str(path) for path in paths])
    qtbot.waitUntil(lambda: bool(runner.model.items) and not runner.is_looking, timeout=WAIT_MS)


def seen(folder):
    """Names of what a user sees in a folder."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def hidden(folder):
    return [path.name for path in folder.rglob(".twinlens*")]


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_queue_of_everything(qtbot, runner, clip, tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    out.mkdir()
    (folder / "a [1] 映画.mp4").write_bytes(clip.read_bytes())
    (folder / "b.jpg").write_bytes(cv2.imencode(".jpg", portrait())[1].tobytes())
    (folder / "c.mp4").write_text("this is no video")
    add(qtbot, runner, folder, tmp_path / "missing.mp4")
    first, picture, text, missing = runner.model.items
    assert first.facts[:3] == ("320x240", "25 frames/s", "12 frames")
    assert (first.expected, picture.expected) == (12, 1)
    assert cv2.imdecode(np.frombuffer(first.thumbnail, np.uint8), cv2.IMREAD_COLOR).shape == (108, 144, 3)
    assert (text.state, missing.state) == (State.FAILED, State.FAILED)
    options = ProcessOptions(folder=str(out), results=".jsonl", layers=("mask",), tasks=("segmentation",))
    with qtbot.waitSignal(runner.finished, timeout=WAIT_MS):
        runner.start(options)
    assert (first.state, picture.state) == (State.DONE, State.DONE), (first.message, picture.message)
    assert [path.name for path in first.outputs] == [
        "a [1] 映画.twinlens.mp4",
        "a [1] 映画.twinlens.jsonl",
        "a [1] 映画.twinlens.layers",
    ]
    with av.open(str(first.outputs[0])) as container:
        assert sum(1 for _ in container.decode(video=0)) == 12
    rows = [json.loads(line) for line in first.outputs[1].read_text().splitlines()]
    assert [row["frame"] for row in rows] == list(range(12))
    assert "faces" not in rows[0]
    assert len(list((first.outputs[2] / "mask").iterdir())) == 12
    assert picture.outputs[0].name == "b.twinlens.jpg"
    # Once more: nothing is replaced.
    before = first.outputs[0].read_bytes()
    runner.remove([picture, text, missing])
    add(qtbot, runner, first.path)
    with qtbot.waitSignal(runner.finished, timeout=WAIT_MS):
        runner.start(ProcessOptions(folder=str(out), tasks=("segmentation",)))
    assert runner.model.items[-1].outputs[0].name == "a [1] 映画-2.twinlens.mp4"
    assert first.outputs[0].read_bytes() == before


def test_held_and_called_off_and_closed(qtbot, runner, long_clip, tmp_path):
    add(qtbot, runner, long_clip)
    item = runner.model.items[0]
    options = ProcessOptions(folder=str(tmp_path), tasks=("face",))
    runner.start(options)
    qtbot.waitUntil(lambda: item.done > 3, timeout=WAIT_MS)
    runner.pause(True)
    said = []
    listen = runner._worker._listen
    runner._worker._listen = lambda news: (said.append(news.get("done")), listen(news))
    # News comes ten times a second; what was analysed already is still written.
    qtbot.waitUntil(lambda: len(said) > 15, timeout=WAIT_MS)
    held_at = said[-1]
    assert set(said[8:]) == {held_at}
    assert held_at < 2000
    runner.pause(False)
    qtbot.waitUntil(lambda: item.done > max(held_at, 260), timeout=WAIT_MS)
    assert hidden(tmp_path) != []
    runner.cancel_all()
    qtbot.waitUntil(lambda: not runner.is_running, timeout=WAIT_MS)
    assert item.state is State.CANCELLED
    assert list(tmp_path.iterdir()) == []
    # The window closes in the middle of the work.
    runner.retry([item])
    runner.start(options)
    qtbot.waitUntil(lambda: item.done > 260, timeout=WAIT_MS)
    process = runner._worker._process.pid
    with within(2.0):
        runner.close()
    assert not is_alive(process)
    assert seen(tmp_path) == []
    # What was finished is there for the next time.
    order = {"path": str(long_clip), "options": to_record(options)}
    assert kept(order)["frames"] in range(250, 2001, 250)


def test_a_worker_that_is_killed_costs_its_file_only_and_that_is_gone_on_with(qtbot, runner, clip, tmp_path):
    long_clip = write_clip(tmp_path / "long.mp4", [np.full((48, 64, 3), 90, np.uint8)] * 520)
    add(qtbot, runner, long_clip, clip)
    first, second = runner.model.items
    options = ProcessOptions(folder=str(tmp_path), tasks=("face",), results=".csv")
    with qtbot.waitSignal(runner.finished, timeout=WAIT_MS):
        runner.start(options)
        qtbot.waitUntil(lambda: first.done > 260, timeout=WAIT_MS)
        runner._worker._process.kill()
    assert (first.state, second.state) == (State.FAILED, State.DONE)
    assert first.message == f"{long_clip} could not be processed: its process crashed with SIGKILL"
    qtbot.waitUntil(lambda: not runner.is_looking, timeout=WAIT_MS)
    kept = first.kept_frames
    assert kept in (250, 500)
    # The window is opened anew: the file tells what there is, with these options only.
    runner.remove([first, second])
    runner.prepare(replace(options, crf=30))
    add(qtbot, runner, long_clip)
    (again,) = runner.model.items
    assert again.kept == (kept, "its --crf was 20, not 30")
    runner.prepare(options)
    qtbot.waitUntil(lambda: not runner.is_looking, timeout=WAIT_MS)
    assert again.kept_frames == kept
    with qtbot.waitSignal(runner.finished, timeout=WAIT_MS):
        runner.start(options)
    assert (again.state, again.done, again.resumed) == (State.DONE, 520, kept), again.message
    assert len((tmp_path / "long.twinlens.csv").read_text().splitlines()) == 1 + 520
    assert hidden(tmp_path) == []


def test_work_that_does_not_fit_is_made_anew(clip, tmp_path, monkeypatch):
    """Saved by other models, say: that is found out when these are loaded, and nobody has to decide anything."""
    options = ProcessOptions(folder=str(tmp_path), tasks=("segmentation",))
    job = Job(clip, output=outputs_for(clip, options).video)

    def break_off(result):
        if result.frame.index == 7:
            wait_for_segments(job, None, 1)
            raise ExportError("the disk is full")
        return result.frame.image_bgr

    def refuse(pipeline, state):
        raise ConfigError("the model is not the one that it ran on")

    monkeypatch.setattr("pipelines.offline.stages.SEGMENT_FRAMES", 5)
    lines = Lines()
    child = Child(Teller(lines))
    order = {"do": "run", "id": 5, "path": str(clip), "options": to_record(options), "taken": []}
    with monkeypatch.context() as patch:
        patch.setattr("app.processing.child.drawing", lambda options: break_off)
        child._do(order)
    assert (lines.news[-1]["news"], lines.news[-1]["kept"]) == ("failed", {"frames": 5, "difference": ""})
    assert hidden(tmp_path) != []
    monkeypatch.setattr(Pipeline, "restore", refuse)
    child._do(order)
    child._pool.close()
    assert (lines.news[-1]["news"], lines.news[-1]["resumed"]) == ("done", 0)
    assert hidden(tmp_path) == []


def test_a_child_that_cannot_be_started_is_told(qtbot, runner, monkeypatch):
    def refuse(*args):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr("app.processing.link.spawn", refuse)
    with qtbot.waitSignal(runner.refused) as told:
        runner.add(["/v/a.mp4"])
    assert told.args == ["The files cannot be listed: it cannot be started: cannot allocate memory."]
    assert not runner.is_looking


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX processes")
def test_the_child_ends_when_its_window_is_killed(long_clip, tmp_path):
    """A window that is killed cannot end anybody."""
    program = f"""
import subprocess, sys
from app.processing.options import ProcessOptions, outputs_for, to_record
from pipelines.backends.child import spawn
import json
child = spawn("app.processing.child", subprocess.PIPE)
order = dict(do="run", id=1, path={str(long_clip)!r}, taken=[],
             options=to_record(ProcessOptions(folder={str(tmp_path)!r}, tasks=("face",))))
child.stdin.write(json.dumps(order).encode() + b"\\n")
child.stdin.flush()
for line in child.stdout:
    if json.loads(line).get("done", 0) > 3:
        print(child.pid, flush=True)
"""
    window = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    process = int(window.stdout.readline())
    window.kill()
    window.wait()
    window.stdout.close()
    deadline = time.monotonic() + WAIT_MS / 1000
    while is_alive(process) and time.monotonic() < deadline:
        os.sched_yield()
    assert not is_alive(process)
    assert seen(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"effect": "replace:/nowhere.png"}, "cannot read the background /nowhere.png: No such file or directory"),
        ({"pipeline": "ort-nonsense"}, "ort-nonsense"),
        ({"folder": "/nowhere"}, "the folder /nowhere does not exist"),
        ({"models": {"mask": "nonsense"}}, "nonsense"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(clip, options, said):
    lines = Lines()
    child = Child(Teller(lines))
    record = to_record(ProcessOptions(**options))
    child._do({"do": "run", "id": 5, "path": str(clip), "options": record, "taken": []})
    last = lines.news[-1]
    assert (last["news"], last["id"]) == ("failed", 5)
    assert said in last["message"]
    assert "--" not in last["message"]


def test_a_file_that_was_called_off_before_its_turn_is_not_begun(clip):
    lines = Lines()
    child = Child(Teller(lines))
    child._call_off(5)
    child._do({"do": "run", "id": 5, "path": str(clip), "options": {}, "taken": []})
    assert lines.news == [{"news": "cancelled", "id": 5}]


@pytest.mark.media
@pytest.mark.skipif(not MEDIA.exists(), reason="the recordings are not here")
def test_real_recordings(qtbot, runner, tmp_path):
    add(qtbot, runner, MEDIA / "video" / "eat.mkv", MEDIA / "video" / "classroom.gif")
    assert runner.model.items[0].facts[0] == "640x480"
    with qtbot.waitSignal(runner.finished, timeout=WAIT_MS):
        runner.start(ProcessOptions(folder=str(tmp_path), tasks=("face",), results=".jsonl", video=False))
    for item in runner.model:
        assert item.state is State.DONE, item.message
        with av.open(str(item.path)) as container:
            frames = sum(1 for _ in container.decode(video=0))
        assert item.done == frames
        assert len(item.outputs[0].read_text().splitlines()) == frames
