"""The button of a dialog that is meant: filled, as everywhere in the window."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton


def make_primary(button: QPushButton) -> None:
    """Let a button be the default of its dialog, and look so. A box of buttons has styled it already."""
    button.setDefault(True)
    button.setObjectName("primary")
    button.style().unpolish(button)
    button.style().polish(button)
