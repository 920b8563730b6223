"""The performance strip: what each stage took over the last minute, and which frames were dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.history import SERIES, SPAN_S, Sample
from app.theme import AMBER, GRID, Theme, Type, font
from app.words import DASH, MINUS, STAGE_WORDS

if TYPE_CHECKING:
    import pyqtgraph

HEIGHT: Final = 17 * GRID
DROPPED: Final = "#ff5d52"
# The three stages of backend A in its amber, from dark to light; what is not the backend's is grey.
STAGE_COLORS: Final = {
    "capture": "#6b7580",
    "preprocess": "#9a6410",
    "inference": AMBER,
    "decode": "#ffd793",
    "draw": "#aab3bd",
}
TOPS_MS: Final = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0)
"""The axis ends at one of these: it steps, it does not breathe with every sample."""


def axis_top(values_ms: Sequence[float]) -> float:
    """Return where the axis ends so that the slowest sample fits."""
    slowest = max(values_ms, default=0.0)
    return next((top for top in TOPS_MS if slowest <= 0.95 * top), TOPS_MS[-1])


def stacked(samples: Sequence[Sample]) -> np.ndarray:
    """Return the upper edges of the stacked areas.

    Returns
    -------
    ndarray of float64, shape (len(SERIES) + 1, len(samples))
        Milliseconds; row 0 is zero, row i the sum of the first i series. NaN where no frame was shown: a gap, not a
        zero.
    """
    table = np.zeros((len(SERIES) + 1, len(samples)))
    for column, sample in enumerate(samples):
        if not sample.frames:
            table[:, column] = np.nan
            continue
        values = [sample.stages_ms.get(name, 0.0) for name in SERIES]
        table[1:, column] = np.cumsum(values)
    return table


class Strip(QFrame):
    """Stage times as stacked areas, drops as red bars at the foot.

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
        self._plot: pyqtgraph.PlotWidget | None = None
        self._edges: list[pyqtgraph.PlotCurveItem] = []
        self._bars: pyqtgraph.BarGraphItem | None = None
        self._values: dict[str, QLabel] = {}
        self._place = QWidget(self)
        self._plot_place = QHBoxLayout(self._place)
        self._plot_place.setContentsMargins(0, 0, 0, 0)
        title = QLabel("Work per frame, last 60 s", self)
        title.setFont(font(Type.LABEL))
        title.setToolTip("Milliseconds of all tasks together. Tasks run side by side, so a frame may be ready sooner.")
        legend = QGridLayout()
        legend.setHorizontalSpacing(GRID)
        legend.setVerticalSpacing(GRID // 4)
        for row, name in enumerate((*reversed(SERIES), "dropped")):
            self._add_legend(legend, row, name)
        words = QWidget(self)
        words.setFixedWidth(20 * GRID)
        left = QVBoxLayout(words)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(GRID // 2)
        left.addWidget(title)
        left.addLayout(legend)
        left.addStretch()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        layout.setSpacing(2 * GRID)
        layout.addWidget(words)
        layout.addWidget(self._place, 1)
        theme.changed.connect(self._refresh)

    def _add_legend(self, legend: QGridLayout, row: int, name: str) -> None:
        swatch = QLabel(self)
        swatch.setFixedSize(10, 10)
        swatch.setStyleSheet(f"background: {STAGE_COLORS.get(name, DROPPED)}; border-radius: 2px;")
        word = QLabel(STAGE_WORDS.get(name, "Dropped"), self)
        word.setFont(font(Type.CAPTION))
        word.setObjectName("muted")
        value = QLabel(DASH, self)
        value.setFont(font(Type.CAPTION, tabular=True))
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setMinimumWidth(value.fontMetrics().horizontalAdvance("8888.8 ms"))
        value.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        legend.addWidget(swatch, row, 0)
        legend.addWidget(word, row, 1)
        legend.addWidget(value, row, 2)
        self._values[name] = value

    def build_plot(self) -> None:
        """Make the plot. Imports pyqtgraph, which takes a second; the window has it imported in the background."""
        if self._plot is not None:
            return
        import pyqtgraph

        # Without its context menus, which take longer to make than all the rest.
        room = pyqtgraph.ViewBox(enableMenu=False)
        plot = pyqtgraph.PlotWidget(self, background=None, viewBox=room, enableMenu=False)
        plot.setAccessibleName("Stage times of the last 60 seconds")
        plot.setStyleSheet("background: transparent;")
        plot.setMouseEnabled(False, False)
        plot.hideButtons()
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setXRange(-SPAN_S, 0, padding=0)
        plot.getAxis("bottom").setTickSpacing(10, 10)
        plot.getAxis("left").setWidth(40)
        nothing = pyqtgraph.mkPen(0, 0, 0, 0)
        # Not PlotDataItem: with a pen that draws nothing it has no path, and there is nothing to fill.
        self._edges = [pyqtgraph.PlotCurveItem(pen=nothing, connect="finite") for _ in range(len(SERIES) + 1)]
        for edge in self._edges:
            plot.addItem(edge)
        for below, above, name in zip(self._edges, self._edges[1:], SERIES, strict=False):
            plot.addItem(pyqtgraph.FillBetweenItem(below, above, brush=QColor(STAGE_COLORS[name])))
        self._bars = pyqtgraph.BarGraphItem(x=[], height=[], width=0.4, brush=QColor(DROPPED), pen=None)
        plot.addItem(self._bars)
        self._plot = plot
        self._plot_place.addWidget(plot)
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
        newest = samples[-1].stages_ms if samples and samples[-1].frames else {}
        for name in SERIES:
            self._values[name].setText(f"{newest[name]:.1f} ms" if name in newest else DASH)
        self._values["dropped"].setText(str(dropped))
        if self._plot is None or self._bars is None:
            return
        times = np.array([sample.time_s - now_s for sample in samples])
        table = stacked(samples)
        for edge, values in zip(self._edges, table, strict=True):
            edge.setData(times, values)
        finite = table[-1][np.isfinite(table[-1])] if samples else np.zeros(0)
        top = axis_top(finite.tolist())
        self._plot.setYRange(0, top, padding=0)
        most = max((sample.dropped for sample in samples), default=0)
        heights = [0.25 * top * sample.dropped / most if most else 0.0 for sample in samples]
        self._bars.setOpts(x=times, height=heights)

    def _refresh(self) -> None:
        if self._plot is None:
            return
        colors = self._theme.colors
        for side in ("left", "bottom"):
            axis = self._plot.getAxis(side)
            axis.setPen(QColor(colors.line))
            axis.setTextPen(QColor(colors.muted))
            axis.setStyle(tickFont=font(Type.CAPTION, tabular=True), tickLength=-4)
        self._plot.getAxis("bottom").setTicks([[(-s, "now" if s == 0 else f"{MINUS}{s} s") for s in range(0, 61, 10)]])
        self._plot.getAxis("left").enableAutoSIPrefix(False)
        self._plot.setLabel("left", "ms", color=colors.muted)
        self._plot.showGrid(x=False, y=True, alpha=0.15)
