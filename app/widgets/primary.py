"""The button of a dialog that is meant: filled, as everywhere in the window."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget


def style_anew(widget: QWidget) -> None:
    """Let the rules of the style sheet be found anew for a widget, whose name or properties are others now."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def make_primary(button: QPushButton) -> None:
    """Let a button be the default of its dialog, and look so. A box of buttons has styled it already."""
    button.setDefault(True)
    button.setObjectName("primary")
    style_anew(button)
