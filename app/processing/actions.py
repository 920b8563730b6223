"""What can be done in the window "Process files", in one table: buttons, keys and the menu of a row are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.i18n import noop


@dataclass(frozen=True, slots=True)
class Action:
    """One action.

    Parameters
    ----------
    id : str
        Name in the code; the window has a method of this name.
    text : str
        What a button or menu says.
    keys : tuple of str
        Shortcuts, the first is the one that is shown.
    icon : str
        Icon name, "" for none.
    tip : str
        More about it; "" where the text says it all.
    """

    id: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    tip: str = ""


ACTIONS: Final = (
    Action("add_files", noop("Add files…"), ("Ctrl+O",), "plus"),
    Action(
        "add_folder", noop("Add folder…"), ("Ctrl+Shift+O",), "folder", noop("Add the videos and pictures of a folder")
    ),
    Action("start", noop("Start"), ("Ctrl+Return",), "play", noop("Process the files that wait")),
    Action("pause", noop("Pause"), ("P",), "pause", noop("Pause between two frames, or go on")),
    Action("cancel", noop("Cancel this file"), ("Ctrl+Del",), "stop", noop("Nothing of it is kept")),
    Action("cancel_all", noop("Cancel all"), ("Ctrl+Shift+Del",), "stop", noop("What is done stays")),
    Action("remove", noop("Remove"), ("Del",), "close", noop("Take the selected files off the list; none is deleted")),
    Action("undo", noop("Undo removal"), ("Ctrl+Z",), "undo", noop("Put back what was taken off the list last")),
    Action("retry", noop("Try again"), ("Ctrl+R",), "retry"),
    Action(
        "retry_failed", noop("Retry failed"), ("Ctrl+Shift+R",), "retry", noop("Put what failed back into the queue")
    ),
    Action(
        "clear_done",
        noop("Clear done"),
        ("Ctrl+L",),
        "done",
        noop("Take finished files off the list; none is deleted"),
    ),
    Action("show_result", noop("Show result"), ("Return", "Enter"), "film", noop("Open what was written")),
    Action("show_folder", noop("Show in folder"), ("Ctrl+E",), "folder"),
    Action("open_folder", noop("Open folder"), (), "folder", noop("Show what was written last in its folder")),
)
BUTTONS: Final = (
    "add_files",
    "add_folder",
    "retry_failed",
    "clear_done",
    "remove",
    "open_folder",
    "cancel_all",
    "pause",
    "start",
)
ROW_MENU: Final = ("show_result", "show_folder", "", "retry", "cancel", "remove", "undo", "", "add_files", "add_folder")
"""Actions in the menu of a row; "" is a line."""
