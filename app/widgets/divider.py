"""The handle between the halves of a split comparison: dragged with the mouse, or moved with the arrow keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.split import MIDDLE, NEAREST
from app.theme import AMBER, TEAL

WIDTH: Final = 24
"""Logical pixels that can be grasped."""
STEP: Final = 0.02
_KEYS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)


class Divider(QWidget):
    """Lies over the divider of the picture; its parent draws the line and decides where it is.

    Parameters
    ----------
    parent : QWidget
        The picture.
    """

    moved = Signal(float)
    """Carries where the user wants the divider, as a share of the picture's width; may be too near to an edge."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Divider between A and B"))
        self.setToolTip(tr("Drag to see more of A or B; a double click puts it in the middle"))
        self._box = QRectF()
        self._share = MIDDLE
        self._grip: float | None = None
        self.hide()

    def place(self, box: QRectF, share: float) -> None:
        """Lie over the divider of the picture in `box`, at this share of its width."""
        self._box, self._share = box, share
        self.setAccessibleDescription(f"{share:.0%} A, {1 - share:.0%} B")
        x = box.left() + share * box.width()
        self.setGeometry(round(x - WIDTH / 2), round(box.top()), WIDTH, round(box.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(self.width() / 2, self.height() / 2)
        knob = QRectF(middle.x() - 11, middle.y() - 11, 22, 22)
        if self.hasFocus():
            painter.setPen(QPen(QColor("#6aa5ff"), 2))
        else:
            painter.setPen(QPen(QColor(12, 14, 17), 1))
        # Half and half, as the line is.
        for color, start in ((AMBER, 90), (TEAL, -90)):
            painter.setBrush(QColor(color))
            painter.drawChord(knob, 16 * start, 16 * 180)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#15181c"))
        for side in (-1, 1):
            tip, foot = middle.x() + 7.5 * side, middle.x() + 3 * side
            points = (QPointF(tip, middle.y()), QPointF(foot, middle.y() - 4), QPointF(foot, middle.y() + 4))
            painter.drawPolygon(QPolygonF(points))
        painter.end()

    # -- mouse and keys

    def _share_at(self, event: QMouseEvent) -> float:
        x = self.mapToParent(event.position()).x() - (self._grip or 0.0)
        return (x - self._box.left()) / max(1.0, self._box.width())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            # What was grasped stays under the pointer.
            self._grip = event.position().x() - self.width() / 2

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self.moved.emit(self._share_at(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._grip = None
        self.moved.emit(MIDDLE)

    def event(self, event: QEvent) -> bool:
        # The arrows are ours while the handle has the keyboard, whatever they do elsewhere in the window.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in _KEYS:
            super().keyPressEvent(event)
            return
        step = STEP * (5 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        left, right = Qt.Key.Key_Left, Qt.Key.Key_Right
        ends = {Qt.Key.Key_Home: NEAREST, Qt.Key.Key_End: 1 - NEAREST}
        moves = {left: self._share - step, right: self._share + step, **ends}
        self.moved.emit(moves[Qt.Key(event.key())])
