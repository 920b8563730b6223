"""Windows no larger than the screen."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

FRAME: Final = QSize(8, 40)
"""What the system's frame takes, about: edges, and the bar with the title, which is to be reached with the pointer."""


def take_room(window: QWidget, wanted: QSize) -> None:
    """Give a window the size that it wants, or as much of it as there is room for on the screen that is in use.

    A window without a parent is put into the middle: where Qt would put a dialog, its title may be above the screen.
    """
    active = QApplication.activeWindow()
    room = (active or window).screen().availableGeometry()
    size = wanted.boundedTo(room.size() - FRAME)
    window.resize(size)
    if window.parentWidget() is None:
        beside = room.size() - size - FRAME
        window.move(room.left() + max(0, beside.width() // 2), room.top() + max(0, beside.height() // 2))


class Sheet(QScrollArea):
    """As large as what it holds where there is room, else scrolled.

    Parameters
    ----------
    inside : QWidget
        What it holds.
    """

    def __init__(self, inside: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        inside = self.widget()
        return super().sizeHint() if inside is None else inside.sizeHint()
