"""One pipeline's stage times as stacked areas, with the dropped frames as bars at the foot. Imports pyqtgraph late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtGui import QColor

from app.history import BIN_S, SERIES, SPAN_S, Sample
from app.i18n import tr
from app.steps import Stepwise
from app.theme import AMBER, GRID, TEAL, Colors, Type, font
from app.widgets.plot_picture import PlotPicture
from app.words import MINUS
from pipelines.figures import Side

if TYPE_CHECKING:
    import pyqtgraph

DROPPED: Final = "#ff5d52"
# The three stages of a pipeline in its colour, from dark to light; what is not the pipeline's is grey.
STAGE_COLORS: Final[Mapping[Side, Mapping[str, str]]] = {
    "A": {
        "capture": "#6b7580",
        "preprocess": "#9a6410",
        "inference": AMBER,
        "decode": "#ffd793",
        "draw": "#aab3bd",
    },
    "B": {
        "capture": "#6b7580",
        "preprocess": "#17695e",
        "inference": TEAL,
        "decode": "#a5ebe1",
        "draw": "#aab3bd",
    },
}
TOPS_MS: Final = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0)
"""The axis ends at one of these: it steps, it does not breathe with every sample."""


def axis_top(values_ms: Sequence[float]) -> float:
    """Return where the axis ends so that the slowest sample fits."""
    slowest = max(values_ms, default=0.0)
    return next((top for top in TOPS_MS if slowest <= 0.95 * top), TOPS_MS[-1])


def stages_of(sample: Sample, side: Side) -> Mapping[str, float]:
    """Return the stage times of one pipeline in a sample."""
    return sample.stages_ms if side == "A" else sample.stages_b_ms


def stacked(samples: Sequence[Sample], side: Side = "A") -> np.ndarray:
    """Return the upper edges of the stacked areas of one pipeline.

    Returns
    -------
    ndarray of float64, shape (len(SERIES) + 1, len(samples))
        Milliseconds; row 0 is zero, row i the sum of the first i series. NaN where it analysed nothing: a gap, not a
        zero.
    """
    table = np.zeros((len(SERIES) + 1, len(samples)))
    if samples:
        stages = [stages_of(sample, side) for sample in samples]
        table[1:] = np.cumsum([[spent.get(name, 0.0) for spent in stages] for name in SERIES], axis=0)
        table[:, [not spent for spent in stages]] = np.nan
    return table


def with_widths(times: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Let a sample between two gaps last as long as its bin: an area needs two points, and pyqtgraph mixes up others.

    Parameters
    ----------
    times : ndarray of float64, shape (n,)
        Ends of the bins.
    edges : ndarray of float64, shape (m, n)
        What `stacked` returns.

    Returns
    -------
    ndarray of float64, shape (n + lone samples,)
        Times with the beginning of the bins of lone samples.
    ndarray of float64, shape (m, n + lone samples)
        Edges at these times.
    """
    known = np.isfinite(edges[0])
    before, after = np.append(False, known[:-1]), np.append(known[1:], False)
    lone = np.flatnonzero(known & ~before & ~after)
    return np.insert(times, lone, times[lone] - BIN_S), np.insert(edges, lone, edges[:, lone], axis=1)


