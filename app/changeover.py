"""Another colour scheme, or another language: what concerns every control of the window, in steps.

Meanwhile the picture goes on and all else is shown as it was: nobody sees a window of which one half is light or
English and the other one dark or Chinese.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.only_one import only_one
from app.steps import Steps, Stepwise

is_valid = shiboken6.isValid


class Parts:
    """The parts of all windows that are changed and veiled one by one; the program has them in Qt's own properties."""

    DRESSED: Final = "dressed"
    LIVE: Final = "live"

    def add(self, widget: QWidget) -> None:
        """Take a widget in."""
        widget.setProperty(self.DRESSED, True)

    def keep_live(self, widget: QWidget) -> None:
        """Let a part be painted while everything is changed: it shows the picture."""
        widget.setProperty(self.LIVE, True)

    def find(self, are_seen: bool) -> list[QWidget]:
        """Return those that can be seen, or those that cannot."""
        return [widget for widget in self._all() if widget.isVisible() is are_seen]

    def _all(self) -> Iterator[QWidget]:
        for window in QApplication.topLevelWidgets():
            for widget in (window, *window.findChildren(QWidget)):
                if widget.property(self.DRESSED):
                    yield widget


parts: Final = Parts()


class Veil(QWidget):
    """Lies over a part and shows what it looked like when the veil was made. What is clicked is the part itself."""

    def __init__(self, part: QWidget) -> None:
        super().__init__(part.window())
        self._picture = part.grab()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(QRect(part.mapTo(part.window(), QPoint()), part.size()))
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).drawPixmap(0, 0, self._picture)


def _nothing() -> Stepwise:
    return iter(())


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done, three times in steps.

    Parameters
    ----------
    work : callable
        The change.
    before : callable
        Prepares, while everything is seen as it was.
    after : callable
        What nobody sees.
    """

    work: Callable[[], Stepwise]
    before: Callable[[], Stepwise] = _nothing
    after: Callable[[], Stepwise] = _nothing


class Changeover(QObject):
    """Does changes one after the other. There is one in a program (`changeover_of`).

    Parameters
    ----------
    app : QCoreApplication
        The program.
    """

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._waiting: dict[str, Change] = {}
        self._steps: Steps | None = None
        self._work: Stepwise | None = None

    @property
    def is_going_on(self) -> bool:
        """Whether something is being changed."""
        return self._work is not None

    def ask(self, name: str, change: Change) -> None:
        """Do a change, in steps where a window is seen, else at once. A later one of the same name takes its place."""
        self._waiting[name] = change
        if self._work is not None:
            return
        self._work = self._all()
        if parts.find(are_seen=True):
            self._steps = Steps(self._work, self)
        else:
            self.finish()

    def finish(self) -> None:
        """Do what is left at once."""
        if self._steps is not None:
            self._steps.stop()
        for _ in self._work or ():
            pass

    def _all(self) -> Stepwise:
        try:
            while self._waiting:
                yield from self._next()
        finally:
            self._work = None
            if self._steps is not None:
                self._steps.deleteLater()
                self._steps = None

    def _next(self) -> Stepwise:
        """Do everything that waits, under one veil."""
        yield True
        done: list[Change] = []
        if self._steps is not None:
            for change in tuple(self._waiting.values()):
                yield from change.before()
        veiled: list[QWidget] = []
        veils: list[Veil] = []
        try:
            seen = parts.find(are_seen=True)
            live = [part for part in seen if part.property(Parts.LIVE)]
            for part in seen:
                # In between, windows may have been closed.
                if not is_valid(part) or part in live or _is_within(part, veiled):
                    continue
                widget = _outermost(part, [one for one in live if is_valid(one)])
                if self._steps is not None:
                    veils.append(Veil(widget))
                veiled.append(widget)
                if not widget.isWindow():  # the veil of a window is a part of it
                    widget.setUpdatesEnabled(False)
                yield
            while self._waiting:
                change = self._waiting.pop(next(iter(self._waiting)))
                done.append(change)
                yield from change.work()
        finally:
            for widget in veiled:
                if is_valid(widget):
                    widget.setUpdatesEnabled(True)
            for veil in veils:
                if is_valid(veil):
                    veil.hide()
                    veil.deleteLater()
        yield True
        for change in done:
            yield from change.after()


def _is_within(widget: QWidget, others: list[QWidget]) -> bool:
    return any(is_valid(other) and (other is widget or other.isAncestorOf(widget)) for other in others)


def _outermost(widget: QWidget, live: list[QWidget]) -> QWidget:
    """Return the largest thing around a part, or the part, without any that is live: there is ground between parts."""
    holder = widget.parentWidget()
    while not widget.isWindow() and holder is not None and not any(holder.isAncestorOf(one) for one in live):
        widget, holder = holder, holder.parentWidget()
    return widget


def changeover_of(app: QCoreApplication) -> Changeover:
    """Return the one of a program."""
    return only_one(Changeover, app)
