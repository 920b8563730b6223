"""Files and folders given to the window at once: it plays one of them, and offers to process them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from app.i18n import tr
from app.notifications import Notice, Severity
from app.sources import PICTURE_SUFFIXES, VIDEO_SUFFIXES
from app.workers import BackgroundJobs
from models.errors import VisionError

if TYPE_CHECKING:
    from app.controller import Controller

SEVERAL: Final = "several"
"""Key of the notice about what is not played. Another source takes it away."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What of several things is played.

    Parameters
    ----------
    first : str
        SRC to play.
    others : int
        How many videos and pictures there are besides.
    """

    first: str
    others: int


def choose(paths: Sequence[str]) -> Dropped:
    """Choose what to play of files and folders, in their order. Reads folders: not for the GUI thread.

    A folder of nothing but pictures is played as a whole; of any other its first video. Where nothing can be played,
    the first path is chosen, so that opening it says why.
    """
    # Not at the start of the program, which can do without what processes files.
    from pipelines.offline.plan import is_still

    first, shown = "", 1
    files: dict[Path, None] = {}
    for path in map(Path, paths):
        inside = _inside(path)
        if inside and not first:
            moving = next((file for file in inside if not is_still(file)), None)
            first = str(path if moving is None else moving)
            shown = len(inside) if moving is None else 1
        files.update(dict.fromkeys(inside))
    return Dropped(first or paths[0], max(0, len(files) - shown))


def _inside(path: Path) -> list[Path]:
    """Return the videos and pictures that a path stands for: itself, or those of the folder."""
    from pipelines.offline.plan import MOVING_SUFFIXES, folder_files, is_still

    try:
        if path.is_dir():
            return folder_files(path)
    except (VisionError, OSError):
        return []
    return [path] if is_still(path) or path.suffix.lower() in MOVING_SUFFIXES else []


class DroppedFiles(QObject):
    """Takes what was dropped on the window or chosen in a dialog.

    Parameters
    ----------
    controller : Controller
        Plays the first.
    process : callable
        Puts paths into the queue of "Process files".
    parent : QObject
        Owner.
    """

    def __init__(self, controller: Controller, process: Callable[[Sequence[str]], None], parent: QObject) -> None:
        super().__init__(parent)
        self._controller = controller
        self._process = process
        self._jobs = BackgroundJobs(self)

    def take(self, paths: Sequence[str]) -> None:
        """Play the first of `paths`, and offer to process all if there are more."""
        if len(paths) == 1 and paths[0].lower().endswith((*PICTURE_SUFFIXES, *VIDEO_SUFFIXES)):
            self._controller.open(paths[0])
        elif paths:
            self._jobs.run("dropped", lambda: choose(paths), lambda chosen: self._play(chosen, paths))

    def end(self) -> None:
        """Nothing more is played."""
        self._jobs.close(0)

    def _play(self, chosen: Dropped, paths: Sequence[str]) -> None:
        self._controller.open(chosen.first)
        if chosen.others:
            self._controller.notifications.post(
                lambda: Notice(
                    SEVERAL,
                    tr("%n more file(s): the window plays one at a time.", "", chosen.others),
                    Severity.INFO,
                    tr("Process files…"),
                    lambda: self._process(paths),
                )
            )
