"""The right half of a split comparison on the screen."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.pictures import Picture
from app.split import column


def paint_other(painter: QPainter, picture: Picture, target: QRectF, wanted: float) -> float:
    """Paint B's half over A's picture, cut between two of its columns near `wanted`; return where.

    Parameters
    ----------
    painter : QPainter
        On the view.
    picture : Picture
        With B's half.
    target : QRectF
        Where the part that is seen lies, in logical pixels.
    wanted : float
        Where the cut shall be.
    """
    other = picture.other
    if other is None:
        return wanted
    share = (wanted - target.left()) / target.width()
    first = column(share, other.width()) if 0 < share < 1 else 0 if share <= 0 else other.width()
    left = target.left() + first / other.width() * target.width()
    if first < other.width() and other is not picture.image:
        part = QRectF(left, target.top(), target.right() - left, target.height())
        painter.drawImage(part, other, QRectF(first, 0, other.width() - first, other.height()))
    return left
