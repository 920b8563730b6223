"""What the window knows and asks of a file that plays: place, speed, loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from app.i18n import tr
from pipelines.playback import SPEEDS, Playback

if TYPE_CHECKING:
    from app.controller import Controller

SKIP_S: Final = 10.0
"""Seconds that J and L go back and on."""
KINDS: Final = ("video", "stream")
"""Kinds of source with a beginning and an end that one may want to move in. The demo is a loop without an end."""


def clock(seconds: float) -> str:
    """Write a time as "1:02.50", with hours where there are any."""
    hundredths = max(0, round(seconds * 100))
    minutes, rest = divmod(hundredths, 6000)
    hours, minutes = divmod(minutes, 60)
    text = f"{rest // 100:02d}.{rest % 100:02d}"
    return f"{hours}:{minutes:02d}:{text}" if hours else f"{minutes}:{text}"


class PlaybackControl(QObject):
    """Follows the file that plays and passes on what the user wants of it.

    Parameters
    ----------
    controller : Controller
        Has the engine.
    """

    changed = Signal()
    """Place, speed or loop changed, or there is another file."""

    def __init__(self, controller: Controller) -> None:
        super().__init__(controller)
        self._controller = controller
        self.now = Playback()

    @property
    def is_offered(self) -> bool:
        """Whether the source is a file whose place, speed and end can be chosen."""
        info = self._controller.status.source_info if self._controller.status is not None else None
        return self._controller.is_active and info is not None and info.kind in KINDS and not info.live

    @property
    def why_not_seekable(self) -> str:
        """Why no place in the file can be chosen, one sentence; "" where one can."""
        info = self._controller.status.source_info if self._controller.status is not None else None
        if info is not None and not info.seekable:
            return tr("You can only seek in files on this machine; this one comes over the network.")
        if not self.now.length_s:
            return tr("The length of this file is known once it has played to its end.")
        return ""

    def look(self) -> None:
        """Ask the engine where the file is."""
        engine = self._controller.engine
        if engine is not None:
            now = engine.playback()
            if now != self.now:
                self.now = now
                self.changed.emit()

    # -- commands

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what the commands of the menu "Playback" do, by their ids."""
        return {
            "step_back": lambda: self.step(-1),
            "step_on": lambda: self.step(1),
            "skip_back": lambda: self.skip(-SKIP_S),
            "skip_on": lambda: self.skip(SKIP_S),
            "slower": lambda: self.change_speed(-1),
            "faster": lambda: self.change_speed(1),
            "loop": lambda: self._controller.change(loop=not self._controller.settings.loop),
        }

    def seek(self, time_s: float) -> None:
        """Show the frame at a time of the file."""
        engine = self._controller.engine
        if engine is not None and self.is_offered:
            engine.seek(time_s)
            self.look()

    def skip(self, seconds: float) -> None:
        """Go on by so many seconds, back if negative."""
        end_s = self.now.length_s
        target_s = max(0.0, self.now.position_s + seconds)
        self.seek(min(target_s, end_s) if end_s else target_s)

    def step(self, frames: int) -> None:
        """Hold the file and go on by so many frames, back if negative."""
        engine = self._controller.engine
        if engine is not None and self.is_offered:
            engine.step(frames)
            self.look()

    def change_speed(self, by: int) -> None:
        """Take the next of the speeds, or the one before."""
        nearest = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - self.now.speed))
        self.set_speed(SPEEDS[min(max(nearest + by, 0), len(SPEEDS) - 1)])

    def set_speed(self, speed: float) -> None:
        """Play so many times as fast as the file says."""
        engine = self._controller.engine
        if engine is not None and self.is_offered:
            engine.set_speed(speed)
            self.look()
