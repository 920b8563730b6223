"""What is played: offered, asked for, opened, started and stopped."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog

from app.settings import Settings
from models.errors import VisionError
from tests.app.window_fakes import CAMERAS, FakeInventory, pick

# -- start


def test_the_demo_starts_at_once_when_asked_for(bench):
    one = bench().begin("demo")
    assert one.engine.started[0][0] == "demo"
    assert one.settings.source == "demo"


@pytest.mark.parametrize("as_address", [False, True])
def test_a_file_is_remembered_by_its_whole_path(bench, tmp_path, monkeypatch, as_address):
    """Or the next start, from another folder, would not find it."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my 影片.mp4"
    one = bench().begin(path.as_uri() if as_address else path.name)
    assert one.engine.started[0][0] == one.settings.source == str(path)
    assert one.settings.recent == (str(path),)


def test_the_last_source_is_played_again(bench):
    one = bench(Settings(source="/videos/clip.mp4"), FakeInventory(CAMERAS)).begin()
    assert [call[0] for call in one.engine.started] == ["/videos/clip.mp4"]


def test_the_first_camera_is_played_when_there_is_no_last_source(bench):
    one = bench(inventory=FakeInventory(CAMERAS)).begin()
    one.qtbot.waitUntil(lambda: bool(one.engine.started))
    assert one.engine.started[0][0] == "camera:Front"


def test_without_a_camera_the_window_says_so_and_offers_two_ways_on(bench):
    one = bench().begin()
    empty = one.window.empty
    assert one.window.stack.currentWidget() is empty
    assert empty.title.text() == "No camera found"
    assert not one.engine.started
    assert not one.window.top_bar.start.isEnabled()
    assert empty.demo_button.isVisible()
    assert empty.file_button.isVisible()
    one.qtbot.mouseClick(empty.demo_button, Qt.MouseButton.LeftButton)
    assert one.engine.started[0][0] == "demo"


def test_cameras_can_be_looked_for_again(bench):
    one = bench().begin()
    one.inventory.found = CAMERAS
    with one.qtbot.waitSignal(one.controller.cameras_changed):
        one.qtbot.mouseClick(one.window.empty.cameras_button, Qt.MouseButton.LeftButton)
    assert one.engine.started[0][0] == "camera:Front"
    assert one.window.empty.title.text() == "Opening Front…"


def test_nothing_waits_for_a_camera_list_that_hangs(bench):
    inventory = FakeInventory(CAMERAS)
    inventory.gate.clear()
    one = bench(inventory=inventory).begin()
    assert one.window.empty.title.text().startswith("Looking for a camera")
    one.qtbot.mouseClick(one.window.empty.demo_button, Qt.MouseButton.LeftButton)
    one.engine.open()
    one.deliver()
    inventory.gate.set()
    one.qtbot.waitUntil(lambda: one.controller.cameras == CAMERAS)
    assert [call[0] for call in one.engine.started] == ["demo"]


def test_a_long_name_is_shortened_in_its_middle(bench):
    one = bench().begin(f"/videos/{'very ' * 30}long.mp4")
    one.engine.fail("it is empty")
    one.qtbot.waitUntil(lambda: one.window.empty.title.text().endswith("mp4 cannot be shown"))
    assert one.window.empty.title.text().startswith("very")
    assert one.window.empty.title.sizeHint().width() <= one.window.empty.title.width()


# -- source


def test_a_name_with_an_ampersand_is_shown_as_it_is(bench):
    one = bench().begin("/videos/R&D.mp4")
    assert one.window.top_bar.source.text().strip() == "R&&D.mp4"  # one would be a mark for a key
    assert one.window.windowTitle().startswith("R&D.mp4")


def test_the_source_menu_offers_what_there_is(bench):
    settings = Settings(recent=("/videos/a & b.mp4", "/pictures"))
    one = bench(settings, FakeInventory(CAMERAS)).play()
    entries = one.window.top_bar.source.entries()
    assert list(entries) == ["demo", "camera:Front", "camera:Back", "/videos/a & b.mp4", "/pictures"]
    assert entries["demo"].isChecked()
    assert entries["/videos/a & b.mp4"].text() == "a && b.mp4"
    entries["camera:Back"].trigger()
    assert one.engine.started[-1][0] == "camera:Back"
    assert "Back" in one.window.top_bar.source.text()
    texts = [action.text() for action in one.window.top_bar.source.menu().actions()]
    assert {"Open file…", "Open folder of pictures…", "Open network camera…"} <= set(texts)


def test_opening_the_source_menu_looks_for_cameras(bench):
    one = bench().play()
    asked = one.inventory.asked
    one.window.top_bar.source.menu().aboutToShow.emit()
    one.qtbot.waitUntil(lambda: one.inventory.asked == asked + 1)


