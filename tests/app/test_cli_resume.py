"""`twinlens process --resume` after kill -9, with the real models in a process of its own.

What was measured (`timing_ms`) is taken out before results are compared: it is another value in every run.
"""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import av
import pytest

from tests.app.clips import make_clip

ROOT = Path(__file__).parents[2]
MEDIA = ROOT.parent / "shared" / "media" / "video"
CODE = """
import sys
from pipelines.offline import stages
stages.SEGMENT_FRAMES = int(sys.argv[1])
from app.__main__ import main
sys.exit(main(sys.argv[2:]))
"""
LIMIT_S = 300


def command(segment, *arguments):
    return [sys.executable, "-c", CODE, str(segment), "process", *map(str, arguments)]


def start(segment, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command(segment, *arguments), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(segment, *arguments):
    """Run to the end; return exit status, stdout and stderr."""
    with start(segment, *arguments) as process:
        out, err = process.communicate(timeout=LIMIT_S)
    return process.returncode, out, err


def run_and_kill(folder, after_s, segment, *arguments):
    """Kill the run so long after it began to write; it may have ended before."""
    with start(segment, *arguments) as process:
        while process.poll() is None and not list(folder.glob(".twinlens-work-*/journal")):
            pass
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()


def rows_of(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        assert row.pop("timing_ms")
    return rows


def layers_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def packets(path):
    with av.open(str(path)) as container:
        return [(item.stream.type, item.pts, bytes(item)) for item in container.demux() if item.size]


def pixels(path):
    with av.open(str(path)) as container:
        return [(frame.pts, frame.to_ndarray().tobytes()) for frame in container.decode(video=0)]


def check_killed_runs(clip, folder, segment, frames, kills):
    """Run once as a whole; kill another run at random moments and let it go on; compare."""
    (folder / "whole").mkdir()
    (folder / "cut").mkdir()

    def arguments(name):
        place = folder / name
        layers = ["--layers", "overlay,mask,depth,landmarks", "--layers-dir", place / "L"]
        return [clip, "-o", place / "o.mp4", "--results", place / "r.jsonl", *layers, "--pipeline", "ort-cpu"]

    whole = run(segment, *arguments("whole"))
    assert whole[0] == 0, whole[2]
    moments = [random.uniform(0.0, 3.0) for _ in range(kills)]
    for moment in moments:
        run_and_kill(folder / "cut", moment, segment, *arguments("cut"), "--resume")
    status, _, err = run(segment, *arguments("cut"), "--resume")
    assert status == 0, (moments, err)
    cut = folder / "cut"
    assert len(rows_of(cut / "r.jsonl")) == frames
    assert rows_of(cut / "r.jsonl") == rows_of(folder / "whole/r.jsonl"), moments
    assert layers_of(cut / "L") == layers_of(folder / "whole/L"), moments
    assert packets(cut / "o.mp4") == packets(folder / "whole/o.mp4"), moments
    assert pixels(cut / "o.mp4") == pixels(folder / "whole/o.mp4"), moments
    assert not list(cut.rglob(".twinlens*"))


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_kill_9_at_random_moments(tmp_path):
    clip = make_clip(tmp_path / "clip.mp4", [number / 25 + (number % 3) / 200 for number in range(80)])
    check_killed_runs(clip, tmp_path, 7, 80, kills=2)


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_shared_media_after_kill_9(tmp_path):
    clip = MEDIA / "bird.mkv"
    if not clip.is_file():
        pytest.skip("the shared media are not here")
    with av.open(str(clip)) as container:
        frames = sum(1 for _ in container.decode(video=0))
    check_killed_runs(clip, tmp_path, 10, frames, kills=1)


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_what_kill_9_leaves_is_cleared_by_a_run_without_resume(tmp_path):
    clip = make_clip(tmp_path / "clip.mp4", [number / 25 for number in range(40)], size_wh=(64, 48))
    options = [clip, "-o", tmp_path / "o.mp4", "--tasks", "depth"]
    with start(5, *options) as process:
        while not any(b'"segment"' in path.read_bytes() for path in tmp_path.glob(".twinlens-work-*/journal")):
            assert process.poll() is None
        process.kill()
        process.communicate()
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".twinlens-work-")) == [
        "clip.mp4"
    ]
    status, _, err = run(5, *options)
    assert status == 0
    assert "frames of a run that broke off were done again (--resume would have used them)" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clip.mp4", "o.mp4"]


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", [n / 25 for n in range(400)], size_wh=(64, 48))


