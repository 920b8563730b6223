"""The one question that is asked: whether work that is running may be lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.i18n import tr


def open_question(parent: QWidget, left: int, agreed: Callable[[], None]) -> None:
    """Ask, without waiting for the answer: the work and the live picture go on meanwhile.

    Parameters
    ----------
    parent : QWidget
        The window that asks.
    left : int
        How many files are not done yet.
    agreed : callable
        Called if the user wants to stop.
    """
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setWindowTitle(tr("Process files"))
    box.setText(tr("Stop processing? %n file(s) not done yet.", "", left))
    box.setInformativeText(tr("What is done stays; the file in progress can be gone on with later."))
    stop = box.addButton(tr("Stop"), QMessageBox.ButtonRole.DestructiveRole)
    keep = box.addButton(tr("Keep working"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    stop.clicked.connect(agreed)
    box.open()
