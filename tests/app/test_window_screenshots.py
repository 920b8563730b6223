"""Screenshots hold the whole frame at the size of the source, whatever the window shows of it."""

import json
import re

import cv2
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.qimage import to_bgr
from app.reveal import RevealError, reveal, reveal_command
from app.settings import Settings
from tests.app.window_fakes import CAMERAS, FakeInventory, result


def shoot(one, name="screenshot"):
    with one.qtbot.waitSignal(one.controller.files.screenshot_saved) as signal:
        one.act(name)
    return signal.args[0]


def test_a_screenshot_is_the_annotated_frame(bench, tmp_path):
    one = bench().play()
    one.deliver(result(641, 361))
    saved = shoot(one)
    assert re.fullmatch(r"twinlens-fake-\d{8}-\d{6}-\d{3}\.png", saved.path.name)
    assert saved.path.parent == tmp_path / "shots"
    np.testing.assert_array_equal(cv2.imread(str(saved.path)), one.controller.picture.view.image_bgr)
    assert [path.name for path in saved.path.parent.iterdir()] == [saved.path.name]
    assert one.window.toast.isVisible()
    assert saved.path.name in one.window.toast.text


def test_the_file_says_where_it_comes_from(bench):
    one = bench().play()
    data = shoot(one).path.read_bytes()
    assert b"twinlens 0." in data
    assert b"face on ort-cpu" in data
    assert b"Figures" in data


def test_two_in_a_row_never_overwrite(bench):
    one = bench().play()
    first, second = shoot(one), shoot(one)
    assert first.path != second.path
    assert first.path.exists()
    assert second.path.exists()


def test_all_layers(bench):
    one = bench().play()
    found = result(320, 180)
    one.deliver(found)
    saved = shoot(one, "screenshot_all")
    stem = saved.path.stem
    assert sorted(path.name for path in saved.path.parent.iterdir()) == sorted(
        [f"{stem}.png", *(f"{stem}-{name}" for name in ("plain.png", "mask.png", "depth.png", "landmarks.json"))]
    )
    folder = saved.path.parent
    np.testing.assert_array_equal(cv2.imread(str(folder / f"{stem}-plain.png")), found.frame.image_bgr)
    mask = cv2.imread(str(folder / f"{stem}-mask.png"), cv2.IMREAD_UNCHANGED)
    np.testing.assert_array_equal(mask, found.mask.alpha)
    depth = cv2.imread(str(folder / f"{stem}-depth.png"), cv2.IMREAD_UNCHANGED)
    assert depth.dtype == np.uint16
    assert depth.shape == (180, 320)
    assert depth[90, 10] < depth[90, 160] < depth[90, 310]
    faces = json.loads((folder / f"{stem}-landmarks.json").read_text())["faces"]
    np.testing.assert_allclose(faces[0]["landmarks"], found.faces.faces[0].landmarks, atol=0.01)
    assert "4 layers" in one.window.toast.text


def test_layers_of_tasks_that_are_off_are_left_out(bench):
    one = bench().play()
    one.deliver(result(tasks=("segmentation",)))
    saved = shoot(one, "screenshot_all")
    assert [path.name.rpartition("-")[2] for path in saved.layers] == ["plain.png", "mask.png"]


@pytest.mark.parametrize("size", [(160, 90), (1920, 1080), (720, 1280)])
def test_figures_on_screenshots_when_asked(bench, size):
    one = bench().play()
    one.deliver(result(*size, tasks=("segmentation",)))
    one.qtbot.waitSignal(one.controller.figures_changed).wait()
    plain = cv2.imread(str(shoot(one).path))
    one.act("figures_on_screenshot")
    assert one.settings.figures_on_screenshot
    with_figures = cv2.imread(str(shoot(one).path))
    assert with_figures.shape == plain.shape == (size[1], size[0], 3)
    rows, columns = np.nonzero((with_figures != plain).any(axis=2))
    # In the upper left corner, and nowhere else.
    assert rows.min() < 0.1 * size[1]
    assert rows.max() < 0.6 * size[1]
    assert columns.min() < 0.1 * size[0]
    amber = np.abs(with_figures.astype(int) - (0x24, 0xA5, 0xF5)).max(axis=2) < 24
    assert amber.any()
    assert not (np.abs(plain.astype(int) - (0x24, 0xA5, 0xF5)).max(axis=2) < 24).any()


