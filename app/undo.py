"""Undo for what is set by hand and gone with the next click: how results look, and the picture behind the person."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.i18n import noop, tr
from app.settings import Settings
from app.words import task_word

if TYPE_CHECKING:
    from app.controller import Controller

MERGED_S: Final = 1.5
"""Changes of the same thing within this time are one: a slider that is dragged, keys that turn the relief."""
STEPS: Final = 100
TASK_OF: Final = {"face": "face", "line": "face", "mask": "segmentation", "depth": "depth", "relief": "depth"}
"""Task that a field of `OverlayStyle` belongs to, by the first word of its name."""
UNDO: Final = (noop("Undo"), noop("Undo: {what}"))
REDO: Final = (noop("Redo"), noop("Redo: {what}"))


@dataclass(frozen=True, slots=True)
class Look:
    """What can be taken back.

    Parameters
    ----------
    style : mapping
        As in `Settings`.
    effect : str
        As in `Settings`.
    """

    style: Mapping[str, str | float | bool]
    effect: str

    @classmethod
    def of(cls, settings: Settings) -> Look:
        """Return that of some settings."""
        return cls(settings.style, settings.effect)

    def differs_in(self, other: Look) -> frozenset[str]:
        """Return the names of what is not the same."""
        names = {*self.style, *other.style}
        changed = {name for name in names if self.style.get(name) != other.style.get(name)}
        return frozenset(changed | ({"effect"} if self.effect != other.effect else set()))


@dataclass(slots=True)
class _Step:
    before: Look
    after: Look
    names: frozenset[str]
    time_s: float


class Undo(QObject):
    """Follows the settings and takes changes back.

    Parameters
    ----------
    controller : Controller
        Has the settings.
    clock : callable
        Monotonic seconds.
    """

    def __init__(self, controller: Controller, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(controller)
        self._controller = controller
        self._clock = clock
        self._now = Look.of(controller.settings)
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        controller.settings_changed.connect(self._follow)

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what each command does, by its id."""
        return {"undo": self.undo, "redo": self.redo}

    def undo(self) -> None:
        """Take the last change back."""
        if self._done:
            step = self._done.pop()
            self._undone.append(step)
            if self._done:
                # What is changed next is no part of an earlier change.
                self._done[-1].time_s = float("-inf")
            self._take(step.before)

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        if self._undone:
            step = self._undone.pop()
            step.time_s = float("-inf")
            self._done.append(step)
            self._take(step.after)

    def show(self, undo: QAction, redo: QAction) -> None:
        """Let the commands say what they would do."""
        self._follow()
        for action, steps, (short, long) in ((undo, self._done, UNDO), (redo, self._undone, REDO)):
            action.setEnabled(bool(steps))
            action.setText(tr(long).format(what=_words(steps[-1].names)) if steps else tr(short))

    def _take(self, look: Look) -> None:
        self._now = look
        self._controller.change(style=look.style, effect=look.effect)

    def _follow(self) -> None:
        look = Look.of(self._controller.settings)
        names = self._now.differs_in(look)
        if not names:
            return
        before, self._now = self._now, look
        self._undone.clear()
        now = self._clock()
        last = self._done[-1] if self._done else None
        if last is not None and last.names == names and now - last.time_s <= MERGED_S:
            last.after, last.time_s = look, now
            if not last.before.differs_in(look):
                self._done.pop()  # forth and back: an effect that could not be loaded
            return
        self._done.append(_Step(before, look, names, now))
        del self._done[:-STEPS]


def _words(names: frozenset[str]) -> str:
    """Say what was changed."""
    tasks = {TASK_OF.get(name.partition("_")[0], "") for name in names - {"effect"}}
    if "effect" in names:
        return tr("effect")
    task = tasks.pop() if len(tasks) == 1 else ""
    return tr("look of {task}").format(task=task_word(task)) if task else tr("look of the results")
