"""A box for a number, as high as the boxes beside it and with its text where theirs is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSpinBox, QWidget

from app.theme import CONTROL_HEIGHT, GRID

TEXT_AT: Final = GRID + 2
"""The text of a `QComboBox` begins so far from its edge, beyond what the style sheet gives both."""


class NumberBox(QSpinBox):
    """Asks for a number; what is typed counts when it is complete.

    Parameters
    ----------
    least, most : int
        Bounds, both allowed.
    """

    def __init__(self, least: int, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(least, most)
        self.setKeyboardTracking(False)
        self.setFixedHeight(CONTROL_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().setTextMargins(TEXT_AT, 0, 0, 0)
