"""The signals that end a command: all in good order, unless whoever started it has it ignore them."""

import signal
from pathlib import Path

import cv2
import pytest

from app.__main__ import main
from app.cli.console import interruptible
from tests.app.clips import portrait

NAMES = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@pytest.mark.parametrize("name", NAMES)
def test_a_command_in_the_middle_of_writing_leaves_nothing(inside, monkeypatch, capfd, name):
    """The end of a session or of a terminal too: they killed it, and what was half written stayed."""
    Path("a.png").write_bytes(cv2.imencode(".png", portrait((64, 48)))[1].tobytes())
    number = getattr(signal, name)
    before = signal.getsignal(number)
    write, begun = Path.write_bytes, []

    def write_and_end(path, data):
        write(path, data)
        begun.append(path.name)
        signal.raise_signal(number)

    monkeypatch.setattr(Path, "write_bytes", write_and_end)
    assert main(["screenshot", "a.png", "-o", "out.png", "--tasks", "face"]) == 130
    assert capfd.readouterr().err == "twinlens: interrupted\n"
    assert len(begun) == 1
    assert [path.name for path in inside.iterdir()] == ["a.png"]
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("name", NAMES)
def test_long_work_is_called_off_unless_the_signal_is_ignored(name):
    number = getattr(signal, name)
    before = signal.getsignal(number)
    try:
        with pytest.raises(KeyboardInterrupt), interruptible() as cancel:
            signal.raise_signal(number)
            assert cancel.is_set()
        signal.signal(number, signal.SIG_IGN)  # nohup, or work in the background
        with interruptible() as cancel:
            signal.raise_signal(number)
        assert not cancel.is_set()
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)
