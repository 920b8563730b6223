"""What the actions of the window "Process files" do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.file_dialogs import MEDIA, MEDIA_FOLDER, ask_files, ask_folder
from app.i18n import tr
from app.processing.items import Item, State
from app.processing.question import ask_to_cancel
from app.processing.runner import Runner
from app.sources import PICTURE_SUFFIXES

if TYPE_CHECKING:
    from app.processing.window import ProcessWindow

ASKED_FROM_S: Final = 60.0
"""Work of less than this is lost without a question."""
PATTERNS: Final = " ".join(
    f"*{suffix}"
    for suffix in (
        *(".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v", ".mpg", ".mpeg", ".ts", ".gif"),
        *PICTURE_SUFFIXES,
    )
)


class QueueCommands:
    """The handlers of `app.processing.actions.ACTIONS`, by their ids.

    Parameters
    ----------
    window : ProcessWindow
        The window that they act on.
    runner : Runner
        Who does the work.
    reveal : callable
        Shows a file in the system's file manager.
    """

    def __init__(self, window: ProcessWindow, runner: Runner, reveal: Callable[[Path], None]) -> None:
        self._window = window
        self._runner = runner
        self._reveal = reveal

    def possible(self, problem: str) -> dict[str, bool]:
        """Return which actions make sense now; what is not named always does.

        Parameters
        ----------
        problem : str
            Why the options cannot be used; "" when they can.
        """
        runner, selected = self._runner, self._window.selected()
        waits = runner.has(State.WAITING, State.LOOKING)
        return {
            "start": waits and not runner.is_running and not problem,
            "pause": runner.is_running,
            "cancel_all": runner.is_running,
            "remove": any(item is not runner.current for item in selected),
            "undo": bool(runner.removed),
            "cancel": runner.current in selected,
            "retry": any(item.state.can_retry for item in selected),
            "retry_failed": runner.has(State.FAILED, State.CANCELLED),
            "clear_done": runner.has(State.DONE),
            "show_result": any(item.state.has_output for item in selected),
            "show_folder": bool(selected),
            "open_folder": runner.has(State.DONE, State.INCOMPLETE),
        }

    def add_files(self) -> None:
        """Ask for videos and pictures."""
        filters = [f"{tr('Videos and pictures')} ({PATTERNS})", f"{tr('All files')} (*)"]
        ask_files(self._window, tr("Add videos and pictures"), MEDIA, filters, self._runner.add)

    def add_folder(self) -> None:
        """Ask for a folder of them."""
        title = tr("Add the videos and pictures of a folder")
        ask_folder(self._window, title, MEDIA_FOLDER, lambda path: self._runner.add([path]))

    def start(self) -> None:
        """Process what waits."""
        self._runner.start(self._window.options)

    def pause(self) -> None:
        """Hold the work, or go on."""
        self._runner.pause(not self._runner.is_paused)

    def cancel(self) -> None:
        """Call off the file in progress, if it is marked."""
        if self._runner.current in self._window.selected():
            self._cancel_current()

    def cancel_all(self) -> None:
        """Call everything off."""
        self._cancel(self._runner.cancel_all)

    def remove(self) -> None:
        """Take what is marked off the list."""
        self._runner.remove(self._window.selected())

    def undo(self) -> None:
        """Put back on the list what was taken off last."""
        self._runner.put_back()

    def retry(self) -> None:
        """Put what is marked back into the queue."""
        self._runner.retry(self._window.selected())

    def retry_failed(self) -> None:
        """Put everything that failed back into the queue."""
        self._runner.retry(item for item in self._runner.model if item.state in (State.FAILED, State.CANCELLED))

    def clear_done(self) -> None:
        """Take what is done off the list."""
        self._runner.clear_done()

    def show_result(self) -> None:
        """Open what became of the first marked file that is done, with the system's own program for it."""
        for item in self._window.selected():
            if item.outputs:
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(item.outputs[0])))
                return

    def show_folder(self) -> None:
        """Show what became of the first marked file, or the file itself, in its folder."""
        for item in self._window.selected()[:1]:
            self._reveal(item.outputs[0] if item.outputs else item.path)

    def open_folder(self) -> None:
        """Show what was written last in its folder."""
        written = [item.outputs[0] for item in self._runner.model if item.outputs]
        if written:
            self._reveal(written[-1])

    def row_button(self, item: Item) -> None:
        """Do what the button in a row stands for (see `app.processing.rows.ACTIONS`)."""
        if item is self._runner.current:
            self._cancel_current()
        elif item.state.is_open:
            self._runner.remove([item])
        elif item.outputs:
            self._reveal(item.outputs[0])
        else:
            self._runner.retry([item])

    def _cancel_current(self) -> None:
        item = self._runner.current
        if item is not None:
            # By the time of the answer it may be done.
            self._cancel(lambda: self._runner.cancel([item] if item is self._runner.current else []))

    def _cancel(self, cancel: Callable[[], None]) -> None:
        """Call off what is being done, after a question where much would be lost."""
        item = self._runner.current
        if item is None or self._runner.current_s < ASKED_FROM_S:
            cancel()
        else:
            ask_to_cancel(self._window, item.path.name, item.done, cancel)
