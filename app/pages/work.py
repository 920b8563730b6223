"""One run of the child: started, followed, stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from app.processing.link import ChildLink, Link, News

CHILD: Final = "app.pages.child"
END_S: Final = 0.3
"""It has nothing to clear up."""

StartLink = Callable[[Callable[[News], None], Callable[[str, int], None]], Link]


def start_child(listen: Callable[[News], None], ended: Callable[[str, int], None]) -> Link:
    """Start the real child. Not at a low priority: that would be measured too."""
    return ChildLink(listen, ended, CHILD, gently=False)


class Work(QObject):
    """Runs orders of a page, one at a time.

    Parameters
    ----------
    start : callable
        Starts a child.
    """

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(str)
    """Carries the sentence."""

    def __init__(self, start: StartLink = start_child, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._start = start
        self._link: Link | None = None
        self._old: list[Link] = []

    @property
    def is_running(self) -> bool:
        """Whether an order is being done."""
        return self._link is not None

    def begin(self, order: dict[str, Any]) -> None:
        """Do an order; nothing happens while another one is being done."""
        if self._link is None:
            self._link = self._start(self._hear, self._lost)
            self._link.send(order)

    def stop(self) -> None:
        """Break off."""
        link, self._link = self._link, None
        if link is not None:
            link.finish()
            self._old = [*(other for other in self._old if not other.is_over), link]

    def close(self) -> None:
        """Break off, and wait until that is done."""
        self.stop()
        for link in self._old:
            link.wait(END_S)
        self._old = []

    def _hear(self, news: News) -> None:
        if news["news"] == "progress":
            self.progressed.emit(news)
            return
        self.stop()
        if news["news"] == "finished":
            self.finished.emit(news)
        else:
            self.failed.emit(news["message"])

    def _lost(self, reason: str, process: int) -> None:
        self._link = None
        self.failed.emit(f"it broke off: {reason}")
