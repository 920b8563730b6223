"""The window "Process files" by mouse and key, with a child that a test plays."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent, QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QMenu, QMessageBox, QSpinBox, QToolTip

from app.inventory import BackendEntry
from app.processing.actions import ACTIONS, BUTTONS, ROW_MENU
from app.processing.choices import EFFECTS, FORMATS, LAYER_WORDS, QUALITIES, RESULTS
from app.processing.commands import QueueCommands
from app.processing.items import RateMeter, State
from app.processing.options import TRANSPARENT, ProcessOptions
from app.processing.options_panel import OptionsPanel
from app.processing.rows import ACTIONS as ROW_ACTIONS
from app.processing.rows import ICONS, RowDelegate
from app.processing.runner import Runner
from app.processing.window import ProcessWindow
from app.qimage import to_bgr
from pipelines.export import LAYERS
from tests.app.processing_fakes import FakeChildren

pytestmark = [
    pytest.mark.qt_log_level_fail("WARNING"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]
KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
NAMES = ("/v/a.mp4", "/v/b.mp4", "/v/c.mp4")


class Desk:
    """A window and what a test does to it."""

    def __init__(self, qtbot, theme, options=None):
        self.qtbot = qtbot
        self.children = FakeChildren()
        self.revealed = []
        self.runner = Runner(self.children)
        panel = OptionsPanel(theme, options or ProcessOptions())
        self.window = ProcessWindow(theme, self.runner, panel, self.revealed.append)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()

    def add(self, *names):
        self.window.add(list(names))
        self.children.find(*names)
        self.settle()

    def settle(self):
        """Wait until the window shows what is so."""
        self.qtbot.waitUntil(lambda: not self.window._timer.isActive())

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier):
        self.settle()
        self.qtbot.keyClick(self.window.list, key, modifier)
        self.settle()

    def click(self, name):
        self.settle()
        button = self.window.buttons[name]
        assert button.isVisible()
        assert button.isEnabled()
        self.qtbot.mouseClick(button, LEFT)
        self.settle()

    def mark(self, *rows):
        self.window.list.clearSelection()
        for row in rows:
            index = self.runner.model.index(row)
            self.window.list.selectionModel().select(index, self.window.list.selectionModel().SelectionFlag.Select)
        self.settle()

    def button_of(self, row):
        rect = self.window.list.visualRect(self.runner.model.index(row))
        return self.window.list.itemDelegate().button_rect(rect).center()

    def click_row(self, row):
        self.qtbot.mouseClick(self.window.list.viewport(), LEFT, pos=self.button_of(row))
        self.settle()

    def states(self):
        return [item.state for item in self.runner.model]

    def seen(self):
        return {name for name, button in self.window.buttons.items() if button.isVisible()}


@pytest.fixture
def make(qtbot, theme):
    made = []

    def build(**options):
        made.append(Desk(qtbot, theme, ProcessOptions(**options)))
        return made[-1]

    yield build
    for desk in made:
        desk.window.end()
        desk.window.deleteLater()


@pytest.fixture
def desk(make):
    return make()


def pick(combo, data):
    """Choose an entry as a user does."""
    index = combo.findData(data)
    assert index >= 0, f"{data} is not offered"
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


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
    dialog.filesSelected.emit(["/v"])
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


# -- options


def test_every_option_reaches_the_engine(desk):
    panel = desk.window.panel
    panel.show_backends((BackendEntry("ort-cpu", "cpu", True), BackendEntry("ort-webgpu", "gpu", False, "no driver")))
    pick(panel.format, ".webm")
    pick(panel.quality, 26)
    pick(panel.effect, TRANSPARENT)
    pick(panel.results, ".csv")
    pick(panel.existing, True)
    pick(panel.pipeline, "ort-cpu")
    for box in (panel.layers["mask"], panel.sound, panel.tasks["face"], panel.smooth):
        desk.qtbot.mouseClick(box, LEFT, pos=QPoint(12, box.height() // 2))
    panel.max_faces.setValue(7)
    desk.add("/v/a.mp4")
    desk.click("start")
    assert desk.children.runs[0]["options"] == {
        **{"folder": "", "video": True, "format": ".webm", "crf": 26, "sound": False, "results": ".csv"},
        **{"layers": ("mask",), "tasks": ("segmentation", "depth"), "pipeline": "ort-cpu", "models": {}},
        **{"max_faces": 7, "smooth": False, "effect": TRANSPARENT, "style": {}, "replace": True},
    }
    assert panel.pipeline.findData("gpu") < 0


def test_choices_that_exclude_each_other_give_way_to_the_last(desk):
    panel = desk.window.panel
    pick(panel.effect, TRANSPARENT)
    assert panel.format.currentData() == ".webm"
    pick(panel.format, ".mp4")
    assert panel.effect.currentData() == "none"
    pick(panel.effect, "blur")
    panel.tasks["segmentation"].click()
    assert panel.effect.currentData() == "none"
    assert not panel.effect.isEnabled()
    assert not panel.layers["mask"].isEnabled()
    pick(panel.format, ".gif")
    assert not panel.quality.isEnabled()
    assert not panel.sound.isEnabled()
    panel.tasks["face"].click()
    assert not panel.tasks["depth"].isEnabled()


def test_nothing_to_write_is_told_before_the_start(desk):
    desk.add("/v/a.mp4")
    desk.window.panel.video.click()
    desk.settle()
    assert not desk.window.buttons["start"].isEnabled()
    assert desk.window.reason.text() == "Choose at least one thing to write."
    pick(desk.window.panel.results, ".jsonl")
    desk.settle()
    assert desk.window.buttons["start"].isEnabled()


def test_folder_and_background_are_asked_for_and_can_be_left(desk):
    panel = desk.window.panel
    for combo, choice, answer, field in (
        (panel.folder, "choose", "/out", "folder"),
        (panel.effect, "replace:", "/b.png", "effect"),
    ):
        before = combo.currentIndex()
        pick(combo, choice)
        desk.window.findChild(QFileDialog).reject()
        assert combo.currentIndex() == before
        desk.qtbot.waitUntil(lambda: desk.window.findChild(QFileDialog) is None)
        pick(combo, choice)
        dialog = desk.window.findChild(QFileDialog)
        dialog.fileSelected.emit(answer)
        dialog.reject()
        desk.qtbot.waitUntil(lambda: desk.window.findChild(QFileDialog) is None)
        assert getattr(desk.window.options, field).removeprefix("replace:") == answer
    assert (panel.folder.currentText(), panel.folder.currentData()) == ("out", "/out")


# -- looks


def test_controls_have_names_and_can_be_reached_by_key(desk):
    desk.add("/v/a.mp4")
    controls = [
        *desk.window.panel.findChildren(QComboBox),
        *desk.window.panel.findChildren(QSpinBox),
        *desk.window.findChildren(QAbstractButton),
    ]
    for control in controls:
        if control.isVisible() and control.objectName() != "qt_spinbox_lineedit":
            assert control.accessibleName() or getattr(control, "text", str)(), control
            assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, control.accessibleName() or control.text()
    index = desk.runner.model.index(0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).startswith("a.mp4, Waiting")
    assert desk.window.list.accessibleName() == "Files to process"


@pytest.mark.parametrize("table", [FORMATS, QUALITIES, RESULTS, EFFECTS])
def test_every_choice_explains_itself(table):
    assert len({label for _, label, _ in table}) == len(table)
    assert all(tip for value, _, tip in table if value != "none")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_rows_show_every_state(desk, theme, look, request):
    request.addfinalizer(lambda: theme.choose("system"))
    theme.choose(look)
    desk.add(*NAMES, "/v/d.mp4", "/v/e.mp4", "/v/f.mp4")
    view, model = desk.window.list, desk.runner.model
    pictures = []

    def paint(row):
        desk.settle()
        view.clearSelection()
        return to_bgr(view.grab(view.visualRect(model.index(row))).toImage())

    pictures.append(paint(0))
    desk.click("start")
    pictures.append(paint(0))
    desk.children.progress(30)
    few = paint(0)
    desk.children.progress(270)
    many = paint(0)
    assert (few != many).any(axis=2).sum() > 200  # the bar
    desk.children.done()
    pictures.append(paint(0))
    desk.children.fail("no")
    pictures.append(paint(1))
    desk.children.done(damage="half of it is missing")
    pictures.append(paint(2))
    desk.runner.cancel([desk.runner.current])
    desk.children.cancelled()
    pictures.append(paint(3))
    for number, one in enumerate(pictures):
        assert one.std() > 5
        for other in pictures[number + 1 :]:
            assert one.shape != other.shape or (one != other).any()


def test_a_count_that_is_unknown_moves_with_every_frame(desk):
    desk.add("/v/a.mp4")
    desk.click("start")
    item = desk.runner.current
    item.expected = None
    view = desk.window.list

    def paint():
        return to_bgr(view.grab(view.visualRect(desk.runner.model.index(0))).toImage())

    desk.children.progress(10, None)
    before = paint()
    desk.children.progress(20, None)
    assert item.part is None
    assert (paint() != before).any(axis=2).sum() > 100


def test_the_button_of_a_row_says_what_it_does(desk):
    desk.add("/v/a.mp4")
    view = desk.window.list

    def said():
        where = desk.button_of(0)
        event = QHelpEvent(QEvent.Type.ToolTip, where, view.viewport().mapToGlobal(where))
        view.viewportEvent(event)
        text = QToolTip.text()
        QToolTip.hideText()
        return text

    assert said() == "Take off the list"
    assert isinstance(view.itemDelegate(), RowDelegate)
    desk.click("start")
    desk.children.fail("/v/a.mp4: the disk is full", kept={"frames": 500, "difference": ""})
    assert said() == "Go on where it broke off"
    desk.click_row(0)
    assert desk.states() == [State.WAITING]
    assert desk.window.buttons["start"].isEnabled()


def test_other_options_are_asked_about_and_the_time_for_all_is_shown(desk):
    desk.add(*NAMES)
    desk.runner.model.items[0].take_kept({"kept": {"frames": 250, "difference": ""}})
    pick(desk.window.panel.format, ".mkv")
    (asked,) = desk.children.looker.orders
    assert (asked["do"], asked["id"], asked["options"]["format"]) == ("kept", 1, ".mkv")
    desk.children.looker.say("kept", id=1, kept=None)
    now = [100.0]
    desk.runner.model.items[0].meter = RateMeter(lambda: now[0])
    desk.click("start")
    desk.children.progress(0)
    now[0] += 4
    desk.children.progress(100)
    desk.qtbot.waitUntil(lambda: "32 s left for all" in desk.window.summary.text(), timeout=20_000)
