"""Where a page saves something."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFileDialog, QWidget

from app.open_soon import open_soon


def ask_where(parent: QWidget, title: str, name: str, chosen: Callable[[str], None]) -> None:
    """Ask for a file, without waiting for the answer. The dialog asks before an existing one is replaced.

    Parameters
    ----------
    parent : QWidget
        Who asks.
    title : str
        What the dialog says.
    name : str
        Name that is offered; its suffix is added where the user leaves it out.
    chosen : callable
        Called with the path.
    """
    dialog = QFileDialog(parent.window(), title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setDefaultSuffix(name.rpartition(".")[2])
    dialog.selectFile(name)
    dialog.fileSelected.connect(chosen)
    open_soon(dialog)
