"""The look: colours, spacing, type sizes, and the style sheet made of them.

The window is neutral on purpose. Amber and teal belong to the backends A and B, red to trouble; nothing else is
coloured but the focus ring, so that a colour always means something.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QApplication

from app.icons import FOLDER, icon
from pipelines.overlay.colours import COLOUR_A, COLOUR_B

GRID: Final = 8
"""Spacing in logical pixels; halves and multiples of it, nothing else."""
RADIUS: Final = 6
CONTROL_HEIGHT: Final = 32

AMBER: Final = COLOUR_A
"""Backend A, everywhere."""
TEAL: Final = COLOUR_B
"""Backend B, everywhere."""


@dataclass(frozen=True, slots=True)
class Colors:
    """One colour scheme. Text on its background has a contrast of at least 4.5:1 (WCAG AA), checked by a test.

    Parameters
    ----------
    window, panel, raised, hover : str
        Backgrounds, from the back to the front.
    line : str
        Borders.
    text, muted, faint : str
        Text, secondary text, disabled text.
    ink, on_ink : str
        Filled controls and what is written on them.
    focus : str
        Ring around the control that has the keyboard.
    error, warning : str
        Trouble.
    """

    window: str
    panel: str
    raised: str
    hover: str
    line: str
    text: str
    muted: str
    faint: str
    ink: str
    on_ink: str
    focus: str
    error: str
    warning: str
    tick: str


DARK: Final = Colors(
    window="#121417",
    panel="#181b1f",
    raised="#22262b",
    hover="#2b3036",
    line="#31373e",
    text="#e9ebee",
    muted="#a3abb5",
    faint="#69727d",
    ink="#e9ebee",
    on_ink="#15181c",
    focus="#6aa5ff",
    error="#ff7a70",
    warning="#f2c14e",
    tick="tick-dark",
)
LIGHT: Final = Colors(
    window="#eef0f3",
    panel="#f8f9fa",
    raised="#ffffff",
    hover="#eceff2",
    line="#cfd5dc",
    text="#191d22",
    muted="#56606b",
    faint="#97a0aa",
    ink="#20252b",
    on_ink="#ffffff",
    focus="#1f6fe5",
    error="#b3261e",
    warning="#8a5a00",
    tick="tick-light",
)


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
        self._is_bare = False
        self.colors = DARK
        app.styleHints().colorSchemeChanged.connect(self._follow)
        app.setStyle("Fusion")
        self._apply(self._wanted())

    @property
    def is_dark(self) -> bool:
        """Whether the dark scheme is in use."""
        return self.colors is DARK

    def choose(self, choice: str) -> None:
        """Take "light", "dark" or "system"."""
        self._choice = choice
        self._follow()

    def icon(self, name: str) -> QIcon:
        """Return an icon in the colours of the scheme."""
        return icon(name, self.colors.text, self.colors.faint)

    def _wanted(self) -> Colors:
        if self._choice == "system":
            # A desktop that does not say gets the dark one: the picture is what matters, and it glows on it.
            return LIGHT if self._app.styleHints().colorScheme() is Qt.ColorScheme.Light else DARK
        return LIGHT if self._choice == "light" else DARK

    def _follow(self) -> None:
        colors = self._wanted()
        if colors is not self.colors:
            self._apply(colors)

    def _apply(self, colors: Colors) -> None:
        self.colors = colors
        self._app.setPalette(palette(colors))
        if self._app.styleSheet():
            # To put one sheet in the place of another takes 120 ms, to take it off 20 and to put it on 35: two events.
            # What lies between them is not to be seen.
            for window in self._app.topLevelWidgets():
                window.setUpdatesEnabled(False)
            self._is_bare = True
            self._app.setStyleSheet("")
            QTimer.singleShot(0, self, self._dress)
        elif not self._is_bare:
            self._dress()
        self.changed.emit()

    def _dress(self) -> None:
        self._is_bare = False
        self._app.setStyleSheet(style_sheet(self.colors))
        for window in self._app.topLevelWidgets():
            window.setUpdatesEnabled(True)


def palette(colors: Colors) -> QPalette:
    """Return the Qt palette of a scheme, for whatever the style sheet leaves to Qt."""
    result = QPalette()
    role = QPalette.ColorRole
    for key, value in (
        (role.Window, colors.window),
        (role.Base, colors.raised),
        (role.AlternateBase, colors.panel),
        (role.Button, colors.raised),
        (role.WindowText, colors.text),
        (role.Text, colors.text),
        (role.ButtonText, colors.text),
        (role.BrightText, colors.error),
        (role.PlaceholderText, colors.muted),
        (role.ToolTipBase, colors.raised),
        (role.ToolTipText, colors.text),
        (role.Highlight, colors.focus),
        (role.HighlightedText, "#ffffff" if colors is LIGHT else "#0c1016"),
        (role.Accent, colors.focus),
        (role.Link, colors.focus),
        (role.Mid, colors.line),
    ):
        result.setColor(key, QColor(value))
    for key in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, key, QColor(colors.faint))
    return result


def _url(name: str) -> str:
    return f'url("{(FOLDER / name).as_posix()}.svg")'


def style_sheet(c: Colors) -> str:
    """Return the style sheet of a scheme."""
    return f"""
    QMainWindow, QDialog {{ background: {c.window}; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 4px 8px; }}

    QMenuBar {{ background: {c.panel}; color: {c.text}; padding: 2px 8px; }}
    QMenuBar::item {{ padding: 4px 8px; border-radius: 4px; background: transparent; }}
    QMenuBar::item:selected {{ background: {c.hover}; }}
    QMenu {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 4px; }}
    QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {c.hover}; }}
    QMenu::item:disabled {{ color: {c.faint}; }}
    QMenu::separator {{ height: 1px; background: {c.line}; margin: 4px 8px; }}
    QMenu::icon {{ padding-left: 8px; }}
    QMenu::indicator {{ width: 16px; height: 16px; padding-left: 4px; }}
    QMenu::indicator:checked {{ image: {_url("tick-light" if c.tick == "tick-dark" else "tick-dark")}; }}

    #topBar, #sidePanel, #strip, #messageBar, #transport {{ background: {c.panel}; }}
    #transport {{ border-top: 1px solid {c.line}; }}
    #topBar {{ border-bottom: 1px solid {c.line}; }}
    #sidePanel {{ border: none; border-left: 1px solid {c.line}; }}
    #sidePanel > QWidget > QWidget {{ background: {c.panel}; }}
    #strip {{ border-top: 1px solid {c.line}; padding-top: 1px; }}
    #strip:focus {{ border-top: 2px solid {c.focus}; padding-top: 0; }}
    #card {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: {RADIUS + 2}px; }}
    #card QLabel, #card QCheckBox {{ background: transparent; }}
    #processList {{ background: {c.panel}; border: 1px solid {c.line}; border-radius: {RADIUS + 2}px; padding: 4px 0; }}
    #muted, QLabel[muted="true"] {{ color: {c.muted}; }}
    #keycap {{ background: {c.raised}; border: 1px solid {c.line}; border-bottom-width: 2px; border-radius: 4px;
               padding: 2px 6px; color: {c.text}; }}

    QPushButton, QToolButton, QComboBox, QSpinBox, QLineEdit {{
        background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; border-radius: {RADIUS}px;
        min-height: {CONTROL_HEIGHT - 10}px; padding: 4px 12px; }}
    QPushButton:hover, QToolButton:hover, QComboBox:hover {{ background: {c.hover}; }}
    QPushButton:pressed, QToolButton:pressed {{ background: {c.line}; }}
    QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QSpinBox:disabled {{ color: {c.faint}; }}
    QPushButton:focus, QToolButton:focus, QComboBox:focus, QSpinBox:focus, QLineEdit:focus {{
        border: 2px solid {c.focus}; padding: 3px 11px; }}
    QPushButton, QToolButton, QCheckBox {{ outline: none; }}
    QPushButton#primary {{ background: {c.ink}; color: {c.on_ink}; border-color: {c.ink}; padding: 4px 16px; }}
    QPushButton#primary:hover {{ background: {c.muted}; border-color: {c.muted}; }}
    QPushButton#primary:focus {{ border: 2px solid {c.focus}; padding: 3px 15px; }}
    QPushButton#primary:disabled {{ background: {c.hover}; border-color: {c.line}; color: {c.faint}; }}

    QToolButton {{ padding: 4px 8px; }}
    QToolButton:focus {{ padding: 3px 7px; }}
    QToolButton#flat {{ background: transparent; border: 1px solid transparent; padding: 4px 6px; }}
    QToolButton#flat:hover {{ background: {c.hover}; }}
    QToolButton#flat:checked {{ background: {c.line}; }}
    QToolButton#flat:focus {{ border: 2px solid {c.focus}; padding: 3px 5px; }}
    QToolButton::menu-indicator {{ image: {_url("chevron")}; width: 16px; height: 16px;
                                   subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }}
    QToolButton#source {{ padding-right: 30px; padding-left: 10px; }}
    QToolButton#source:focus {{ padding: 3px 29px 3px 9px; }}
    QToolButton#onPicture {{ background: rgba(12, 14, 17, 178); border: 1px solid rgba(255, 255, 255, 36);
                             padding: 4px; }}
    QToolButton#onPicture:hover {{ background: rgba(44, 49, 56, 230); }}
    QToolButton#onPicture:focus {{ border: 2px solid #6aa5ff; padding: 3px; }}

    QComboBox {{ padding-right: 2px; combobox-popup: 0; }}
    QComboBox:focus {{ padding-right: 1px; }}
    QComboBox::drop-down {{ border: none; width: 26px; }}
    QComboBox::down-arrow {{ image: {_url("chevron")}; width: 16px; height: 16px; }}
    QComboBox QAbstractItemView {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line};
        outline: none; padding: 4px; selection-background-color: {c.hover}; selection-color: {c.text}; }}
    QComboBox QAbstractItemView::item {{ min-height: 26px; padding: 0 5px; border-radius: 4px; }}
    QComboBox QAbstractItemView::item:selected {{ background: {c.hover}; color: {c.text}; border: none; }}
    QComboBox QAbstractItemView::item:disabled {{ color: {c.faint}; }}
    QSpinBox {{ padding: 4px; }}
    QSpinBox:focus {{ padding: 3px; }}
    QSpinBox QLineEdit, QSpinBox QLineEdit:focus {{ border: none; background: transparent; padding: 0 8px;
                                                    min-height: 0; }}
    QSpinBox::up-button, QSpinBox::down-button {{ border: none; width: 20px; background: transparent; }}
    QSpinBox::up-arrow {{ image: {_url("chevron-up")}; width: 12px; height: 12px; }}
    QSpinBox::down-arrow {{ image: {_url("chevron")}; width: 12px; height: 12px; }}

    QCheckBox {{ spacing: 8px; color: {c.text}; background: transparent; padding: 2px 4px 2px 0;
                 border: 2px solid transparent; border-radius: 4px; }}
    QCheckBox:disabled {{ color: {c.muted}; }}
    QCheckBox:focus {{ border-color: {c.focus}; }}
    QCheckBox::indicator {{ width: 16px; height: 16px; border: 1px solid {c.faint}; border-radius: 4px;
                            background: {c.raised}; }}
    QCheckBox::indicator:hover {{ border-color: {c.muted}; }}
    QCheckBox::indicator:checked {{ background: {c.ink}; border-color: {c.ink}; image: {_url(c.tick)}; }}
    QCheckBox::indicator:checked:disabled {{ background: {c.faint}; border-color: {c.faint}; }}

    QSlider {{ min-height: 24px; background: transparent; border: 2px solid transparent; border-radius: 4px; }}
    QSlider:focus {{ border-color: {c.focus}; }}
    QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {c.line}; }}
    QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {c.ink}; }}
    QSlider::handle:horizontal {{ width: 14px; height: 14px; margin: -5px 0; border-radius: 7px; background: {c.ink}; }}
    QSlider::handle:horizontal:disabled, QSlider::sub-page:horizontal:disabled {{ background: {c.faint}; }}

    QProgressBar {{ border: none; background: {c.line}; border-radius: 2px; }}
    QProgressBar::chunk {{ background: {c.ink}; border-radius: 2px; }}
    QTreeView {{ background: {c.panel}; color: {c.text}; border: 1px solid {c.line}; border-radius: {RADIUS}px;
                 outline: none; padding: 1px; }}
    QTreeView::item {{ padding: 4px 8px; }}
    QTreeView::item:selected, QTreeView::item:hover {{ background: {c.hover}; color: {c.text}; }}
    QTreeView:focus {{ border: 2px solid {c.focus}; padding: 0; }}
    QHeaderView {{ background: {c.panel}; border: none; }}
    QHeaderView::section {{ background: {c.panel}; color: {c.muted}; border: none;
                            border-bottom: 1px solid {c.line}; padding: 6px 11px; }}

    QScrollArea {{ border: none; background: transparent; }}
    QScrollBar:vertical {{ width: 10px; background: transparent; margin: 0; }}
    QScrollBar::handle:vertical {{ background: {c.line}; border-radius: 4px; min-height: 24px; margin: 1px; }}
    QScrollBar::handle:vertical:hover {{ background: {c.faint}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QPlainTextEdit {{ background: {c.window}; color: {c.text}; border: 1px solid {c.line};
                      border-radius: {RADIUS}px; padding: 8px; }}
    """
