"""The questions that are asked: whether work that is running may be lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.i18n import tr
from app.theme import dress


def ask_to_stop(parent: QWidget, left: int, agreed: Callable[[], None]) -> None:
    """Ask whether the queue shall stop.

    Parameters
    ----------
    parent : QWidget
        The window that asks.
    left : int
        How many files are not done yet.
    agreed : callable
        Called if the user wants to stop.
    """
    text = tr("Stop processing? %n file(s) not done yet.", "", left)
    more = tr("What is done stays; the file in progress can be resumed later.")
    _open(parent, (text, more, tr("Stop")), agreed)


def ask_to_cancel(parent: QWidget, name: str, done: int, agreed: Callable[[], None]) -> None:
    """Ask whether a file shall be called off that much was done of.

    Parameters
    ----------
    parent : QWidget
        The window that asks.
    name : str
        The file.
    done : int
        How many of its frames are done.
    agreed : callable
        Called if the user wants that.
    """
    text = tr("Cancel {name}?").format(name=name)
    more = tr("{done} frames are done. Nothing of them is kept.").format(done=f"{done:,}")
    _open(parent, (text, more, tr("Cancel this file")), agreed)


def _open(parent: QWidget, words: tuple[str, str, str], agreed: Callable[[], None]) -> None:
    """Ask without waiting for the answer: the work and the live picture go on meanwhile."""
    text, more, yes = words
    box = QMessageBox(parent)
    dress(box)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setWindowTitle(tr("Process files"))
    box.setText(text)
    box.setInformativeText(more)
    stop = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
    keep = box.addButton(tr("Keep working"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    stop.clicked.connect(agreed)
    box.open()
