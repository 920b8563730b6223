"""Bursts: so many screenshots at their times, one after the other, none overwritten, to be called off."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from app.burst import Burst
from app.settings import Settings
from app.theme import Theme
from app.widgets.burst_dialog import INTERVALS_S, BurstDialog

KEY = Qt.Key


def press_b(one):
    one.window.activateWindow()  # the platform "offscreen" does not do it when a dialog goes
    one.qtbot.waitUntil(lambda: QApplication.activeWindow() is one.window)
    one.qtbot.keyClick(QApplication.focusWidget() or one.window, KEY.Key_B)


def asked(one):
    """Return the dialog when it is there."""
    seen = []

    def is_there():
        seen[:] = [dialog for dialog in one.window.findChildren(BurstDialog) if dialog.isVisible()]
        return bool(seen)

    one.qtbot.waitUntil(is_there)
    return seen[0]


def begin(one, count, every_s):
    """Ask for a burst as a user does."""
    press_b(one)
    dialog = asked(one)
    dialog.count.setValue(count)
    dialog.every.setCurrentIndex(dialog.every.findData(every_s))
    one.qtbot.keyClick(dialog, KEY.Key_Return)


def shots(one):
    folder = one.settings.screenshot_folder()
    return sorted(folder.glob("*.png")) if folder.exists() else []


def test_b_asks_and_saves_as_many_as_were_wanted(bench):
    one = bench().play()
    burst = one.window.commands.burst.burst
    with one.qtbot.waitSignal(burst.finished) as signal:
        begin(one, 4, 0.2)
        assert burst.is_on
        assert one.window.actions_by_id["burst"].text() == "Stop the burst"
    assert signal.args == [4, 4]
    assert len(shots(one)) == 4
    assert one.window.toast.text.startswith("4 screenshots saved")
    assert one.window.actions_by_id["burst"].text() == "Burst of screenshots…"


def test_b_again_ends_it(bench):
    one = bench().play()
    burst = one.window.commands.burst.burst
    with one.qtbot.waitSignal(burst.saved):
        begin(one, 100, 30.0)
    with one.qtbot.waitSignal(burst.finished) as signal:
        press_b(one)
    assert signal.args == [1, 100]
    assert len(shots(one)) == 1
    assert "1 of 100" in one.window.toast.text


def test_a_folder_that_cannot_be_written_ends_it_with_one_sentence(bench, tmp_path):
    (tmp_path / "file").write_text("")
    one = bench(Settings(folder=str(tmp_path / "file" / "below"))).play()
    burst = one.window.commands.burst.burst
    with one.qtbot.waitSignal(burst.finished) as signal:
        begin(one, 5, 0.2)
    assert signal.args == [0, 5]
    one.qtbot.waitUntil(lambda: bool(one.notifications.notices))
    assert len(one.notifications.notices) == 1


def test_without_a_picture_nothing_is_asked(bench):
    one = bench().begin()
    press_b(one)
    one.qtbot.waitUntil(lambda: one.window.message_bar.text == "There is no picture to save yet.")
    assert one.window.findChild(BurstDialog) is None
    assert not one.window.commands.burst.burst.is_on


def test_closing_ends_it(bench):
    one = bench().play()
    begin(one, 100, 0.2)
    one.window.close()
    assert not one.window.commands.burst.burst.is_on
    assert one.controller.close() is True


def test_the_dialog_can_be_left(bench):
    one = bench().play()
    press_b(one)
    dialog = asked(one)
    assert "4 s" in dialog.total.text()  # five, a second apart
    dialog.count.setValue(21)
    dialog.every.setCurrentIndex(dialog.every.findData(0.5))
    assert "10 s" in dialog.total.text()
    dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).click()
    assert not dialog.isVisible()
    assert not one.window.commands.burst.burst.is_on


def test_what_was_chosen_is_proposed_again(bench):
    one = bench().play()
    with one.qtbot.waitSignal(one.window.commands.burst.burst.finished):
        begin(one, 3, 0.2)
    press_b(one)
    dialog = asked(one)
    assert (dialog.count.value(), dialog.every.currentData()) == (3, 0.2)
    dialog.reject()


class Shots:
    """Takes screenshots that a test finishes by hand."""

    def __init__(self):
        self.waiting = []

    def __call__(self, done):
        self.waiting.append(done)

    def finish(self, saved="saved"):
        self.waiting.pop(0)(saved)


@pytest.fixture
def slow(qtbot):
    """A burst whose screenshots take as long as the test wants, and whose clock the test is."""
    shots = Shots()
    burst = Burst(shots)
    burst._timer.setInterval(3_600_000)
    burst.tick = burst._timer.timeout.emit
    burst.ended = []
    burst.finished.connect(lambda saved, wanted: burst.ended.append((saved, wanted)))
    yield burst, shots
    burst.stop()
    burst.deleteLater()


def test_one_waits_for_the_other(slow):
    burst, shots = slow
    burst.start(3, 3600.0)
    assert len(shots.waiting) == 1
    burst.tick()
    burst.tick()
    assert len(shots.waiting) == 1  # still being saved
    shots.finish()
    assert len(shots.waiting) == 1  # the next one was due
    shots.finish()
    assert not shots.waiting  # the third one is not
    burst.tick()
    shots.finish()
    assert burst.ended == [(3, 3)]
    assert not burst.is_on


def test_one_that_fails_is_the_last(slow):
    burst, shots = slow
    burst.start(3, 3600.0)
    shots.finish()
    burst.tick()
    shots.finish(None)
    assert burst.ended == [(1, 3)]


def test_ending_while_one_is_saved_counts_it(slow):
    burst, shots = slow
    burst.start(3, 3600.0)
    burst.stop()
    assert burst.ended == []
    shots.finish()
    assert burst.ended == [(1, 3)]


def test_intervals_increase():
    assert list(INTERVALS_S) == sorted(set(INTERVALS_S))


def test_the_button_that_begins_is_the_one_that_is_filled(qapp, qtbot):
    theme = Theme(qapp)
    dialog = BurstDialog(5, 1.0)
    qtbot.addWidget(dialog)
    theme.dress(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    start, cancel = (
        next(button for button in dialog.buttons.buttons() if dialog.buttons.buttonRole(button) is role)
        for role in (QDialogButtonBox.ButtonRole.AcceptRole, QDialogButtonBox.ButtonRole.RejectRole)
    )

    def ground(button):
        return button.grab().toImage().pixelColor(6, button.height() // 2).name()

    assert (ground(start), ground(cancel)) == (theme.colors.ink, theme.colors.raised)
