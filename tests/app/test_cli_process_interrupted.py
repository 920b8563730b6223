"""`twinlens process` that is called off, alone and with several processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.clips import make_clip
from tests.patience import PATIENCE_S


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_interrupted_work_exits_with_130_and_leaves_nothing(inside, number):
    clip = make_clip(inside / "long.mp4", [n / 25 for n in range(400)], size_wh=(64, 48))
    command = [sys.executable, "-u", "-m", "app", "process", str(clip), "-o", "o.mp4", "--results", "r.jsonl"]
    command += ["--layers", "mask", "--layers-dir", "L"]
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}) as process:
        while not list(inside.glob("L/.twinlens-*/mask/000003.png")):  # really at work
            assert process.poll() is None
        process.send_signal(number)
        _, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert error.decode().strip().splitlines()[-1] == "twinlens: interrupted"
    assert [path.name for path in inside.iterdir()] == ["long.mp4"]


@pytest.mark.skipif(os.name != "posix", reason="sends Ctrl+C to a group of processes")
def test_ctrl_c_ends_all_processes(inside):
    for name in "ab":
        make_clip(inside / f"{name}.mp4", [n / 25 for n in range(400)], size_wh=(64, 48))
    command = [sys.executable, "-u", "-m", "app", "process", "a.mp4", "b.mp4", "-o", "out", "--jobs", "2"]
    command += ["--layers", "mask", "--layers-dir", "L", "--results", "r.jsonl"]
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root}
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, start_new_session=True) as process:
        while not all(list(inside.glob(f"L/{name}.mp4/.twinlens-*/mask/000003.png")) for name in "ab"):
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, error = process.communicate(timeout=PATIENCE_S)  # ends when no process holds the pipe any more
    assert process.returncode == 130
    assert error.decode().strip().splitlines()[-1] == "twinlens: interrupted"
    assert "Traceback" not in error.decode()
    assert sorted(path.name for path in inside.iterdir()) == ["a.mp4", "b.mp4"]
