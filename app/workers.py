"""Work beside the GUI thread: jobs whose outcome comes back to it, and the scaling of pictures.

All threads are daemons: a driver or a network folder that hangs must not keep the program alive. Whatever has to be
finished (a screenshot, the settings) is waited for at the end, for a limited time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.notifications import machine_text
from app.pictures import Picture, Wish, make_picture

if TYPE_CHECKING:
    from pipelines.engine import View

log = logging.getLogger(__name__)


class UpdateGate(QObject):
    """Tells the GUI thread that there is news, from any thread, with at most one message on its way.

    The message carries nothing: the receiver asks for the newest state. A queue of frames cannot build up, however
    slow the GUI is.
    """

    opened = Signal()
    _knocked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._pending = False
        self._closed = False
        self._knocked.connect(self._open, Qt.ConnectionType.QueuedConnection)

    def knock(self) -> None:
        """Announce news. Safe from any thread, also after `close`."""
        with self._lock:
            if self._pending or self._closed:
                return
            self._pending = True
            self._knocked.emit()

    def close(self) -> None:
        """Ignore all knocks from now on."""
        with self._lock:
            self._closed = True

    @Slot()
    def _open(self) -> None:
        # Cleared before anybody looks at the news: what happens from here on knocks again.
        with self._lock:
            self._pending = False
            if self._closed:
                return
        self.opened.emit()


@dataclass(slots=True)
class _Job:
    work: Callable[[], Any]
    done: Callable[[Any], None] | None
    failed: Callable[[Exception], None] | None
    outcome: Any = None
    error: Exception | None = None


class BackgroundJobs(QObject):
    """Runs functions in threads of their own and hands the outcome to the GUI thread."""

    _finished = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._ready: list[_Job] = []
        self._needed: list[threading.Thread] = []
        self._closed = False
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        name: str,
        work: Callable[[], Any],
        done: Callable[[Any], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
        needed: bool = False,
    ) -> None:
        """Run `work` in a thread called `name`.

        Parameters
        ----------
        name : str
            Name of the thread.
        work : callable
            Runs in the thread.
        done, failed : callable, optional
            Called in the GUI thread with what `work` returned or raised. An error nobody takes goes to
            `threading.excepthook`.
        needed : bool
            `close` waits for it.
        """
        job = _Job(work, done, failed)
        thread = threading.Thread(target=self._work, args=(job,), name=name, daemon=True)
        with self._lock:
            if self._closed:
                return
            self._needed = [other for other in self._needed if other.is_alive()]
            if needed:
                self._needed.append(thread)
            thread.start()

    @property
    def is_closed(self) -> bool:
        """Whether nothing is delivered any more."""
        return self._closed

    def _work(self, job: _Job) -> None:
        try:
            job.outcome = job.work()
        except Exception as error:
            if job.failed is None:
                raise
            # Whoever tells of it in the GUI thread finds it known, and waits for no disk.
            machine_text()
            job.error = error
        with self._lock:
            if self._closed:
                return
            self._ready.append(job)
            self._finished.emit()

    @Slot()
    def _deliver(self) -> None:
        # One an event: each may be much for the window.
        with self._lock:
            job = self._ready.pop(0) if self._ready else None
        if job is None:
            return
        if job.error is not None and job.failed is not None:
            job.failed(job.error)
        elif job.done is not None:
            job.done(job.outcome)

    def close(self, timeout_s: float = 1.0) -> bool:
        """Take no more jobs, deliver nothing more, wait for the needed ones. Return whether these have ended."""
        with self._lock:
            self._closed = True
            self._ready = []
            needed = self._needed
        deadline = time.monotonic() + timeout_s
        for thread in needed:
            thread.join(max(0.0, deadline - time.monotonic()))
        late = [thread.name for thread in needed if thread.is_alive()]
        if late:
            log.warning("not finished in time: %s", ", ".join(late))
        return not late


class ViewSource(Protocol):
    """Where the newest picture comes from: the live engine."""

    def view(self) -> View | None:
        """Return the newest picture."""
        ...

    def preview(self) -> View | None:
        """Return a picture to be seen before the first one."""
        ...


STOP_WAIT_S: Final = 1.0


class PictureWorker:
    """Scales the newest view to the size of the window, outside the GUI thread.

    Painting a 1080p BGR picture scaled and smoothed takes QPainter 9 ms; scaled here and brought into the layout of
    the screen, it takes the GUI thread 0.2 ms (measured for a window 1000 pixels wide on a 2-core machine).

    Parameters
    ----------
    on_ready : callable
        Called without arguments after every look at the engine. Must return at once.
    """

    def __init__(self, on_ready: Callable[[], None]) -> None:
        self._on_ready = on_ready
        self._condition = threading.Condition()
        self._news = False
        self._stop = False
        self._wish = Wish()
        self._source: ViewSource | None = None
        self._picture: Picture | None = None
        self._thread = threading.Thread(target=self._work, name="scaling", daemon=True)

    def start(self, source: ViewSource) -> None:
        """Begin to follow `source`."""
        self._source = source
        self._thread.start()

    def wake(self) -> None:
        """Look at the engine again. From any thread; returns at once."""
        with self._condition:
            self._news = True
            self._condition.notify()

    def wish_for(self, **changes: Any) -> None:
        """Make pictures differently, beginning with the one that is shown: `changes` are fields of `Wish`."""
        with self._condition:
            wish = replace(self._wish, **changes)
            if wish == self._wish:
                return
            self._wish = wish
        self.wake()

    @property
    def picture(self) -> Picture | None:
        """The newest picture."""
        return self._picture

    def close(self, timeout_s: float = STOP_WAIT_S) -> bool:
        """Stop. Return whether the thread has ended."""
        with self._condition:
            self._stop = True
            self._condition.notify()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._news or self._stop)
                if self._stop:
                    return
                self._news = False
                wish = self._wish
            source = self._source
            view = (source.view() or source.preview()) if source is not None else None
            last = self._picture
            if view is None:
                self._picture = None
            elif last is None or last.view is not view or last.wish != wish:
                self._picture = make_picture(view, wish)
            self._on_ready()
