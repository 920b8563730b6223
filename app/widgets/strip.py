"""The performance strip: what each stage of each pipeline took over the last minute, and which frames were dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.history import BIN_S, SIDES, SPAN_S, Sample, recent_ms
from app.i18n import tr
from app.steps import Steps, Stepwise
from app.theme import GRID, Theme, Type, font
from app.widgets.stage_plot import StagePlot, axis_top, stages_of
from app.widgets.strip_legend import StripLegend
from pipelines.figures import Side

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

HEIGHT: Final = 17 * GRID
LETTER_AT: Final = 8 * GRID
"""Where the letter of a pipeline stands in its plot, right of the axis."""


class Strip(QFrame):
    """Stage times as stacked areas, drops as red bars at the foot; beside it the same of B while two are compared.

    The figures beside the plot are medians of the last seconds, or those of the moment under the pointer; with the
    keyboard, the arrow keys go from moment to moment.

    Parameters
    ----------
    theme : Theme
        For the colours of axis and text.
    actions : list of QAction
        Commands for its menu.
    """

    read = Signal()
    """Another moment is read out."""

    def __init__(self, theme: Theme, actions: Sequence[QAction] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.dress(self)
        self.setObjectName("strip")
        self.setFixedHeight(HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Performance strip"))
        self._theme = theme
        self._plots: dict[Side, StagePlot] = {}
        self._letters: dict[Side, QLabel] = {}
        self._samples: tuple[Sample, ...] = ()
        self._now_s = 0.0
        self._dropped = 0
        self._is_double = False
        self._is_held = False
        self._read_s: float | None = None
        self._step_s = 10
        self._place = QWidget(self)
        self._place.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._plot_place = QHBoxLayout(self._place)
        self._plot_place.setContentsMargins(0, 0, 0, 0)
        self._plot_place.setSpacing(2 * GRID)
        self.legend = StripLegend(self)
        self.menu = QMenu(self)
        self.menu.addActions(actions)
        self._more = QToolButton(self)
        self._more.setObjectName("flat")
        self._more.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._more.setText("⋯")
        self._more.setToolTip(tr("Pause or save what the strip shows"))
        self._more.setAccessibleName(tr("More about the performance strip"))
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.clicked.connect(lambda: self.menu.popup(self._more.mapToGlobal(QPoint(0, 0))))
        right = QVBoxLayout()
        right.addWidget(self._more)
        right.addStretch()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, GRID, GRID // 2)
        layout.setSpacing(GRID)
        layout.addWidget(self.legend)
        layout.addSpacing(GRID)
        layout.addWidget(self._place, 1)
        layout.addLayout(right)
        theme.changed.connect(self._refresh)
        self._show_double(False)
        self._show_values()

    # -- plots

    def build_plot(self) -> None:
        """Make the plot. Imports pyqtgraph, which takes a second; the window has it imported in the background."""
        if not self._plots:
            self._add_plot("A", StagePlot("A"))
            self._show_double(self._is_double)
            self._draw()

    def build_plot_soon(self) -> None:
        """Make the plot in steps: what else there is to do comes in between."""

        def build() -> Stepwise:
            plot = StagePlot("A", furnished=False)
            yield True
            yield from plot.furnish()
            if not self._plots:
                self._add_plot("A", plot)
                self._show_double(self._is_double)
                yield
                self._draw()

        if not self._plots:
            Steps(build(), self)

    def _add_plot(self, side: Side, plot: StagePlot) -> None:
        self._plots[side] = plot
        self._plot_place.addWidget(plot.widget)
        # Whose it is, also for those who do not tell amber from teal.
        letter = QLabel(side, plot.widget)
        letter.setFont(font(Type.STRONG))
        letter.move(LETTER_AT, 0)
        letter.setVisible(self._is_double)
        self._letters[side] = letter
        plot.take_colors(self._theme.colors, self._step_s)

    def show_samples(self, samples: Sequence[Sample], now_s: float, dropped: int) -> None:
        """Draw the last minute, unless an earlier one is held.

        Parameters
        ----------
        samples : sequence of Sample
            The oldest first.
        now_s : float
            Monotonic time of the right edge.
        dropped : int
            Frames dropped in the whole run.
        """
        if self._is_held:
            return
        self._samples, self._now_s, self._dropped = tuple(samples), now_s, dropped
        self._show_double(any(sample.stages_b_ms for sample in samples))
        self._draw()

    def _draw(self) -> None:
        self._show_values()
        shown = [plot for side, plot in self._plots.items() if side == "A" or self._is_double]
        # One axis for both: the eye compares heights.
        top = axis_top([plot.highest(self._samples) for plot in shown])
        for plot in shown:
            plot.show(self._samples, self._now_s, top)

    def _show_double(self, is_double: bool) -> None:
        """Make room for B, or for A alone."""
        changed, self._is_double = is_double is not self._is_double, is_double
        self.legend.show_double(is_double)
        if is_double and "A" in self._plots and "B" not in self._plots:
            self._add_plot("B", StagePlot("B"))
        if "B" in self._plots:
            self._plots["B"].widget.setVisible(is_double)
        for letter in self._letters.values():
            letter.setVisible(is_double)
        if changed:
            self._refresh()

    def picture(self, scale: float) -> QImage:
        """Return what the strip shows as a picture of so many pixels a logical pixel."""
        image = QImage(self.size() * scale, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(scale)
        image.fill(Qt.GlobalColor.black)
        plots = [plot.widget for plot in self._plots.values() if plot.widget.isVisible()]
        for plot in plots:
            plot.is_blank = True
        self.render(image)
        painter = QPainter(image)
        for plot in plots:
            plot.is_blank = False
            painter.save()
            painter.translate(plot.mapTo(self, QPoint()))
            plot.paint_scene(painter)
            painter.restore()
        painter.end()
        return image

    # -- holding

    @property
    def is_held(self) -> bool:
        """Whether what is shown stands still."""
        return self._is_held

    def hold(self, held: bool) -> None:
        """Keep showing what is shown, or follow the run again."""
        self._is_held = held
        self._show_values()

    @property
    def samples(self) -> tuple[Sample, ...]:
        """What is shown, the oldest first."""
        return self._samples

    # -- reading out

    @property
    def read_sample(self) -> Sample | None:
        """The moment that is read out; None while nobody points at one."""
        if self._read_s is None or not self._samples:
            return None
        wanted = self._now_s - self._read_s + BIN_S / 2
        nearest = min(self._samples, key=lambda sample: abs(sample.time_s - wanted))
        return nearest if abs(nearest.time_s - wanted) <= BIN_S else None

    def read_at(self, ago_s: float | None) -> None:
        """Read out the moment of so many seconds ago, or the newest again."""
        if ago_s != self._read_s:
            self._read_s = None if ago_s is None else min(SPAN_S, max(0.0, ago_s))
            for plot in self._plots.values():
                plot.mark(self._read_s)
            self._show_values()
            self.read.emit()

    def _show_values(self) -> None:
        chosen = self.read_sample
        stages: dict[Side, Mapping[str, float]]
        if self._read_s is None:
            drops, stages = self._dropped, {side: recent_ms(self._samples, side) for side in SIDES}
        else:
            drops = chosen.dropped if chosen is not None else 0
            stages = {side: stages_of(chosen, side) if chosen is not None else {} for side in SIDES}
        self.legend.show_values(stages, drops, self._read_s, self._is_held)
        self.setAccessibleDescription(self.legend.sentence())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        for plot in self._plots.values():
            inside = plot.widget.mapFrom(self, event.position().toPoint())
            if plot.widget.isVisible() and plot.widget.rect().contains(inside):
                self.read_at(plot.ago_s(inside.x()))
                return
        self.read_at(None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.read_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: BIN_S, Qt.Key.Key_Right: -BIN_S}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.read_at(0.0 if self._read_s is None else self._read_s + step)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.read_at(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.popup(event.globalPos())

    # -- looks

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._step_s != self._wanted_step_s():
            self._step_s = self._wanted_step_s()
            for plot in self._plots.values():
                plot.show_times(self._step_s)

    def _wanted_step_s(self) -> int:
        """Seconds between two times on the axis, so that they do not run into each other."""
        room = self.width() / GRID / (2 if self._is_double else 1)
        return 10 if room > 70 else 20 if room > 45 else 30 if room > 38 else 60

    def _refresh(self) -> None:
        self._step_s = self._wanted_step_s()
        for plot in self._plots.values():
            plot.take_colors(self._theme.colors, self._step_s)
        self._show_values()
