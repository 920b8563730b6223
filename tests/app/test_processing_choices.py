"""What is wanted of the files: chosen, told, named, and how the rows of the queue look."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QSpinBox, QToolTip

from app.changeover import changeover_of
from app.inventory import BackendEntry
from app.processing.choices import EFFECTS, FORMATS, QUALITIES, RESULTS
from app.processing.items import RateMeter, State
from app.processing.options import TRANSPARENT
from app.processing.rows import RowDelegate
from app.qimage import to_bgr
from tests.app.processing_desk import LEFT, NAMES
from tests.app.window_fakes import pick

pytestmark = [
    pytest.mark.qt_log_level_fail("WARNING"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]


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
    changeover_of(QCoreApplication.instance()).finish()
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
    assert said() == "Resume where it broke off"
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
    desk.qtbot.waitUntil(lambda: "32 s left for all" in desk.window.summary.text())
