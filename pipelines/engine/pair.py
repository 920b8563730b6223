"""The one or two pipelines of a run, and how they share its frames."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Final

from models.errors import VisionError
from pipelines.compare import CompareMode
from pipelines.figures import Side
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult, Pipeline

log = logging.getLogger(__name__)

FAILURES_IN_A_ROW: Final = 3
"""Failed frames after which a run gives up."""


@dataclass(frozen=True, eq=False, slots=True)
class Analysed:
    """What goes from the inference thread to the drawing thread."""

    result: FrameResult
    side: Side = "A"
    other: FrameResult | None = None


class Pair:
    """The pipelines of a run, in the inference thread alone: A, and B while two are compared."""

    def __init__(self, a: Pipeline) -> None:
        self.a = a
        self.b: Pipeline | None = None
        self.mode = CompareMode.OFF
        self.complaint = ""
        self._epoch = 0
        self._turn = 0
        self._failures_b = 0

    def replace(self, side: Side, pipeline: Pipeline | None) -> Pipeline | None:
        """Put another pipeline in the place of a side's, and return the old one, which the caller has to close."""
        old = self.a if side == "A" else self.b
        if side == "B":
            self.b = pipeline
            self._failures_b = 0
        elif pipeline is not None:
            self.a = pipeline
        return old

    def share(self, mode: CompareMode) -> None:
        """Share the frames in this way. On the same frames both start from nothing: what A remembers of earlier ones,
        B has not seen, and the difference would be taken for one of the backends."""
        self.mode = mode
        if mode is CompareMode.SPLIT and self.b is not None:
            self._forget()

    @property
    def notes(self) -> tuple[str, ...]:
        """What both have to say about themselves: models that others stand in for."""
        return tuple(dict.fromkeys((*self.a.notes, *(self.b.notes if self.b is not None else ()))))

    def process(self, epoch: int, frame: Frame) -> Analysed:
        """Analyse a frame as the mode says. B's failures cost the comparison, not the run."""
        if epoch != self._epoch:
            self._epoch = epoch
            self._forget()
        if self.b is None or self.mode is CompareMode.OFF:
            return Analysed(self.a.process(frame))
        self._turn += 1
        if self.mode is CompareMode.ALTERNATE:
            if self._turn % 2:
                return Analysed(self.a.process(frame))
            result = self._process_b(frame)
            return Analysed(result, "B") if result is not None else Analysed(self.a.process(frame))
        # On the same frame they change places, so that neither always finds the caches warm.
        if self._turn % 2:
            first = self.a.process(frame)
            return Analysed(first, other=self._process_b(frame))
        other = self._process_b(frame)
        return Analysed(self.a.process(frame), other=other)

    def _forget(self) -> None:
        """Track nothing of the frames before, on either side."""
        self.a.reset()
        if self.b is not None:
            self.b.reset()

    def _process_b(self, frame: Frame) -> FrameResult | None:
        if self.b is None:
            return None
        try:
            result = self.b.process(frame)
        except VisionError as error:
            self._failures_b += 1
            log.warning("B, frame %d: %s", frame.index, error)
            if self._failures_b >= FAILURES_IN_A_ROW:
                self.complaint = str(error)
            return None
        self._failures_b = 0
        return result

    def close(self) -> None:
        """Release both."""
        self.a.close()
        if self.b is not None:
            self.b.close()
            self.b = None
