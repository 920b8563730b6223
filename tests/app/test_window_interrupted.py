"""Ctrl+C while the window is loaded, and signals that end it."""

import gc
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from app import window as entry
from models.errors import VisionError
from pipelines.background import gently, in_background, is_loading, loading
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.pipeline import Pipeline
from tests.patience import PATIENCE_S

PROGRAM = """
import signal, sys

class Interrupter:
    # Sees each import first. This one is in the middle of others whose failure makes Qt for Python abort the process.
    def find_spec(self, name, path=None, target=None):
        if name == "PySide6.support.deprecated":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupter())
from app.__main__ import main
sys.exit(main([]))
"""


def test_ctrl_c_in_the_middle_of_qt_ends_the_window_with_its_sentence(tmp_path):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.stderr == "twinlens: interrupted\n"
    assert done.returncode == 130


@pytest.fixture
def handlers():
    """Put the handlers of signals back when the test ends."""
    numbers = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    gc.unfreeze()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.usefixtures("handlers")
def test_a_signal_closes_the_window_in_good_order(bench, qapp, name):
    """The end of the session or of the terminal costs neither a recording nor what was set."""
    if not hasattr(signal, name):
        pytest.skip(f"this system has no {name}")
    one = bench()

    def exec_until_closed():
        one.controller.change(max_faces=9)
        signal.raise_signal(getattr(signal, name))
        one.qtbot.waitUntil(lambda: not one.window.isVisible())
        return 0

    application = SimpleNamespace(primaryScreen=qapp.primaryScreen, exec=exec_until_closed)
    program = entry._Program(application, one.window, one.controller, one.notifications, None, "")
    assert entry._run(program, "demo") == 130
    assert one.kept[-1].max_faces == 9


def test_what_is_loaded_gently_counts_as_loading():
    assert not is_loading()
    with in_background():
        assert gently(is_loading)
    with loading(), loading():
        assert is_loading()
    with pytest.raises(VisionError), loading():
        raise VisionError("it cannot be loaded")
    assert not is_loading()


def test_a_pipeline_counts_as_loading_while_its_tasks_are_made(monkeypatch):
    """Whatever the threads are called in which they are."""
    seen = []

    def bind(pipeline, name, where):
        seen.append(is_loading())
        raise BackendError("not here")

    monkeypatch.setattr(Pipeline, "_bind", bind)
    with pytest.raises(BackendError):
        Pipeline(PipelineConfig(tasks=("depth",)))
    assert seen == [True]
    assert not is_loading()


@pytest.mark.usefixtures("handlers")
def test_nobody_waits_for_models_that_are_still_being_loaded(bench, qapp, monkeypatch):
    """Python would, at its end, for the threads of a pool: what was closed stayed for as long as a GPU took."""
    one = bench()
    left = []

    def exec_until_closed():
        one.window.close()
        return 0

    monkeypatch.setattr(os, "_exit", left.append)
    application = SimpleNamespace(primaryScreen=qapp.primaryScreen, exec=exec_until_closed)
    program = entry._Program(application, one.window, one.controller, one.notifications, None, "")
    with loading():
        entry._run(program, "")
    assert left == [0]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
@pytest.mark.usefixtures("handlers")
def test_a_window_that_shall_outlive_its_terminal_does():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert signal.SIGHUP not in entry._ending_signals()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    assert signal.SIGHUP in entry._ending_signals()
