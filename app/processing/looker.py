"""Lets a child process look at files, one order after the other, and goes on with the next one when it breaks off."""

from __future__ import annotations

import base64
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.i18n import tr
from app.processing.items import Item, State
from app.processing.link import Link, LinkFactory, News
from app.processing.model import QueueModel
from app.processing.options import ProcessOptions, to_record

Order = dict[str, Any]


class Looker(QObject):
    """Finds the files that are added, and what they are. There is a child only while there is something to look at.

    Parameters
    ----------
    model : QueueModel
        Gets the files.
    make_link : callable
        Starts a child.
    end : callable
        Gets a child that is to end by itself.

    Attributes
    ----------
    options : ProcessOptions
        What is wanted of the files: decides whether earlier work can be gone on with.
    """

    changed = Signal()
    """Something is being looked at, or was."""
    refused = Signal(str)
    """A sentence about something that cannot be added."""

    def __init__(
        self, model: QueueModel, make_link: LinkFactory, end: Callable[[Link], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.options = ProcessOptions()
        self._model = model
        self._make_link = make_link
        self._end = end
        self._link: Link | None = None
        self._orders: deque[Order] = deque()
        self._batches = 0

    @property
    def is_busy(self) -> bool:
        """Whether there is an order that was not answered yet."""
        return bool(self._orders)

    # -- orders

    def expand(self, names: Iterable[str]) -> None:
        """Append files, and what is in folders, to the model."""
        self._batches += 1
        self._give({"do": "expand", "id": self._batches, "paths": list(names)})

    def look(self, items: Iterable[Item]) -> None:
        """Look what files are."""
        self._give(*(self._order("look", item) for item in items))

    def ask_kept(self, items: Iterable[Item]) -> None:
        """Ask whether what an earlier run has left can be gone on with, with the options as they are now."""
        self._give(*(self._order("kept", item) for item in items))

    def sweep(self, item: Item, process: int, keep_work: bool) -> None:
        """Remove what a process that was killed has left of a file; with `keep_work` not what can be gone on with."""
        order = {**self._order("sweep", item), "outputs": item.planned, "process": process}
        self._give(order if keep_work else {**order, "options": None})

    def stop(self) -> None:
        """Forget what was asked, and let the child end."""
        self._orders.clear()
        self._rest()

    def _order(self, do: str, item: Item) -> Order:
        return {"do": do, "id": item.id, "path": str(item.path), "options": to_record(self.options)}

    def _give(self, *orders: Order) -> None:
        self._orders += orders
        for order in orders:
            if self._link is None:
                self._link = self._make_link(self._hear, self._lost)
            self._link.send(order)
        self.changed.emit()

    def _rest(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            self._end(link)

    # -- news

    def _hear(self, news: News) -> None:
        self._orders.popleft()
        if news["news"] == "files":
            for problem in news["problems"]:
                self.refused.emit(problem)
            self._take_files(news["files"])
        else:
            self._take_look(news)
        if not self._orders:
            self._rest()
        self.changed.emit()

    def _take_files(self, names: Sequence[str]) -> None:
        there = {str(item.path) for item in self._model if item.state.is_open or item.state is State.RUNNING}
        self.look(self._model.append(Path(name) for name in names if name not in there))

    def _take_look(self, news: News) -> None:
        item = self._model.get(news["id"])
        if item is None:
            return
        match news["news"]:
            case "facts":
                item.look_found(news, base64.b64decode(news["thumbnail"]))
            case "unreadable" if item.state is State.LOOKING:
                item.fail(news["message"])
            case "kept" if item.state.is_open or item.broken_off:
                item.take_kept(news)
            case "swept" if item.state is not State.RUNNING:
                item.take_kept(news)
        self._model.touch(item)

    def _lost(self, reason: str, process: int) -> None:
        """One order was too much for the child: go on with the others."""
        self._link = None
        waiting, self._orders = self._orders, deque()
        order = waiting.popleft() if waiting else None
        item = self._model.get(order["id"]) if order is not None and order["do"] == "look" else None
        if item is not None and item.state is State.LOOKING:
            item.fail(tr("{path} cannot be read: {reason}").format(path=item.path, reason=reason))
            self._model.touch(item)
        elif order is not None and order["do"] == "expand":
            self.refused.emit(tr("The files cannot be listed: {reason}.").format(reason=reason))
        self._give(*waiting)
