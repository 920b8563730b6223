"""Ctrl+Z takes back how results look, and brings back a picture behind the person."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.i18n.language import has_letters
from app.settings import Settings
from app.undo import MERGED_S, STEPS
from tests.app.test_window_language import english  # noqa: F401 - a fixture

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def one(bench):
    """A window whose undo has a clock that a test sets."""
    window = bench(Settings(style={"depth": "relief"})).play()
    window.now = 100.0
    window.window.commands.undo._clock = lambda: window.now

    def later():
        window.now += MERGED_S + 1

    window.later = later
    window.press = lambda modifier, key=Qt.Key.Key_Z: window.qtbot.keyClick(
        QApplication.focusWidget() or window.window, key, modifier
    )
    return window


def text(one, name="undo"):
    action = one.window.actions_by_id[name]
    return action.text() if action.isEnabled() else ""


def test_there_is_nothing_to_undo_at_first(one):
    assert (text(one), text(one, "redo")) == ("", "")
    one.press(CONTROL)
    assert one.settings.style == {"depth": "relief"}


def test_a_relief_that_was_turned_back_is_turned_again(one):
    for name in ("turn_left", "turn_left", "turn_down"):
        one.act(name)
    turned = one.settings.style
    one.later()
    one.act("turn_back")
    assert one.settings.style != turned
    assert text(one) == "Undo: look of Depth"
    one.press(CONTROL)
    assert one.settings.style == turned
    assert one.engine.styles[-1].relief_yaw == turned["relief_yaw"]


def test_a_slider_that_is_dragged_is_one_step(one):
    for value in (0.9, 0.7, 0.4):
        one.controller.change(style={**one.settings.style, "mask_opacity": value})
        one.now += 0.1
    one.later()
    one.controller.change(style={**one.settings.style, "mask_opacity": 0.2})
    assert text(one) == "Undo: look of Person"
    seen = []
    for _ in range(3):
        one.act("undo")
        seen.append(one.settings.style.get("mask_opacity"))
    assert seen == [0.4, None, None]
    one.act("redo")
    assert one.settings.style["mask_opacity"] == 0.4


def test_a_background_comes_back(one):
    one.controller.change(effect="color:#00b140")
    one.later()
    one.controller.change(effect="blur")
    one.press(CONTROL)
    assert one.settings.effect == "color:#00b140"
    assert text(one, "redo") == "Redo: effect"
    one.press(CONTROL | SHIFT)
    assert one.settings.effect == "blur"
    one.press(CONTROL)
    one.later()
    one.press(CONTROL, Qt.Key.Key_Y)
    assert one.settings.effect == "blur"


def test_what_is_changed_after_an_undo_is_a_step_of_its_own_and_ends_redo(one):
    for value in (0.9, 0.5):
        one.controller.change(style={**one.settings.style, "face_opacity": value})
        one.later()
    one.act("undo")
    one.controller.change(style={**one.settings.style, "face_opacity": 0.1})
    assert text(one, "redo") == ""
    one.act("undo")
    assert one.settings.style["face_opacity"] == 0.9


def test_forth_and_back_is_nothing(one):
    one.controller.change(effect="replace:/no/such/picture.png")
    one.qtbot.waitUntil(lambda: one.settings.effect == "none")
    assert text(one) == ""


def test_it_does_not_remember_for_ever(one):
    for step in range(STEPS + 20):
        one.controller.change(effect=f"color:#0000{step:02x}")
        one.later()
    for _ in range(STEPS + 20):
        one.act("undo")
    assert one.settings.effect == f"color:#0000{19:02x}"


def test_other_settings_are_left_alone(one):
    one.controller.change(effect="blur")
    one.controller.change(max_faces=5, theme="light", figures_corner="bottom_left")
    one.act("undo")
    assert (one.settings.effect, one.settings.max_faces, one.settings.theme) == ("none", 5, "light")
    assert text(one) == ""


def test_the_words_follow_the_language(one, english):  # noqa: F811 - a fixture
    if not has_letters("zh_TW"):
        pytest.skip("no font with Chinese letters")
    one.controller.change(effect="blur")
    one.act("language_zh_TW")
    assert text(one) == "復原\N{FULLWIDTH COLON}特效"
    one.act("language_en")
    assert text(one) == "Undo: effect"
