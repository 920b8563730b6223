"""A message that goes by itself: what was saved, and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.i18n import tr
from app.screenshots import Saved
from app.theme import GRID, Theme, Type, font

SHOWN_MS: Final = 6000
MARGIN: Final = int(1.5 * GRID)
"""From the edge, as everything else on the picture."""


class Toast(QFrame):
    """Shows what was saved for some seconds, longer while the pointer rests on it.

    Parameters
    ----------
    theme : Theme
        For its icons.
    """

    folder_wanted = Signal(Path)
    """The user wants to see the folder with this file."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        theme.dress(self)
        self.setObjectName("card")
        self._room = parent
        self._path: Path | None = None
        self.over: Callable[[], float] = lambda: 0.0
        """How much above the lower edge is taken by something else there."""
        self._picture = QLabel(self)
        self._title = QLabel(self)
        self._title.setFont(font(Type.STRONG))
        self._name = QLabel(self)
        self._name.setObjectName("muted")
        self._name.setFont(font(Type.CAPTION))
        self.folder_button = QPushButton(tr("Show in folder"), self)
        self.folder_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.folder_button.clicked.connect(self._show_folder)
        self.offer_button = QPushButton(self)
        self.offer_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.offer_button.clicked.connect(self._take_offer)
        self._offer: Callable[[], None] | None = None
        self._close = QToolButton(self)
        self._close.setObjectName("flat")
        self._close.setAccessibleName(tr("Close this message"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.clicked.connect(self.hide)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.hide)

        words = QVBoxLayout()
        words.setSpacing(GRID // 4)
        words.addStretch()
        words.addWidget(self._title)
        words.addWidget(self._name)
        words.addStretch()
        self._layout = layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.setSpacing(2 * GRID)
        layout.setSizeConstraint(QHBoxLayout.SizeConstraint.SetFixedSize)
        layout.addWidget(self._picture)
        layout.addLayout(words)
        layout.addWidget(self.folder_button)
        layout.addWidget(self.offer_button)
        layout.addWidget(self._close)
        self._theme = theme
        theme.changed.connect(self._refresh)
        self._refresh()
        self.hide()
        parent.installEventFilter(self)

    @property
    def text(self) -> str:
        """Title and file name."""
        return f"{self._title.text()}: {self._name.text()}"

    def show_saved(self, saved: Saved, title: str = "") -> None:
        """Say that a screenshot was saved, or something else, in the words of `title`."""
        self._path = saved.path
        self._picture.setPixmap(QPixmap.fromImage(saved.thumbnail))
        more = len(saved.layers)
        self._title.setText(
            title or (tr("Screenshot saved") if not more else tr("Screenshot and %n layer(s) saved", "", more))
        )
        self._name.setText(saved.path.name)
        self._name.setToolTip(str(saved.path))
        self.folder_button.show()
        self._set_offer("", None)
        self._appear()

    def show_text(self, text: str, word: str = "", on_word: Callable[[], None] | None = None) -> None:
        """Say something short; with `word`, a button of that name that does `on_word`."""
        self._set_offer(word, on_word)
        self._path = None
        self._picture.clear()
        self._title.setText(text)
        self._name.setText("")
        self.folder_button.hide()
        self._appear()

    def place(self) -> None:
        """Go to the lower left of the parent: depth is shown at the lower right."""
        self.ensurePolished()
        self._layout.activate()
        self.adjustSize()
        room = self._room.size()
        self.move(MARGIN, room.height() - self.height() - max(MARGIN, round(self.over()) + GRID))

    def _set_offer(self, word: str, on_word: Callable[[], None] | None) -> None:
        self._offer = on_word
        self.offer_button.setText(word)
        self.offer_button.setVisible(on_word is not None)

    def _take_offer(self) -> None:
        offer = self._offer
        self.hide()
        if offer is not None:
            offer()

    def _appear(self) -> None:
        self._picture.setVisible(self._path is not None)
        self._name.setVisible(self._path is not None)
        self.setAccessibleName(self.text)
        self.show()
        self.raise_()
        self.place()
        self._timer.start()

    def _show_folder(self) -> None:
        if self._path is not None:
            self.folder_wanted.emit(self._path)

    def _refresh(self) -> None:
        self._close.setIcon(self._theme.icon("close"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._timer.start()
        super().leaveEvent(event)
