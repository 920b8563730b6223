"""Runs the queue: gives files to a child process one after the other, and lets another one look at new files."""

from __future__ import annotations

import base64
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.i18n import tr
from app.processing.items import Item, State
from app.processing.link import ChildLink, Link, LinkFactory, News
from app.processing.model import QueueModel
from app.processing.options import Outputs, ProcessOptions, to_record
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
    finished = Signal()
    """There is nothing left to do."""
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
        self.current: Item | None = None
        self.is_running = False
        self._make_link = make_link
        self._clock = clock
        self._options = ProcessOptions()
        self._worker: Link | None = None
        self._looker: Link | None = None
        self._ending: list[tuple[Link, Item | None]] = []
        self._to_look: deque[dict[str, Any]] = deque()
        self._batches = 0
        self._called_off: set[int] = set()
        self._written: set[str] = set()
        self._held_since: float | None = None

    # -- what there is

    @property
    def is_paused(self) -> bool:
        """Whether the work is held."""
        return self._held_since is not None

    @property
    def is_looking(self) -> bool:
        """Whether files are being looked at."""
        return bool(self._to_look)

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
            self._batches += 1
            self._look({"do": "expand", "id": self._batches, "paths": names})

    def start(self, options: ProcessOptions) -> None:
        """Begin with the first file that waits."""
        if self.is_running:
            return
        self._options = options
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
        """Call files off. The one that is being processed leaves nothing behind."""
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
        self.model.remove([item for item in items if item is not self.current])
        self.changed.emit()

    def retry(self, items: Iterable[Item]) -> None:
        """Put files that failed back into the queue."""
        for item in list(items):
            if item.state.can_retry:
                item.wait_again()
                self.model.touch(item)
                if item.state is State.LOOKING:
                    self._look({"do": "look", "id": item.id, "path": str(item.path)})
        self.changed.emit()

    def clear_done(self) -> None:
        """Take everything off the list that is done."""
        self.remove([item for item in self.model if item.state is State.DONE])

    def rest(self) -> None:
        """Call everything off and let the children end, without waiting for them."""
        current, self.current = self.current, None
        if current is not None:
            current.call_off()
        for link, item in ((self._worker, current), (self._looker, None)):
            if link is not None:
                self._end(link, item)
        self._worker = self._looker = None
        self._to_look.clear()
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
                sweep(item.path, Outputs.from_record(item.planned), killed)
        self._ending = []

    # -- looking

    def _look(self, *orders: dict[str, Any]) -> None:
        self._to_look += orders
        if self._looker is None:
            self._looker = self._make_link(self._hear_looker, self._lost_looker)
        for order in orders:
            self._looker.send(order)
        self.changed.emit()

    def _hear_looker(self, news: News) -> None:
        self._to_look.popleft()
        if news["news"] == "files":
            for problem in news["problems"]:
                self.refused.emit(problem)
            self._take_files(news["files"])
        else:
            self._take_look(news)
        if not self._to_look and self._looker is not None:
            self._end(self._looker)
            self._looker = None
        self._next()

    def _take_files(self, names: Sequence[str]) -> None:
        there = {str(item.path) for item in self.model if item.state.is_open or item is self.current}
        new = self.model.append(Path(name) for name in names if name not in there)
        self._look(*({"do": "look", "id": item.id, "path": str(item.path)} for item in new))

    def _take_look(self, news: News) -> None:
        item = self.model.get(news["id"])
        if item is None or news["news"] == "swept":
            return
        if news["news"] == "facts":
            item.look_found(news, base64.b64decode(news["thumbnail"]))
        elif item.state is State.LOOKING:
            item.fail(news["message"])
        self.model.touch(item)

    def _lost_looker(self, reason: str, process: int) -> None:
        """One file was too much for it: go on with the others."""
        self._looker = None
        order = self._to_look.popleft() if self._to_look else None
        item = self.model.get(order["id"]) if order is not None and order["do"] == "look" else None
        if item is not None and item.state is State.LOOKING:
            item.fail(tr("{path} cannot be read: {reason}").format(path=item.path, reason=reason))
            self.model.touch(item)
        elif order is not None and order["do"] == "expand":
            self.refused.emit(tr("The files cannot be listed: {reason}.").format(reason=reason))
        rest, self._to_look = tuple(self._to_look), deque()
        if rest:
            self._look(*rest)
        self._next()

    # -- working

    def _next(self) -> None:
        """Give the next file to the worker; let it go when there is none."""
        if self.is_running and self.current is None:
            item = next((item for item in self.model if item.state.is_open), None)
            if item is None and not self._to_look:
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
        self.current = item
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
            case "done":
                item.finish(news)
                self._written.update(news["outputs"])
            case "failed":
                item.fail(news["message"])
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
        if item.id in self._called_off:
            item.call_off()
        else:
            item.fail(tr("{path} could not be processed: {reason}").format(path=item.path, reason=reason))
        if item.planned is not None:
            order = {"do": "sweep", "id": 0, "path": str(item.path), "outputs": item.planned, "process": process}
            self._look(order)
        self._ended(item)

    def _end(self, link: Link, item: Item | None = None) -> None:
        """Let a child end by itself, which may have to clear up `item` first."""
        link.finish()
        self._ending = [*((other, its) for other, its in self._ending if not other.is_over), (link, item)]
