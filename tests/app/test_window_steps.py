"""Windows that are made in steps: complete when they are seen, and gone where the main window is closed meanwhile."""

import time

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QPushButton, QSpinBox, QVBoxLayout, QWidget

from app.open_soon import open_soon
from app.pages.window import PagesWindow
from app.processing.window import ProcessWindow
from app.steps import TURN_S, Steps, ready_to_show
from tests.app.processing_fakes import FakeChildren, FakeLink
from tests.patience import PATIENCE_S, within


def test_other_events_come_in_between(qtbot):
    owner, seen = QObject(), []
    timer = QTimer(owner)
    timer.timeout.connect(lambda: seen.append("event"))
    timer.start(0)

    def work():
        for number in range(5):
            end = time.perf_counter() + 1.5 * TURN_S
            while time.perf_counter() < end:
                pass
            seen.append(number)
            yield

    steps = Steps(work(), owner)
    qtbot.waitUntil(lambda: not steps.isActive())
    timer.stop()
    assert [thing for thing in seen if thing != "event"] == [0, 1, 2, 3, 4]
    assert all("event" in seen[seen.index(number) : seen.index(number + 1)] for number in range(4))


def test_short_steps_share_a_turn_unless_one_wants_its_own(qtbot):
    owner, turns, now = QObject(), [], []

    def work():
        for number in range(4):
            now.append(number)
            yield number == 1

    steps = Steps(work(), owner)
    while steps.isActive():
        now.clear()
        QApplication.processEvents()
        turns.append(list(now))
    told = [turn for turn in turns if turn]
    assert [number for turn in told for number in turn] == [0, 1, 2, 3]
    assert not any({1, 2} <= set(turn) for turn in told)


def test_what_is_stopped_does_no_more(qtbot):
    owner, seen = QObject(), []

    def work():
        for number in range(9):
            seen.append(number)
            if number == 2:
                steps.stop()
            yield

    steps = Steps(work(), owner)
    qtbot.waitUntil(lambda: not steps.isActive())
    QApplication.processEvents()
    assert seen == [0, 1, 2]


def test_a_window_that_was_made_ready_looks_as_any_other(qtbot, theme):
    pictures = []
    for in_steps in (False, True):
        window = QWidget()
        qtbot.addWidget(window)
        layout = QVBoxLayout(window)
        box = QSpinBox()
        box.lineEdit().setTextMargins(8, 0, 0, 0)
        layout.addWidget(box)
        layout.addWidget(QPushButton("Press"))
        if in_steps:
            assert len(list(ready_to_show(window))) >= 4
        window.show()
        qtbot.waitExposed(window)
        window.setFocus()
        pictures.append(window.grab().toImage())
    assert pictures[0] == pictures[1]


@pytest.fixture
def one(bench):
    made = bench().play()
    made.window.commands.processing.make_link = FakeChildren()
    made.window.commands.pages.start = FakeLink
    return made


def begin_to_make(owner):
    """Go on until its window is being made, and no further: on a quiet machine it is complete a moment later."""
    deadline = time.monotonic() + PATIENCE_S
    while owner._unfinished is None:
        assert time.monotonic() < deadline
        QApplication.processEvents()


@pytest.mark.parametrize("command", ["process", "benchmark"])
def test_a_window_is_not_seen_before_it_is_complete(one, command):
    owner = one.window.commands.processing if command == "process" else one.window.commands.pages
    one.act(command)
    begin_to_make(owner)
    window = owner._unfinished
    while owner.window is None:
        assert not window.isVisible()
        QApplication.processEvents()
    one.act(command)
    one.qtbot.waitUntil(window.isVisible)
    assert owner.window is window
    assert owner._unfinished is None


@pytest.mark.parametrize("turns", [0, 1, 5])
@pytest.mark.parametrize(("command", "kind"), [("process", ProcessWindow), ("benchmark", PagesWindow)])
def test_closing_while_a_window_is_being_made(one, command, kind, turns):
    owner = one.window.commands.processing if command == "process" else one.window.commands.pages
    one.act(command)
    begin_to_make(owner)
    for _ in range(turns):
        QApplication.processEvents()
    with within(2.0):
        one.window.close()
    assert owner.window is None
    assert owner._unfinished is None
    for _ in range(10):
        QApplication.processEvents()
    assert not any(isinstance(top, kind) and top.isVisible() for top in QApplication.topLevelWidgets())


# -- dialogs


def test_a_dialog_is_seen_soon_and_only_one(one):
    one.act("open_file")
    one.act("open_folder")
    one.qtbot.waitUntil(lambda: any(dialog.isVisible() for dialog in one.window.findChildren(QFileDialog)))
    one.qtbot.waitUntil(lambda: len(one.window.findChildren(QFileDialog)) == 1)
    assert one.window.findChild(QFileDialog).fileMode() is QFileDialog.FileMode.ExistingFiles


def test_a_dialog_that_was_closed_before_it_is_seen_stays_so(one):
    dialog = QDialog(one.window)
    open_soon(dialog)
    dialog.reject()
    for _ in range(5):
        QApplication.processEvents()
    assert not dialog.isVisible()


def test_a_dialog_does_not_outlive_its_window(one):
    for name in ("open_file", "shortcuts"):
        one.act(name)
    one.window.close()
    for _ in range(10):
        QApplication.processEvents()
    assert not any(dialog.isVisible() for dialog in one.window.findChildren(QDialog))
