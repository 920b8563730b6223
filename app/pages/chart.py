"""The benchmark as bars: one for each model and backend, as long as its median latency. Grows while it is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.i18n import tr
from app.theme import AMBER, GRID, TEAL, Theme, Type, font
from app.words import TIMES

BAR: Final = 2 * GRID + 4
STEP: Final = 3 * GRID + 2
GROUP: Final = 4 * GRID
LABEL: Final = 24 * GRID
COLOURS: Final = (AMBER, TEAL, "#8b8ff5", "#e26d8f", "#9db4c0", "#c0a16b")
"""By pipeline, in the order measured: the first two are those of the window."""

Run = Mapping[str, Any]
"""An entry of "runs" in the benchmark file (docs/formats.md)."""


def speed_words(run: Run) -> str:
    """Return how a run compares with the CPU: "2.8x faster"; "" for the CPU itself and where that is not known."""
    ratio = run["speedup_vs_cpu"]
    if ratio is None or run["pipeline"] == "cpu":
        return ""
    if 0.95 < ratio < 1.05:
        return tr("as fast")
    return (
        tr("{ratio}{times} faster").format(ratio=f"{ratio:.1f}", times=TIMES)
        if ratio >= 1
        else tr("{ratio}{times} slower").format(ratio=f"{1 / ratio:.1f}", times=TIMES)
    )


def name_of(run: Run) -> str:
    """Return what a bar is called: the backend, and that its device is emulated where it is."""
    return tr("{backend} (software)").format(backend=run["backend"]) if run["software"] else str(run["backend"])


class BenchChart(QWidget):
    """Bars from 0 on one scale; the figure at the end of each is the median in milliseconds.

    Parameters
    ----------
    theme : Theme
        For colours.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._runs: tuple[Run, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def runs(self) -> tuple[Run, ...]:
        """What is shown."""
        return self._runs

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show what was measured so far."""
        self._runs = tuple(runs)
        self.setFixedHeight(self.sizeHint().height())
        said = (f"{run['model']} on {name_of(run)} {run['latency_ms']['p50']:.2f} ms" for run in self._runs)
        self.setAccessibleName(tr("Latency of each model"))
        self.setAccessibleDescription(", ".join(said))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(60 * GRID, sum(GROUP + len(runs) * STEP for runs in self._groups().values()) + GRID)

    def _groups(self) -> dict[str, list[Run]]:
        groups: dict[str, list[Run]] = {}
        for run in self._runs:
            groups.setdefault(run["model"], []).append(run)
        return groups

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._runs:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colors = self._theme.colors
        strong, small = font(Type.STRONG), font(Type.CAPTION, tabular=True)
        metrics = QFontMetricsF(small)
        pipelines = list(dict.fromkeys(run["pipeline"] for run in self._runs))
        ends = {id(run): self._end(run) for run in self._runs}
        room = self.width() - LABEL - 2 * GRID - max(metrics.horizontalAdvance(text) for text in ends.values())
        scale = max(room, 4 * GRID) / max(run["latency_ms"]["p50"] for run in self._runs)
        y = 0.0
        middle = Qt.AlignmentFlag.AlignVCenter
        for model, runs in self._groups().items():
            painter.setFont(strong)
            painter.setPen(QColor(colors.text))
            painter.drawText(QRectF(0, y, self.width(), GROUP), middle, model)
            y += GROUP
            painter.setFont(small)
            for run in runs:
                painter.setPen(QColor(colors.muted))
                name = metrics.elidedText(name_of(run), Qt.TextElideMode.ElideMiddle, LABEL - 2 * GRID)
                painter.drawText(QRectF(2 * GRID, y, LABEL - 2 * GRID, BAR), middle, name)
                length = max(4.0, run["latency_ms"]["p50"] * scale)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(COLOURS[pipelines.index(run["pipeline"]) % len(COLOURS)]))
                painter.drawRoundedRect(QRectF(LABEL, y, length, BAR), 4, 4)
                painter.setPen(QColor(colors.text))
                end = QRectF(LABEL + length + GRID, y, self.width(), BAR)
                painter.drawText(end, middle | Qt.AlignmentFlag.AlignLeft, ends[id(run)])
                y += STEP

    @staticmethod
    def _end(run: Run) -> str:
        words = speed_words(run)
        return f"{run['latency_ms']['p50']:.2f} ms" + (f"   {words}" if words else "")
