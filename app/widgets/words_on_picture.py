"""Words on a dark ground, readable on any picture."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from app.theme import GRID, Type, font

GROUND: Final = QColor(12, 14, 17, 200)
TEXT: Final = QColor("#f2f4f6")


def words_height() -> float:
    """Return the height of the ground, in logical pixels."""
    return QFontMetrics(font(Type.BODY)).height() + 2 * GRID


def paint_words(painter: QPainter, words: str, which: QFont, middle: float, top: float, room: int) -> None:
    """Write a line.

    Parameters
    ----------
    painter : QPainter
        On the picture.
    words : str
        Shortened at its end where it is longer than the room.
    which : QFont
        Font.
    middle, top : float
        Where; moved aside where it would be over an edge.
    room : int
        Width of what is painted on.
    """
    metrics = QFontMetrics(which)
    text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room - 8 * GRID)
    width = metrics.horizontalAdvance(text) + 4 * GRID
    height = words_height()
    left = min(max(middle - width / 2, GRID), room - width - GRID)
    box = QRectF(left, top, width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(GROUND)
    painter.drawRoundedRect(box, height / 2, height / 2)
    painter.setPen(TEXT)
    painter.setFont(which)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
