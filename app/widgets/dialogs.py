"""Small dialogs: the keys, what this program is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.commands import COMMANDS, MENUS, Command, shown_key
from app.i18n import tr
from app.steps import Stepwise
from app.theme import GRID, Type, font
from app.widgets.room import Sheet, take_room
from app.words import APP_NAME
from pipelines.version import __version__

PARTS: Final = {"onnxruntime": "ONNX Runtime", "opencv-python-headless": "OpenCV", "av": "PyAV"}
"""Packages that the program is built on, and how they are called."""


def _closer(dialog: QDialog) -> QDialogButtonBox:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    buttons.rejected.connect(dialog.reject)
    return buttons


class ShortcutSheet(QDialog):
    """All keys on one page, made of the table of commands.

    Parameters
    ----------
    furnished : bool
        Whether it is complete at once; else `furnish` completes it in steps.
    """

    def __init__(self, parent: QWidget | None = None, furnished: bool = True) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        if furnished:
            for _ in self.furnish():
                pass

    def furnish(self) -> Stepwise:
        """Put the keys into it, a menu a step."""
        inside = QWidget(self)
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(5 * GRID)
        menus = {menu: [c for c in COMMANDS if c.menu.partition("/")[0] == menu and c.keys] for menu in MENUS}
        for group in (("File", "Run"), ("View",), ("Edit", "Playback", "Help")):
            column = QVBoxLayout()
            column.setSpacing(GRID)
            for menu in group:
                column.addLayout(self._section(menu, menus[menu]))
                column.addSpacing(GRID)
                yield
            column.addStretch()
            columns.addLayout(column)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        self.sheet = Sheet(inside, self)
        layout.addWidget(self.sheet)
        layout.addWidget(_closer(self))
        yield

    def showEvent(self, event: QShowEvent) -> None:
        if not event.spontaneous():
            take_room(self, self.sizeHint())
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll where there is more than can be seen."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            QApplication.sendEvent(self.sheet.verticalScrollBar(), event)
        else:
            super().keyPressEvent(event)

    def _section(self, title: str, commands: Iterable[Command]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * GRID)
        grid.setVerticalSpacing(GRID // 2)
        heading = QLabel(tr(title), self)
        heading.setFont(font(Type.LABEL))
        heading.setObjectName("muted")
        grid.addWidget(heading, 0, 0)
        for row, command in enumerate(commands, 1):
            grid.addWidget(QLabel(tr(command.text).rstrip("…"), self), row, 0)
            keys = QHBoxLayout()
            keys.setSpacing(GRID // 2)
            keys.addStretch()
            for key in command.keys:
                cap = QLabel(shown_key(key), self)
                cap.setObjectName("keycap")
                cap.setFont(font(Type.CAPTION))
                # A key with a Chinese name is as high as the others.
                cap.setFixedHeight(3 * GRID - 4)
                keys.addWidget(cap)
            grid.addLayout(keys, row, 1)
        grid.setColumnStretch(0, 1)
        return grid


class AboutDialog(QDialog):
    """Name, version, licence, and what it is built on.

    Parameters
    ----------
    versions : mapping of str to str or None
        Those of `PARTS`.
    """

    def __init__(self, versions: Mapping[str, str | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About {app}").format(app=APP_NAME))
        title = QLabel(f"{APP_NAME} {__version__}", self)
        title.setFont(font(Type.TITLE))
        text = QLabel(
            tr(
                "Face landmarks, person segmentation and depth on this machine, live, with honest figures.\n\n"
                "No frame leaves this machine. Free software under the Apache License 2.0."
            ),
            self,
        )
        parts = QLabel(
            # No part is torn from its version.
            ", ".join(
                part.replace(" ", "\N{NO-BREAK SPACE}")
                for part in (f"Qt {qVersion()} (LGPL)", *(f"{PARTS[name]} {found}" for name, found in versions.items()))
            ),
            self,
        )
        parts.setObjectName("muted")
        parts.setFont(font(Type.CAPTION))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        for label in (title, text, parts):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addWidget(_closer(self))
        self.setMinimumWidth(52 * GRID)
