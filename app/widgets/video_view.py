"""The picture: aspect kept, sharp on any screen, dark around it, the figures and short messages on top."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.i18n import tr
from app.icons import icon
from app.qimage import fitted
from app.split import MIDDLE, bounded, column, names, paint_divider
from app.theme import GRID, Type, font
from app.widgets.divider import Divider
from app.workers import Picture

LETTERBOX: Final = QColor("#08090b")
PILL: Final = QColor(12, 14, 17, 200)
PILL_TEXT: Final = QColor("#f2f4f6")
MARGIN: Final = int(1.5 * GRID)
BUTTON: Final = 36


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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(320, 180)
        self.setAccessibleName(tr("Picture"))
        self.picture: Picture | None = None
        self._card: QImage | None = None
        self._pill = ""
        self._buttons: list[QToolButton] = []
        self.divider = MIDDLE
        """Where B's half begins in a split comparison, as a share of the picture's width."""
        self.handle = Divider(self)
        self.handle.moved.connect(self.move_divider)

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
        self.update()

    def move_divider(self, share: float) -> None:
        """Let B's half begin at this share of the width, or as near to it as leaves something of both."""
        self.divider = bounded(share)
        self._place_handle()
        self.update()

    def _place_handle(self) -> None:
        is_split = self.picture is not None and self.picture.other is not None
        if is_split and self.picture is not None:
            self.handle.place(self._target(self.picture), self.divider)
        if is_split is self.handle.isHidden():
            self.handle.setVisible(is_split)

    def set_card(self, card: QImage | None) -> None:
        """Show the figures, or none."""
        if card is None and self._card is None:
            return
        self._card = card
        self.update()

    def has_room_for(self, card: QImage) -> bool:
        """Whether a card is less than two thirds as wide as the view: more would hide the picture."""
        return card.deviceIndependentSize().width() < self.width() * 2 / 3

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
        button.setParent(self)
        button.setObjectName("onPicture")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        # Always on a dark ground, whatever the theme.
        button.setIcon(icon(icon_name, "#f2f4f6", "#69727d"))
        button.setIconSize(QSize(20, 20))
        button.setFixedSize(BUTTON, BUTTON)
        self._buttons.append(button)
        self._place_buttons()

    def picture_rect(self) -> QRect:
        """Where the picture is, in logical pixels; empty without one."""
        if self.picture is None:
            return QRect()
        height, width = self.picture.view.image_bgr.shape[:2]
        size_wh = fitted((width, height), (self.width(), self.height()))
        return QRect(QPoint((self.width() - size_wh[0]) // 2, (self.height() - size_wh[1]) // 2), QSize(*size_wh))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.picture is None:
            painter.fillRect(self.rect(), LETTERBOX)
        else:
            self._paint_picture(painter, self.picture)
        if self._card is not None and self.picture is not None:
            # In the corner of the view, not of the picture: where there are bars, less of the picture is covered.
            painter.drawImage(QPointF(MARGIN, MARGIN), self._card)
        if self._pill:
            self._paint_pill(painter)
        painter.end()

    def _target(self, picture: Picture) -> QRectF:
        """Where a picture goes, in logical pixels."""
        ratio = self.devicePixelRatioF()
        image = picture.image
        if picture.wish.room_wh != self.room_wh:
            return QRectF(self.picture_rect())  # the window changes its size; a sharp one is on its way
        # One pixel of the picture on one pixel of the screen, and only the bars around it are filled.
        x = ((self.room_wh[0] - image.width()) // 2) / ratio
        y = ((self.room_wh[1] - image.height()) // 2) / ratio
        return QRectF(x, y, image.width() / ratio, image.height() / ratio)

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
            self._paint_other(painter, picture.other, target)
            over_pill = self.height() - MARGIN - self._pill_height() - GRID if self._pill else target.bottom()
            foot = min(target.bottom() - MARGIN, over_pill)
            x = target.left() + column(self.divider, picture.other.width()) * target.width() / picture.other.width()
            paint_divider(painter, target, x, names(picture.view.result, picture.view.other), foot)

    def _paint_other(self, painter: QPainter, other: QImage, target: QRectF) -> None:
        """Paint B's half over A's picture, cut between two of its columns."""
        first = column(self.divider, other.width())
        share = first / other.width()
        left = target.left() + share * target.width()
        part = QRectF(left, target.top(), target.right() - left, target.height())
        painter.drawImage(part, other, QRectF(first, 0, other.width() - first, other.height()))

    @staticmethod
    def _pill_height() -> float:
        return QFontMetrics(font(Type.BODY)).height() + 2 * GRID

    def _paint_pill(self, painter: QPainter) -> None:
        which = font(Type.BODY)
        metrics = QFontMetrics(which)
        text = metrics.elidedText(self._pill, Qt.TextElideMode.ElideRight, self.width() - 8 * GRID)
        width = metrics.horizontalAdvance(text) + 4 * GRID
        height = self._pill_height()
        box = QRectF((self.width() - width) / 2, self.height() - height - MARGIN, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(PILL)
        painter.drawRoundedRect(box, height / 2, height / 2)
        painter.setPen(PILL_TEXT)
        painter.setFont(which)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _place_buttons(self) -> None:
        x = self.width() - MARGIN
        for button in reversed(self._buttons):
            x -= BUTTON
            button.move(x, MARGIN)
            x -= GRID

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.room_changed.emit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()
        self._place_handle()
        self.room_changed.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.double_clicked.emit()
