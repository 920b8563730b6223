"""The bar under the picture of a file: play and hold, frame by frame, place, loop, speed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from app.i18n import tr
from app.playback import clock
from app.theme import GRID, Theme, Type, font
from app.widgets.seek_slider import SeekSlider
from app.words import DASH, TIMES
from pipelines.playback import SPEEDS, Playback


class Transport(QFrame):
    """Shows where a file is and lets the user move in it.

    Parameters
    ----------
    theme : Theme
        For its icons.
    actions : dict of str to QAction
        The window's commands.
    """

    sought = Signal(float)
    """Carries the time that the user wants, in seconds."""
    speed_chosen = Signal(float)

    def __init__(self, theme: Theme, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.dress(self)
        self.setObjectName("transport")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._theme = theme
        self._plays = True
        self.play = QToolButton(self)
        self.play.setObjectName("flat")
        self.play.clicked.connect(actions["pause"].trigger)
        self.step_back = _button(actions["step_back"], self)
        self.step_on = _button(actions["step_on"], self)
        self.loop = _button(actions["loop"], self)
        for button in (self.play, self.step_back, self.step_on, self.loop):
            button.setIconSize(QSize(20, 20))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for button in (self.step_back, self.step_on):
            button.setAutoRepeat(True)
        self.position = QLabel(self)
        self.length = QLabel(self)
        for label in (self.position, self.length):
            label.setFont(font(Type.CAPTION, tabular=True))
        self.length.setObjectName("muted")
        self.slider = SeekSlider(self)
        theme.dress(self.slider.hover)
        self.slider.sought.connect(self._seek)
        self.speed = QComboBox(self)
        self.speed.setAccessibleName(tr("Speed"))
        self.speed.setToolTip(tr("Speed ([ slower, ] faster)"))
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for value in SPEEDS:
            self.speed.addItem(f"{value:g}{TIMES}", value)
        self.speed.activated.connect(lambda index: self.speed_chosen.emit(self.speed.itemData(index)))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.step_back)
        layout.addWidget(self.play)
        layout.addWidget(self.step_on)
        layout.addSpacing(GRID)
        layout.addWidget(self.position)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self.length)
        layout.addSpacing(GRID)
        layout.addWidget(self.loop)
        layout.addWidget(self.speed)
        theme.changed.connect(self._refresh)
        self.show_playing(True)

    def show_playing(self, plays: bool) -> None:
        """Make the button say what it would do."""
        self._plays = plays
        self._refresh()

    def show_playback(self, now: Playback, why_not: str) -> None:
        """Show place, length, speed and loop.

        Parameters
        ----------
        now : Playback
            Where the file is.
        why_not : str
            Why no place can be chosen, "" where one can.
        """
        self.slider.setEnabled(not why_not)
        self.slider.setToolTip(why_not)
        self.slider.show_place(now.position_s, now.length_s)
        if not self.slider.isSliderDown():
            self._show_time(now.position_s)
        self.length.setText(clock(now.length_s) if now.length_s else DASH)
        self.length.setMinimumWidth(self.length.fontMetrics().horizontalAdvance(self._widest(now.length_s)))
        self.position.setMinimumWidth(self.position.fontMetrics().horizontalAdvance(self._widest(now.length_s)))
        self.speed.setCurrentIndex(self.speed.findData(now.speed))

    @staticmethod
    def _widest(length_s: float | None) -> str:
        # So that nothing moves when a digit is added; a file without a length is given an hour.
        return "0" * len(clock(max(length_s or 3599.0, 60.0)))

    def _show_time(self, time_s: float) -> None:
        self.position.setText(clock(time_s))

    def _seek(self, time_s: float) -> None:
        self._show_time(time_s)
        self.sought.emit(time_s)

    def _refresh(self) -> None:
        words = tr("Pause") if self._plays else tr("Play")
        self.play.setAccessibleName(words)
        self.play.setToolTip(f"{words} (P, K)")
        self.play.setIcon(self._theme.icon("pause" if self._plays else "play"))


def _button(action: QAction, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setDefaultAction(action)
    button.setObjectName("flat")
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAccessibleName(action.text())
    return button
