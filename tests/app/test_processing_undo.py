"""What is taken off the queue can be put back, and what cannot is asked about before it is lost."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from app.processing.commands import ASKED_FROM_S
from app.processing.items import State
from app.processing.model import QueueModel
from app.processing.options import ProcessOptions
from app.processing.removed import Removed
from app.processing.rows import GO_ON, row_action
from app.processing.wording import status_line
from tests.app.processing_desk import CONTROL, KEY, LEFT, NAMES
from tests.app.test_processing_queue import Clock, add, children, clock, runner, states  # noqa: F401 - fixtures


def names(model):
    return "".join(item.path.name for item in model)


@pytest.fixture
def queue(qapp):
    model = QueueModel()
    model.append(map(Path, "abcdef"))
    return model, Removed(model)


@pytest.mark.parametrize("gone", ["a", "f", "bc", "ace", "bdf", "abcdef"])
def test_everything_comes_back_to_its_place(queue, gone):
    model, removed = queue
    told = []
    model.rowsInserted.connect(lambda _, first, last: told.append(last - first + 1))
    removed.take([item for item in model if item.path.name in gone])
    assert names(model) == "".join(name for name in "abcdef" if name not in gone)
    back = removed.put_back()
    assert [item.path.name for item in back] == list(gone)
    assert names(model) == "abcdef"
    assert sum(told) == len(gone)
    assert [model.get(item.id) for item in back] == back
    assert not removed


def test_the_last_removal_comes_back_first(queue):
    model, removed = queue
    for gone in ("bc", "e"):
        removed.take([item for item in model if item.path.name in gone])
    removed.put_back()
    assert names(model) == "adef"
    removed.put_back()
    assert names(model) == "abcdef"
    assert removed.put_back() == []


def test_a_file_that_was_added_again_is_not_there_twice(queue):
    model, removed = queue
    gone = [item for item in model if item.path.name in "bc"]
    removed.take(gone)
    model.append([gone[0].path])
    assert removed.put_back() == gone[1:]
    assert names(model) == "acdefb"


def test_what_nobody_had_looked_at_yet_is_looked_at(runner, children):  # noqa: F811 - fixtures
    runner.add(["/v/a.mp4"])
    children.looker.say("files", id=1, files=["/v/a.mp4"], problems=[])
    (item,) = runner.model
    runner.remove([item])
    runner.put_back()
    assert [order["do"] for order in children.looker.orders] == ["expand", "look", "look"]
    for _ in range(2):
        children.show(item.id)
    assert states(runner) == [State.WAITING]


def test_what_comes_back_while_it_runs_is_processed(runner, children):  # noqa: F811 - fixtures
    add(runner, children, "/v/a.mp4", "/v/b.mp4")
    runner.start(ProcessOptions())
    runner.remove(list(runner.model))
    assert states(runner) == [State.RUNNING]
    runner.put_back()
    children.done()
    assert children.runs[-1]["path"] == "/v/b.mp4"


def test_control_z_and_the_message_put_back(desk):
    desk.add(*NAMES)
    assert not desk.window.actions_by_id["undo"].isEnabled()
    desk.mark(0, 2)
    desk.click("remove")
    assert [item.path.name for item in desk.runner.model] == ["b.mp4"]
    toast = desk.window.toast
    assert toast.isVisible()
    assert toast.text.startswith("2 files taken off the list")
    desk.press(KEY.Key_Z, CONTROL)
    assert [item.path.name for item in desk.runner.model] == ["a.mp4", "b.mp4", "c.mp4"]
    desk.mark(0, 1, 2)
    desk.click("remove")
    assert desk.window.stack.currentWidget() is desk.window.empty
    assert toast.text.startswith("3 files")
    desk.qtbot.mouseClick(toast.offer_button, LEFT)
    assert not toast.isVisible()
    desk.settle()
    assert desk.window.stack.currentWidget() is desk.window.list
    assert len(desk.runner.model.items) == 3


def test_what_is_done_comes_back_too(desk):
    desk.add(*NAMES[:1])
    desk.click("start")
    desk.children.done()
    desk.click("clear_done")
    desk.window.resize(900, 700)
    desk.qtbot.waitUntil(lambda: desk.window.toast.geometry().bottom() < desk.window.stack.height())
    desk.press(KEY.Key_Z, CONTROL)
    assert desk.states() == [State.DONE]


# -- calling off


def ask(desk, act):
    act()
    return desk.window.findChild(QMessageBox)


def test_calling_off_asks_only_where_much_would_be_lost(desk):
    now = Clock()
    desk.runner._clock = now
    desk.add(*NAMES[:2])
    desk.click("start")
    now.now += ASKED_FROM_S - 1
    desk.children.progress(100)
    assert ask(desk, lambda: desk.click_row(0)) is None
    desk.children.cancelled()
    now.now += ASKED_FROM_S + 1
    desk.children.progress(1200)
    box = ask(desk, lambda: desk.click_row(1))
    assert box.text() == "Cancel b.mp4?"
    assert box.informativeText() == "1,200 frames are done. Nothing of them is kept."
    keep = box.defaultButton()
    assert keep.text() == "Keep working"
    desk.qtbot.mouseClick(keep, LEFT)
    desk.qtbot.waitUntil(lambda: desk.window.findChild(QMessageBox) is None)
    assert desk.states()[1] is State.RUNNING
    box = ask(desk, lambda: desk.click("cancel_all"))
    (yes,) = (button for button in box.buttons() if button is not box.defaultButton())
    desk.qtbot.mouseClick(yes, LEFT)
    assert desk.children.worker.orders[-1]["do"] == "cancel"
    desk.children.cancelled()
    assert desk.states() == [State.CANCELLED, State.CANCELLED]


def test_a_file_that_is_done_by_the_time_of_the_answer_stays_done(desk):
    now = Clock()
    desk.runner._clock = now
    desk.add(*NAMES[:2])
    desk.click("start")
    now.now += ASKED_FROM_S + 1
    box = ask(desk, lambda: desk.click_row(0))
    desk.children.done()
    (yes,) = (button for button in box.buttons() if button is not box.defaultButton())
    desk.qtbot.mouseClick(yes, LEFT)
    assert desk.states() == [State.DONE, State.RUNNING]


def test_time_that_was_held_is_no_work(runner, children, clock):  # noqa: F811 - fixtures
    add(runner, children, "/v/a.mp4")
    assert runner.current_s == 0
    runner.start(ProcessOptions())
    clock.now += 10
    runner.pause(True)
    clock.now += 100
    assert runner.current_s == 10
    runner.pause(False)
    clock.now += 5
    assert runner.current_s == 15


# -- closed in mid-work


def test_a_file_over_which_the_window_was_closed_says_that_it_goes_on(desk):
    desk.add(*NAMES[:1])
    desk.click("start")
    desk.children.progress(300)
    desk.runner.rest()
    desk.window.close()
    (item,) = desk.runner.model
    assert item.state is State.CANCELLED
    desk.window.come_forward()
    asked = desk.children.looker.orders[-1]
    assert (asked["do"], asked["id"]) == ("kept", item.id)
    desk.children.looker.say("kept", id=item.id, kept={"frames": 250, "difference": ""})
    assert status_line(item, False) == "250 frames are kept: Try again resumes after them."
    assert row_action(item) == GO_ON
    desk.click_row(0)
    assert item.state is State.WAITING
    assert status_line(item, False) == "250 frames were finished before a break: it resumes after them."


def test_one_of_which_nothing_is_left_says_that(runner, children):  # noqa: F811 - fixtures
    add(runner, children, "/v/a.mp4")
    runner.start(ProcessOptions())
    runner.rest()
    runner.look_for_kept()
    (item,) = runner.model
    children.looker.say("kept", id=item.id, kept=None)
    assert status_line(item, False) == "Nothing was written."
