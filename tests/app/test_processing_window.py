"""The window "Process files" by mouse and key, with a child that a test plays."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from app.processing.actions import ACTIONS, BUTTONS, ROW_MENU
from app.processing.choices import LAYER_WORDS
from app.processing.commands import QueueCommands
from app.processing.items import State
from app.processing.rows import ACTIONS as ROW_ACTIONS
from app.processing.rows import ICONS
from app.processing.window import ProcessWindow
from app.qimage import to_bgr
from pipelines.export import LAYERS
from tests.app.processing_desk import CONTROL, KEY, LEFT, NAMES, SHIFT

pytestmark = [
    pytest.mark.qt_log_level_fail("WARNING"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]
# -- adding


def test_an_empty_queue_is_a_place_to_drop_files(desk):
    window = desk.window
    assert window.stack.currentWidget() is window.empty
    assert desk.seen() == {"start"}
    assert not window.buttons["start"].isEnabled()
    desk.qtbot.mouseClick(window.empty.files_button, LEFT)
    dialog = window.findChild(QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFiles
    dialog.filesSelected.emit(list(NAMES))
    dialog.reject()
    desk.children.find(*NAMES)
    desk.settle()
    assert window.stack.currentWidget() is window.list
    assert desk.seen() == {"add_files", "add_folder", "retry_failed", "clear_done", "remove", "start"}
    assert window.buttons["start"].isEnabled()
    assert "3 ready" in window.summary.text()


def test_a_folder_is_added_through_the_dialog(desk):
    desk.qtbot.mouseClick(desk.window.empty.folder_button, LEFT)
    dialog = desk.window.findChild(QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    dialog.fileSelected.emit("/v")
    dialog.reject()
    assert desk.children.looker.orders[0]["paths"] == ["/v"]


def drop_event(kind, *urls):
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    where = QPointF(40, 40)
    keys = Qt.KeyboardModifier.NoModifier
    event = QDropEvent(where, Qt.DropAction.CopyAction, data, LEFT, keys, kind)
    event.ignore()
    event.data = data
    return event


def test_files_are_dropped(desk):
    window = desk.window
    entering = drop_event(QEvent.Type.DragEnter, "file:///v/a.mp4")
    before = to_bgr(window.empty.grab().toImage())
    window.dragEnterEvent(entering)
    assert entering.isAccepted()
    assert (to_bgr(window.empty.grab().toImage()) != before).any()
    window.dragLeaveEvent(None)
    assert (to_bgr(window.empty.grab().toImage()) == before).all()
    window.dropEvent(drop_event(QEvent.Type.Drop, "file:///v/a.mp4", "https://example.org/x.mp4", "file:///v/b"))
    assert desk.children.looker.orders[0]["paths"] == ["/v/a.mp4", "/v/b"]
    elsewhere = drop_event(QEvent.Type.DragEnter, "https://example.org/x.mp4")
    window.dragEnterEvent(elsewhere)
    assert not elsewhere.isAccepted()


def test_a_folder_with_nothing_in_it_is_told(desk):
    desk.window.add(["/v/empty"])
    desk.children.looker.say("files", id=1, files=[], problems=["/v/empty holds no video and no picture"])
    desk.qtbot.waitUntil(desk.window.message_bar.isVisible)
    assert desk.window.message_bar.text == "/v/empty holds no video and no picture."
    desk.qtbot.mouseClick(desk.window.message_bar.close_button, LEFT)
    assert not desk.window.message_bar.isVisible()


# -- working


def test_start_pause_resume_and_the_end(desk):
    desk.add(*NAMES[:2])
    desk.click("start")
    assert desk.seen() >= {"pause", "cancel_all"}
    assert "start" not in desk.seen()
    assert not desk.window.panel.format.isEnabled()
    assert desk.window.summary.text().startswith("File 1 of 2")
    desk.click("pause")
    assert desk.window.buttons["pause"].text() == "Resume"
    assert "paused" in desk.window.summary.text()
    desk.press(KEY.Key_P)
    assert desk.window.buttons["pause"].text() == "Pause"
    desk.children.progress(150)
    desk.children.done()
    desk.children.fail("/v/b.mp4: the disk is full")
    desk.settle()
    assert desk.seen() >= {"start", "open_folder"}
    assert desk.window.panel.format.isEnabled()
    desk.click("open_folder")
    assert desk.revealed == [Path("/v/a.twinlens.mp4")]
    desk.click("retry_failed")
    assert desk.states() == [State.DONE, State.WAITING]
    desk.click("clear_done")
    assert desk.states() == [State.WAITING]
    desk.press(KEY.Key_Return, CONTROL)
    assert desk.states() == [State.RUNNING]


def test_the_end_is_told_elsewhere_when_another_window_is_used(desk, monkeypatch):
    told = []
    desk.window.said.connect(told.append)
    monkeypatch.setattr(ProcessWindow, "isActiveWindow", lambda self: False)
    desk.add("/v/a.mp4")
    desk.click("start")
    desk.children.done()
    assert told == ["Processed: 1 file  \N{MIDDLE DOT}  1 done"]


def test_the_button_of_a_row_does_what_it_says(desk):
    desk.add(*NAMES)
    desk.click_row(2)
    assert len(desk.states()) == 2
    desk.click("start")
    desk.click_row(0)
    assert desk.children.worker.orders[-1]["do"] == "cancel"
    desk.children.cancelled()
    desk.children.done()
    desk.settle()
    desk.click_row(1)
    assert desk.revealed == [Path("/v/b.twinlens.mp4")]
    desk.click_row(0)
    assert desk.states() == [State.WAITING, State.DONE]


def test_a_button_that_is_left_before_it_is_released_does_nothing(desk):
    desk.add(*NAMES)
    view = desk.window.list.viewport()
    desk.qtbot.mousePress(view, LEFT, pos=desk.button_of(0))
    desk.qtbot.mouseRelease(view, LEFT, pos=desk.button_of(1))
    assert len(desk.states()) == 3


def test_every_key(desk, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    desk.add(*NAMES)
    desk.mark(1)
    desk.press(KEY.Key_Delete)
    assert [item.path.name for item in desk.runner.model] == ["a.mp4", "c.mp4"]
    desk.press(KEY.Key_Return, CONTROL)
    desk.mark(0)
    desk.press(KEY.Key_Delete, CONTROL)
    assert desk.children.worker.orders[-1] == {"do": "cancel", "id": 1}
    desk.children.cancelled()
    desk.press(KEY.Key_R, CONTROL)
    assert desk.states() == [State.WAITING, State.RUNNING]
    desk.children.done()
    desk.mark(1)
    desk.press(KEY.Key_Return)
    desk.press(KEY.Key_E, CONTROL)
    assert opened == ["/v/c.twinlens.mp4"]
    assert desk.revealed == [Path("/v/c.twinlens.mp4")]
    desk.press(KEY.Key_Delete, CONTROL | SHIFT)
    desk.children.cancelled()
    desk.press(KEY.Key_R, CONTROL | SHIFT)
    assert desk.states() == [State.WAITING, State.DONE]
    desk.press(KEY.Key_L, CONTROL)
    assert desk.states() == [State.WAITING]
    for key, modifier in ((KEY.Key_O, CONTROL), (KEY.Key_O, CONTROL | SHIFT)):
        desk.press(key, modifier)
        dialog = desk.window.findChild(QFileDialog)
        dialog.reject()
        desk.qtbot.waitUntil(lambda: desk.window.findChild(QFileDialog) is None)
        desk.window.activateWindow()
        desk.qtbot.waitUntil(desk.window.isActiveWindow)
    assert {key for action in ACTIONS for key in action.keys} == {
        *("Ctrl+O", "Ctrl+Shift+O", "Ctrl+Return", "P", "Ctrl+Del", "Ctrl+Shift+Del", "Del", "Ctrl+R", "Ctrl+Shift+R"),
        *("Ctrl+L", "Ctrl+Z", "Return", "Enter", "Ctrl+E"),
    }


def test_the_menu_of_a_row(desk):
    desk.add(*NAMES)
    where = desk.window.list.visualRect(desk.runner.model.index(1)).center()
    desk.window.list.customContextMenuRequested.emit(where)
    menu = desk.window.findChild(QMenu)
    assert [action.objectName() for action in menu.actions()] == list(ROW_MENU)
    menu.close()


def test_tables_are_complete():
    handlers = [action.id for action in ACTIONS]
    assert len(set(handlers)) == len(handlers)
    assert all(hasattr(QueueCommands, name) for name in handlers)
    assert set(BUTTONS) | set(ROW_MENU) <= {*handlers, ""}
    assert set(ICONS) == set(ROW_ACTIONS) == set(State)
    assert set(LAYER_WORDS) == set(LAYERS)


# -- closing


def test_closing_asks_only_while_something_runs(desk):
    desk.add("/v/a.mp4")
    desk.window.close()
    assert not desk.window.isVisible()
    desk.window.come_forward()
    desk.click("start")
    desk.window.close()
    box = desk.window.findChild(QMessageBox)
    assert desk.window.isVisible()
    assert box.text() == "Stop processing? 1 file is not done yet."
    box.reject()
    desk.qtbot.waitUntil(lambda: desk.window.findChild(QMessageBox) is None)
    assert desk.runner.is_running
    desk.window.close()
    box = desk.window.findChild(QMessageBox)
    stop = next(button for button in box.buttons() if button.text() == "Stop")
    desk.qtbot.mouseClick(stop, LEFT)
    assert not desk.window.isVisible()
    assert desk.children.worker.finished
    assert desk.states() == [State.CANCELLED]


def test_escape_takes_the_marks_away_before_it_closes(desk):
    desk.add("/v/a.mp4")
    desk.mark(0)
    desk.press(KEY.Key_Escape)
    assert desk.window.isVisible()
    assert desk.window.selected() == []
    desk.qtbot.keyClick(desk.window, KEY.Key_Escape)
    assert not desk.window.isVisible()
