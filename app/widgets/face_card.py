"""The card of the face that is looked at closely, painted on the picture."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.face_view import FaceView
from app.i18n import tr
from app.theme import GRID, Type, font
from app.words import MINUS, task_word

SIDE: Final = 22 * GRID
"""Side of the picture of the face in logical pixels, where there is room for it."""
LEAST: Final = 4 * GRID
LINES: Final = 4
BACKGROUND: Final = QColor(12, 14, 17, 210)
EDGE: Final = QColor(255, 255, 255, 36)
TEXT: Final = QColor("#f2f4f6")
MUTED: Final = QColor("#b4bcc6")


def lines(view: FaceView) -> tuple[str, ...]:
    """Return what the card says, a line each."""
    title = f"{task_word('face')} {view.number}"
    found = tr("score {score}, {count} points").format(score=f"{view.face.score:.2f}", count=len(view.face.landmarks))
    if view.pose is None:
        return title, found
    turned = tr("turned {yaw}°, raised {pitch}°").format(yaw=_signed(view.pose.yaw), pitch=_signed(view.pose.pitch))
    return title, found, turned, tr("tilted {roll}°").format(roll=_signed(view.pose.roll))


def _signed(degrees: float) -> str:
    return f"{degrees:.0f}".replace("-", MINUS).replace(f"{MINUS}0", "0")


def _beyond_picture() -> float:
    """What the card is higher than its picture."""
    return LINES * QFontMetricsF(font(Type.BODY)).height() + 3 * GRID


def card_rect(right: float, top: float, foot: float) -> QRectF:
    """Return where the card is, by its upper right corner, in logical pixels; a near foot makes its picture small."""
    side = max(LEAST, min(SIDE, foot - top - _beyond_picture()))
    width = SIDE + 2 * GRID
    return QRectF(right - width, top, width, side + _beyond_picture())


def paint_face_card(painter: QPainter, view: FaceView, box: QRectF) -> None:
    """Paint the card into `box`, which `card_rect` gave."""
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.setPen(QPen(EDGE, 1))
    painter.setBrush(BACKGROUND)
    painter.drawRoundedRect(box, GRID, GRID)
    side = box.height() - _beyond_picture()
    painter.drawImage(QRectF(box.left() + GRID, box.top() + GRID, side, side), view.image)
    y = box.top() + side + 1.5 * GRID
    for index, text in enumerate(lines(view)):
        which = font(Type.BODY if index else Type.STRONG, tabular=True)
        metrics = QFontMetricsF(which)
        painter.setFont(which)
        painter.setPen(MUTED if index else TEXT)
        row = QRectF(box.left() + GRID, y, SIDE, metrics.height())
        painter.drawText(
            row, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(text, Qt.TextElideMode.ElideRight, SIDE)
        )
        y += metrics.height()
