"""A test card: what stands where the picture will be while a camera or an address opens."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

from app.icons import pixmap

BARS: Final = ("#bfbfbf", "#bfbf00", "#00bfbf", "#00bf00", "#bf00bf", "#bf0000", "#0000bf")
"""The seven colour bars at 75 % (ITU-R BT.1729), left to right."""
GREYS: Final = 11
"""Steps from black to white below the bars."""
BARS_HEIGHT: Final = 0.78
RADIUS: Final = 0.3
CORNER: Final = 8.0


def draw_test_card(width: int, icon: str, scale: float = 1.0) -> QPixmap:
    """Return the card, 16:9, with an icon in its middle.

    Parameters
    ----------
    width : int
        Logical pixels.
    icon : str
        As in `app.icons.pixmap`.
    scale : float
        Device pixels a logical pixel.
    """
    height = round(width * 9 / 16)
    card = QPixmap(QSize(round(width * scale), round(height * scale)))
    card.setDevicePixelRatio(scale)
    card.fill(Qt.GlobalColor.transparent)
    painter = QPainter(card)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rounded = QPainterPath()
    rounded.addRoundedRect(QRectF(0, 0, width, height), CORNER, CORNER)
    painter.setClipPath(rounded)
    edge = round(height * BARS_HEIGHT)
    _columns(painter, [QColor(name) for name in BARS], width, 0, edge)
    _columns(painter, [QColor.fromRgbF(*[n / (GREYS - 1)] * 3) for n in range(GREYS)], width, edge, height - edge)

    middle = QPointF(width / 2, height / 2)
    painter.setPen(QPen(QColor("#ffffff"), 2.0))
    painter.setBrush(QColor("#16191f"))
    painter.drawEllipse(middle, height * RADIUS, height * RADIUS)
    side = round(height * RADIUS)
    painter.drawPixmap(middle - QPointF(side / 2, side / 2), pixmap(icon, "#ffffff", side, scale))
    painter.end()
    return card


def _columns(painter: QPainter, colours: list[QColor], width: int, top: int, height: int) -> None:
    """Fill a band with columns of the same width, edge to edge."""
    edges = [round(width * n / len(colours)) for n in range(len(colours) + 1)]
    for colour, left, right in zip(colours, edges, edges[1:], strict=False):
        painter.fillRect(QRectF(left, top, right - left, height), colour)
