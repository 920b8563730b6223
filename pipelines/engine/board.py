"""What the threads of a run share: events, mailboxes, measurements, and the state that is shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from models.errors import VisionError
from pipelines.engine.state import EngineState, EngineStatus, View
from pipelines.figure_book import FigureBook
from pipelines.frame import Frame
from pipelines.latest import LatestSlot
from pipelines.playback import PlaybackDesk
from pipelines.sources import SourceInfo
from pipelines.sources.paths import shown_name

SILENT_SECONDS: Final = 4.0
"""A live source that shows nothing for so long gets a message."""


class Board:
    """Shared by the threads of one run and by nobody else.

    Parameters
    ----------
    source_text : str
        What the user named, for messages before the source is open.
    on_update : callable
        Called when there is news.
    desk : PlaybackDesk, optional
        Orders for a file that plays.
    """

    def __init__(self, source_text: str, on_update: Callable[[], None], desk: PlaybackDesk | None = None) -> None:
        self._source_text = source_text
        self.desk = desk or PlaybackDesk()
        self.on_update = on_update
        self.stop = threading.Event()
        self.running = threading.Event()  # cleared while paused
        self.running.set()
        self.opened = threading.Event()
        self.ready = threading.Event()  # the first pipeline is loaded
        self.frames: LatestSlot[tuple[int, Frame]] = LatestSlot()
        self.last_item: tuple[int, Frame] | None = None
        self.preview: View | None = None
        self.is_starting = True  # there is no view with results yet
        self.last_frame_s = time.monotonic()
        self.book = FigureBook()
        self.info: SourceInfo | None = None
        self._lock = threading.Lock()
        self._state = EngineState.OPENING
        self._message = ""

    def show_ahead(self, frame: Frame) -> None:
        """Let a frame be seen before anything is found on it, for as long as there is nothing better to see."""
        if self.is_starting:
            self.preview = View.preview(frame)
            self.on_update()

    def started(self) -> None:
        """Note that there is a view with results."""
        self.is_starting = False
        self.preview = None

    def signal_stop(self) -> None:
        """Tell every thread to end, and wake those that wait."""
        self.stop.set()
        self.running.set()
        self.opened.set()
        self.ready.set()
        self.desk.wake()
        self.frames.close()
        with self._lock:
            if self._state is not EngineState.FAILED:
                self._state = EngineState.IDLE
                self._message = ""

    def set_paused(self, paused: bool) -> None:
        """Hold the picture, or go on."""
        with self._lock:
            if paused and self._state is EngineState.RUNNING:
                self._state = EngineState.PAUSED
                self.running.clear()
            elif not paused and self._state is EngineState.PAUSED:
                self._state = EngineState.RUNNING
                self.running.set()
            elif not paused and self._state is EngineState.ENDED:
                self.desk.seek(0.0)  # again from the beginning
        self.desk.wake()
        self.on_update()

    def hold(self) -> None:
        """Hold a file at the frame that is shown, also one that ended."""
        with self._lock:
            if self._state in (EngineState.RUNNING, EngineState.ENDED):
                self._state = EngineState.PAUSED
                self.running.clear()
        self.on_update()

    def go_on(self) -> None:
        """Let a file that ended play on from where it is now."""
        with self._lock:
            if self._state is EngineState.ENDED:
                self._state = EngineState.RUNNING
        self.on_update()

    def is_at_rest(self) -> bool:
        """Whether no new frame will come by itself."""
        with self._lock:
            still = self.info is not None and self.info.still
            return still or self._state in (EngineState.PAUSED, EngineState.ENDED)

    def say(self, message: str, state: EngineState | None = None) -> None:
        """Show a sentence ("" for none), and perhaps another state."""
        with self._lock:
            if self.stop.is_set():
                return
            self._message = message
            if state is not None:
                self._state = state
        self.on_update()

    def unsay(self, *beginnings: str) -> None:
        """Take back the sentence that is shown if it begins like this."""
        if self._message.startswith(beginnings):
            self.say("")

    def fail(self, message: str) -> None:
        """End the run with a sentence."""
        if self.stop.is_set():
            return
        with self._lock:
            self._state = EngineState.FAILED
            self._message = message
        self.signal_stop()
        self.on_update()

    def guard(self, work: Callable[[], None]) -> None:
        """Do a thread's work; whatever it raises ends the run with a message instead of a silent thread."""
        try:
            work()
        except VisionError as error:
            self.fail(str(error))
        except BaseException as error:
            self.fail(f"internal error in the {threading.current_thread().name} thread: {error!r}")
            raise

    def status(self, loading: bool) -> EngineStatus:
        """Return the state for showing, with a complaint about a live source that stays silent."""
        with self._lock:
            message, state, info = self._message, self._state, self.info
        live = info is None or info.live
        silent_s = time.monotonic() - self.last_frame_s
        if not message and live and state in (EngineState.OPENING, EngineState.RUNNING) and silent_s > SILENT_SECONDS:
            name = info.name if info else shown_name(self._source_text)
            is_far = "://" in self._source_text
            question = "is it switched on and in the network?" if is_far else "is another program using it?"
            message = f"{name} has not delivered a picture for {silent_s:.0f} s: {question}"
        starting = self.is_starting and state in (EngineState.RUNNING, EngineState.PAUSED)
        return EngineStatus(state, message, info, loading, starting)
