"""The colours of the two schemes, and Qt's palette of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QColor, QPalette


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
