"""The last minute of a run, for the sparkline and the performance strip. No Qt, and a clock that tests can turn."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from pipelines.figures import Figures, Side
from pipelines.pipeline import FrameResult
from pipelines.timing import STAGES

SERIES: Final = ("capture", *STAGES, "draw")
"""What the strip shows, bottom to top."""
SIDES: Final[tuple[Side, Side]] = ("A", "B")
SPAN_S: Final = 60.0
BIN_S: Final = 0.5
"""Long enough to hold several frames of a slow source, short enough that a hiccup of a second is seen."""
RECENT_S: Final = 5.0
"""What is said of "now" are medians of so many seconds."""
SPARK_SAMPLES: Final = 48


@dataclass(frozen=True, slots=True)
class Sample:
    """What happened in one bin of time.

    Parameters
    ----------
    time_s : float
        End of the bin, monotonic.
    stages_ms : mapping of str to float
        Median milliseconds of work a frame by `SERIES`, summed over the tasks; missing where nothing was measured.
    dropped : int
        Frames that were dropped in the bin.
    frames : int
        Frames that were shown in the bin.
    stages_b_ms : mapping of str to float
        The same of pipeline B; empty where it analysed nothing.
    """

    time_s: float
    stages_ms: Mapping[str, float]
    dropped: int
    frames: int
    stages_b_ms: Mapping[str, float] = field(default_factory=dict)


def recent_ms(samples: Sequence[Sample], side: Side) -> dict[str, float]:
    """Return what each stage of a pipeline takes these days: medians of the last samples, `RECENT_S` seconds of them.

    A single sample jumps, and holds nothing of a pipeline that analyses a frame a second.

    Parameters
    ----------
    samples : sequence of Sample
        The oldest first.
    side : "A" or "B"
        Which pipeline.

    Returns
    -------
    dict of str to float
        Milliseconds by stage; without stages that were not measured in that time.
    """
    newest = [sample for sample in samples if sample.time_s > samples[-1].time_s - RECENT_S]
    found: dict[str, list[float]] = {}
    for sample in newest:
        for stage, ms in (sample.stages_ms if side == "A" else sample.stages_b_ms).items():
            found.setdefault(stage, []).append(ms)
    return {stage: median(values) for stage, values in found.items()}


@dataclass(slots=True)
class _Bin:
    start_s: float
    stages: dict[Side, dict[str, list[float]]] = field(default_factory=lambda: {"A": {}, "B": {}})
    frames: int = 0


class History:
    """Collects frames into samples of `BIN_S` seconds and keeps the last `SPAN_S` seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.samples: deque[Sample] = deque(maxlen=round(SPAN_S / BIN_S))
        self.latencies_ms: dict[Side, deque[float]] = {side: deque(maxlen=SPARK_SAMPLES) for side in SIDES}
        self._bin = _Bin(clock())
        self._dropped = 0

    def clear(self) -> None:
        """Forget everything: another source, another run."""
        self.samples.clear()
        for latencies in self.latencies_ms.values():
            latencies.clear()
        self._bin = _Bin(self._clock())
        self._dropped = 0

    def add_frame(self, result: FrameResult, side: Side = "A", other: FrameResult | None = None) -> None:
        """Note the stage times of a frame that is shown.

        Parameters
        ----------
        result : FrameResult
            What was found on it.
        side : "A" or "B"
            By which pipeline.
        other : FrameResult, optional
            What pipeline B found on the same frame.
        """
        self._bin.frames += 1
        self._add(result, side)
        if other is not None:
            self._add(other, "B")

    def _add(self, result: FrameResult, side: Side) -> None:
        self.latencies_ms[side].append(result.total_ms)
        for stage in STAGES:
            values = [times.ms[stage] for times in result.times.values() if stage in times.ms]
            if values:
                self._bin.stages[side].setdefault(stage, []).append(sum(values))

    def tick(self, figures: Figures) -> bool:
        """Close the bin if its time is over. Return whether there is a new sample."""
        now = self._clock()
        if now - self._bin.start_s < BIN_S:
            return False
        stages, stages_b = (self._medians(side, figures) for side in SIDES)
        # The counter starts again with every run; a smaller value is not a negative number of drops.
        dropped = max(0, figures.dropped - self._dropped)
        self._dropped = figures.dropped
        self.samples.append(Sample(now, stages, dropped, self._bin.frames, stages_b))
        self._bin = _Bin(now)
        return True

    def _medians(self, side: Side, figures: Figures) -> dict[str, float]:
        stages = {stage: median(values) for stage, values in self._bin.stages[side].items()}
        if stages:
            # Reading and drawing serve both.
            if figures.capture is not None:
                stages["capture"] = figures.capture.p50
            if figures.draw is not None:
                stages["draw"] = figures.draw.p50
        return stages
