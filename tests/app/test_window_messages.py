"""Errors reach a person: one sentence, a way out, details; and nothing is said twice."""

import logging
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.notifications import ErrorHooks, Notice, Notifications, Severity, details_of, sentence
from app.settings import Settings
from models.errors import VisionError
from pipelines.engine import EngineState
from tests.app.window_fakes import CAMERAS, FakeInventory


@pytest.fixture
def shown(bench):
    """A window whose message bar is looked at."""
    one = bench().play()
    one.bar = one.window.message_bar
    one.wait_for = lambda text: one.qtbot.waitUntil(lambda: one.bar.isVisible() and one.bar.text == text)
    return one


def test_a_failed_source_is_explained_and_can_be_tried_again(bench):
    one = bench().begin("/videos/clip.mp4")
    one.engine.fail("clip.mp4 is empty")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "Clip.mp4 is empty."
    assert one.window.empty.title.text() == "clip.mp4 cannot be shown"
    assert one.window.stack.currentWidget() is one.window.empty
    one.qtbot.mouseClick(one.window.message_bar.action_button, Qt.MouseButton.LeftButton)
    assert [call[0] for call in one.engine.started] == ["/videos/clip.mp4"] * 2
    one.qtbot.waitUntil(lambda: not one.window.message_bar.isVisible())


def test_a_pipeline_that_cannot_start_offers_auto(bench):
    one = bench(Settings(pipeline="ort-webgpu")).begin("demo")
    one.engine.fail("ort-webgpu cannot be used here: no GPU adapter")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.action_button.text() == "Use Auto"
    one.qtbot.mouseClick(one.window.message_bar.action_button, Qt.MouseButton.LeftButton)
    assert one.engine.configs[-1].pipeline == "auto"
    assert one.settings.pipeline == "auto"


def test_a_camera_that_is_gone_leads_to_the_empty_state(bench):
    one = bench(Settings(source="camera:Front")).begin()
    one.engine.fail("there is no camera called Front")
    one.qtbot.waitUntil(lambda: one.window.empty.title.text() == "No camera found")


def test_a_camera_that_is_lost_and_comes_back(bench):
    one = bench(inventory=FakeInventory(CAMERAS)).play("camera:Front")
    one.engine.say("Front was unplugged. Trying again…", EngineState.OPENING)
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "Front was unplugged. Trying again…"
    assert one.window.view.pill == "Opening Front…"
    one.engine.say("")
    one.qtbot.waitUntil(lambda: not one.window.message_bar.isVisible())
    assert one.window.view.pill == ""


def test_a_changing_message_is_replaced_not_counted(shown):
    for seconds in (4, 5, 6):
        shown.engine.say(f"Front has not delivered a picture for {seconds} s: is another program using it?")
        shown.wait_for(f"Front has not delivered a picture for {seconds} s: is another program using it?")
    assert [notice.count for notice in shown.notifications.notices] == [1]


def test_a_message_that_counts_seconds_stays_closed(shown):
    words = "Front has not delivered a picture for {} s: is another program using it?"
    shown.engine.say(words.format(4))
    shown.wait_for(words.format(4))
    shown.qtbot.mouseClick(shown.bar.close_button, Qt.MouseButton.LeftButton)
    shown.engine.say(words.format(5))
    shown.qtbot.waitUntil(lambda: shown.controller.status.message == words.format(5))
    shown.engine.say("")
    shown.qtbot.waitUntil(lambda: not shown.controller.status.message)
    assert shown.notifications.notices == ()
    shown.engine.say(words.format(4))  # it fell silent again
    shown.wait_for(words.format(4))


def test_repeats_are_folded(shown):
    for _ in range(3):
        shown.notifications.post(Notice("disk", "The disk is full."))
    shown.wait_for("The disk is full.")
    assert shown.notifications.notices[-1].count == 3
    assert shown.bar._more.text() == "3 times"


def test_several_messages_are_shown_one_after_the_other(shown):
    shown.notifications.post(Notice("a", "First."))
    shown.notifications.post(Notice("b", "Second."))
    shown.wait_for("Second.")
    assert shown.bar._more.text() == "1 more"
    shown.qtbot.mouseClick(shown.bar.close_button, Qt.MouseButton.LeftButton)
    shown.wait_for("First.")
    shown.qtbot.mouseClick(shown.bar.close_button, Qt.MouseButton.LeftButton)
    assert not shown.bar.isVisible()


