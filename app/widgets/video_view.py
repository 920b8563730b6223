"""The picture: aspect kept, sharp on any screen, dark around it, the figures and short messages on top."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.face_view import pin_at
from app.figures_place import clear_of
from app.i18n import tr
from app.pictures import Picture
from app.split import MIDDLE, bounded, labels_height, names, paint_divider
from app.theme import GRID, Type, font
from app.widgets.divider import Divider
from app.widgets.face_card import card_rect, paint_face_card
from app.widgets.figures_view import FiguresView, paint_target
from app.widgets.on_picture import BUTTON, dress_button
from app.widgets.pointing import told_on
from app.widgets.split_half import paint_other
from app.widgets.view_zoom import HANDLED, ViewZoom
from app.widgets.words_on_picture import paint_words, words_height
from app.zoom import Layout
from pipelines.overlay import OverlayStyle, depth_place

LETTERBOX: Final = QColor("#08090b")
MARGIN: Final = int(1.5 * GRID)


class VideoView(QWidget):
    """Shows a `Picture` and, over it, the figures.

    Parameters
    ----------
    parent : QWidget, optional
        The window.
    """

    room_changed = Signal()
    """There is more or less room for the picture: size or pixel ratio changed."""
    double_clicked = Signal()
    """Double click on the picture."""
    divider_moved = Signal(float)
    """B's half is to begin at this share of the width."""
    looked = Signal()
    """Another part of the picture is to be seen, or another face closely, or the pointer came or went."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(320, 180)
        self.setAccessibleName(tr("Picture"))
        self.picture: Picture | None = None
        self._pill = ""
        self._buttons: list[QToolButton] = []
        self.divider = MIDDLE
        """Where B's half begins in a split comparison, as a share of the picture's width."""
        self.handle = Divider(self)
        self.handle.moved.connect(self.move_divider)
        self._style = OverlayStyle()
        self.figures = FiguresView(self, BUTTON + GRID, self._depth_rect, lambda: self.buttons_width)
        self.figures.entered.connect(lambda: self._point(None))
        self.figures.moving.connect(self.update)
        self.badge: QWidget | None = None
        """What lies under the buttons while something is recorded."""
        self.setMouseTracking(True)
        self.zooming = ViewZoom(self, self._sizes)
        self.zooming.changed.connect(self._zoomed)
        self.zooming.clicked.connect(self._clicked)
        self.pin: int | None = None
        """What the face that is looked at closely is pinned by."""
        self._pin_before: int | None = None
        self.pointer: QPointF | None = None
        """Where the pointer is, in logical pixels; None while it is elsewhere."""

    def sizeHint(self) -> QSize:
        return QSize(960, 540)

    @property
    def room_wh(self) -> tuple[int, int]:
        """Room for the picture in device pixels."""
        ratio = self.devicePixelRatioF()
        return max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))

    def set_picture(self, picture: Picture | None) -> None:
        """Show a picture, or none."""
        self.picture = picture
        self._place_handle()
        self.figures.place()
        self.update()

    # -- looking closely

    def _sizes(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        return None if self.picture is None else (self.picture.size_wh, self.room_wh)

    def layout_now(self, picture: Picture) -> Layout:
        """Where a picture of this size is to lie now, in device pixels."""
        return self.zooming.zoom.layout(picture.size_wh, self.room_wh)

    def _zoomed(self) -> None:
        self._place_handle()
        self.figures.place()
        self.update()
        self.looked.emit()

    def _clicked(self, where: QPointF) -> None:
        """Look closely at the face that was clicked; a click elsewhere, or on it again, ends that."""
        picture = self.picture
        if picture is None:
            return
        x, y = self.layout_now(picture).to_picture(*self._device(where))
        shown = picture.view.result
        if picture.wish.mirror is not None:
            x = shown.frame.width - 1 - x
        pin = pin_at(shown, x, y)
        self._pin_before = self.pin
        self.look_at(None if pin == self.pin else pin)

    def look_at(self, pin: int | None) -> None:
        """Look closely at a face, or at none."""
        if pin != self.pin:
            self.pin = pin
            self.looked.emit()

    def _device(self, where: QPointF) -> tuple[float, float]:
        ratio = self.devicePixelRatioF()
        return where.x() * ratio, where.y() * ratio

    def told(self) -> str:
        """What lies under the pointer; "" for nothing."""
        picture = self.picture
        if picture is None or self.pointer is None or not picture.wish.reads:
            return ""
        at = self.layout_now(picture).to_picture(*self._device(self.pointer))
        return told_on(picture, at, self._divided_at(picture))

    # -- the divider

    def move_divider(self, share: float) -> None:
        """Let B's half begin at this share of the width, or as near to it as leaves something of both."""
        self.divider = bounded(share)
        self._place_handle()
        self.update()
        self.divider_moved.emit(self.divider)

    def _divided_at(self, picture: Picture) -> float:
        """Where B's half begins in this picture: where it was drawn, or else where the handle is."""
        return self.divider if picture.view.divider is None else picture.view.divider

    def _place_handle(self) -> None:
        is_split = self.picture is not None and self.picture.other is not None
        if is_split and self.picture is not None:
            self.handle.place(self._whole(self.picture), self.divider)
        if is_split is self.handle.isHidden():
            self.handle.setVisible(is_split)

    def set_style(self, style: OverlayStyle) -> None:
        """Tell how results are drawn: the figures do not cover the depth card."""
        self._style = style
        self.figures.place()

    def _depth_rect(self) -> QRectF | None:
        picture = self.picture
        place = None if picture is None else depth_place(picture.view.result, self._style)
        if picture is None or place is None:
            return None
        left, top, width, height = place
        return self._lies(picture, (left, top, left + width, top + height))

    @property
    def lower_left(self) -> float:
        """Logical pixels above the lower edge that figures at the lower left take."""
        box = self.figures.box
        return self.height() - box.top() if box is not None and self.figures.corner == "bottom_left" else 0.0

    def has_room_for(self, card: QImage) -> bool:
        """Whether a card is less than two thirds as wide as the view: more would hide the picture."""
        return card.deviceIndependentSize().width() < self.width() * 2 / 3

    def has_room_beside_buttons(self, card: QImage) -> bool:
        """Whether a card at the upper left ends before the buttons: below them it would be where faces are."""
        taken = card.deviceIndependentSize().width() + self.buttons_width + 2 * MARGIN
        return self.figures.corner != "top_left" or taken <= self.width()

    def set_pill(self, text: str) -> None:
        """Show a short message in the middle below, "" for none."""
        if text != self._pill:
            self._pill = text
            self.setAccessibleDescription(text)
            self.update()

    @property
    def pill(self) -> str:
        """The short message."""
        return self._pill

    def add_button(self, button: QToolButton, icon_name: str) -> None:
        """Put a button on the picture, at the upper right, the last one outermost. Depth has the lower right."""
        dress_button(button, self, icon_name)
        self._buttons.append(button)
        self._place_buttons()

    @property
    def buttons_width(self) -> int:
        """Logical pixels that the buttons take, with the gap beside them."""
        return len(self._buttons) * (BUTTON + GRID)

    def picture_rect(self) -> QRect:
        """Where the picture is, in logical pixels; empty without one."""
        if self.picture is None:
            return QRect()
        return self._whole(self.picture).toRect()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.picture is None:
            painter.fillRect(self.rect(), LETTERBOX)
        else:
            self._paint_picture(painter, self.picture)
        if self.picture is not None and self.picture.face is not None:
            paint_face_card(painter, self.picture.face, self._face_rect())
        target = self.figures.target
        if target is not None:
            paint_target(painter, target)
        if self._pill:
            self._paint_pill(painter)
        told = self.told()
        if told and self.pointer is not None:
            self._paint_told(painter, told, self.pointer)
        painter.end()

    def _face_rect(self) -> QRectF:
        """Where the face that is looked at closely is shown: below the buttons, or opposite of figures that are."""
        top, foot = MARGIN + BUTTON + GRID, self.height() - MARGIN
        if self.badge is not None and self.badge.isVisible():
            top += self.badge.height() + GRID
        box = card_rect(self.width() - MARGIN, top, foot)
        opposite = card_rect(MARGIN + box.width(), MARGIN, foot)
        figures = self.figures.box
        if figures is None or not box.intersects(figures):
            return box
        if not opposite.intersects(figures):
            return opposite
        # In a small view, where they reach from side to side.
        if self.figures.corner.startswith("bottom"):
            return card_rect(MARGIN + box.width(), MARGIN, figures.top() - GRID)
        return card_rect(self.width() - MARGIN, max(top, figures.bottom() + GRID), foot)

    def _target(self, picture: Picture) -> QRectF:
        """Where what a picture shows goes, in logical pixels."""
        if picture.wish.place == (self.room_wh, self.zooming.zoom):
            # One pixel of the picture on one pixel of the screen, and only the bars around it are filled.
            return self._logical(*picture.layout.target_xywh)
        # The window changes its size, or another part is to be seen: a sharp one is on its way.
        return self._lies(picture, picture.layout.crop_xyxy)

    def _whole(self, picture: Picture) -> QRectF:
        """Where all of a picture would be, in logical pixels."""
        return self._lies(picture, (0, 0, *picture.size_wh))

    def _lies(self, picture: Picture, part_xyxy: tuple[int, int, int, int]) -> QRectF:
        layout = self.layout_now(picture)
        x0, y0 = layout.to_screen(*part_xyxy[:2])
        x1, y1 = layout.to_screen(*part_xyxy[2:])
        return self._logical(x0, y0, x1 - x0, y1 - y0)

    def _logical(self, x: float, y: float, width: float, height: float) -> QRectF:
        ratio = self.devicePixelRatioF()
        return QRectF(x / ratio, y / ratio, width / ratio, height / ratio)

    def _paint_picture(self, painter: QPainter, picture: Picture) -> None:
        target = self._target(picture)
        bounds = QRectF(self.rect())
        for bar in (
            QRectF(0, 0, bounds.width(), target.top()),
            QRectF(0, target.bottom(), bounds.width(), bounds.height() - target.bottom()),
            QRectF(0, target.top(), target.left(), target.height()),
            QRectF(target.right(), target.top(), bounds.width() - target.right(), target.height()),
        ):
            if not bar.isEmpty():
                painter.fillRect(bar, LETTERBOX)
        painter.drawImage(target, picture.image)
        if picture.other is not None and picture.view.other is not None:
            whole, seen = self._whole(picture), target.intersected(bounds)
            foot = seen.bottom() - MARGIN
            if self._pill:
                foot = min(foot, self._pill_foot() - words_height() - GRID)
            foot = clear_of(foot, labels_height(), self.figures.box, GRID)
            wanted = whole.left() + self._divided_at(picture) * whole.width()
            x = paint_other(painter, picture, target, wanted)
            paint_divider(painter, seen, x, names(picture.view.result, picture.view.other), foot)

    def _paint_pill(self, painter: QPainter) -> None:
        top = self._pill_foot() - words_height()
        paint_words(painter, self._pill, font(Type.BODY), self.width() / 2, top, self.width())

    def _pill_foot(self) -> float:
        return clear_of(self.height() - MARGIN, words_height(), self.figures.box, GRID)

    def _paint_told(self, painter: QPainter, text: str, pointer: QPointF) -> None:
        """Write beside the pointer, below it where there is room."""
        below = pointer.y() + 2.5 * GRID
        top = below if below + words_height() < self.height() else pointer.y() - words_height() - GRID
        paint_words(painter, text, font(Type.BODY, tabular=True), pointer.x(), top, self.width())

    def _place_buttons(self) -> None:
        x = self.width() - MARGIN
        for button in reversed(self._buttons):
            x -= BUTTON
            button.move(x, MARGIN)
            x -= GRID

    def event(self, event: QEvent) -> bool:
        if event.type() in HANDLED and self.zooming.handle(event):
            if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
                self._point(event.position())
            return True
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._point(event.position())
        elif event.type() == QEvent.Type.Leave:
            self._point(None)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.room_changed.emit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()
        self._place_handle()
        self.figures.place()
        self.room_changed.emit()

    def _point(self, where: QPointF | None) -> None:
        came_or_went = (where is None) is not (self.pointer is None)
        self.pointer = where
        self.update()
        if came_or_went:
            self.looked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.look_at(self._pin_before)  # its first click was none
            self.double_clicked.emit()
