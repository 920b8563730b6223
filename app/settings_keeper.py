"""Writes the settings in the background, a moment after the last change."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

from app.i18n import noop
from app.notifications import Notifications
from app.settings import Settings
from app.workers import BackgroundJobs

SAVE_AFTER_MS: Final = 800


class SettingsKeeper(QObject):
    """Keeps settings.

    Parameters
    ----------
    kept : Settings
        What the file holds.
    write : callable
        Writes settings to the file; called in a background thread.
    """

    def __init__(
        self,
        kept: Settings,
        write: Callable[[Settings], None],
        jobs: BackgroundJobs,
        notifications: Notifications,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._newest = kept
        self._kept = kept
        self._write = write
        self._writing = threading.Lock()
        self._jobs = jobs
        self._notifications = notifications
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_AFTER_MS)
        self._timer.timeout.connect(self.flush)

    def keep(self, settings: Settings) -> None:
        """Write `settings` soon."""
        self._newest = settings
        self._timer.start()

    def flush(self) -> None:
        """Write now, if there is something to write."""
        self._timer.stop()
        if self._newest != self._kept:
            self._jobs.run("settings", self._write_newest, failed=self._failed, needed=True)

    def _write_newest(self) -> None:
        with self._writing:
            # Not the value of the time of the call: of two writers in a row the later one must win.
            settings = self._newest
            if settings != self._kept:
                self._write(settings)
                self._kept = settings

    def _failed(self, error: Exception) -> None:
        self._notifications.post_error("settings", error, noop("Try again"), self.flush)
