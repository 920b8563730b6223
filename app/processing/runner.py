"""Runs the queue: gives files to a child process one after the other, and lets another one look at new files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.i18n import tr
from app.processing.eta import Pace
from app.processing.items import Item, State
from app.processing.link import ChildLink, Link, LinkFactory, News
from app.processing.looker import Looker
from app.processing.model import QueueModel
from app.processing.options import Outputs, ProcessOptions, to_record
from app.processing.removed import Removed
from app.processing.sweep import sweep

END_S: Final = 0.8
"""The children have this long to clear up when the program ends."""
AGAIN_MS: Final = 50


class Runner(QObject):
    """Owns the queue and the children.

    Parameters
    ----------
    make_link : callable
        Starts a child.
    clock : callable
        Monotonic seconds.
    """

    changed = Signal()
    """Something begins, ends, is held or goes on."""
    progressed = Signal()
    """The file in progress is further than before."""
    finished = Signal()
    """There is nothing left to do."""
    taken_off = Signal(int)
    """So many files were taken off the list."""
    refused = Signal(str)
    """A sentence about something that cannot be added."""

    def __init__(
        self,
        make_link: LinkFactory = ChildLink,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.model = QueueModel()
        self.removed = Removed(self.model)
        self.current: Item | None = None
        self.is_running = False
        self._make_link = make_link
        self._clock = clock
        self._options = ProcessOptions()
        self._worker: Link | None = None
        self._looker = Looker(self.model, make_link, self._end, self)
        self._looker.changed.connect(self._next)
        self._looker.refused.connect(self.refused)
        self._pace = Pace()
        self._ending: list[tuple[Link, Item | None]] = []
        self._called_off: set[int] = set()
        self._written: set[str] = set()
        self._held_since: float | None = None
        self._begun_s = 0.0

    # -- what there is

    @property
    def is_paused(self) -> bool:
        """Whether the work is held."""
        return self._held_since is not None

    @property
    def is_looking(self) -> bool:
        """Whether files are being looked at."""
        return self._looker.is_busy

    @property
    def left_s(self) -> tuple[float | None, bool]:
        """How long everything takes that is not done, and whether every file tells its length (see `Pace`)."""
        return self._pace.left_s(self.model)

    @property
    def current_s(self) -> float:
        """How long the file in progress has been worked on."""
        item = self.current
        if item is None:
            return 0.0
        return (self._held_since or self._clock()) - self._begun_s - item.paused_s

    @property
    def left(self) -> int:
        """How many files are not done yet."""
        return sum(item.state.is_open or item is self.current for item in self.model)

    def has(self, *states: State) -> bool:
        """Whether there is a file in one of these states."""
        return any(item.state in states for item in self.model)

    # -- what the user wants

    def add(self, paths: Iterable[str]) -> None:
        """Append files, and what is in folders. Those that are in the queue already are not taken twice."""
        names = list(paths)
        if names:
            self._looker.expand(names)

    def prepare(self, options: ProcessOptions) -> None:
        """Say what is wanted of the files: that decides whether earlier work can be gone on with."""
        if options == self._looker.options or self.is_running:
            return
        self._looker.options = options
        self._looker.ask_kept([item for item in self.model if item.state.is_open and item.kept is not None])
        self.look_for_kept()

    def look_for_kept(self) -> None:
        """Look what is left of files over which the window was closed."""
        self._looker.ask_kept([item for item in self.model if item.broken_off])

    def start(self, options: ProcessOptions) -> None:
        """Begin with the first file that waits."""
        if self.is_running:
            return
        self._options = self._looker.options = options
        self.is_running = True
        self._next()

    def pause(self, on: bool) -> None:
        """Hold the work between two frames, or go on."""
        if on == self.is_paused or (on and not self.is_running):
            return
        if self._held_since is not None and self.current is not None:
            self.current.paused_s += self._clock() - self._held_since
            self.current.meter.reset()
        self._held_since = self._clock() if on else None
        self.model.is_paused = on
        if self._worker is not None:
            self._worker.send({"do": "pause", "on": on})
        self.model.touch_all()
        self._next()

    def cancel(self, items: Iterable[Item]) -> None:
        """Call files off. The one that is being processed leaves nothing behind, what it has finished included."""
        for item in list(items):
            if item is self.current and self._worker is not None:
                self._called_off.add(item.id)
                self._worker.send({"do": "cancel", "id": item.id})
            elif item.state.is_open:
                item.call_off()
                self.model.touch(item)
        self._next()

    def cancel_all(self) -> None:
        """Call everything off."""
        self.cancel(item for item in self.model if item.state.is_open or item is self.current)

    def remove(self, items: Iterable[Item]) -> None:
        """Take files off the list, but not the one that is being processed."""
        count = len(self.model.items)
        self.removed.take([item for item in items if item is not self.current])
        self.changed.emit()
        if count > len(self.model.items):
            self.taken_off.emit(count - len(self.model.items))

    def put_back(self) -> None:
        """Put back on the list what was taken off last."""
        for item in self.removed.put_back():
            if item.state is State.LOOKING:
                self._looker.look([item])
        self._next()

    def retry(self, items: Iterable[Item]) -> None:
        """Put files that failed back into the queue."""
        for item in list(items):
            if item.state.can_retry:
                item.wait_again()
                self.model.touch(item)
                if item.state is State.LOOKING:
                    self._looker.look([item])
                elif item.kept is not None:
                    self._looker.ask_kept([item])
        self.changed.emit()

    def clear_done(self) -> None:
        """Take everything off the list that is done."""
        self.remove([item for item in self.model if item.state is State.DONE])

    def rest(self) -> None:
        """Call everything off and let the children end, without waiting for them."""
        current, self.current = self.current, None
        if current is not None:
            current.break_off()
        if self._worker is not None:
            self._end(self._worker, current)
        self._worker = None
        self._looker.stop()
        self.is_running = False
        self._held_since = None
        self.model.is_paused = False
        for item in self.model:
            if item.state is State.LOOKING:
                item.call_off()
        self.model.touch_all()
        self.changed.emit()

    def close(self) -> None:
        """Call everything off and wait for the end of the children, for a limited time: the program ends."""
        self.rest()
        deadline = self._clock() + END_S
        for link, item in self._ending:
            killed = link.wait(max(0.1, deadline - self._clock()))
            if killed is not None and item is not None and item.planned is not None:
                sweep(item.path, Outputs.from_record(item.planned), killed, keep_work=True)
        self._ending = []

    # -- working

    def _next(self) -> None:
        """Give the next file to the worker; let it go when there is none."""
        if self.is_running and self.current is None:
            item = next((item for item in self.model if item.state.is_open), None)
            if item is None and not self._looker.is_busy:
                self._stop()
            elif item is not None and not self.is_paused:
                self._give(item)
        self.changed.emit()

    def _give(self, item: Item) -> None:
        if any(its is not None and not link.is_over for link, its in self._ending):
            # One that was called off is still clearing up, perhaps this very file.
            QTimer.singleShot(AGAIN_MS, self, self._next)
            return
        if self._worker is None:
            self._worker = self._make_link(self._hear_worker, self._lost_worker)
        item.begin()
        self.current, self._begun_s = item, self._clock()
        self._worker.send(
            {
                "do": "run",
                "id": item.id,
                "path": str(item.path),
                "options": to_record(self._options),
                "taken": sorted(self._written),
            }
        )
        self.model.touch(item)

    def _stop(self) -> None:
        self.is_running = False
        self._held_since = None
        self.model.is_paused = False
        if self._worker is not None:
            self._end(self._worker)
            self._worker = None
        self.finished.emit()

    def _hear_worker(self, news: News) -> None:
        item = self.current
        if item is None or news["id"] != item.id:
            return
        match news["news"]:
            case "planned":
                item.planned = news["outputs"]
            case "progress":
                if not self.is_paused:
                    item.progress(news["done"], news["expected"])
                    self._pace.note(item)
                    self.progressed.emit()
            case "done":
                item.finish(news)
                self._written.update(news["outputs"])
            case "failed":
                item.fail(news["message"])
                item.take_kept(news)
            case "cancelled":
                item.call_off()
        if item.state is State.RUNNING:
            self.model.touch(item)
        else:
            self._ended(item)

    def _ended(self, item: Item) -> None:
        self.model.touch(item)
        self.current = None
        self._called_off.discard(item.id)
        self._next()

    def _lost_worker(self, reason: str, process: int) -> None:
        """The process broke off: that costs this file, not the others."""
        self._worker = None
        item = self.current
        if item is None:
            return
        keeps = item.id not in self._called_off
        if keeps:
            item.fail(tr("{path} could not be processed: {reason}").format(path=item.path, reason=reason))
        else:
            item.call_off()
        if item.planned is not None:
            self._looker.sweep(item, process, keeps)
        self._ended(item)

    def _end(self, link: Link, item: Item | None = None) -> None:
        """Let a child end by itself, which may have to clear up `item` first."""
        link.finish()
        self._ending = [*((other, its) for other, its in self._ending if not other.is_over), (link, item)]
