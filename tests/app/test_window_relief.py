"""The relief is turned with the right mouse button and with keys, as far as it goes."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.settings import Settings
from app.style import style_from
from pipelines.overlay.style import MOST_PITCH, MOST_YAW, OverlayStyle

RIGHT, PLAIN, ALT = Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
FIRST = (OverlayStyle().relief_yaw, OverlayStyle().relief_pitch)


def turned(one):
    style = style_from(one.settings.style)
    assert one.engine.style == style
    return style.relief_yaw, style.relief_pitch


def drag(view, dx, dy, button=RIGHT):
    start = view.rect().center()
    QTest.mousePress(view, button, PLAIN, start)
    QTest.mouseMove(view, start + QPoint(dx // 2, dy // 2))
    QTest.mouseMove(view, start + QPoint(dx, dy))
    QTest.mouseRelease(view, button, PLAIN, start + QPoint(dx, dy))


@pytest.fixture
def one(bench):
    made = bench(Settings(style={"depth": "relief"}))
    made.play()
    return made


def test_the_right_mouse_button_turns_it(one):
    drag(one.window.view, 40, -20)
    assert turned(one) == pytest.approx((FIRST[0] + 10, FIRST[1] - 5))
    drag(one.window.view, 2000, 2000)
    assert turned(one) == (MOST_YAW, MOST_PITCH)
    drag(one.window.view, 40, 0, Qt.MouseButton.LeftButton)
    assert turned(one) == (MOST_YAW, MOST_PITCH)


def test_keys_turn_it(one):
    for key, yaw, pitch in ((Qt.Key.Key_Left, -5, 0), (Qt.Key.Key_Down, -5, 5), (Qt.Key.Key_Up, -5, 0)):
        QTest.keyClick(one.window, key, ALT)
        assert turned(one) == (FIRST[0] + yaw, FIRST[1] + pitch)
    QTest.keyClick(one.window, Qt.Key.Key_Right, ALT)
    QTest.keyClick(one.window, Qt.Key.Key_Right, ALT)
    assert turned(one)[0] == FIRST[0] + 5
    one.act("turn_back")
    assert turned(one) == FIRST


def test_what_is_no_relief_is_not_turned(one):
    turn = one.window.actions_by_id["turn_left"]
    assert turn.isEnabled()
    one.controller.change(style={"depth": "full"})
    assert not turn.isEnabled()
    drag(one.window.view, 40, 0)
    assert turned(one) == FIRST
    one.controller.change(style={"depth": "relief"}, tasks=("face",))
    assert not turn.isEnabled()


def test_the_pointer_reads_no_places_on_a_relief(one):
    QTest.mouseMove(one.window.view, one.window.view.rect().center())
    one.qtbot.waitUntil(lambda: one.window.view.pointer is not None)
    one.deliver()
    assert not one.window.view.picture.wish.reads
    one.controller.change(style={"depth": "inset"})
    one.qtbot.waitUntil(lambda: one.window.view.picture.wish.reads)
