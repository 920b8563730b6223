"""Work of the GUI thread in steps, so that none keeps a live picture waiting: windows are made like this."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QScrollArea, QWidget

TURN_S: Final = 0.004
"""So much is done in a turn of the event loop, and one step at least: on a machine that is busy, a step a turn."""

Stepwise = Iterator[Any]
"""A generator: what lies between two `yield` is a step. After `yield True` the next one is done in another turn."""


class Steps(QTimer):
    """Does work step by step, and lets the event loop do what else there is in between.

    Ends with its parent, or when it is stopped: what is left is not done then.

    Parameters
    ----------
    work : iterator
        What is done.
    parent : QObject
        Whom it is done for.
    """

    def __init__(self, work: Stepwise, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self.timeout.connect(self._go_on)
        self.start(0)

    def _go_on(self) -> None:
        end = time.perf_counter() + TURN_S
        is_over = True
        try:
            while self.isActive():
                if next(self._work) or time.perf_counter() > end:
                    is_over = False
                    return
        except StopIteration:
            pass
        finally:
            if is_over:
                self.stop()


def styled(widget: QWidget) -> Stepwise:
    """Style a widget and all in it, a control a step. Qt does that at once when it is shown."""
    # What holds others comes after them, for Qt goes on from it to all in it.
    for part in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        holder = part.widget() if isinstance(part, QScrollArea) else part
        if holder is not None and holder.layout() is not None:
            yield from styled(holder)
        part.ensurePolished()
        yield
    widget.ensurePolished()
    yield


def ready_to_show(window: QWidget) -> Stepwise:
    """Do in steps what showing a window would do at once: everything but to paint it."""
    yield from styled(window)
    layout = window.layout()
    if layout is not None:
        layout.activate()
        yield
