"""Asks for files and folders, beginning where something of that kind was chosen last."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QSize, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFileDialog, QSplitter, QToolButton, QWidget

from app.i18n import tr
from app.icons import icon
from app.only_one import only_one
from app.open_soon import open_soon
from app.steps import Stepwise

MEDIA: Final = "media"
"""Videos and pictures."""
MEDIA_FOLDER: Final = "media folder"
BACKGROUND: Final = "background"
OUTPUT: Final = "output"
"""Folders that something is written to."""
SAVED: Final = "saved"
"""Figures, charts, reports."""
SIDE_BAR: Final = 140
"""Logical pixels for the names of places."""
PATIENCE_S: Final = 0.3
"""After so long a folder does not answer, such as one of a server that is switched off: the dialog begins elsewhere."""


class Places(QObject):
    """Where things were chosen last. There is one in a program (`places_of`).

    Parameters
    ----------
    app : QCoreApplication
        The program.
    """

    changed = Signal()

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self.known: Mapping[str, str] = {}
        """Folders, by the kind of what was chosen."""

    def keep(self, kind: str, folder: str) -> None:
        """Remember the folder of something."""
        if self.known.get(kind) != folder:
            self.known = {**self.known, kind: folder}
            self.changed.emit()


def places_of(app: QCoreApplication | None) -> Places:
    """Return the one of a program.

    Raises
    ------
    ValueError
        If there is no program.
    """
    return only_one(Places, app)


def nearest(folder: str) -> str:
    """Return a folder if there is one, else the nearest around it, else the user's own. May wait for a network."""
    path = Path(folder)
    for place in (path, *path.parents) if folder else ():
        # The root is no place to look for anything, and all that is left of a stick that was taken out.
        if place != place.parent and os.path.isdir(place):  # noqa: PTH112 - a path that no system takes is no folder
            return str(place)
    return str(Path.home())


def ask_files(
    parent: QWidget, title: str, kind: str, filters: Sequence[str], chosen: Callable[[list[str]], object]
) -> QFileDialog:
    """Ask for files that are there. Like all that ask here, it returns the dialog and does not wait for the answer."""
    dialog = _dialog(parent, title, QFileDialog.FileMode.ExistingFiles, filters)
    dialog.filesSelected.connect(lambda paths: _keep(kind, os.path.dirname(paths[0])))  # noqa: PTH120 - as it is
    dialog.filesSelected.connect(chosen)
    return _opened(dialog, _last(kind))


def ask_file(
    parent: QWidget, title: str, kind: str, filters: Sequence[str], chosen: Callable[[str], object]
) -> QFileDialog:
    """Ask for a file that is there."""
    dialog = _dialog(parent, title, QFileDialog.FileMode.ExistingFile, filters)
    dialog.fileSelected.connect(lambda path: _keep(kind, os.path.dirname(path)))  # noqa: PTH120 - as it is
    dialog.fileSelected.connect(chosen)
    return _opened(dialog, _last(kind))


def ask_folder(parent: QWidget, title: str, kind: str, chosen: Callable[[str], object], now: str = "") -> QFileDialog:
    """Ask for a folder, beginning in `now`, or where the last one lies, in which its neighbours are."""
    dialog = _dialog(parent, title, QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(lambda path: _keep(kind, os.path.dirname(path)))  # noqa: PTH120 - as it is
    dialog.fileSelected.connect(chosen)
    return _opened(dialog, now or _last(kind))


def ask_name(
    parent: QWidget, title: str, kind: str, name: str, filters: Sequence[str], chosen: Callable[[str], object]
) -> QFileDialog:
    """Ask where a file shall be written, `name` being offered. The dialog asks before an existing one is replaced."""
    dialog = _dialog(parent, title, QFileDialog.FileMode.AnyFile, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(name.rpartition(".")[2])
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda path: _keep(kind, os.path.dirname(path)))  # noqa: PTH120 - as it is
    dialog.fileSelected.connect(chosen)
    return _opened(dialog, _last(kind), name)


def _dialog(parent: QWidget, title: str, mode: QFileDialog.FileMode, filters: Sequence[str] = ()) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(mode)
    if filters:
        dialog.setNameFilters(filters)
    _dress(dialog)
    return dialog


def _dress(dialog: QFileDialog) -> None:
    """Mend what Qt's own dialog, where the system has none, lacks: words in Chinese, arrows on dark, room for names."""
    for label, text in (
        (QFileDialog.DialogLabel.LookIn, tr("Look in:")),
        (QFileDialog.DialogLabel.FileType, tr("Files of type:")),
    ):
        dialog.setLabelText(label, text)
    colors, role = dialog.palette(), QPalette.ColorRole.WindowText
    normal = colors.color(QPalette.ColorGroup.Active, role).name()
    faint = colors.color(QPalette.ColorGroup.Disabled, role).name()
    for name, drawing in (("backButton", "left"), ("forwardButton", "right"), ("toParentButton", "up")):
        button = dialog.findChild(QToolButton, name)
        if button is not None:
            button.setIcon(icon(f"arrow-{drawing}", normal, faint))
    splitter = dialog.findChild(QSplitter, "splitter")
    if splitter is not None and splitter.sizes()[0] < SIDE_BAR:
        dialog.resize(dialog.size().expandedTo(QSize(760, 480)))
        splitter.setSizes([SIDE_BAR, dialog.width() - SIDE_BAR])


def _last(kind: str) -> str:
    return places_of(QCoreApplication.instance()).known.get(kind, "")


def _keep(kind: str, folder: str) -> None:
    places_of(QCoreApplication.instance()).keep(kind, folder)


def _opened(dialog: QFileDialog, folder: str, name: str = "") -> QFileDialog:
    open_soon(dialog, _led_to(dialog, folder, name))
    return dialog


def _led_to(dialog: QFileDialog, folder: str, name: str) -> Stepwise:
    """Let a dialog begin in a folder. The disk is asked in a thread, which nobody waits for when it hangs."""
    found: list[str] = []
    threading.Thread(target=lambda: found.append(nearest(folder)), name="folder", daemon=True).start()
    end = time.monotonic() + PATIENCE_S
    while not found and time.monotonic() < end:
        yield True
    dialog.setDirectory(found[0] if found else str(Path.home()))
    yield
    if name:
        dialog.selectFile(name)
        yield
