"""The look: spacing, type sizes, and the scheme of colours that is in use.

The window is neutral on purpose. Amber and teal belong to the backends A and B, red to trouble; nothing else is
coloured but the focus ring, so that a colour always means something.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QWidget

from app.changeover import Change, changeover_of, is_valid, parts
from app.colors import DARK, LIGHT, Colors, palette
from app.icons import icon, icon_names
from app.steps import Stepwise
from app.style_sheet import CONTROL_HEIGHT, RADIUS, style_sheet
from pipelines.overlay.colours import COLOUR_A, COLOUR_B

__all__ = ["AMBER", "CONTROL_HEIGHT", "GRID", "RADIUS", "TEAL", "Theme", "Type", "dress", "font"]

GRID: Final = 8
"""Spacing in logical pixels; halves and multiples of it, nothing else."""

AMBER: Final = COLOUR_A
"""Backend A, everywhere."""
TEAL: Final = COLOUR_B
"""Backend B, everywhere."""


class Type(Enum):
    """Type scale: size relative to the system's own font, and weight."""

    CAPTION = (0.88, QFont.Weight.Normal)
    LABEL = (0.88, QFont.Weight.DemiBold)
    BODY = (1.0, QFont.Weight.Normal)
    STRONG = (1.0, QFont.Weight.DemiBold)
    TITLE = (1.9, QFont.Weight.DemiBold)


def font(kind: Type, tabular: bool = False) -> QFont:
    """Return the font for a kind of text; `tabular` gives all digits the same width where the font can."""
    result = QFont(QGuiApplication.font())
    scale, weight = kind.value
    result.setPointSizeF(result.pointSizeF() * scale)
    result.setWeight(weight)
    if tabular:
        result.setFeature(QFont.Tag("tnum"), 1)
    return result


class Theme(QObject):
    """Light or dark, following the system unless told otherwise.

    The program has the style sheet of the scheme that it began with, and keeps it. For another scheme each part of a
    window gets a sheet of its own (`dress`), which wins over that of the program: Qt goes through everything that has
    one sheet in one event, which for the whole window takes too long. From the beginning each part would have to read
    its own.

    Parameters
    ----------
    app : QApplication
        Gets palette and style sheet.
    """

    changed = Signal()
    """Another colour scheme is in use: icons and painted widgets have to be made again."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._choice = "system"
        self._changeover = changeover_of(app)
        app.styleHints().colorSchemeChanged.connect(self._follow)
        app.setStyle("Fusion")
        self.colors = self._wanted()
        self._sheet = self._first_sheet = style_sheet(self.colors)
        app.setPalette(palette(self.colors))
        app.setStyleSheet(self._sheet)

    @property
    def is_dark(self) -> bool:
        """Whether the dark scheme is in use."""
        return self.colors is DARK

    def choose(self, choice: str) -> None:
        """Take "light", "dark" or "system", soon: in steps, if a window is seen."""
        self._choice = choice
        self._follow()

    def dress(self, *widgets: QWidget) -> None:
        """Let widgets, and all in them, be styled by themselves when the scheme is another one.

        What is as large as the side panel is dressed in parts, each of which takes Qt some milliseconds.
        """
        for widget in widgets:
            parts.add(widget)
            if self._own_sheet:
                widget.setStyleSheet(self._own_sheet)

    def icon(self, name: str) -> QIcon:
        """Return an icon in the colours of the scheme."""
        return icon(name, self.colors.text, self.colors.faint)

    @property
    def _own_sheet(self) -> str:
        """What a part has for itself; "" where the program has it."""
        return "" if self._sheet == self._first_sheet else self._sheet

    def _wanted(self) -> Colors:
        if self._choice == "system":
            # A desktop that does not say gets the dark one: the picture is what matters, and it glows on it.
            return LIGHT if self._app.styleHints().colorScheme() is Qt.ColorScheme.Light else DARK
        return LIGHT if self._choice == "light" else DARK

    def _follow(self) -> None:
        if self._wanted() is not self.colors:
            self._changeover.ask("theme", Change(self._apply, self._draw_icons, self._dress_hidden))

    def _draw_icons(self) -> Stepwise:
        colors = self._wanted()
        for name in icon_names():
            icon(name, colors.text, colors.faint)
            yield

    def _apply(self) -> Stepwise:
        colors = self._wanted()
        if colors is self.colors:
            return
        self.colors = colors
        self._sheet = style_sheet(colors)
        yield
        self._app.setPalette(palette(colors))
        yield
        seen = parts.find(are_seen=True)
        if not seen:
            # The program begins: it is told what its user has chosen. To put one sheet in the place of another takes
            # Qt several times as long as to take it off and to put that on.
            self._first_sheet = self._sheet
            self._app.setStyleSheet("")
            self._app.setStyleSheet(self._sheet)
        for widget in seen:
            yield from self._dress_anew(widget)
        self.changed.emit()
        yield

    def _dress_hidden(self) -> Stepwise:
        for widget in parts.find(are_seen=False):
            yield from self._dress_anew(widget)

    def _dress_anew(self, widget: QWidget) -> Stepwise:
        if is_valid(widget) and widget.styleSheet() != self._own_sheet:
            widget.setStyleSheet(self._own_sheet)
            yield


def dress(widget: QWidget) -> None:
    """Dress a widget in the theme of the program, as `Theme.dress`; without one it stays as Qt makes it."""
    app = QApplication.instance()
    themes = app.findChildren(Theme) if app is not None else []
    if themes:
        themes[-1].dress(widget)
