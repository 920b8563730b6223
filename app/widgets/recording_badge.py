"""The red dot on the picture while something is recorded, with time, frames and size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.theme import GRID, Type, font
from app.words import DOT

if TYPE_CHECKING:
    from pipelines.recording.recorder import RecordingState

RED: Final = QColor("#ff5a4f")
GROUND: Final = QColor(12, 14, 17, 200)
TEXT: Final = QColor("#f2f4f6")
MARGIN: Final = int(1.5 * GRID)
BUTTON: Final = 36
TOP: Final = MARGIN + BUTTON + GRID
"""Below the buttons on the picture."""


def short_clock(seconds: float) -> str:
    """Write a duration as "0:12" or "1:02:03"."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def size_words(count: int) -> str:
    """Write a number of bytes as "4.2 MB"."""
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def badge_text(state: RecordingState) -> str:
    """Return what stands beside the dot."""
    parts = [short_clock(state.duration_s), tr("{count} frames").format(count=state.frames), size_words(state.bytes)]
    if state.dropped:
        parts.append(tr("{count} left out").format(count=state.dropped))
    return f"  {DOT}  ".join(parts)


class RecordingBadge(QWidget):
    """Lies on the picture, at the upper right under the buttons.

    Parameters
    ----------
    parent : QWidget
        The picture.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(font(Type.STRONG, tabular=True))
        self.text = ""
        self._beside = 0
        self._picture = parent
        parent.installEventFilter(self)
        self.hide()

    def show_state(self, state: RecordingState | None) -> None:
        """Show how the recording stands; nothing without one."""
        if state is None:
            self.hide()
            return
        text = badge_text(state)
        if text != self.text:
            self.text = text
            self.setAccessibleName(tr("Recording: {state}").format(state=text))
            self._place()
            self.update()
        self.show()
        self.raise_()

    def set_beside(self, buttons_width: int) -> None:
        """Lie left of buttons that take so much room; 0 for below them."""
        if buttons_width != self._beside:
            self._beside = buttons_width
            self._place()

    def _place(self) -> None:
        metrics = QFontMetrics(self.font())
        height = metrics.height() + GRID
        width = metrics.horizontalAdvance(self.text) + 5 * GRID
        top = MARGIN + (BUTTON - height) // 2 if self._beside else TOP
        self.setGeometry(max(0, self._picture.width() - MARGIN - self._beside - width), top, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(GROUND)
        painter.drawRoundedRect(QRectF(self.rect()), self.height() / 2, self.height() / 2)
        painter.setBrush(RED)
        dot = GRID * 1.25
        painter.drawEllipse(QRectF(1.25 * GRID, (self.height() - dot) / 2, dot, dot))
        painter.setPen(TEXT)
        painter.drawText(self.rect().adjusted(int(3.25 * GRID), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text)
        painter.end()
