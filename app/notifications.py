"""Errors and messages on their way to a person: one sentence, one thing to do, details to copy; repeats are folded."""

from __future__ import annotations

import functools
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from types import TracebackType
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.i18n import tr
from app.i18n.families import full_stop, sentence_words
from models.errors import VisionError
from pipelines.machine import APP, machine_info

log = logging.getLogger(__name__)


ENDS: Final = (
    *(".", "!", "?", "…"),
    *("\N{IDEOGRAPHIC FULL STOP}", "\N{FULLWIDTH EXCLAMATION MARK}", "\N{FULLWIDTH QUESTION MARK}"),
)
"""Behind one of these a sentence needs no full stop."""
TYPED: Final = re.compile(r"ort-|litert-|\w+://")
"""How names and addresses begin that are written small at the head of a sentence too: they are typed so."""


NO_PICTURE: Final = "no picture"
"""Key of the notices that there is nothing to save or record yet. The first picture takes them away."""


class Severity(Enum):
    """How serious a notice is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Notice:
    """One message.

    Parameters
    ----------
    key : str
        What it is about. A notice replaces an earlier one with the same key.
    text : str
        One sentence.
    severity : Severity
        How serious it is.
    action : str
        What the one button says; "" for no button.
    on_action : callable or None
        What the button does.
    details : str
        More for those who ask, such as a traceback.
    count : int
        How often it came.
    """

    key: str
    text: str
    severity: Severity = Severity.ERROR
    action: str = ""
    on_action: Callable[[], None] | None = None
    details: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class _Said:
    """A notice, and what makes it again, None where it stays as it is."""

    notice: Notice
    again: Callable[[], Notice] | None


class Notifications(QObject):
    """Keeps the notices that are to be read. `post` and `report` may be called from any thread."""

    changed = Signal()
    """The list of notices is another one."""
    _incoming = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._inbox: list[_Said] = []
        self._notices: dict[str, _Said] = {}
        self._incoming.connect(self._take_in, Qt.ConnectionType.QueuedConnection)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Notices to be read, the one that came last at the end. GUI thread only."""
        return tuple(said.notice for said in self._notices.values())

    def post(self, notice: Notice | Callable[[], Notice]) -> None:
        """Show a notice soon; what makes it makes it again when the language is another one."""
        said = _Said(notice, None) if isinstance(notice, Notice) else _Said(notice(), notice)
        with self._lock:
            first = not self._inbox
            self._inbox.append(said)
        if first:
            self._incoming.emit()

    def post_error(
        self, key: str, error: BaseException, action: str = "", on_action: Callable[[], None] | None = None
    ) -> None:
        """Show an error soon: the sentence of a `VisionError`, or for anything else that it was unexpected.

        `action` is in English, marked with `noop`.
        """
        details = details_of(error)
        word = lambda: tr(action) if action else ""  # noqa: E731
        self.post(lambda: Notice(key, sentence(error), Severity.ERROR, word(), on_action, details))

    def say_anew(self) -> None:
        """Say what is shown in the language that is in use now. GUI thread only."""
        for key, said in self._notices.items():
            if said.again is not None:
                self._notices[key] = replace(said, notice=replace(said.again(), count=said.notice.count))
        if self._notices:
            self.changed.emit()

    def dismiss(self, key: str) -> None:
        """Take a notice away, if it is there. GUI thread only."""
        with self._lock:
            self._inbox = [said for said in self._inbox if said.notice.key != key]
        if self._notices.pop(key, None) is not None:
            self.changed.emit()

    @Slot()
    def _take_in(self) -> None:
        with self._lock:
            incoming, self._inbox = self._inbox, []
        for said in incoming:
            notice = said.notice
            old = self._notices.pop(notice.key, None)
            again = old is not None and old.notice.text == notice.text
            count = old.notice.count + 1 if old is not None and again else notice.count
            self._notices[notice.key] = _Said(replace(notice, count=count), said.again)
        if incoming:
            self.changed.emit()


def sentence(error: BaseException) -> str:
    """Return what a person reads about `error`."""
    if isinstance(error, VisionError):
        return sentence_of(str(error))
    return tr("Something unexpected happened inside Twinlens ({kind}); what works goes on.").format(
        kind=type(error).__name__
    )


def sentence_of(text: str) -> str:
    """Return a message in the language of the window, with a capital letter and a full stop."""
    text = sentence_words(text.strip())
    if TYPED.match(text) is None:
        text = text[:1].upper() + text[1:]
    return text if text.endswith(ENDS) else text + full_stop(text)


@functools.cache
def machine_text() -> str:
    """Describe the machine, a line for each fact. Reads files the first time: not in the GUI thread, if it can be."""
    return "\n".join(f"{key}: {value}" for key, value in machine_info().items())


def details_of(error: BaseException) -> str:
    """Return program, machine and traceback, to be pasted into a report."""
    return f"{APP}\n{machine_text()}\n\n{''.join(traceback.format_exception(error)).rstrip()}"


class ErrorHooks:
    """Routes errors that nobody caught, in any thread, to the notices and the log; `with` puts the old hooks back.

    Parameters
    ----------
    notifications : Notifications
        Where they are shown.
    on_interrupt : callable
        Called when Ctrl+C arrives in the GUI thread.
    """

    def __init__(self, notifications: Notifications, on_interrupt: Callable[[], None]) -> None:
        self._notifications = notifications
        self._on_interrupt = on_interrupt
        self._before = (sys.excepthook, threading.excepthook)

    def __enter__(self) -> ErrorHooks:
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread
        return self

    def __exit__(self, *_: object) -> None:
        sys.excepthook, threading.excepthook = self._before

    def _uncaught(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._on_interrupt()
            return
        self._report(error if error is not None else kind())

    def _uncaught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_type is SystemExit:
            return
        self._report(args.exc_value if args.exc_value is not None else args.exc_type())

    def _report(self, error: BaseException) -> None:
        log.error("not caught: %s", error, exc_info=error)
        self._notifications.post_error(f"uncaught {type(error).__name__}", error)
