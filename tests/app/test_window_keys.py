"""Every key of the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel

from app.commands import COMMANDS, shown_key
from app.i18n.language import LANGUAGES, has_letters
from app.settings import Settings
from app.widgets.dialogs import AboutDialog, ShortcutSheet
from tests.app.window_fakes import CPU, BackendEntry, FakeInventory

KEY = Qt.Key
GPU = BackendEntry("ort-webgpu", "gpu", True, device="Some GPU")


@pytest.fixture
def one(bench):
    """A window with a picture, both kinds of backend, and the keyboard."""
    window = bench(Settings(mirror=True), FakeInventory(backends=(CPU, GPU))).play()
    window.press = lambda key, modifier=Qt.KeyboardModifier.NoModifier: window.qtbot.keyClick(
        QApplication.focusWidget() or window.window, key, modifier
    )
    return window


def test_space_stops_and_starts(one):
    one.press(KEY.Key_Space)
    one.qtbot.waitUntil(lambda: one.controller.state == "idle")
    one.press(KEY.Key_Space)
    assert one.controller.state == "opening"


def test_space_presses_the_button_that_has_the_keyboard(one):
    switch = one.window.panel.cards["depth"].switch
    switch.setFocus()
    one.press(KEY.Key_Space)
    assert one.settings.tasks == ("face", "segmentation")
    assert one.controller.state == "running"


@pytest.mark.parametrize(("key", "pipeline"), [(KEY.Key_1, "cpu"), (KEY.Key_2, "gpu"), (KEY.Key_0, "auto")])
def test_digits_choose_the_pipeline(one, key, pipeline):
    one.controller.change(pipeline="ort-cpu")
    one.qtbot.waitUntil(lambda: one.engine.configs[-1].pipeline == "ort-cpu")
    one.press(key)
    one.qtbot.waitUntil(lambda: one.engine.configs[-1].pipeline == pipeline)
    assert one.window.top_bar.pipeline.currentData() == pipeline


def test_digits_go_into_a_number_that_is_edited(one):
    one.controller.change(unfolded=("face",))
    box = one.window.panel.max_faces
    box.setFocus()
    box.selectAll()
    one.press(KEY.Key_1)
    one.press(KEY.Key_2)
    one.press(KEY.Key_Return)
    assert one.settings.max_faces == 12
    assert one.settings.pipeline == "auto"


def test_h_goes_through_the_sizes_of_the_figures(one):
    seen = []
    for _ in range(3):
        one.press(KEY.Key_H)
        seen.append(one.settings.figures)
    assert seen == ["off", "compact", "full"]


def test_m_mirrors(one):
    one.press(KEY.Key_M)
    assert one.settings.mirror is False
    assert not one.window.panel.mirror.isChecked()


def test_p_holds(one):
    one.press(KEY.Key_P)
    assert one.controller.state == "paused"


def test_s_and_shift_s_save(one, monkeypatch):
    wanted = []
    monkeypatch.setattr(one.controller.files, "screenshot", lambda all_layers, *_: wanted.append(all_layers))
    one.press(KEY.Key_S)
    one.press(KEY.Key_S, Qt.KeyboardModifier.ShiftModifier)
    assert wanted == [False, True]


def test_control_c_copies_the_picture(one):
    QApplication.clipboard().clear()
    one.press(KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    one.qtbot.waitUntil(lambda: "copied" in one.window.toast.text)
    image = QApplication.clipboard().image()
    assert (image.width(), image.height()) == (160, 90)


@pytest.mark.parametrize("key", [KEY.Key_F, KEY.Key_F11])
def test_full_screen_shows_the_picture_and_nothing_else(one, key):
    one.press(key)
    one.qtbot.waitUntil(one.window.isFullScreen)
    one.qtbot.waitUntil(lambda: one.window.view.size() == one.window.size())
    assert not one.window.top_bar.isVisible()
    assert not one.window.panel.isVisible()
    assert not one.window.strip.isVisible()
    one.press(KEY.Key_H)
    assert one.settings.figures == "off"
    one.press(KEY.Key_Escape)
    one.qtbot.waitUntil(lambda: not one.window.isFullScreen())
    one.qtbot.waitUntil(one.window.top_bar.isVisible)
    assert one.window.panel.isVisible()


def test_a_double_click_means_full_screen_too(one):
    one.qtbot.mouseDClick(one.window.view, Qt.MouseButton.LeftButton)
    one.qtbot.waitUntil(one.window.isFullScreen)
    one.qtbot.mouseDClick(one.window.view, Qt.MouseButton.LeftButton)
    one.qtbot.waitUntil(lambda: not one.window.isFullScreen())


def test_o_opens_a_file(one):
    one.press(KEY.Key_O)
    one.window.findChild(QFileDialog).reject()


def test_f5_looks_for_cameras(one):
    asked = one.inventory.asked
    one.press(KEY.Key_F5)
    one.qtbot.waitUntil(lambda: one.inventory.asked == asked + 1)


def test_control_b_and_j_fold(one):
    one.press(KEY.Key_B, Qt.KeyboardModifier.ControlModifier)
    one.press(KEY.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert (one.settings.panel, one.settings.strip) == (False, False)


@pytest.mark.parametrize(
    ("key", "modifier"),
    [(KEY.Key_Question, Qt.KeyboardModifier.ShiftModifier), (KEY.Key_F1, Qt.KeyboardModifier.NoModifier)],
)
def test_the_question_mark_shows_all_keys(one, key, modifier):
    one.press(key, modifier)
    sheet = one.window.findChild(ShortcutSheet)
    one.qtbot.waitUntil(sheet.isVisible)
    texts = [label.text() for label in sheet.findChildren(QLabel)]
    for command in COMMANDS:
        for shortcut in command.keys:
            assert shown_key(shortcut) in texts
    one.qtbot.keyClick(sheet, KEY.Key_Escape)
    assert not sheet.isVisible()


def test_about_names_the_version_and_the_licence(one):
    one.act("about")
    one.qtbot.waitUntil(lambda: one.window.findChild(AboutDialog) is not None)
    dialog = one.window.findChild(AboutDialog)
    text = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "0." in text
    assert "Apache" in text
    dialog.reject()


def test_control_q_quits(one):
    one.press(KEY.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert not one.window.isVisible()
    assert one.engine.calls[-1] == "stop"


def test_no_key_is_given_twice():
    keys = [QKeySequence(key).toString() for command in COMMANDS for key in command.keys]
    assert len(keys) == len(set(keys))
    assert all(keys)


def test_tab_reaches_the_controls_in_reading_order(one):
    reached = []
    for _ in range(6):
        one.press(KEY.Key_Tab)
        reached.append(QApplication.focusWidget())
    bar = one.window.top_bar
    assert reached[:2] == [bar.source, bar.start]
    assert bar.pipeline in reached


def test_whatever_has_the_keyboard_has_a_ring(one):
    """In the colour of the focus, which nothing else has."""
    color = one.window.theme.colors.focus
    without = []
    first = None
    for _ in range(60):
        one.press(KEY.Key_Tab)
        widget = QApplication.focusWidget()
        if widget is first:
            break
        first = first or widget
        one.window.panel.ensureWidgetVisible(widget)
        image = widget.grab().toImage()
        middle = image.width() // 2
        if not any(image.pixelColor(middle, y).name() == color for y in range(4)):
            without.append(widget.accessibleName() or type(widget).__name__)
    else:
        pytest.fail("Tab does not come round")
    assert without == []


def test_dialogs_do_not_stop_the_pictures(one):
    for name in ("shortcuts", "about", "open_address", "open_file"):
        one.act(name)
        one.qtbot.waitUntil(lambda: any(item.isVisible() for item in one.window.findChildren(QDialog)))
        dialog = next(item for item in one.window.findChildren(QDialog) if item.isVisible())
        one.deliver()
        dialog.reject()


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_menu_has_a_letter_of_its_own(one, code):
    if not has_letters(code):
        pytest.skip("no font with Chinese letters")
    one.act(f"language_{code}")
    titles = [action.text() for action in one.window.menuBar().actions()]
    marked = [QKeySequence.mnemonic(title).toString() for title in titles]
    one.act("language_en")
    assert marked == ["Alt+F", "Alt+E", "Alt+R", "Alt+P", "Alt+V", "Alt+H"]
    assert not {key for command in COMMANDS for key in command.keys} & set(marked)
    assert titles[0] == {"en": "&File", "zh_TW": "檔案(&F)", "zh_CN": "文件(&F)"}[code]
    assert one.window.menuBar().actions()[0].text() == "&File"


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_alt_and_a_letter_open_a_menu(one):
    menu = one.window.menuBar().actions()[4].menu()
    one.press(KEY.Key_V, Qt.KeyboardModifier.AltModifier)
    one.qtbot.waitUntil(menu.isVisible)
    menu.close()
