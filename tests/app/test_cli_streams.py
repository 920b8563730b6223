"""Standard output that nobody reads, that is full, that was closed, or that knows few letters: the work is done."""

import io
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import cv2
import numpy as np
import pytest

from app.__main__ import main
from app.cli.streams import LastingStream, complaint, lasting_streams
from tests.patience import PATIENCE_S

ROOT = str(Path(__file__).parents[2])


@pytest.fixture
def pictures(tmp_path, monkeypatch):
    """Return two pictures, one with a name that no 8-bit encoding holds, in a folder to run in."""
    monkeypatch.chdir(tmp_path)
    noise = np.random.default_rng(0).integers(0, 255, (48, 64, 3), np.uint8)
    for name in ("人.png", "b.png"):
        Path(name).write_bytes(cv2.imencode(".png", noise)[1].tobytes())
    return ["人.png", "b.png"]


def broken_pipe():
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w")


@pytest.mark.parametrize(
    ("opened", "status"),
    [
        (broken_pipe, 0),
        (nullcontext, 0),
        (lambda: open("/dev/full", "w"), 1),  # noqa: PTH123, SIM115
        (lambda: io.TextIOWrapper(io.BytesIO(), "ascii", "strict"), 0),
    ],
    ids=["a reader that is gone", "closed", "full", "ascii"],
)
def test_every_file_is_done_whoever_listens(pictures, monkeypatch, capsys, opened, status):
    with opened() as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main(["process", "-o", "out", "--tasks", "depth", "--pipeline", "cpu", *pictures]) == status
        if isinstance(stream, io.TextIOWrapper) and stream.encoding == "ascii":
            assert b"out/\\u4eba.twinlens.png: 1 picture" in stream.buffer.getvalue()
    assert sorted(path.name for path in Path("out").iterdir()) == ["b.twinlens.png", "人.twinlens.png"]
    told = capsys.readouterr().err.splitlines()[-1]
    assert (told == "twinlens: standard output cannot be written: no space left on device") == bool(status)


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_a_stream_that_is_closed(pictures, monkeypatch, name):
    monkeypatch.setattr(sys, name, None)
    assert main(["process", "nowhere.png"]) == 1
    assert main(["models", "info", "depth_v2"]) == 0


@pytest.mark.parametrize(
    ("end", "status", "told"), [("| true", 0, 0), (">/dev/full", 1, 1)], ids=["a reader that is gone", "full"]
)
def test_nothing_is_complained_about_when_the_program_ends(end, status, told):
    command = f"{sys.executable} -m app models info depth_v2 {end}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": ROOT},
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr.count(b"\n")) == (status, told), done.stderr


def test_the_first_reason_is_kept_and_the_rest_goes_nowhere():
    with broken_pipe() as pipe:
        stream = LastingStream(pipe)
        for _ in range(3):
            assert stream.write("text\n") == 5
            stream.flush()
        assert isinstance(stream.error, BrokenPipeError)
        assert complaint(stream) == ""
        assert not stream.isatty()


def test_the_streams_are_given_back(capsys):
    before = sys.stdout, sys.stderr
    with lasting_streams() as out:
        sys.stdout.write("said\n")
        assert sys.stdout is out
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr().out == "said\n"
