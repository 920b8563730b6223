"""A slider for places in a file: jumps to where it is clicked, and tells the time under the pointer."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QEnterEvent, QHideEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QSlider, QStyle, QWidget

from app.i18n import tr
from app.playback import clock
from app.theme import GRID, Type, font

STEP_S: Final = 5.0
PAGE_S: Final = 30.0


class SeekSlider(QSlider):
    """Chooses a time between 0 and the end of a file, in milliseconds."""

    sought = Signal(float)
    """Carries the time that the user wants, in seconds; comes all the while the handle is dragged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Place in the file"))
        self.setSingleStep(round(STEP_S * 1000))
        self.setPageStep(round(PAGE_S * 1000))
        self.hover = QLabel(self.window())
        self.hover.setObjectName("card")
        self.hover.setFont(font(Type.CAPTION, tabular=True))
        self.hover.setMargin(GRID // 2)
        self.hover.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hover.hide()
        # Not valueChanged: the file moves the handle, too.
        self.actionTriggered.connect(self._acted)

    def show_place(self, position_s: float, length_s: float | None) -> None:
        """Put the handle where the file is, unless the user holds it."""
        self.setMaximum(max(1, round(1000 * (length_s or 0.0))))
        if not self.isSliderDown():
            self.setValue(round(1000 * position_s))
        self.setAccessibleDescription(clock(position_s))

    def time_at(self, x: float) -> float:
        """Return the time at a place of the widget, in seconds."""
        handle = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self)
        room = max(1, self.width() - handle)
        value = QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), round(x - handle / 2), room)
        return value / 1000

    def _acted(self) -> None:
        # Keys and the wheel; the value is only taken over after this signal.
        if not self.isSliderDown():
            self.sought.emit(min(max(self.sliderPosition(), 0), self.maximum()) / 1000)

    # -- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        event.accept()
        self.setSliderDown(True)
        self._drag_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._tell_time(event.position().x())
        if self.isSliderDown():
            self._drag_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.isSliderDown():
            self._drag_to(event.position().x())
            self.setSliderDown(False)

    def _drag_to(self, x: float) -> None:
        time_s = self.time_at(x)
        value = round(1000 * time_s)
        if value != self.sliderPosition():
            self.setSliderPosition(value)
            self.sought.emit(time_s)

    # -- the time under the pointer

    def enterEvent(self, event: QEnterEvent) -> None:
        self._tell_time(event.position().x())
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.hover.hide()
        super().leaveEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        # Into full screen, or the file is another one: the time would stay there, on the picture.
        self.hover.hide()
        self.setSliderDown(False)
        super().hideEvent(event)

    def _tell_time(self, x: float) -> None:
        if not self.isEnabled():
            return
        window = self.window()
        if self.hover.parentWidget() is not window:
            self.hover.setParent(window)
        self.hover.setText(clock(self.time_at(x)))
        self.hover.adjustSize()
        place = self.mapTo(window, QPoint(round(x), 0))
        left = min(max(place.x() - self.hover.width() // 2, 0), window.width() - self.hover.width())
        self.hover.move(left, place.y() - self.hover.height() - GRID // 2)
        self.hover.show()
        self.hover.raise_()
