"""Work beside the GUI thread: jobs whose outcome comes back to it, and the scaling of pictures.

All threads are daemons: a driver or a network folder that hangs must not keep the program alive. Whatever has to be
finished (a screenshot, the settings) is waited for at the end, for a limited time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QImage

from app.mirror import mirrored
from app.qimage import fitted, wrap_bgrx
from pipelines.overlay import Effect, OverlayStyle, draw_results, effect_on
from pipelines.pipeline import FrameResult

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

    def _work(self, job: _Job) -> None:
        try:
            job.outcome = job.work()
        except Exception as error:
            if job.failed is None:
                raise
            job.error = error
        with self._lock:
            if self._closed:
                return
            self._ready.append(job)
            self._finished.emit()

    @Slot()
    def _deliver(self) -> None:
        with self._lock:
            jobs, self._ready = self._ready, []
        for job in jobs:
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


@dataclass(frozen=True, slots=True)
class Wish:
    """How the window wants its pictures.

    Parameters
    ----------
    room_wh : tuple of int
        Room for the picture in device pixels.
    mirror : OverlayStyle or None
        Left and right swapped, drawn in this style; None for the picture as it is.
    effect : Effect
        What stands behind the person in a mirrored picture.
    """

    room_wh: tuple[int, int] = (1, 1)
    mirror: OverlayStyle | None = None
    effect: Effect = field(default_factory=Effect)


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """A picture scaled for the screen, with the view it was made of.

    Parameters
    ----------
    image : QImage
        Format_RGB32, in device pixels.
    view : View
        The view.
    wish : Wish
        The wish it fulfils.
    other : QImage or None
        The same frame with B's results, in a split comparison.
    """

    image: QImage
    view: View
    wish: Wish
    other: QImage | None = None


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

    def set_wish(self, wish: Wish) -> None:
        """Make pictures differently, beginning with the one that is shown."""
        with self._condition:
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
            view = self._source.view() if self._source is not None else None
            last = self._picture
            if view is None:
                self._picture = None
            elif last is None or last.view is not view or last.wish != wish:
                self._picture = make_picture(view, wish)
            self._on_ready()


def make_picture(view: View, wish: Wish) -> Picture:
    """Make the picture of a view that the window asks for."""
    image = _image(view.image_bgr, view.result, wish)
    other = None
    if view.other is not None and view.other_bgr is not None:
        other = _image(view.other_bgr, view.other, wish)
    return Picture(image, view, wish, other)


def _image(drawn_bgr: NDArray[np.uint8], result: FrameResult, wish: Wish) -> QImage:
    if wish.mirror is not None:
        turned = mirrored(result)
        drawn_bgr = draw_results(turned, wish.mirror, effect_on(turned, wish.effect))
    return wrap_bgrx(scaled_bgrx(drawn_bgr, wish.room_wh))


def scaled_bgrx(image_bgr: NDArray[np.uint8], room_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Scale a picture so that it fits into `room_wh`, in the layout of the screen.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (H, W, 3)
        Any size.
    room_wh : tuple of int
        Room in device pixels.

    Returns
    -------
    ndarray of uint8, shape (h, w, 4)
        Blue, green, red, 255. The aspect ratio is kept.
    """
    height, width = image_bgr.shape[:2]
    size_wh = fitted((width, height), room_wh)
    # Linear interpolation looks at 2x2 pixels and would skip some of a picture more than twice as large; halving
    # takes them all in and has a fast path (a single step of INTER_AREA to 1000 pixels takes 22 ms at 1080p).
    while image_bgr.shape[1] >= 2 * size_wh[0] and image_bgr.shape[0] >= 2 * size_wh[1]:
        half = max(1, image_bgr.shape[1] // 2), max(1, image_bgr.shape[0] // 2)
        image_bgr = np.asarray(cv2.resize(image_bgr, half, interpolation=cv2.INTER_AREA), np.uint8)
    if image_bgr.shape[1::-1] != size_wh:
        image_bgr = np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_LINEAR), np.uint8)
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2BGRA), np.uint8)
