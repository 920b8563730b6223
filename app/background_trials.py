"""Trying the backends beside a live picture, so that "auto" knows what is fastest on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal

from app.inventory import Inventory
from app.workers import BackgroundJobs

QUIET_S: Final = 2.0
"""The picture gets so long to itself before the first trial: a start is when people look most closely."""


class BackgroundTrials(QObject):
    """Makes the missing trials once in the life of a window.

    Parameters
    ----------
    inventory : Inventory
        Tries the backends.
    jobs : BackgroundJobs
        Runs it in a thread.
    done : callable
        Told in the GUI thread whether something was tried.
    failed : callable
        Told in the GUI thread what went wrong.
    clock : callable
        Monotonic seconds.
    """

    changed = Signal()
    """`backend` is another one."""
    _told = Signal(str)

    def __init__(
        self,
        inventory: Inventory,
        jobs: BackgroundJobs,
        done: Callable[[bool], None],
        failed: Callable[[Exception], None],
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._inventory = inventory
        self._jobs = jobs
        self._done = done
        self._failed = failed
        self._clock = clock
        self._quiet_since: float | None = None
        self._begun = False
        self.backend = ""
        """Which one is being tried; "" when none is."""
        self._told.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def consider(self, is_good_moment: bool) -> None:
        """Begin, if that was not done and the moment has been good for a while. Called again and again.

        Parameters
        ----------
        is_good_moment : bool
            There is a picture, and nothing is measured or recorded that trials would disturb.
        """
        if self._begun:
            return
        if not is_good_moment:
            self._quiet_since = None
            return
        now = self._clock()
        self._quiet_since = now if self._quiet_since is None else self._quiet_since
        if now - self._quiet_since >= QUIET_S:
            self._begun = True
            # Not waited for at the end: the child processes end with this one.
            self._jobs.run("trials", lambda: self._inventory.try_backends(self._told.emit), self._finish, self._fail)

    def _take(self, backend: str) -> None:
        self.backend = backend
        self.changed.emit()

    def _finish(self, tried: bool) -> None:
        self._take("")
        self._done(tried)

    def _fail(self, error: Exception) -> None:
        self._take("")
        self._failed(error)
