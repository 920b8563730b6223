"""Icons: our own line drawings in `assets/icons`, coloured for the theme and sharp at any scale."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

FOLDER: Final = Path(__file__).resolve().parent.parent / "assets" / "icons"
LARGEST: Final = 3.0
"""Device pixels a logical pixel that every icon has, for a screen that comes later: Qt makes them smaller for it. To
draw them for every scale in use took a fifth of the time in which the window was made."""


@functools.cache
def _drawings() -> dict[str, str]:
    """All of them at once, with the first: later on the window must not wait for a disk."""
    return {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}


def icon_names() -> tuple[str, ...]:
    """Return the names of all icons; the program's own is none."""
    return tuple(name for name in _drawings() if name != "twinlens")


def pixmap(name: str, color: str, size: int = 20, scale: float = 1.0) -> QPixmap:
    """Return a drawing as pixels.

    Parameters
    ----------
    name : str
        File name in `assets/icons` without suffix.
    color : str
        Colour for what the drawing leaves open, as "#rrggbb".
    size : int
        Width and height in logical pixels.
    scale : float
        Device pixels a logical pixel.
    """
    renderer = QSvgRenderer(QByteArray(_drawings()[name].replace("currentColor", color).encode()))
    side = round(size * scale)
    picture = QPixmap(QSize(side, side))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    picture.setDevicePixelRatio(scale)
    return picture


def icon(name: str, color: str, faint: str) -> QIcon:
    """Return an icon in `color`, and in `faint` where it is disabled; sharp on the screens there are."""
    ratios = {round(screen.devicePixelRatio(), 3) for screen in QGuiApplication.screens()}
    return _icon(name, color, faint, (*sorted(ratios - {LARGEST}), LARGEST))


@functools.lru_cache(maxsize=256)
def _icon(name: str, color: str, faint: str, scales: tuple[float, ...]) -> QIcon:
    result = QIcon()
    for scale in scales:
        result.addPixmap(pixmap(name, color, scale=scale), QIcon.Mode.Normal)
        result.addPixmap(pixmap(name, faint, scale=scale), QIcon.Mode.Disabled)
    return result
