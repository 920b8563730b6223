"""The figures on the picture: in one of its corners, and dragged to another with the mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QHideEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.figures_place import MARGIN, nearest_corner, placed
from app.i18n import tr
from app.theme import GRID

DRAG_FROM: Final = 4
"""Logical pixels that a press may move and still be none."""
TARGET_EDGE: Final = QColor(255, 255, 255, 150)
TARGET_GROUND: Final = QColor(12, 14, 17, 70)


class FiguresView(QWidget):
    """Lies on the picture.

    Parameters
    ----------
    parent : QWidget
        The picture.
    over : float
        Logical pixels that are kept free above a card at the upper right.
    depth : callable
        Returns what the depth card or its legend covers, in logical pixels; None for nothing.
    beside : callable
        Returns the width of what is at the upper right, in logical pixels.
    """

    corner_chosen = Signal(str)
    """The user wants it in this corner."""
    moving = Signal()
    """It is being moved, or was let go."""
    entered = Signal()
    """The pointer is on it."""

    def __init__(
        self, parent: QWidget, over: float, depth: Callable[[], QRectF | None], beside: Callable[[], float]
    ) -> None:
        super().__init__(parent)
        self.card: QImage | None = None
        self.corner = "top_left"
        self._picture = parent
        self._over = over
        self._depth = depth
        self._beside = beside
        self._grip: QPointF | None = None
        self._is_dragged = False
        self.setAccessibleName(tr("Figures"))
        self.setToolTip(tr("Drag to another corner"))
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.hide()

    def show_card(self, card: QImage | None) -> None:
        """Show the figures, or none."""
        self.card = card
        self.setVisible(card is not None)
        self.place()
        self.update()

    def tell(self, text: str) -> None:
        """Say more about the figures to whoever rests the pointer on them."""
        words = tr("Capacity: what a pipeline could do if nothing else held it up. p95: 95 of 100 frames took less.")
        tip = "\n".join(part for part in (text, words, tr("Drag to another corner")) if part)
        if tip != self.toolTip():
            self.setToolTip(tip)

    def set_corner(self, corner: str) -> None:
        """Lie in that corner."""
        self.corner = corner
        self.place()

    def place(self) -> None:
        """Lie where the figures belong now, unless they are being moved."""
        box = self.box
        if box is not None and not self._is_dragged:
            # Of a size in whole logical pixels, so that a screen of 150 % shows all of the card.
            self.setGeometry(box.toAlignedRect())

    @property
    def box(self) -> QRectF | None:
        """Where the figures lie, in logical pixels of the picture; None without any."""
        return None if self.card is None else self._box_in(self.corner)

    @property
    def target(self) -> QRectF | None:
        """Where figures that are being moved would go; None while they are not."""
        return self._box_in(self._nearest()) if self._is_dragged else None

    def _room(self) -> QRectF:
        return QRectF(self._picture.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)

    def _nearest(self) -> str:
        return nearest_corner(QRectF(self.geometry()), self._room())

    def _box_in(self, corner: str) -> QRectF | None:
        if self.card is None:
            return None
        size = self.card.deviceIndependentSize()
        return placed(corner, size, self._room(), self._depth(), GRID, self._over, self._beside())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.card is not None:
            painter = QPainter(self)
            painter.drawImage(QPointF(), self.card)
            painter.end()

    # -- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._grip = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is None:
            return
        moved = event.position() - self._grip
        if not self._is_dragged:
            if abs(moved.x()) + abs(moved.y()) <= DRAG_FROM:
                return
            self._is_dragged = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.raise_()
        self.move((self.mapToParent(event.position()) - self._grip).toPoint())
        self.moving.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        corner = self._nearest() if self._is_dragged else ""
        self._let_go()
        if corner:
            self.set_corner(corner)
            self.moving.emit()
            self.corner_chosen.emit(corner)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.entered.emit()
        super().enterEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._let_go()
        super().hideEvent(event)

    def _let_go(self) -> None:
        self._grip, self._is_dragged = None, False
        self.setCursor(Qt.CursorShape.OpenHandCursor)


def paint_target(painter: QPainter, box: QRectF) -> None:
    """Show where figures that are being moved would go."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(TARGET_EDGE, 1.5, Qt.PenStyle.DashLine))
    painter.setBrush(TARGET_GROUND)
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), GRID, GRID)
