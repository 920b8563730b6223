"""Brushwork of the figures card: its fonts, chips, badges and sparklines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from app.theme import Type, font

BACKGROUND: Final = QColor(12, 14, 17, 190)
EDGE: Final = QColor(255, 255, 255, 36)
TEXT: Final = QColor("#f2f4f6")
MUTED: Final = QColor("#b4bcc6")
ON_COLOR: Final = QColor("#15181c")
"""What is written on amber and teal."""
CHIP: Final = 18.0


class CardFonts:
    """The fonts of a card, and how wide texts are in them.

    Parameters
    ----------
    scale : float
        Everything larger by so much.
    """

    def __init__(self, scale: float) -> None:
        self.body = self._scaled(font(Type.BODY, tabular=True), scale)
        self.strong = self._scaled(font(Type.STRONG, tabular=True), scale)
        self.caption = self._scaled(font(Type.CAPTION, tabular=True), scale)
        self.scale = scale

    @staticmethod
    def _scaled(base: QFont, scale: float) -> QFont:
        result = QFont(base)
        result.setPointSizeF(base.pointSizeF() * scale)
        return result

    def width(self, text: str, which: QFont) -> float:
        """Width of a text in logical pixels."""
        return QFontMetricsF(which).horizontalAdvance(text)


def canvas(width: float, height: float, ratio: float) -> QImage:
    """Return an empty picture of so many logical pixels."""
    pixels = QSize(round(width * ratio) or 1, round(height * ratio) or 1)
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    return image


def right(painter: QPainter, text: str, edge: float, y: float, height: float) -> None:
    """Write a text that ends at `edge`."""
    flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(QRectF(edge - 400, y, 400, height), flags, text)


def left(painter: QPainter, text: str, x: float, y: float, height: float) -> None:
    """Write a text that begins at `x`."""
    painter.drawText(QRectF(x, y, 4000, height), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def chip(painter: QPainter, letter: str, color: str, x: float, y: float, fonts: CardFonts) -> None:
    """Draw the letter of a pipeline on its colour."""
    box = QRectF(x, y, CHIP * fonts.scale, CHIP * fonts.scale)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawRoundedRect(box, 4 * fonts.scale, 4 * fonts.scale)
    painter.setPen(ON_COLOR)
    painter.setFont(fonts.strong)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)


def badge(painter: QPainter, text: str, color: str, box: QRectF, fonts: CardFonts) -> None:
    """Draw a verdict: on the winner's colour, or only outlined where nobody wins (`color` is "")."""
    painter.setFont(fonts.strong)
    if color:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(color))
    else:
        painter.setPen(QPen(EDGE, fonts.scale))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    painter.setPen(ON_COLOR if color else TEXT)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def sparkline(painter: QPainter, values: Sequence[float], color: str, box: QRectF, top: float, scale: float) -> None:
    """Draw latencies from zero to `top`, the oldest at the left."""
    if len(values) < 2 or top <= 0:
        return
    step = box.width() / (len(values) - 1)
    points = [
        QPointF(box.left() + index * step, box.bottom() - value / top * box.height())
        for index, value in enumerate(values)
    ]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(color), 1.5 * scale))
    painter.drawPolyline(QPolygonF(points))
    painter.setPen(TEXT)
