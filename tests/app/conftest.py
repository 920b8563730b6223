"""The window with a fake engine, without a screen; and a watch over what tests leave behind."""

import gc
import os
import threading

if "QT_QPA_PLATFORM" not in os.environ:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.changeover import changeover_of
from app.controller import Controller
from app.i18n.language import language_of
from app.main_window import MainWindow
from app.notifications import Notifications
from app.processing.options import ProcessOptions
from app.settings import Settings
from app.theme import Theme
from tests.app.processing_desk import Desk
from tests.app.window_fakes import FakeEngine, FakeInventory
from tests.patience import PATIENCE_MS, PATIENCE_S

QT_REMARKS = "This plugin does not support (propagateSizeHints|raise)"
"""What the platform "offscreen" says whenever a window gets a minimum size or shall come to the front."""


def pytest_collection_modifyitems(items):
    """Let a test of the window fail if Qt complains about anything."""
    for item in items:
        if "test_window" in item.nodeid:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(QT_REMARKS, extend=True))


class PatientBot(QtBot):
    """Waits two minutes instead of five seconds where a test does not say how long."""

    def waitUntil(self, callback, *, timeout=PATIENCE_MS):
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal, *, timeout=PATIENCE_MS, **more):
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitExposed(self, widget, *, timeout=PATIENCE_MS):
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp, request):
    """Takes the place of the plugin's."""
    return PatientBot(request)


@pytest.fixture(scope="session")
def theme(qapp):
    """The look, made once like in the program; in English, whatever the system speaks."""
    language_of(qapp)
    return Theme(qapp)


def running_timers():
    """All timers of the program that run."""
    timers = (thing for thing in gc.get_objects() if type(thing) is QTimer and shiboken6.isValid(thing))
    return [timer for timer in timers if timer.isActive()]


@pytest.fixture(autouse=True)
def nothing_left(request):
    """Fail a test of the window that leaves a thread, a running timer or a window behind."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    qapp = request.getfixturevalue("qapp")
    threads = set(threading.enumerate())
    windows = set(map(id, qapp.topLevelWidgets()))
    # What a test that failed has left is told once, not by every test after it.
    before = {id(timer) for timer in running_timers()}
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    for thread in set(threading.enumerate()) - threads:
        thread.join(PATIENCE_S)
    left = [f"thread {thread.name}" for thread in set(threading.enumerate()) - threads]
    left += [
        f"window {widget.objectName() or type(widget).__name__}"
        for widget in qapp.topLevelWidgets()
        if widget.isVisible() and id(widget) not in windows
    ]
    left += [f"timer of {timer.interval()} ms" for timer in running_timers() if id(timer) not in before]
    assert not left, f"left behind: {', '.join(left)}"


class Bench(QObject):
    """A window, its controller, and the fakes behind them."""

    def __init__(self, qtbot, theme, settings, inventory, engine_class):
        super().__init__()
        self.qtbot = qtbot
        self.kept = []
        self.inventory = inventory
        self.engine = None
        self.notifications = Notifications()
        self._engine_class = engine_class
        self.controller = Controller(settings, self.notifications, inventory, self.kept.append, self._make_engine)
        self.window = MainWindow(self.controller, theme)

    def _make_engine(self, on_update):
        self.engine = self._engine_class(on_update)
        return self.engine

    def begin(self, source=""):
        """Show the window and start, as the program does."""
        with self.qtbot.waitExposed(self.window):
            self.window.show()
        self.controller.begin(source)
        self.qtbot.waitUntil(lambda: self.controller.cameras is not None or not self.inventory.gate.is_set())
        self.qtbot.waitUntil(lambda: self.controller.backends is not None)
        return self

    def play(self, source="demo"):
        """Start with a picture on the screen."""
        self.begin(source)
        self.engine.open()
        self.deliver()
        return self

    def deliver(self, found=None, other=None):
        """Deliver a picture and wait until the window shows it."""
        self.engine.deliver(found, other)
        view = self.engine.view()

        def is_shown():
            shown = self.window.view.picture
            return shown is not None and shown.view is view and shown.wish.room_wh == self.window.view.room_wh

        self.qtbot.waitUntil(is_shown)

    def act(self, name):
        """Trigger a command, and do at once what is done in steps about every control of the window."""
        self.window.actions_by_id[name].trigger()
        changeover_of(QApplication.instance()).finish()

    @property
    def settings(self):
        return self.controller.settings

    def close(self):
        changeover_of(QApplication.instance()).finish()
        if self.engine is not None:
            self.engine.stop_stalls.set()
        self.inventory.gate.set()
        self.inventory.trials.set()
        self.window.close()
        self.controller.close()
        self.window.deleteLater()
        self.controller.deleteLater()
        self.notifications.deleteLater()


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """Run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def bench(qtbot, theme, tmp_path):
    """Makes benches; closes them when the test ends."""
    made = []

    def make(settings=None, inventory=None, engine_class=FakeEngine):
        settings = settings or Settings(folder=str(tmp_path / "shots"))
        one = Bench(qtbot, theme, settings, inventory or FakeInventory(), engine_class)
        made.append(one)
        return one

    yield make
    for one in made:
        one.close()
    QApplication.processEvents()


@pytest.fixture
def make_desk(qtbot, theme):
    """Makes windows "Process files"; closes them when the test ends."""
    made = []

    def build(**options):
        made.append(Desk(qtbot, theme, ProcessOptions(**options)))
        return made[-1]

    yield build
    for desk in made:
        desk.window.end()
        desk.window.deleteLater()


@pytest.fixture
def desk(make_desk):
    """A window "Process files"."""
    return make_desk()
