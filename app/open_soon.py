"""How dialogs are shown: in steps, so that none keeps a live picture waiting."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from app.steps import Steps, Stepwise, ready_to_show
from app.theme import dress

OPENING: Final = "opening"
"""Name of the steps after which a dialog is shown."""


def open_soon(dialog: QDialog, work: Stepwise | None = None) -> None:
    """Show a dialog, which goes when it is closed, in turns of its own. Nothing waits for the answer.

    Parameters
    ----------
    dialog : QDialog
        With a parent. Is not shown where another dialog of this parent is about to be, as if that were there.
    work : iterator, optional
        What is to be done before, in steps: it completes the dialog.
    """
    parent = dialog.parentWidget()
    assert parent is not None, "a dialog is asked by somebody"
    others = [steps for steps in parent.findChildren(Steps, OPENING) if steps.isActive()]
    if others:
        dialog.deleteLater()
        return
    dress(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def show() -> Stepwise:
        yield True
        if work is not None:
            yield from work
        yield from ready_to_show(dialog)
        yield True
        if parent.isVisible():
            dialog.open()

    steps = Steps(show(), dialog)
    steps.setObjectName(OPENING)
    # Somebody may close it before it is seen.
    dialog.finished.connect(steps.stop)
