"""Buttons on the picture."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from app.icons import icon

BUTTON: Final = 36
"""Side of a button, in logical pixels."""


def dress_button(button: QToolButton, picture: QWidget, icon_name: str) -> None:
    """Make a button one that lies on a picture."""
    button.setParent(picture)
    button.setObjectName("onPicture")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    # Always on a dark ground, whatever the theme.
    button.setIcon(icon(icon_name, "#f2f4f6", "#69727d"))
    button.setIconSize(QSize(20, 20))
    button.setFixedSize(BUTTON, BUTTON)