def test_what_is_saved_of_a_mirrored_camera_stays_true(bench):
    one = bench(inventory=FakeInventory(CAMERAS)).play("camera:Front")
    one.controller.change(folder=one.settings.folder or "")
    one.qtbot.waitUntil(lambda: one.controller.picture.wish.mirror is not None)
    one.controller.change(folder=str(one.controller.settings.screenshot_folder()))
    image = one.controller.picture.view.image_bgr
    one.act("copy")
    one.qtbot.waitUntil(lambda: "copied" in one.window.toast.text)
    np.testing.assert_array_equal(to_bgr(QApplication.clipboard().image()), image)


def test_a_copied_picture_is_encoded_before_somebody_asks_for_it(bench):
    """A manager of the clipboard asks at once, and Qt would encode it in the window's thread."""
    one = bench().play()
    image = one.controller.picture.view.image_bgr
    one.act("copy")
    one.qtbot.waitUntil(lambda: "copied" in one.window.toast.text)
    content = QApplication.clipboard().mimeData()
    assert content.hasImage()
    assert "image/png" in content.formats()
    png = np.frombuffer(content.data("image/png").data(), np.uint8)
    np.testing.assert_array_equal(cv2.imdecode(png, cv2.IMREAD_COLOR), image)


def test_the_folder_is_remembered_and_made(bench, tmp_path):
    one = bench(Settings(folder=str(tmp_path / "a" / "b"))).play()
    assert shoot(one).path.parent == tmp_path / "a" / "b"


def test_a_place_that_cannot_be_written_is_reported(bench, tmp_path):
    (tmp_path / "file").write_text("")
    one = bench(Settings(folder=str(tmp_path / "file" / "shots"))).play()
    one.act("screenshot")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert "cannot be made" in one.window.message_bar.text
    assert one.window.message_bar.action_button.text() == "Choose a folder…"


def test_without_a_picture_there_is_nothing_to_save(bench):
    one = bench().begin()
    one.act("screenshot")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "There is no picture to save yet."
    one.act("copy")
    assert "no picture" in one.window.toast.text


def test_the_first_picture_takes_away_that_there_is_none(bench):
    one = bench().begin()
    one.act("screenshot")
    one.act("record")
    one.qtbot.waitUntil(lambda: "nothing to record" in one.window.message_bar.text)
    one.act("open_demo")
    assert one.window.message_bar.isHidden()
    one.act("screenshot")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    one.engine.open()
    one.deliver()
    assert one.window.message_bar.isHidden()


def test_a_stopped_picture_can_still_be_saved(bench):
    one = bench().play()
    one.act("toggle")
    one.qtbot.waitUntil(lambda: one.controller.state == "idle")
    assert shoot(one).path.exists()


def test_the_button_on_the_picture_saves(bench):
    one = bench().play()
    with one.qtbot.waitSignal(one.controller.files.screenshot_saved):
        one.qtbot.mouseClick(one.window.on_picture["screenshot"], Qt.MouseButton.LeftButton)


def test_the_toast_shows_the_folder(bench, monkeypatch):
    asked = []
    monkeypatch.setattr("app.files.reveal", asked.append)
    one = bench().play()
    saved = shoot(one)
    one.qtbot.mouseClick(one.window.toast.folder_button, Qt.MouseButton.LeftButton)
    one.qtbot.waitUntil(lambda: asked == [saved.path])


def test_a_missing_file_manager_is_reported(bench, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    one = bench().play()
    shoot(one)
    one.qtbot.mouseClick(one.window.toast.folder_button, Qt.MouseButton.LeftButton)
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text.startswith("No file manager was found; the picture is in")


@pytest.mark.parametrize(
    ("platform", "command"),
    [
        ("linux", ["xdg-open", "/a b"]),
        ("darwin", ["open", "-R", "/a b/c.png"]),
        ("win32", ["explorer", "/select,/a b/c.png"]),
    ],
)
def test_the_file_manager_of_each_system(platform, command):
    from pathlib import PurePosixPath

    assert reveal_command(PurePosixPath("/a b/c.png"), platform) == command


def test_a_file_manager_that_refuses_is_reported(monkeypatch, tmp_path):
    tool = tmp_path / "xdg-open"
    tool.write_text("#!/bin/sh\nexit 3\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RevealError, match="refused"):
        reveal(tmp_path / "c.png")
