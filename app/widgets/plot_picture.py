"""A plot as a picture: the window paints it in no time, whatever else it has to paint."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QRegion, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGraphicsView, QWidget

AFTER_MS: Final = 12
"""So long after something changed it is drawn: what the window does about the same change is done by then."""


class PlotPicture(QWidget):
    """Shows a scene as it was drawn last. It is drawn anew in a turn of the event loop of its own, and only there.

    To draw a plot takes 5 to 20 ms. The window would have to do that whenever it paints what lies beside it: when it
    changes its size, when it gets the keyboard or loses it, when a part is folded away.

    Parameters
    ----------
    view : QGraphicsView
        Shows the scene; never seen itself.
    """

    def __init__(self, view: QGraphicsView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        view.setParent(self)
        view.hide()
        self._picture = QPixmap()
        self._is_stale = True
        self.is_blank = False
        """Whether nothing is painted: somebody wants to put the scene there, sharper than the picture."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AFTER_MS)
        self._timer.timeout.connect(self._draw_now)
        self.setSizePolicy(view.sizePolicy())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # Who holds the plot follows the pointer.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    @property
    def is_stale(self) -> bool:
        """Whether the scene is to be drawn anew."""
        return self._is_stale

    def redraw(self) -> None:
        """Draw the scene anew, soon, or when it is seen again."""
        self._is_stale = True
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def paint_scene(self, painter: QPainter) -> None:
        """Paint the scene itself, as sharp as the painter's device is."""
        QWidget.render(self._view, painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)

    def _draw_now(self) -> None:
        # Other timers may have come to their end in this same turn.
        QTimer.singleShot(0, self, self._draw)

    def _draw(self) -> None:
        if not self.updatesEnabled():
            # What is not to be painted now draws nothing at all.
            self._timer.start()
            return
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        if picture.isNull():
            return
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self.paint_scene(painter)
        painter.end()
        self._picture, self._is_stale = picture, False
        self.update()

    # -- Qt events

    def sizeHint(self) -> QSize:
        return self._view.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._view.minimumSizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not (self._picture.isNull() or self.is_blank):
            # While the size changes it is that of a moment ago, for a frame.
            QPainter(self).drawPixmap(self.rect(), self._picture)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._view.resize(event.size())
        self.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        if self._is_stale:
            self._timer.start()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self.redraw()
        return super().event(event)
