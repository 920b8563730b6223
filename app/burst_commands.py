"""The command for bursts: asks, begins, ends, and tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from app.burst import Burst
from app.i18n import tr
from app.screenshots import Saved
from app.widgets.burst_dialog import BurstDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from app.main_window import MainWindow

COUNT: Final = 5
EVERY_S: Final = 1.0


class BurstCommands:
    """Begins a burst, or ends the one that is under way.

    Parameters
    ----------
    window : MainWindow
        Where it is shown.
    shoot : callable
        Takes a screenshot (see `app.burst.Shoot`).
    show : callable
        Shows a dialog without waiting for it.
    """

    def __init__(
        self,
        window: MainWindow,
        shoot: Callable[[Callable[[Saved | None], None]], None],
        show: Callable[[QDialog], None],
    ) -> None:
        self._window = window
        self._shoot = shoot
        self._show = show
        self._wish = COUNT, EVERY_S
        self._last: Saved | None = None
        self.burst = Burst(shoot, window)
        self.burst.changed.connect(self._name_action)
        self.burst.saved.connect(self._tell_one)
        self.burst.finished.connect(self._tell_all)

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what the command does, by its id."""
        return {"burst": self.toggle}

    def toggle(self) -> None:
        """Ask for a burst, or end it."""
        if self.burst.is_on:
            self.burst.stop()
            return
        if self._window.controller.picture is None:
            self._shoot(lambda _: None)  # which says so
            return
        dialog = BurstDialog(*self._wish, self._window)
        dialog.chosen.connect(self._start)
        self._show(dialog)

    def close(self) -> None:
        """Take no more."""
        self.burst.stop()

    def _start(self, count: int, every_s: float) -> None:
        self._wish = count, every_s
        self._last = None
        self.burst.start(count, every_s)

    def _name_action(self) -> None:
        words = tr("Stop the burst") if self.burst.is_on else tr("Burst of screenshots…")
        self._window.actions_by_id["burst"].setText(words)

    def _tell_one(self, saved: Saved, number: int, count: int) -> None:
        self._last = saved
        text = tr("Screenshot {number} of {count} saved. B ends the burst.")
        self._window.toast.show_saved(saved, text.format(number=number, count=count))

    def _tell_all(self, number: int, count: int) -> None:
        if self._last is not None:
            text = tr("{count} screenshots saved") if number == count else tr("{number} of {count} screenshots saved")
            self._window.toast.show_saved(self._last, text.format(number=number, count=count))
