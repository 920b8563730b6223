"""Beside the plots of the strip: what the colours mean, and figures of the last seconds or of a moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.history import RECENT_S, SERIES, SIDES
from app.i18n import tr
from app.theme import GRID, Type, font
from app.widgets.stage_plot import DROPPED, STAGE_COLORS
from app.words import DASH, stage_word
from pipelines.figures import Side

WIDTH: Final = 20 * GRID
WIDTH_OF_TWO: Final = 28 * GRID


class StripLegend(QWidget):
    """Swatches, words and figures of the stages, those of B beside those of A while two are compared."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self._of_b: list[QWidget] = []
        self.values: dict[str, QLabel] = {}
        self.values_b: dict[str, QLabel] = {}
        self.title = QLabel(self)
        self.title.setFont(font(Type.LABEL, tabular=True))
        self.title.setToolTip(
            tr("Milliseconds of all tasks together. Tasks run side by side, so a frame may be ready sooner.")
        )
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(GRID)
        self._grid.setVerticalSpacing(GRID // 4)
        for row, name in enumerate((*reversed(SERIES), "dropped")):
            self._add(row, name)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.title)
        layout.addLayout(self._grid)
        layout.addStretch()
        self.show_double(False)

    def _add(self, row: int, name: str) -> None:
        word = QLabel(stage_word(name), self)
        word.setFont(font(Type.CAPTION))
        word.setObjectName("muted")
        self.values[name] = self._value()
        self._grid.addWidget(self._swatch(STAGE_COLORS["A"].get(name, DROPPED)), row, 0)
        self._grid.addWidget(word, row, 1)
        self._grid.addWidget(self.values[name], row, 2)
        # Reading, drawing and drops are not the pipeline's: one figure serves both.
        if STAGE_COLORS["B"].get(name) != STAGE_COLORS["A"].get(name):
            self.values_b[name] = self._value()
            self._of_b += [self._swatch(STAGE_COLORS["B"][name]), self.values_b[name]]
            self._grid.addWidget(self._of_b[-2], row, 3)
            self._grid.addWidget(self._of_b[-1], row, 4)

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

    def show_double(self, is_double: bool) -> None:
        """Show the figures of B too, or of A alone."""
        for part in self._of_b:
            part.setVisible(is_double)
        self.setFixedWidth(WIDTH_OF_TWO if is_double else WIDTH)

    def show_values(
        self, stages: Mapping[Side, Mapping[str, float]], dropped: int, ago_s: float | None, held: bool
    ) -> None:
        """Show the figures of the last seconds, or of one moment.

        Parameters
        ----------
        stages : mapping
            By side, milliseconds by stage; a dash stands where there is none.
        dropped : int
            Dropped frames: of the run, or of the moment that is pointed at.
        ago_s : float or None
            How long ago the moment was; None for the last seconds.
        held : bool
            The strip stands still.
        """
        for side, labels in zip(SIDES, (self.values, self.values_b), strict=True):
            for name, label in labels.items():
                label.setText(f"{stages[side][name]:.1f} ms" if name in stages[side] else DASH)
        self.values["dropped"].setText(str(dropped))
        if ago_s is not None:
            self.title.setText(tr("{seconds} s ago").format(seconds=f"{ago_s:.1f}"))
        elif held:
            self.title.setText(tr("Paused"))
        else:
            self.title.setText(tr("Work per frame, last {seconds} s").format(seconds=f"{RECENT_S:.0f}"))

    def sentence(self) -> str:
        """Return everything it says in one sentence, for screen readers."""
        figures = (f"{stage_word(name)} {label.text()}" for name, label in self.values.items())
        return f"{self.title.text()}: {', '.join(figures)}"
