"""Figures of a run, burnt into the pictures that it writes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pipelines.overlay import COLOUR_A, FigureRow, OverlayStyle, draw_figures, draw_results
from pipelines.pipeline import FrameResult
from pipelines.timing import LatencyStats, RollingLatency


class PipelineMeter:
    """Latencies of the last frames of one pipeline.

    Parameters
    ----------
    label : str
        What its row is called.
    color : str
        "#RRGGBB" of its mark.
    """

    def __init__(self, label: str, color: str = COLOUR_A) -> None:
        self._label = label
        self._color = color
        self._total = RollingLatency()
        self._tasks: dict[str, RollingLatency] = {}
        self._backend = ""

    def add(self, result: FrameResult) -> None:
        """Note the times of a frame."""
        self._total.add(result.total_ms)
        self._backend = ", ".join(dict.fromkeys(map(result.backend_label, result.backends)))
        for name, times in result.times.items():
            self._tasks.setdefault(name, RollingLatency()).add(times.total_ms)

    @property
    def stats(self) -> LatencyStats | None:
        """Latencies of a frame, None before the warm-up is over."""
        return self._total.stats()

    def row(self, extra: str = "") -> FigureRow:
        """Return the row of the table; frames a second are what the pipeline alone could do, 1000 / median."""
        stats = self.stats
        tasks = {name: (found.p50 if (found := meter.stats()) else None) for name, meter in self._tasks.items()}
        return FigureRow(
            label=self._label,
            backend=self._backend,
            fps=None if stats is None else 1e3 / stats.p50,
            p50_ms=None if stats is None else stats.p50,
            p95_ms=None if stats is None else stats.p95,
            color=self._color,
            tasks_ms=tasks,
            extra=extra,
        )


class FigureDrawing:
    """Draws results and, above them, the figures so far.

    Parameters
    ----------
    label : str
        Name of the pipeline.
    note : str
        A line below the figures.
    """

    def __init__(self, label: str, note: str) -> None:
        self._meter = PipelineMeter(label)
        self._note = note
        self._style = OverlayStyle()

    def __call__(self, result: FrameResult) -> NDArray[np.uint8]:
        """Return the annotated picture, uint8 (H, W, 3)."""
        self._meter.add(result)
        return draw_figures(draw_results(result, self._style), [self._meter.row()], self._note)
