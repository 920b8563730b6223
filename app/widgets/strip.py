"""The performance strip: what each stage of each pipeline took over the last minute, and which frames were dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.history import SERIES, SIDES, Sample
from app.theme import GRID, Theme, Type, font
from app.widgets.stage_plot import DROPPED, STAGE_COLORS, StagePlot, axis_top, stages_of
from app.words import DASH, STAGE_WORDS
from pipelines.figures import Side

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

HEIGHT: Final = 17 * GRID
WORDS_WIDTH: Final = 20 * GRID
WORDS_WIDTH_OF_TWO: Final = 28 * GRID


class Strip(QFrame):
    """Stage times as stacked areas, drops as red bars at the foot; beside it the same of B while two are compared.

    Parameters
    ----------
    theme : Theme
        For the colours of axis and text.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        self.setFixedHeight(HEIGHT)
        self._theme = theme
        self._plots: dict[Side, StagePlot] = {}
        self._of_b: list[QWidget] = []
        self._values: dict[str, QLabel] = {}
        self._values_b: dict[str, QLabel] = {}
        self._is_double = False
        self._step_s = 10
        self._place = QWidget(self)
        self._plot_place = QHBoxLayout(self._place)
        self._plot_place.setContentsMargins(0, 0, 0, 0)
        self._plot_place.setSpacing(2 * GRID)
        title = QLabel("Work per frame, last 60 s", self)
        title.setFont(font(Type.LABEL))
        title.setToolTip("Milliseconds of all tasks together. Tasks run side by side, so a frame may be ready sooner.")
        legend = QGridLayout()
        legend.setHorizontalSpacing(GRID)
        legend.setVerticalSpacing(GRID // 4)
        for row, name in enumerate((*reversed(SERIES), "dropped")):
            self._add_legend(legend, row, name)
        self._words = QWidget(self)
        left = QVBoxLayout(self._words)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(GRID // 2)
        left.addWidget(title)
        left.addLayout(legend)
        left.addStretch()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        layout.setSpacing(2 * GRID)
        layout.addWidget(self._words)
        layout.addWidget(self._place, 1)
        theme.changed.connect(self._refresh)
        self._show_double(False)

    def _add_legend(self, legend: QGridLayout, row: int, name: str) -> None:
        word = QLabel(STAGE_WORDS.get(name, "Dropped"), self)
        word.setFont(font(Type.CAPTION))
        word.setObjectName("muted")
        self._values[name] = self._value()
        legend.addWidget(self._swatch(STAGE_COLORS["A"].get(name, DROPPED)), row, 0)
        legend.addWidget(word, row, 1)
        legend.addWidget(self._values[name], row, 2)
        # Reading, drawing and drops are not the pipeline's: one figure serves both.
        if STAGE_COLORS["B"].get(name) != STAGE_COLORS["A"].get(name):
            self._values_b[name] = self._value()
            self._of_b += [self._swatch(STAGE_COLORS["B"][name]), self._values_b[name]]
            legend.addWidget(self._of_b[-2], row, 3)
            legend.addWidget(self._of_b[-1], row, 4)

    def _swatch(self, color: str) -> QLabel:
        swatch = QLabel(self)
        swatch.setFixedSize(10, 10)
        swatch.setStyleSheet(f"background: {color}; border-radius: 2px;")
        return swatch

    def _value(self) -> QLabel:
        value = QLabel(DASH, self)
        value.setFont(font(Type.CAPTION, tabular=True))
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setMinimumWidth(value.fontMetrics().horizontalAdvance("888.8 ms"))
        value.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        return value

    def build_plot(self) -> None:
        """Make the plots. Imports pyqtgraph, which takes a second; the window has it imported in the background."""
        if self._plots:
            return
        for side in SIDES:
            self._plots[side] = StagePlot(side)
            self._plot_place.addWidget(self._plots[side].widget)
        self._show_double(self._is_double)
        self._refresh()
        self.show_samples((), 0.0, 0)

    def show_samples(self, samples: Sequence[Sample], now_s: float, dropped: int) -> None:
        """Draw the last minute.

        Parameters
        ----------
        samples : sequence of Sample
            The oldest first.
        now_s : float
            Monotonic time of the right edge.
        dropped : int
            Frames dropped in the whole run.
        """
        self._show_values(samples[-1] if samples else None, dropped)
        self._show_double(any(sample.stages_b_ms for sample in samples))
        if not self._plots:
            return
        shown = [plot for side, plot in self._plots.items() if side == "A" or self._is_double]
        # One axis for both: the eye compares heights.
        top = axis_top([plot.highest(samples) for plot in shown])
        for plot in shown:
            plot.show(samples, now_s, top)

    def _show_values(self, newest: Sample | None, dropped: int) -> None:
        for side, labels in zip(SIDES, (self._values, self._values_b), strict=True):
            stages = stages_of(newest, side) if newest is not None else {}
            for name, label in labels.items():
                label.setText(f"{stages[name]:.1f} ms" if name in stages else DASH)
        self._values["dropped"].setText(str(dropped))

    def _show_double(self, is_double: bool) -> None:
        """Make room for B, or for A alone."""
        changed, self._is_double = is_double is not self._is_double, is_double
        for part in self._of_b:
            part.setVisible(is_double)
        self._words.setFixedWidth(WORDS_WIDTH_OF_TWO if is_double else WORDS_WIDTH)
        if "B" in self._plots:
            self._plots["B"].widget.setVisible(is_double)
        if changed:
            self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._step_s != self._wanted_step_s():
            self._refresh()

    def _wanted_step_s(self) -> int:
        """Seconds between two times on the axis, so that they do not run into each other."""
        return 10 if self.width() > (140 if self._is_double else 70) * GRID else 20

    def _refresh(self) -> None:
        self._step_s = self._wanted_step_s()
        for plot in self._plots.values():
            plot.take_colors(self._theme.colors, self._step_s)
