"""A split picture: A left of the divider, B right of it, and how it is moved."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from app.qimage import to_bgr
from app.settings import Settings
from app.theme import AMBER, TEAL
from pipelines.compare import CompareMode
from tests.app.comparing import BOTH, KEY, press
from tests.app.window_fakes import CAMERAS, FakeInventory, picture, result


@pytest.fixture
def one(bench):
    """A window with a picture and three backends."""
    return bench(Settings(), FakeInventory(backends=BOTH)).play()


def near(image, color, tolerance=12):
    value = QColor(color)
    return np.abs(image.astype(int) - (value.blue(), value.green(), value.red())).max(axis=2) <= tolerance


def halves(one, width=1280, height=720):
    """Show a split of which A's picture is black and B's white."""
    press(one, KEY.Key_C)
    a = replace(result(width, height, tasks=("segmentation",)), results={})
    one.engine.deliver(a, a)
    view = one.engine.view()
    black, white = np.zeros((height, width, 3), np.uint8), np.full((height, width, 3), 255, np.uint8)
    one.engine._view = replace(view, drawn=black, other_drawn=white, serial=view.serial + 1)
    one.engine.on_update()
    one.qtbot.waitUntil(lambda: one.window.view.picture.view.serial == view.serial + 1)
    one.controller.change(figures="off")
    return one.window.view


def edge(view):
    """First column in which B's white is seen, counted from the left of the picture, and how wide the picture is."""
    image = to_bgr(view.grab().toImage())
    box = view.picture_rect()
    row = image[box.top() + box.height() // 4, box.left() : box.right() + 1]
    return int(np.nonzero((row > 250).all(axis=1))[0].min()), box.width()


def test_a_is_left_of_the_divider_and_b_right_of_it(one):
    view = halves(one)
    image = to_bgr(view.grab().toImage())
    box = view.picture_rect()
    row = image[box.top() + box.height() // 4]
    middle = box.left() + box.width() // 2
    assert not row[box.left() : middle - 4].any()
    assert (row[middle + 4 : box.right()] == 255).all()
    assert near(row[None, middle - 3 : middle], AMBER).any()
    assert near(row[None, middle : middle + 3], TEAL).any()


def test_the_divider_can_be_dragged(one):
    view = halves(one)
    handle = view.handle
    assert handle.width() == 24
    start = handle.rect().center()
    one.qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    one.qtbot.mouseMove(handle, start + QPoint(-200, 0))
    one.qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=handle.rect().center())
    first, width = edge(view)
    assert first == pytest.approx(width / 2 - 200, abs=4)
    assert view.divider == pytest.approx(0.5 - 200 / width, abs=0.003)
    # Not out of the picture, and a double click brings it back without going into full screen.
    one.qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=handle.rect().center())
    one.qtbot.mouseMove(handle, QPoint(-5000, 10))
    one.qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton)
    assert view.divider == 0.05
    one.qtbot.mouseDClick(handle, Qt.MouseButton.LeftButton)
    assert view.divider == 0.5
    assert not one.window.isFullScreen()


def test_the_pointer_moves_nothing_without_a_button(one):
    view = halves(one)
    one.qtbot.mouseMove(view.handle, QPoint(200, 10))
    assert view.divider == 0.5


@pytest.mark.parametrize(
    ("key", "modifier", "share"),
    [
        (KEY.Key_Left, Qt.KeyboardModifier.NoModifier, 0.48),
        (KEY.Key_Right, Qt.KeyboardModifier.NoModifier, 0.52),
        (KEY.Key_Right, Qt.KeyboardModifier.ShiftModifier, 0.6),
        (KEY.Key_Home, Qt.KeyboardModifier.NoModifier, 0.05),
        (KEY.Key_End, Qt.KeyboardModifier.NoModifier, 0.95),
    ],
)
def test_the_divider_moves_with_the_arrow_keys(one, key, modifier, share):
    view = halves(one)
    view.handle.setFocus()
    press(one, key, modifier)
    assert view.divider == pytest.approx(share)
    first, width = edge(view)
    assert first == pytest.approx(share * width, abs=4)
    assert f"{share:.0%} A" in view.handle.accessibleDescription()


def test_other_keys_still_reach_the_window_from_the_divider(one):
    view = halves(one)
    view.handle.setFocus()
    press(one, KEY.Key_C)
    assert one.settings.compare == "alternate"


def test_the_divider_has_a_name_and_is_reached_with_tab(one):
    view = halves(one)
    assert view.handle.accessibleName() == "Divider between A and B"
    for _ in range(40):
        press(one, KEY.Key_Tab)
        if QApplication.focusWidget() is view.handle:
            return
    pytest.fail("the divider cannot be reached")


def test_the_divider_follows_the_picture(one):
    view = halves(one)
    view.move_divider(0.25)
    one.window.resize(1000, 760)
    one.qtbot.waitUntil(lambda: view.picture.wish.room_wh == view.room_wh)
    box = view.picture_rect()
    assert view.handle.geometry().center().x() == pytest.approx(box.left() + box.width() / 4, abs=2)
    first, width = edge(view)
    assert first == pytest.approx(0.25 * width, abs=4)


def test_labels_say_who_is_who(one):
    view = halves(one)
    image = to_bgr(view.grab().toImage())
    box = view.picture_rect()
    middle = box.left() + box.width() // 2
    foot = image[box.bottom() - 50 : box.bottom()]
    assert near(foot[:, middle - 150 : middle - 8], AMBER).sum() > 200
    assert near(foot[:, middle + 8 : middle + 150], TEAL).sum() > 200


def test_a_mirrored_split_is_mirrored_on_both_sides(bench):
    one = bench(Settings(mirror=True), FakeInventory(CAMERAS, BOTH)).play("camera:Front")
    press(one, KEY.Key_C)
    one.engine.open(kind="camera")
    found = replace(result(1280, 720, tasks=("segmentation",)), results={})
    one.deliver(found, replace(found, backends={"segmentation": "ort-webgpu"}))
    shown = one.window.view.picture
    flipped = cv2.flip(picture(1280, 720), 1)
    for image in (shown.image, shown.other):
        small = cv2.resize(to_bgr(image), (128, 72), interpolation=cv2.INTER_AREA)
        assert np.abs(small.astype(int) - cv2.resize(flipped, (128, 72), interpolation=cv2.INTER_AREA)).max() <= 4


def test_taking_turns_shows_no_divider_and_the_panel_tells_of_a(one):
    one.controller.comparison.choose("alternate")
    one.qtbot.waitUntil(lambda: one.engine.mode is CompareMode.ALTERNATE)
    sides = []
    for _ in range(2):
        # The fake gives B every second picture.
        backend = "ort-cpu" if one.engine._serial % 2 == 0 else "ort-webgpu"
        one.deliver(result(backend=backend))
        sides.append(one.controller.picture.view.side)
        assert not one.window.view.handle.isVisible()
        assert one.window.panel.cards["face"].remark.text() == "ort-cpu"
    assert sorted(sides) == ["A", "B"]
