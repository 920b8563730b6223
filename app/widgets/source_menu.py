"""The button that says what is played and offers what could be."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from app.addresses import kept
from app.i18n import tr
from app.inventory import CameraEntry
from app.sources import DEMO, source_icon, source_label
from app.theme import Theme, Type, font

WIDTH: Final = 232
NARROWEST: Final = 152
"""In a small window; the name of the source is shortened."""
BESIDE: Final = 30 + 10 + 18 + 16
"""Pixels of the width that are no room for the name: arrow, edges, icon."""


class SourceMenu(QToolButton):
    """Demo, cameras by name, recent files, and what opens others.

    Parameters
    ----------
    theme : Theme
        For its icons.
    openers : list of QAction
        Commands that open something, shown at the end.
    """

    source_chosen = Signal(str)
    """Carries SRC."""
    about_to_open = Signal()
    """The menu opens: a good moment to look for cameras."""

    def __init__(self, theme: Theme, openers: list[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("source")
        self.setToolTip(tr("What Twinlens looks at"))
        self.setAccessibleName(tr("Source"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(18, 18))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(NARROWEST)
        self.setMaximumWidth(WIDTH)
        self._theme = theme
        self._openers = openers
        self._source = ""
        self._recent: tuple[str, ...] = ()
        self._cameras: tuple[CameraEntry, ...] | None = None
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self.about_to_open)
        self.setMenu(self._menu)
        theme.changed.connect(self._fill)

    def sizeHint(self) -> QSize:
        # The same, however long the name is: nothing beside it moves.
        return QSize(WIDTH, super().sizeHint().height())

    def show_source(self, source: str, recent: tuple[str, ...], cameras: tuple[CameraEntry, ...] | None) -> None:
        """Say what is played, and what else there is; `cameras` is None while they are looked for."""
        if (source, recent, cameras) != (self._source, self._recent, self._cameras) or not self._menu.actions():
            self._source, self._recent, self._cameras = source, recent, cameras
            self._fill()

    def entries(self) -> dict[str, QAction]:
        """Return the actions of the sources by SRC."""
        return {action.data(): action for action in self._menu.actions() if isinstance(action.data(), str)}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name()

    def _name(self) -> None:
        """Say what is played, shortened in its middle."""
        label = self._camera_name(self._source) or source_label(self._source)
        room = min(max(self.width(), NARROWEST), WIDTH) - BESIDE
        name = QFontMetrics(self.font()).elidedText(label, Qt.TextElideMode.ElideMiddle, room)
        self.setText(" " + name.replace("&", "&&"))
        self.setAccessibleDescription(label)

    def _fill(self) -> None:
        self._name()
        self.setIcon(self._theme.icon(source_icon(self._source) if self._source else "nocamera"))
        self._menu.clear()
        group = QActionGroup(self._menu)
        self._add(DEMO, tr("Demo"), group)
        self._section(tr("Cameras"))
        if self._cameras is None:
            self._remark(tr("Looking for cameras…"))
        elif not self._cameras:
            self._remark(tr("No camera found"))
        for camera in self._cameras or ():
            self._add(camera.source, camera.name, group)
        if self._recent:
            self._section(tr("Recent"))
            for path in self._recent:
                self._add(path, source_label(path), group, tip=path)
        self._menu.addSeparator()
        for action in self._openers:
            self._menu.addAction(action)

    def _camera_name(self, source: str) -> str:
        return next((camera.name for camera in self._cameras or () if camera.source == source), "")

    def _add(self, source: str, text: str, group: QActionGroup, tip: str = "") -> None:
        action = self._menu.addAction(text.replace("&", "&&"))
        action.setData(source)
        action.setToolTip(tip or text)
        action.setCheckable(True)
        action.setChecked(source == kept(self._source))
        action.setActionGroup(group)
        action.triggered.connect(lambda _checked=False: self.source_chosen.emit(source))

    def _section(self, text: str) -> None:
        self._menu.addSeparator()
        # A heading, not one more thing that cannot be chosen.
        self._remark(text).setFont(font(Type.LABEL))

    def _remark(self, text: str) -> QAction:
        action = self._menu.addAction(text)
        action.setEnabled(False)
        return action