def test_a_camera_list_that_fails_is_reported_and_can_be_tried_again(bench):
    one = bench()
    one.inventory.error = VisionError("the camera service is not running")
    one.begin()
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "The camera service is not running."
    assert one.window.empty.title.text() == "No camera found"
    one.inventory.error, one.inventory.found = None, CAMERAS
    with one.qtbot.waitSignal(one.controller.cameras_changed):
        one.qtbot.mouseClick(one.window.message_bar.action_button, Qt.MouseButton.LeftButton)
    assert not one.window.message_bar.isVisible()


def test_camera_modes_are_offered_and_asked_for(bench):
    one = bench(inventory=FakeInventory(CAMERAS)).play("camera:Front")
    mode = one.window.top_bar.mode
    assert mode.isVisible()
    pick(mode, "1280x720@30 MJPG")
    options = one.engine.started[-1][1]
    assert (options.size_wh, options.fps, options.pixel_format) == ((1280, 720), 30.0, "MJPG")
    one.engine.open("Front", "camera")
    one.deliver()
    one.engine.now = replace(one.engine.now, frames=60, source_fps=14.9)
    one.qtbot.waitUntil(lambda: one.window.top_bar._facts.text().endswith("15 of 30 fps"))
    assert "Measured: 14.9 fps" in one.window.top_bar._facts.toolTip()
    one.controller.open("camera:Back")
    assert one.engine.started[-1][1].size_wh is None
    assert not mode.isVisible()


def test_a_file_is_opened_through_the_dialog(bench, tmp_path):
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"")
    one = bench().play()
    one.act("open_file")
    dialog = one.window.findChild(QFileDialog)
    dialog.setDirectory(str(tmp_path))
    dialog.filesSelected.emit([str(clip)])
    dialog.reject()
    assert one.engine.started[-1][0] == str(clip)
    assert one.settings.recent == (str(clip),)


@pytest.mark.parametrize(("name", "mode"), [("open_folder", "Directory"), ("screenshot_folder", "Directory")])
def test_folders_are_asked_for_without_blocking(bench, tmp_path, name, mode):
    one = bench().play()
    one.act(name)
    dialog = one.window.findChild(QFileDialog)
    assert dialog.fileMode() is getattr(QFileDialog.FileMode, mode)
    one.deliver()
    dialog.fileSelected.emit(str(tmp_path))
    dialog.reject()
    if name == "open_folder":
        assert one.engine.started[-1][0] == str(tmp_path)
    else:
        assert one.settings.screenshot_folder() == tmp_path


def drag(window, data):
    """Drag something over the window; return the event."""
    event = QDropEvent(
        QPointF(window.rect().center()),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QEvent.Type.DragEnter,
    )
    event.ignore()
    window.dragEnterEvent(event)
    return event


def test_a_dropped_file_is_opened(bench, tmp_path):
    one = bench().play()
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/x.png"), QUrl.fromLocalFile(str(tmp_path / "dropped.png"))])
    assert one.window.acceptDrops()
    assert drag(one.window, data).isAccepted()
    keys, buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    where = QPointF(one.window.rect().center())
    drop = QDropEvent(where, Qt.DropAction.CopyAction, data, buttons, keys, QEvent.Type.Drop)
    one.window.dropEvent(drop)
    assert one.engine.started[-1][0] == str(tmp_path / "dropped.png")


def test_text_cannot_be_dropped(bench):
    one = bench().play()
    data = QMimeData()
    data.setText("hello")
    assert not drag(one.window, data).isAccepted()


# -- start and stop


def test_the_button_stops_and_starts(bench):
    one = bench().play()
    button = one.window.top_bar.start
    assert button.text() == "Stop"
    one.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    one.qtbot.waitUntil(lambda: button.text() == "Start")
    assert one.engine.calls[-1] == "stop"
    assert one.window.stack.currentWidget() is one.window.view
    assert one.window.view.pill == "Stopped. Press Space to start."
    one.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert one.engine.calls[-1] == "start"


def test_holding_the_picture(bench):
    one = bench().play()
    one.act("pause")
    assert one.engine.calls[-1] == "pause True"
    assert one.window.actions_by_id["pause"].isChecked()
    assert "Paused" in one.window.view.pill
    one.act("pause")
    assert one.engine.calls[-1] == "pause False"
    assert not one.window.actions_by_id["pause"].isChecked()


def test_the_facts_of_the_source_are_shown(bench):
    one = bench().begin("demo")
    one.engine.open(notices=("Rotated by 90 degrees as the file asks.",))
    one.qtbot.waitUntil(lambda: "160" in one.window.top_bar._facts.text())
    assert one.window.top_bar._facts.text() == "160 \N{MULTIPLICATION SIGN} 90 \N{MIDDLE DOT} 30 fps"
    assert "Rotated" in one.window.top_bar._facts.toolTip()
