"""What the window shows when there is no picture: why, and what to do about it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.i18n import tr
from app.icons import pixmap
from app.test_card import draw_test_card
from app.theme import GRID, Theme, Type, font

WIDTH: Final = 58 * GRID
CARD_WIDTH: Final = 32 * GRID


class EmptyState(QWidget):
    """A sentence and two ways on, or a test card while a source opens.

    Parameters
    ----------
    theme : Theme
        For the drawing.
    """

    demo_wanted = Signal()
    file_wanted = Signal()
    cameras_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.dress(self)
        self._theme = theme
        self._icon = "nocamera"
        self._on_card = False
        self._drawing = QLabel(self)
        self._drawing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.title = QLabel(self)
        self.title.setFont(font(Type.TITLE))
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text = QLabel(self)
        self.text.setObjectName("muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setWordWrap(True)
        self.demo_button = QPushButton(tr("Play the demo"), self)
        self.demo_button.setObjectName("primary")
        self.file_button = QPushButton(tr("Open file…"), self)
        self.cameras_button = QPushButton(tr("Look for cameras again"), self)
        for button, signal in (
            (self.demo_button, self.demo_wanted),
            (self.file_button, self.file_wanted),
            (self.cameras_button, self.cameras_wanted),
        ):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(signal)
        self._hint = QLabel(tr("You can also drop a file here. Nothing you show leaves this machine."), self)
        self._hint.setObjectName("muted")
        self._hint.setFont(font(Type.CAPTION))
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)

        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch()
        for button in (self.demo_button, self.file_button, self.cameras_button):
            buttons.addWidget(button)
        buttons.addStretch()
        # A column of its own, as wide as a comfortable line: wrapped text gets its height from its width.
        column = QWidget(self)
        column.setFixedWidth(WIDTH)
        sides = QHBoxLayout(self)
        sides.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 3 * GRID)
        sides.addWidget(column)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addStretch(4)
        layout.addWidget(self._drawing)
        layout.addSpacing(2 * GRID)
        layout.addWidget(self.title)
        layout.addSpacing(GRID)
        layout.addWidget(self.text)
        layout.addSpacing(3 * GRID)
        layout.addLayout(buttons)
        layout.addSpacing(3 * GRID)
        layout.addWidget(self._hint)
        layout.addStretch(5)
        theme.changed.connect(self._refresh)
        self.looking_for_cameras()

    def looking_for_cameras(self) -> None:
        """Say that cameras are being looked for."""
        self._say("camera", tr("Looking for a camera…"), tr("The demo needs none."))

    def no_camera(self) -> None:
        """Say that there is no camera."""
        self._say(
            "nocamera",
            tr("No camera found"),
            tr("Connect one and look again, play the demo, or open a file of your own."),
            cameras=True,
        )

    def opening(self, name: str, icon: str = "film", live: bool = False) -> None:
        """Say that a source is being opened; a live one may take its time, and has a test card meanwhile."""
        self._say(icon, tr("Opening {}…"), tr("The models load at the same time."), name, on_card=live)

    def failed(self, name: str) -> None:
        """Say that a source cannot be shown; the message bar says why."""
        self._say("warning", tr("{} cannot be shown"), tr("Choose another one, or see what the demo does."), name)

    def ready(self, name: str) -> None:
        """Say that a source can be started."""
        self._say("play", tr("{} is ready"), tr("Press Space to start."), name)

    def _say(
        self, icon: str, title: str, text: str, name: str = "", cameras: bool = False, on_card: bool = False
    ) -> None:
        """Say something; a long `name` is shortened in its middle, so that beginning, ending and title stay whole."""
        self._icon, self._on_card = icon, on_card
        metrics = QFontMetrics(self.title.font())
        room = WIDTH - GRID - metrics.horizontalAdvance(title.format(""))
        self.title.setText(title.format(metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)))
        self.text.setText(text)
        self.setAccessibleName(f"{title.format(name)}. {text}")
        self.cameras_button.setVisible(cameras)
        self._refresh()

    def _refresh(self) -> None:
        scale = self.devicePixelRatioF()
        if self._on_card:
            self._drawing.setPixmap(draw_test_card(CARD_WIDTH, self._icon, scale))
        else:
            self._drawing.setPixmap(pixmap(self._icon, self._theme.colors.muted, 8 * GRID, scale))
