"""A burst: so many screenshots, one every so many seconds."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.screenshots import Saved

Shoot = Callable[[Callable[[Saved | None], None]], None]
"""Takes a screenshot and calls what it is given with what was saved, or with None if nothing was."""


class Burst(QObject):
    """Takes screenshots one after the other; the next one waits until the last one is on the disk.

    Parameters
    ----------
    shoot : callable
        Takes one.
    """

    changed = Signal()
    """It began or is over."""
    saved = Signal(object, int, int)
    """Carries a `Saved`, its number from 1, and how many there will be."""
    finished = Signal(int, int)
    """Carries how many were saved, and how many were wanted."""

    def __init__(self, shoot: Shoot, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shoot = shoot
        self._wanted = self._taken = self._saved = 0
        self._is_on = self._is_saving = self._is_due = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._due)

    @property
    def is_on(self) -> bool:
        """Whether there are more to come."""
        return self._is_on

    def start(self, count: int, every_s: float) -> None:
        """Take `count` screenshots, the first one now, the others every `every_s` seconds."""
        if self._is_on:
            return
        self._wanted, self._taken, self._saved = count, 0, 0
        self._is_on, self._is_due = True, False
        self._timer.start(round(1000 * every_s))
        self.changed.emit()
        self._take()

    def stop(self) -> None:
        """Take no more."""
        if self._is_on:
            self._is_on = False
            self._timer.stop()
            self.changed.emit()
            if not self._is_saving:
                self.finished.emit(self._saved, self._wanted)

    def _due(self) -> None:
        if self._is_saving:
            self._is_due = True  # as soon as the last one is saved
        else:
            self._take()

    def _take(self) -> None:
        self._is_due = False
        self._taken += 1
        self._is_saving = True
        if self._taken == self._wanted:
            self._timer.stop()
        self._shoot(self._done)

    def _done(self, saved: Saved | None) -> None:
        self._is_saving = False
        if saved is not None:
            self._saved += 1
            self.saved.emit(saved, self._saved, self._wanted)
        if not self._is_on:
            self.finished.emit(self._saved, self._wanted)
        elif saved is None or self._taken >= self._wanted:
            self.stop()
        elif self._is_due:
            self._take()
