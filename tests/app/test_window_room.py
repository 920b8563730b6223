"""Windows and dialogs on a screen that is smaller than they want to be: 800 x 800 on the platform "offscreen"."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialogButtonBox

from app.pages.window import PagesWindow
from app.widgets.dialogs import ShortcutSheet
from app.widgets.room import FRAME, take_room


def is_on_screen(window):
    """Whether all of a window is seen, with the frame that the system puts around it."""
    room = window.screen().availableGeometry()
    return room.contains(window.frameGeometry()) and window.height() <= room.height() - FRAME.height()


@pytest.fixture
def pages(qtbot, theme):
    window = PagesWindow(theme)
    yield window
    window.end()
    window.deleteLater()


def test_the_pages_and_the_queue_open_no_larger_than_the_screen(pages, desk, qtbot):
    for window in (pages, desk.window):
        with qtbot.waitExposed(window):
            window.show()
        assert is_on_screen(window)
    assert desk.window.height() == 800 - FRAME.height()


def test_a_window_that_has_room_has_the_size_it_wants(pages):
    take_room(pages, QSize(700, 500))
    assert pages.size() == QSize(700, 500)
    left, right = pages.x(), 800 - pages.x() - pages.width()
    assert abs(left - right) <= FRAME.width()


def test_the_keys_are_scrolled_where_they_do_not_fit(bench, qtbot):
    one = bench().begin()
    sheet = ShortcutSheet(one.window)
    sheet.open()
    qtbot.waitUntil(sheet.isVisible)
    assert sheet.width() == 800 - FRAME.width()
    assert sheet.frameGeometry().top() >= 0
    close = sheet.findChild(QDialogButtonBox)
    assert sheet.rect().contains(close.geometry())
    assert sheet.sheet.horizontalScrollBar().maximum() > 0
    sheet.resize(sheet.width(), 300)
    bar = sheet.sheet.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    qtbot.keyClick(sheet, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_the_system_is_told_the_least_size_of_the_window_once(bench, qtlog):
    """What is told again is the remark of the platform "offscreen" here, and a round to the system elsewhere."""
    one = bench()
    one.window.fit_into(QSize(700, 700))
    with one.qtbot.waitExposed(one.window):
        one.window.show()
    assert not [record.message for record in qtlog.records if "propagateSizeHints" in record.message]
