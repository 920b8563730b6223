"""Paints the rows of the queue, and has one button in each."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPixmapCache,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip, QWidget

from app.i18n import noop, tr
from app.icons import pixmap
from app.processing.items import Item, State
from app.processing.model import ITEM, Index, QueueModel
from app.processing.wording import facts_line, state_word, status_line
from app.theme import GRID, RADIUS, Theme, Type, font

HEIGHT: Final = 11 * GRID
THUMBNAIL: Final = QSize(12 * GRID, 7 * GRID - 2)
BUTTON: Final = 4 * GRID
ICONS: Final = {
    State.LOOKING: "clock",
    State.WAITING: "clock",
    State.RUNNING: "play",
    State.DONE: "done",
    State.INCOMPLETE: "warning",
    State.FAILED: "error",
    State.CANCELLED: "slash",
}
ACTIONS: Final = {
    State.LOOKING: ("close", noop("Take off the list")),
    State.WAITING: ("close", noop("Take off the list")),
    State.RUNNING: ("stop", noop("Cancel")),
    State.DONE: ("folder", noop("Show in folder")),
    State.INCOMPLETE: ("folder", noop("Show in folder")),
    State.FAILED: ("retry", noop("Try again")),
    State.CANCELLED: ("retry", noop("Try again")),
}
"""By state, icon and meaning of the button at the end of a row."""
GO_ON: Final = ("play", noop("Resume where it broke off"))
"""Instead of trying again, where there is something to go on with."""


def row_action(item: Item) -> tuple[str, str]:
    """Return icon and meaning of the button in the row of a file."""
    return GO_ON if item.state.can_retry and item.kept_frames else ACTIONS[item.state]


class RowDelegate(QStyledItemDelegate):
    """Paints a file: its first picture, what it is, how far it is, and a button.

    Parameters
    ----------
    theme : Theme
        For colours and icons.
    """

    button_clicked = Signal(object)
    """Carries the `Item`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = font(Type.STRONG)
        self._small = font(Type.CAPTION, tabular=True)
        self._pressed: Item | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40 * GRID, HEIGHT)

    def button_rect(self, row: QRect) -> QRect:
        """Return where the button of a row is."""
        top = row.top() + (row.height() - BUTTON) // 2
        return QRect(row.right() - GRID - BUTTON, top, BUTTON, BUTTON)

    # -- painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item = index.data(ITEM)
        model = index.model()
        if not isinstance(item, Item) or not isinstance(model, QueueModel):
            return
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        row: QRect = option.rect
        self._paint_ground(painter, option, row)
        picture = QRect(row.left() + int(1.5 * GRID), 0, THUMBNAIL.width(), THUMBNAIL.height())
        picture.moveTop(row.top() + (row.height() - THUMBNAIL.height()) // 2)
        self._paint_picture(painter, picture, item)
        button = self.button_rect(row)
        left = picture.right() + 2 * GRID
        text = QRect(left, row.top() + int(1.5 * GRID), button.left() - GRID - left, row.height() - 3 * GRID)
        self._paint_words(painter, text, item, model.is_paused)
        self._paint_button(painter, button, item, option)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, row: QRect) -> None:
        colors = self._theme.colors
        state = option.state
        box = QRectF(row).adjusted(GRID / 2, 1.5, -GRID / 2, -1.5)
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.hover))
            painter.drawRoundedRect(box, RADIUS, RADIUS)
        else:
            painter.setPen(QPen(QColor(colors.line), 1))
            painter.drawLine(row.left() + 2 * GRID, row.bottom(), row.right() - 2 * GRID, row.bottom())
        if state & QStyle.StateFlag.State_HasFocus and option.widget is not None and option.widget.hasFocus():
            painter.setPen(QPen(QColor(colors.focus), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS, RADIUS)

    def _paint_picture(self, painter: QPainter, box: QRect, item: Item) -> None:
        colors = self._theme.colors
        clip = QPainterPath()
        clip.addRoundedRect(QRectF(box), RADIUS - 2, RADIUS - 2)
        painter.fillPath(clip, QColor(colors.window))
        picture = thumbnail(item)
        if picture is None:
            name = "image" if item.expected == 1 else "film"
            painter.drawPixmap(self._middle(box, 24), self._icon(painter, name, colors.faint, 24))
            return
        painter.save()
        painter.setClipPath(clip)
        size = picture.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
        target = QRect(QPoint(0, 0), size)
        target.moveCenter(box.center())
        painter.drawPixmap(target, picture)
        painter.restore()

    def _paint_words(self, painter: QPainter, box: QRect, item: Item, paused: bool) -> None:
        colors = self._theme.colors
        word = state_word(item, paused)
        small = QFontMetrics(self._small)
        room = small.horizontalAdvance(tr("Incomplete")) + GRID
        line = box.height() // 3
        first = QRect(box.left(), box.top(), box.width(), line)
        second = first.translated(0, line)
        third = second.translated(0, line)
        trouble = item.state is State.FAILED
        painter.setFont(self._name)
        painter.setPen(QColor(colors.text))
        name = QFontMetrics(self._name).elidedText(item.path.name, Qt.TextElideMode.ElideMiddle, first.width() - room)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(first, middle | Qt.AlignmentFlag.AlignLeft, name)
        painter.setFont(self._small)
        tone = colors.error if trouble else colors.muted if item.state.is_open else colors.text
        painter.setPen(QColor(tone))
        painter.drawText(first, middle | Qt.AlignmentFlag.AlignRight, word)
        painter.setPen(QColor(colors.muted))
        elide = Qt.TextElideMode.ElideRight
        painter.drawText(second, middle, small.elidedText(facts_line(item), elide, second.width()))
        if item.state is State.RUNNING:
            third = self._paint_bar(painter, third, item)
        said = status_line(item, paused)
        if not said:
            return
        if item.state is not State.RUNNING:
            color = {State.FAILED: colors.error, State.INCOMPLETE: colors.warning}.get(item.state, colors.muted)
            name, side = ICONS[item.state], 2 * GRID
            if item.state is State.WAITING and item.kept is not None and not item.kept_frames:
                name, color = ICONS[State.INCOMPLETE], colors.warning  # something will be lost
            spot = QRect(third.left(), third.center().y() - side // 2 + 1, side, side)
            painter.drawPixmap(spot, self._icon(painter, name, color, side))
            third.setLeft(spot.right() + GRID - 1)
        painter.setPen(QColor(colors.text if trouble else colors.muted))
        painter.drawText(third, middle, small.elidedText(said, elide, third.width()))

    def _paint_bar(self, painter: QPainter, box: QRect, item: Item) -> QRect:
        """Paint the progress below the words; return the room that is left for these."""
        colors = self._theme.colors
        groove = QRectF(box.left(), box.bottom() + 1, box.width(), 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.line))
        painter.drawRoundedRect(groove, 2, 2)
        part = item.part if item.started else None
        painter.setBrush(QColor(colors.ink))
        if part is not None:
            if part > 0:
                painter.drawRoundedRect(QRectF(groove.left(), groove.top(), max(4, part * groove.width()), 4), 2, 2)
        elif item.started:
            # The number of frames is unknown: something that moves with every frame, and ends nowhere.
            width = groove.width() / 5
            at = (item.done % 50) / 50 * (groove.width() + width) - width
            busy = QRectF(groove.left() + at, groove.top(), width, 4).intersected(groove)
            painter.drawRoundedRect(busy, 2, 2)
        return box.translated(0, -3)

    def _paint_button(self, painter: QPainter, box: QRect, item: Item, option: QStyleOptionViewItem) -> None:
        colors = self._theme.colors
        view = option.widget
        over = False
        if isinstance(view, QAbstractItemView):
            over = view.underMouse() and box.contains(view.viewport().mapFromGlobal(view.cursor().pos()))
        if over:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.line))
            painter.drawRoundedRect(QRectF(box), RADIUS, RADIUS)
        name = row_action(item)[0]
        painter.drawPixmap(self._middle(box, 18), self._icon(painter, name, colors.text if over else colors.muted, 18))

    @staticmethod
    def _icon(painter: QPainter, name: str, color: str, size: int) -> QPixmap:
        return _drawn(name, color, size, painter.device().devicePixelRatioF())

    @staticmethod
    def _middle(box: QRect, side: int) -> QRect:
        inner = QRect(0, 0, side, side)
        inner.moveCenter(box.center())
        return inner

    # -- the button

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        item = index.data(ITEM)
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            inside = self.button_rect(option.rect).contains(event.position().toPoint())
            if event.type() == QEvent.Type.MouseButtonPress:
                self._pressed = item if inside else None
                return inside
            if event.type() == QEvent.Type.MouseButtonRelease:
                pressed, self._pressed = self._pressed, None
                if inside and pressed is item:
                    self.button_clicked.emit(item)
                    return True
        return super().editorEvent(event, model, option, index)

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        item = index.data(ITEM)
        if isinstance(item, Item) and self.button_rect(option.rect).contains(event.pos()):
            QToolTip.showText(event.globalPos(), tr(row_action(item)[1]), view)
            return True
        return super().helpEvent(event, view, option, index)


@lru_cache(maxsize=128)
def _drawn(name: str, color: str, size: int, scale: float) -> QPixmap:
    return pixmap(name, color, size, scale)


def thumbnail(item: Item) -> QPixmap | None:
    """Return the first picture of a file. Unpacked only while it is seen: a folder may hold thousands."""
    if not item.thumbnail:
        return None
    key = f"processing {hash(item.thumbnail)}"
    picture = QPixmap()
    if not QPixmapCache.find(key, picture):
        picture.loadFromData(item.thumbnail, "JPEG")
        QPixmapCache.insert(key, picture)
    return picture