@pytest.mark.skipif(os.name != "posix", reason="signals")
class TestFromTheOutside:
    """What a user sees."""

    @pytest.fixture
    def interrupted(self, clip, tmp_path):
        """A run that was interrupted with Ctrl+C behind its first segments; its arguments."""
        arguments = [clip, "-o", tmp_path / "o.mp4", "--results", tmp_path / "r.jsonl", "--tasks", "depth", "--resume"]
        with start(10, *arguments) as process:
            while not any(b'"segment"' in path.read_bytes() for path in tmp_path.glob(".twinlens-work-*/journal")):
                assert process.poll() is None
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=LIMIT_S)
        assert process.returncode == 130
        assert err.splitlines()[-2:] == [
            "twinlens: finished parts are kept: the same command goes on with them",
            "twinlens: interrupted",
        ]
        assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".twinlens-work-")] == []
        return arguments

    def test_ctrl_c_keeps_what_is_finished_and_the_rest_follows(self, interrupted, tmp_path):
        status, out, err = run(10, *interrupted)
        assert status == 0, err
        assert "400 frames (" in out
        assert "of them by an earlier run)" in out
        assert len(rows_of(tmp_path / "r.jsonl")) == 400
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert sorted(before) == ["o.mp4", "r.jsonl"]
        status, out, _ = run(10, *interrupted)
        assert (status, out) == (0, f"{tmp_path / 'o.mp4'}: already done\n")
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before

    def test_other_options_are_refused(self, interrupted, tmp_path):
        status, _, err = run(10, *interrupted, "--crf", "30")
        assert status == 1
        assert err.splitlines()[-1] == (
            f"twinlens: {tmp_path / 'o.mp4'} was begun differently: its --crf was 20, not 30 (--overwrite starts anew)"
        )


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_several_files_at_a_time_after_kill_9(tmp_path):
    """Each file has a journal of its own; the processes of a killed run end by themselves."""
    for name in "ab":
        make_clip(tmp_path / f"{name}.mp4", [number / 25 for number in range(300)], size_wh=(64, 48))
    out = tmp_path / "out"
    inputs = [tmp_path / f"{name}.mp4" for name in "ab"]
    arguments = ["--tasks", "depth", "--jobs", "2", "--resume", "--pipeline", "ort-cpu"]

    def options(name):
        return [*inputs, "-o", tmp_path / name, "--results", tmp_path / f"{name}.jsonl", *arguments]

    out.mkdir()
    with start(250, *options("out")) as process:
        while sum(b'"segment"' in path.read_bytes() for path in out.glob(".twinlens-work-*/journal")) < 2:
            assert process.poll() is None
        process.kill()
        process.communicate()  # ends when the last process of the run has let go of the pipe
    status, told, err = run(250, *options("out"))
    assert status == 0, err
    # A process may have finished its file before it noticed that the run was killed.
    assert told.count("of them by an earlier run)") + told.count(": already done") == 2
    assert run(250, *options("whole"))[0] == 0
    assert rows_of(tmp_path / "out.jsonl") == rows_of(tmp_path / "whole.jsonl")
    for name in "ab":
        assert packets(out / f"{name}.twinlens.mp4") == packets(tmp_path / f"whole/{name}.twinlens.mp4")
    assert not list(tmp_path.rglob(".twinlens*"))