class StagePlot:
    """A plot of the last minute.

    Made of a view, a `ViewBox` and two axes: pyqtgraph's own `PlotWidget` brings menus, buttons and two more axes, and
    takes 36 ms to make where this takes 14.

    Parameters
    ----------
    side : "A" or "B"
        Whose stages it shows, and in which colour.
    furnished : bool
        Whether it is complete at once; else `furnish` completes it in steps.
    """

    def __init__(self, side: Side, furnished: bool = True) -> None:
        import pyqtgraph

        self._side: Side = side
        view = pyqtgraph.GraphicsView(background=None)
        view.setStyleSheet("background: transparent;")
        self.widget = PlotPicture(view)
        self._layout = layout = pyqtgraph.GraphicsLayout()
        layout.setContentsMargins(0, 0, 2 * GRID, 0)
        layout.setSpacing(0)
        view.setCentralItem(layout)
        self._room = pyqtgraph.ViewBox(enableMenu=False)
        self._room.setMouseEnabled(False, False)
        self._room.setXRange(-SPAN_S, 0, padding=0)
        layout.addItem(self._room, 0, 1)
        self._axes: dict[str, pyqtgraph.AxisItem] = {}
        if furnished:
            for _ in self.furnish():
                pass

    def furnish(self) -> Stepwise:
        """Add axes and curves, in steps: more work than the rest."""
        import pyqtgraph

        for name, place in (("left", (0, 0)), ("bottom", (1, 1))):
            axis = pyqtgraph.AxisItem(name, linkView=self._room, tickLength=-4)
            axis.enableAutoSIPrefix(False)
            self._layout.addItem(axis, *place)
            self._axes[name] = axis
            yield
        self._axes["left"].setWidth(52)
        self._axes["left"].setGrid(38)
        nothing = pyqtgraph.mkPen(0, 0, 0, 0)
        # Not PlotDataItem: with a pen that draws nothing it has no path, and there is nothing to fill.
        self._edges = [pyqtgraph.PlotCurveItem(pen=nothing, connect="finite") for _ in range(len(SERIES) + 1)]
        for edge in self._edges:
            self._room.addItem(edge)
        yield
        for below, above, name in zip(self._edges, self._edges[1:], SERIES, strict=False):
            self._room.addItem(pyqtgraph.FillBetweenItem(below, above, brush=QColor(STAGE_COLORS[self._side][name])))
        yield
        self._bars = pyqtgraph.BarGraphItem(x=[], height=[], width=0.4, brush=QColor(DROPPED), pen=None)
        self._room.addItem(self._bars)
        self._line = pyqtgraph.InfiniteLine(angle=90, pen=pyqtgraph.mkPen("#f2f4f6", width=1))
        self._line.hide()
        self._room.addItem(self._line)

    def highest(self, samples: Sequence[Sample]) -> float:
        """Return the slowest sample in milliseconds, 0 where there is none."""
        top = stacked(samples, self._side)[-1]
        finite = top[np.isfinite(top)]
        return float(finite.max()) if finite.size else 0.0

    def show(self, samples: Sequence[Sample], now_s: float, top_ms: float) -> None:
        """Draw samples, the oldest first, under an axis that ends at `top_ms`; `now_s` is at the right edge."""
        times = np.array([sample.time_s - now_s for sample in samples])
        points, edges = with_widths(times, stacked(samples, self._side))
        for edge, values in zip(self._edges, edges, strict=True):
            edge.setData(points, values)
        self._room.setYRange(0, top_ms, padding=0)
        # Where B analysed nothing the drops are none of its own.
        drops = [sample.dropped if stages_of(sample, self._side) or self._side == "A" else 0 for sample in samples]
        most = max(drops, default=0)
        heights = [0.25 * top_ms * dropped / most if most else 0.0 for dropped in drops]
        self._bars.setOpts(x=times, height=heights)
        self.widget.redraw()

    def ago_s(self, x: float) -> float | None:
        """Return how long ago the time at `x` was; None beside the axis.

        Parameters
        ----------
        x : float
            Logical pixels from the left of `widget`.
        """
        box = self._room.sceneBoundingRect()
        if not box.width() or not box.left() <= x <= box.right():
            return None
        return float(SPAN_S * (box.right() - x) / box.width())

    def mark(self, ago_s: float | None) -> None:
        """Draw a line at a time of so many seconds ago, or none."""
        self._line.setVisible(ago_s is not None)
        if ago_s is not None:
            self._line.setValue(-ago_s)
        self.widget.redraw()

    def take_colors(self, colors: Colors, step_s: int) -> None:
        """Draw axes and grid in a colour scheme, with a time every `step_s` seconds."""
        for axis in self._axes.values():
            axis.setPen(QColor(colors.line))
            axis.setTextPen(QColor(colors.muted))
            axis.setStyle(tickFont=font(Type.CAPTION, tabular=True), hideOverlappingLabels=False)
        self._line.setPen(QColor(colors.text))
        self._axes["left"].setLabel("ms", color=colors.muted)
        self.show_times(step_s)

    def show_times(self, step_s: int) -> None:
        """Write a time below the axis every `step_s` seconds."""
        ticks = [
            (-s, tr("now") if s == 0 else tr("{seconds} s").format(seconds=f"{MINUS}{s}")) for s in range(0, 61, step_s)
        ]
        self._axes["bottom"].setTicks([ticks])
        self.widget.redraw()
