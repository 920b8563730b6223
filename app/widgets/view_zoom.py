"""Zoom and pan of the picture with wheel, fingers, mouse and keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QWidget

from app.zoom import STEP, Zoom

NOTCH = 120
"""What one click of a mouse wheel counts, in eighths of a degree (Qt)."""
HANDLED = (
    QEvent.Type.Wheel,
    QEvent.Type.NativeGesture,
    QEvent.Type.Gesture,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonRelease,
)
"""Events of the view that `ViewZoom.handle` wants to see."""
DRAG_FROM = 4
"""Logical pixels that a press may move and still be a click."""


class ViewZoom(QObject):
    """Turns what is done to the picture into a `Zoom`.

    Parameters
    ----------
    view : QWidget
        What the picture is on; hands its events to `handle`.
    sizes : callable
        Returns sizes of picture and room, each (width, height) in pixels; None while there is no picture.
    """

    changed = Signal()
    """Another part is to be seen."""
    clicked = Signal(QPointF)
    """Carries where the picture was clicked without being dragged, in logical pixels."""

    def __init__(self, view: QWidget, sizes: Callable[[], tuple[tuple[int, int], tuple[int, int]] | None]) -> None:
        super().__init__(view)
        self.zoom = Zoom()
        self._view = view
        self._sizes = sizes
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._drags = False
        view.grabGesture(Qt.GestureType.PinchGesture)

    # -- commands

    def take(self, zoom: Zoom) -> None:
        """Show what `zoom` says."""
        if zoom != self.zoom:
            self.zoom = zoom
            self._show_cursor()
            self.changed.emit()

    def step(self, steps: float, at: QPointF | None = None) -> None:
        """Make everything larger by so many steps, smaller by negative ones, around a point, else the middle."""
        self.scale(STEP**steps, at)

    def scale(self, factor: float, at: QPointF | None = None) -> None:
        """Make everything so many times as large around a point in logical pixels, else around the middle."""
        sizes = self._sizes()
        if sizes is None:
            return
        size_wh, room_wh = sizes
        ratio = self._view.devicePixelRatioF()
        point = (room_wh[0] / 2, room_wh[1] / 2) if at is None else (at.x() * ratio, at.y() * ratio)
        self.take(self.zoom.around(factor, point, size_wh, room_wh))

    @property
    def can_move(self) -> bool:
        """Whether a part of the picture is out of sight."""
        sizes = self._sizes()
        return sizes is not None and self.zoom.can_move(*sizes)

    # -- events

    def handle(self, event: QEvent) -> bool:
        """Take an event of the view, or leave it. Return whether it was taken."""
        if isinstance(event, QWheelEvent):
            turned = event.angleDelta().y() / NOTCH
            self.step(turned, event.position())
        elif isinstance(event, QNativeGestureEvent):
            if event.gestureType() is not Qt.NativeGestureType.ZoomNativeGesture:
                return False
            self.scale(1.0 + event.value(), event.position())
        elif isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if not isinstance(pinch, QPinchGesture):
                return False
            self.scale(pinch.scaleFactor(), QPointF(self._view.mapFromGlobal(pinch.centerPoint().toPoint())))
        elif isinstance(event, QMouseEvent):
            return self._mouse(event)
        else:
            return False
        event.accept()
        return True

    def _mouse(self, event: QMouseEvent) -> bool:
        kind, here = event.type(), event.position()
        if kind == QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._last, self._drags = here, here, False
        elif kind == QEvent.Type.MouseMove and self._pressed is not None:
            moved = here - self._pressed
            if self._drags or abs(moved.x()) + abs(moved.y()) > DRAG_FROM:
                self._drags = True
                self._drag(here - self._last)
                self._last = here
        elif kind == QEvent.Type.MouseButtonRelease and self._pressed is not None:
            clicked = not self._drags
            self._pressed, self._drags = None, False
            self._show_cursor()
            if clicked:
                self.clicked.emit(here)
        else:
            return False
        return True

    def _drag(self, by: QPointF) -> None:
        sizes = self._sizes()
        if sizes is not None and self.can_move:
            ratio = self._view.devicePixelRatioF()
            self.take(self.zoom.moved(by.x() * ratio, by.y() * ratio, *sizes))
            self._show_cursor()

    def _show_cursor(self) -> None:
        if not self.can_move:
            self._view.unsetCursor()
        else:
            held = Qt.CursorShape.ClosedHandCursor if self._drags else Qt.CursorShape.OpenHandCursor
            self._view.setCursor(held)