def test_details_unfold_and_can_be_copied(shown):
    shown.notifications.post(Notice("a", "It broke.", details="line 1\nline 2"))
    shown.wait_for("It broke.")
    assert not shown.bar.details.isVisible()
    shown.qtbot.mouseClick(shown.bar.details_button, Qt.MouseButton.LeftButton)
    assert shown.bar.details.isVisible()
    shown.qtbot.mouseClick(shown.bar.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "line 1\nline 2"
    shown.notifications.post(Notice("b", "No details."))
    shown.wait_for("No details.")
    assert not shown.bar.details.isVisible()
    assert not shown.bar.details_button.isVisible()


def test_the_button_does_what_it_says_once(shown):
    done = []
    shown.notifications.post(Notice("a", "Well?", action="Do it", on_action=lambda: done.append(1)))
    shown.wait_for("Well?")
    shown.qtbot.mouseClick(shown.bar.action_button, Qt.MouseButton.LeftButton)
    assert done == [1]
    assert not shown.bar.isVisible()


def test_the_bar_is_coloured_by_severity(shown):
    colors = set()
    for severity in Severity:
        shown.notifications.post(Notice(severity.value, severity.value, severity))
        shown.wait_for(severity.value)
        colors.add(shown.bar.grab().toImage().pixelColor(1, 10).name())
    assert len(colors) == 3


def test_a_message_from_another_thread_arrives(shown):
    thread = threading.Thread(target=lambda: shown.notifications.post(Notice("a", "From afar.")))
    thread.start()
    thread.join()
    shown.wait_for("From afar.")


# -- errors that nobody caught


@pytest.fixture
def hooked(qtbot):
    """Hooks in place, as in the program."""
    notifications = Notifications()
    interrupted = []
    with ErrorHooks(notifications, lambda: interrupted.append(1)):
        yield notifications, interrupted
    notifications.deleteLater()


def test_a_bug_in_the_gui_thread_becomes_a_message(hooked, qtbot, caplog):
    import sys

    notifications, _ = hooked
    with caplog.at_level(logging.ERROR), qtbot.waitSignal(notifications.changed):
        try:
            raise ZeroDivisionError("a bug")
        except ZeroDivisionError:
            sys.excepthook(*sys.exc_info())
    notice = notifications.notices[0]
    assert "ZeroDivisionError" in notice.text
    assert "a bug" in notice.details
    assert "twinlens 0." in notice.details
    assert "a bug" in caplog.text


def test_a_bug_in_a_thread_becomes_a_message(hooked, qtbot):
    notifications, _ = hooked

    def fail():
        raise VisionError("the disk is full")

    with qtbot.waitSignal(notifications.changed):
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    assert notifications.notices[0].text == "The disk is full."


def test_control_c_is_no_bug(hooked, qtbot):
    import sys

    notifications, interrupted = hooked
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert interrupted == [1]
    assert notifications.notices == ()


def test_the_hooks_are_put_back():
    import sys

    before = sys.excepthook, threading.excepthook
    notifications = Notifications()
    with ErrorHooks(notifications, lambda: None):
        assert sys.excepthook != before[0]
    assert (sys.excepthook, threading.excepthook) == before


def test_a_sentence_is_one():
    assert sentence(VisionError("the file is empty")) == "The file is empty."
    assert sentence(VisionError("ort-webgpu lost its device")) == "ort-webgpu lost its device."
    assert sentence(VisionError("Really?")) == "Really?"
    assert "KeyError" in sentence(KeyError("x"))
    assert "KeyError: 'x'" in details_of(KeyError("x"))


def test_settings_that_cannot_be_kept_are_reported_and_tried_again(bench):
    one = bench().play()
    keep = one.kept
    failures = [VisionError("no space left")]

    def write(settings):
        if failures:
            raise failures.pop()
        keep.append(settings)

    one.controller._keeper._write = write
    one.controller.change(max_faces=9)
    one.controller._keeper.flush()
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "No space left."
    one.qtbot.mouseClick(one.window.message_bar.action_button, Qt.MouseButton.LeftButton)
    one.qtbot.waitUntil(lambda: bool(keep) and keep[-1].max_faces == 9)
