"""Turning the relief: with the right mouse button on the picture, or with keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from app.settings import Settings
from app.style import style_from
from pipelines.overlay.style import MOST_PITCH, MOST_YAW, DepthStyle, OverlayStyle

if TYPE_CHECKING:
    from app.controller import Controller

STEP_DEG: Final = 5.0
"""A key turns so far."""
DEG_A_PIXEL: Final = 0.25
"""A drag over a third of a large window turns from one end to the other."""


def has_relief(settings: Settings) -> bool:
    """Whether the picture is shown as a relief."""
    return "depth" in settings.tasks and style_from(settings.style).depth is DepthStyle.RELIEF


class ReliefTurning(QObject):
    """Turns the relief.

    Parameters
    ----------
    controller : Controller
        Keeps how it is turned.
    """

    def __init__(self, controller: Controller) -> None:
        super().__init__(controller)
        self._controller = controller
        self._last: QPointF | None = None

    def watch(self, view: QWidget) -> None:
        """Let the right mouse button on `view` turn the relief."""
        view.installEventFilter(self)

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what each command does, by its id."""
        return {
            "turn_left": lambda: self.by(-STEP_DEG, 0.0),
            "turn_right": lambda: self.by(STEP_DEG, 0.0),
            "turn_up": lambda: self.by(0.0, -STEP_DEG),
            "turn_down": lambda: self.by(0.0, STEP_DEG),
            "turn_back": self.back,
        }

    def by(self, yaw_deg: float, pitch_deg: float) -> None:
        """Turn what stands out to the right and down by so many degrees, as far as it goes."""
        now = style_from(self._controller.settings.style)
        yaw = max(-MOST_YAW, min(MOST_YAW, now.relief_yaw + yaw_deg))
        pitch = max(-MOST_PITCH, min(MOST_PITCH, now.relief_pitch + pitch_deg))
        self._turn(yaw, pitch)

    def back(self) -> None:
        """Turn it as it was at first."""
        first = OverlayStyle()
        self._turn(first.relief_yaw, first.relief_pitch)

    def _turn(self, yaw: float, pitch: float) -> None:
        style = self._controller.settings.style
        self._controller.change(style={**style, "relief_yaw": yaw, "relief_pitch": pitch})

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return False
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.RightButton:
            self._last = event.position() if has_relief(self._controller.settings) else None
        elif kind == QEvent.Type.MouseMove and self._last is not None:
            moved, self._last = event.position() - self._last, event.position()
            self.by(moved.x() * DEG_A_PIXEL, moved.y() * DEG_A_PIXEL)
        elif kind == QEvent.Type.MouseButtonRelease and event.button() is Qt.MouseButton.RightButton:
            self._last = None
        else:
            return False
        return self._last is not None
