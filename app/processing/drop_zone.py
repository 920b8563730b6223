"""What the list shows while it is empty: where to drop files, and two ways to choose some."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.i18n import tr
from app.icons import pixmap
from app.theme import GRID, RADIUS, Theme, Type, font


class DropZone(QWidget):
    """A frame to drop files into.

    Parameters
    ----------
    theme : Theme
        For drawing and colours.
    """

    files_wanted = Signal()
    folder_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.dress(self)
        self._theme = theme
        self._is_aimed_at = False
        self._drawing = QLabel(self)
        self._drawing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title = QLabel(tr("Drop videos, pictures or folders here"), self)
        title.setFont(font(Type.TITLE))
        note = QLabel(tr("Each becomes a new file; yours stay as they are. Nothing leaves this machine."), self)
        note.setObjectName("muted")
        for label in (title, note):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self.files_button = QPushButton(tr("Add files…"), self)
        self.files_button.setObjectName("primary")
        self.files_button.clicked.connect(self.files_wanted)
        self.folder_button = QPushButton(tr("Add folder…"), self)
        self.folder_button.clicked.connect(self.folder_wanted)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch()
        for button in (self.files_button, self.folder_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            buttons.addWidget(button)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * GRID, 3 * GRID, 6 * GRID, 3 * GRID)
        layout.setSpacing(0)
        layout.addStretch(4)
        layout.addWidget(self._drawing)
        layout.addSpacing(2 * GRID)
        layout.addWidget(title)
        layout.addSpacing(GRID)
        layout.addWidget(note)
        layout.addSpacing(3 * GRID)
        layout.addLayout(buttons)
        layout.addStretch(5)
        self.setAccessibleName(tr("Drop videos, pictures or folders here"))
        theme.changed.connect(self._refresh)
        self._refresh()

    def aim(self, on: bool) -> None:
        """Show that what is dragged would be taken."""
        if on != self._is_aimed_at:
            self._is_aimed_at = on
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = colors.focus if self._is_aimed_at else colors.faint
        pen = QPen(QColor(color), 2 if self._is_aimed_at else 1.5)
        pen.setDashPattern([4, 4])
        painter.setPen(pen)
        if self._is_aimed_at:
            painter.setBrush(QColor(colors.hover))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 2 * RADIUS, 2 * RADIUS)

    def _refresh(self) -> None:
        self._drawing.setPixmap(pixmap("tray", self._theme.colors.muted, 8 * GRID, self.devicePixelRatioF()))
        self.update()
