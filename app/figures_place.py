"""Where the figures lie on the picture, on the screen and in files, and what makes room for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage

from app.card_text import CardText
from app.theme import GRID
from app.widgets.figures_card import draw_card
from pipelines.overlay import OverlayStyle, depth_place
from pipelines.pipeline import FrameResult

MARGIN: Final = 1.5 * GRID
"""From the edge, in logical pixels."""
CARD_HEIGHT: Final = 720
"""Frame height at which the figures in a file have the size they have on the screen."""


def placed(
    corner: str,
    size: QSizeF,
    room: QRectF,
    depth: QRectF | None,
    gap: float,
    over: float = 0.0,
    beside: float = 0.0,
) -> QRectF:
    """Return where the card lies.

    Parameters
    ----------
    corner : str
        "top_left", "top_right", "bottom_left" or "bottom_right".
    size : QSizeF
        Of the card.
    room : QRectF
        What it lies in, without margins.
    depth : QRectF or None
        What the depth card or its legend covers: a card in a lower corner goes above it.
    gap : float
        Between the two.
    over : float
        What is kept free above a card at the upper right.
    beside : float
        How wide that is: a card at the upper left that would reach it goes below it too.
    """
    upper, _, side = corner.partition("_")
    x = room.left() if side == "left" else room.right() - size.width()
    reaches = side == "right" or x + size.width() > room.right() - beside
    y = room.top() + (over if reaches else 0.0) if upper == "top" else room.bottom() - size.height()
    box = QRectF(QPointF(x, y), size)
    if upper == "bottom" and depth is not None and box.intersects(depth.adjusted(-gap, -gap, gap, gap)):
        box.moveTop(max(room.top(), depth.top() - gap - size.height()))
    return box


def nearest_corner(box: QRectF, room: QRectF) -> str:
    """Return the corner of `room` that the middle of `box` is nearest to."""
    middle = room.center()
    upper = "top" if box.center().y() < middle.y() else "bottom"
    return f"{upper}_{'left' if box.center().x() < middle.x() else 'right'}"


def clear_of(foot: float, height: float, box: QRectF | None, gap: float) -> float:
    """Return where a line of words of that height may end below: at `foot`, or above the card where that is there."""
    if box is None or box.bottom() <= foot - height - gap or box.top() >= foot:
        return foot
    return min(foot, box.top() - gap)


def card_scale(size_wh: tuple[int, int]) -> float:
    """How much larger than on the screen the figures are drawn on a frame of this size."""
    return max(0.5, size_wh[1] / CARD_HEIGHT)


@dataclass(frozen=True, eq=False, slots=True)
class FileCard:
    """The figures as they are painted on a picture that is saved.

    Parameters
    ----------
    image : QImage
        Drawn for the size of the frame.
    scale : float
        How much larger than on the screen.
    corner : str
        Where they lie.
    style : OverlayStyle
        How the results are drawn that they must not cover.
    """

    image: QImage
    scale: float
    corner: str
    style: OverlayStyle

    def box(self, result: FrameResult) -> QRectF:
        """Return where the card lies in the frame of a result, in its pixels."""
        margin, gap = MARGIN * self.scale, GRID * self.scale
        room = QRectF(0, 0, result.frame.width, result.frame.height).adjusted(margin, margin, -margin, -margin)
        place = depth_place(result, self.style)
        depth = None if place is None else QRectF(*place)
        return placed(self.corner, QSizeF(self.image.size()), room, depth, gap)


def file_card(text: CardText, size_wh: tuple[int, int], corner: str, style: OverlayStyle) -> FileCard | None:
    """Draw the figures for a frame of this size, smaller where it is too narrow; None where there are none."""
    scale = card_scale(size_wh)
    image = draw_card(text, "full", scale=scale)
    if image is None:
        return None
    room = size_wh[0] - 2 * MARGIN * scale
    if image.width() > room:
        scale *= room / image.width()
        image = draw_card(text, "full", scale=scale) or image
    return FileCard(image, scale, corner, style)
