"""A picture divided between two pipelines: A left of the divider, B right of it, on the screen and in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from app.qimage import to_bgr, wrap_bgr
from app.theme import AMBER, GRID, TEAL, Type, font
from app.words import backends_word
from pipelines.pipeline import FrameResult

if TYPE_CHECKING:
    from pipelines.engine import View

MIDDLE: Final = 0.5
NEAREST: Final = 0.05
"""So near to an edge the divider can be moved, as a share of the width: both halves stay in sight."""
LABEL_GROUND: Final = QColor(12, 14, 17, 200)
LABEL_TEXT: Final = QColor("#f2f4f6")
ON_COLOR: Final = QColor("#15181c")
LINE_EDGE: Final = QColor(12, 14, 17, 150)


def bounded(divider: float) -> float:
    """Return a place of the divider that leaves something of both halves."""
    return min(max(divider, NEAREST), 1.0 - NEAREST)


def column(divider: float, width: int) -> int:
    """Return the first column of B's half in a picture of this width."""
    return min(max(round(divider * width), 1), width - 1) if width > 1 else 0


def names(result: FrameResult, other: FrameResult) -> tuple[str, str]:
    """Return what A and B really ran on."""
    a, b = (backends_word(each.backends.values(), each.software) for each in (result, other))
    return a, b


def labels_height(scale: float = 1.0) -> float:
    """Return the height of the labels beside the divider."""
    return QFontMetricsF(_label_font(scale)).height() + GRID * scale


def divided_bgr(view: View, divider: float, scale: float, foot: float) -> NDArray[np.uint8]:
    """Return what is to be saved of a view: in a split comparison both halves with the divider, else its picture.

    Parameters
    ----------
    view : View
        What the engine shows.
    divider : float
        Place of the divider, as a share of the width, in a view that is not divided already.
    scale : float
        Divider and labels larger by so much than on the screen.
    foot : float
        Row in which the labels end below.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        Blue, green, red. The view's own array where there is nothing to divide.
    """
    if view.other is None or view.other_bgr is None:
        return view.image_bgr
    height, width = view.plain_bgr.shape[:2]
    first = column(divider if view.divider is None else view.divider, width)
    both = view.image_bgr.copy()
    if view.divider is None:
        both[:, first:] = view.other_bgr[:, first:]
    image = wrap_bgr(both).convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_divider(painter, QRectF(0, 0, width, height), first, names(view.result, view.other), foot, scale)
    painter.end()
    return to_bgr(image)


def paint_divider(
    painter: QPainter, box: QRectF, x: float, labels: tuple[str, str], foot: float, scale: float = 1.0
) -> None:
    """Draw the divider and, beside it, what runs left and right.

    Parameters
    ----------
    painter : QPainter
        On the picture.
    box : QRectF
        The picture.
    x : float
        Where B's half begins.
    labels : tuple of str
        Backends of A and B.
    foot : float
        Where the labels end below.
    scale : float
        Everything larger by so much.
    """
    painter.save()
    painter.setClipRect(box)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(QRectF(x - 3 * scale, box.top(), 6 * scale, box.height()), LINE_EDGE)
    painter.fillRect(QRectF(x - 2 * scale, box.top(), 2 * scale, box.height()), QColor(AMBER))
    painter.fillRect(QRectF(x, box.top(), 2 * scale, box.height()), QColor(TEAL))
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    which = _label_font(scale)
    for letter, name, color in (("A", labels[0], AMBER), ("B", labels[1], TEAL)):
        _paint_label(painter, box, x, foot, (letter, name, color), which, scale)
    painter.restore()


def _label_font(scale: float) -> QFont:
    which = QFont(font(Type.STRONG))
    which.setPointSizeF(which.pointSizeF() * scale)
    return which


def _paint_label(
    painter: QPainter, box: QRectF, x: float, foot: float, label: tuple[str, str, str], which: QFont, scale: float
) -> None:
    letter, name, color = label
    metrics = QFontMetricsF(which)
    gap, height = GRID * scale, labels_height(scale)
    room = (x - box.left() if letter == "A" else box.right() - x) - 2 * gap
    chip_w = height
    text_w = metrics.horizontalAdvance(name) + 2 * gap
    if room < chip_w:
        return
    if room < chip_w + text_w:
        text_w = 0.0  # the letter alone: half a name says less than none
    width = chip_w + text_w
    left = x - gap - width if letter == "A" else x + gap
    ground = QRectF(left, foot - height, width, height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(LABEL_GROUND)
    painter.drawRoundedRect(ground, 5 * scale, 5 * scale)
    chip = QRectF(left, foot - height, chip_w, height)
    painter.setBrush(QColor(color))
    painter.drawRoundedRect(chip, 5 * scale, 5 * scale)
    painter.setFont(which)
    painter.setPen(ON_COLOR)
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, letter)
    if text_w:
        painter.setPen(LABEL_TEXT)
        painter.drawText(ground.adjusted(chip_w + gap, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, name)
