"""Modules that are loaded in the background: who makes their classes, and what becomes of failures."""

import builtins
import importlib
import subprocess
import sys
import threading

import pytest

from app.qt_modules import load_in_background
from app.workers import BackgroundJobs
from tests.patience import PATIENCE_MS, PATIENCE_S

SOURCE = """
import threading
from PySide6.QtCore import QObject, Signal

class OfQt(QObject):
    told = Signal(str)
    made_in = threading.get_ident()

class Child(OfQt):
    made_in = threading.get_ident()

class Plain:
    made_in = threading.get_ident()
"""


@pytest.fixture
def jobs(qapp):
    jobs = BackgroundJobs()
    yield jobs
    jobs.close(PATIENCE_S)


@pytest.fixture
def write_module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        importlib.invalidate_caches()
        return name

    yield write
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)


def test_classes_of_qt_are_made_in_the_gui_thread(qtbot, jobs, write_module):
    name = write_module("with_classes_of_qt", SOURCE)
    build = builtins.__build_class__
    done = []
    load_in_background(jobs, "loading", [name], lambda: done.append(threading.get_ident()))
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE_MS)
    here = threading.get_ident()
    module = sys.modules[name]
    assert done == [here]
    assert (module.OfQt.made_in, module.Child.made_in) == (here, here)
    assert module.Plain.made_in != here, "the rest is loaded in the background"
    assert builtins.__build_class__ is build
    heard = []
    child = module.Child()
    child.told.connect(heard.append)
    child.told.emit("a word")
    assert heard == ["a word"]


@pytest.mark.parametrize("text", ["import no_such_module", SOURCE + "\nclass Bad(QObject):\n    1 / 0\n"])
def test_a_failure_is_raised_in_the_gui_thread(qtbot, jobs, write_module, text):
    name = write_module("that_fails", text)
    build = builtins.__build_class__
    done = []
    with qtbot.captureExceptions() as raised:
        load_in_background(jobs, "loading", [name], lambda: done.append(None))
        qtbot.waitUntil(lambda: bool(raised), timeout=PATIENCE_MS)
    assert raised[0][0] in (ModuleNotFoundError, ZeroDivisionError)
    assert done == []
    assert builtins.__build_class__ is build


def test_nobody_waits_for_a_class_when_the_program_ends(qtbot, jobs, write_module):
    name = write_module("that_is_late", SOURCE)
    done, threads = [], []
    run = jobs.run

    def note(name, work, *args):
        def noted():
            threads.append(threading.current_thread())
            jobs.close(0)  # before the first class is wanted
            work()

        run(name, noted, *args)

    jobs.run = note
    load_in_background(jobs, "loading", [name], lambda: done.append(None))
    qtbot.waitUntil(lambda: bool(threads), timeout=PATIENCE_MS)
    threads[0].join(PATIENCE_S)
    assert not threads[0].is_alive()
    assert name not in sys.modules
    assert done == []


REAL = """
import shiboken6
from PySide6.QtWidgets import QApplication
import app.qt_modules as it
from app.workers import BackgroundJobs

def classes():
    found, left = set(), [shiboken6.Object]
    while left:
        for one in type.__subclasses__(left.pop()):
            if one not in found:
                found.add(one)
                left.append(one)
    return found

made, before, make = [], set(), it._Maker._make

def note(self, wish):
    wish.fulfil()
    made.append(wish.made)

it._Maker._make = note
program, jobs = QApplication([]), BackgroundJobs()
run = jobs.run

def start(*args):
    before.update(classes())
    run(*args)

jobs.run = start
it.load_in_background(jobs, "charts", ["pyqtgraph", "app.pages.window", "app.processing.window"], program.quit)
program.exec()
print(len(made), sorted(str(one) for one in classes() - before - set(made)))
"""


def test_no_class_of_qt_is_made_while_the_real_modules_are_loaded():
    command = [sys.executable, "-c", REAL]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    count, others = done.stdout.split(" ", 1)
    assert int(count) > 100
    assert others.strip() == "[]"
