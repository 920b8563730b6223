"""The same frames through two pipelines, side by side in one picture."""

from __future__ import annotations

from collections import deque
from dataclasses import fields, replace
from statistics import median
from types import TracebackType

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.compare import ComparedResult, agreement
from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame
from pipelines.offline.figures import PipelineMeter
from pipelines.overlay import COLOUR_A, COLOUR_B, OverlayStyle, draw_figures, draw_split
from pipelines.pipeline import FrameResult, Pipeline
from pipelines.state import State, take_state

DIVIDER_BGR = (255, 255, 255)


class Comparison:
    """Two pipelines that take turns on every frame, and the picture of both: A on the left, B on the right.

    Stands for a `PipelinePool` in a job, whose drawing is `draw`. Models are loaded when they are first needed.

    Parameters
    ----------
    config : PipelineConfig
        What is computed on both.
    first, second : str
        What A and B run on, as in `PipelineConfig.pipeline`.
    """

    def __init__(self, config: PipelineConfig, first: str, second: str) -> None:
        self.config = config
        self._names = (first, second)
        self._pairs: dict[RunningMode, Pair] = {}
        self._style = OverlayStyle()
        self._forget_figures()

    def _forget_figures(self) -> None:
        self._meter_a = PipelineMeter("A", COLOUR_A)
        self._meter_b = PipelineMeter("B", COLOUR_B)
        self._overall: deque[float] = deque(maxlen=120)

    def get(self, mode: RunningMode) -> Pair:
        """Return the pair of a running mode, as if it had seen no frame yet.

        Raises
        ------
        VisionError
            If one of them cannot run what the configuration asks for.
        """
        self._forget_figures()
        pair = self._pairs.get(mode)
        if pair is None:
            pair = self._pairs[mode] = Pair(replace(self.config, mode=mode), *self._names)
        else:
            pair.reset()
        return pair

    def draw(self, result: FrameResult) -> NDArray[np.uint8]:
        """Return the picture of both results, uint8 (H, W, 3), with the figures of both.

        Raises
        ------
        TypeError
            If the result does not come from `Pair.process`.
        """
        if not isinstance(result, ComparedResult):
            raise TypeError("this result comes from one pipeline alone")
        self._meter_a.add(result)
        self._meter_b.add(result.other)
        if result.agreement.overall is not None:
            self._overall.append(result.agreement.overall)
        middle = result.frame.width // 2
        image = draw_split(result, result.other, self._style, middle)
        width = max(1, round(min(image.shape[:2]) / 360))
        cv2.line(image, (middle, 0), (middle, image.shape[0] - 1), DIVIDER_BGR, width)
        said = ", ".join(filter(None, (self._speed_up(), self._agree())))
        return draw_figures(image, [self._meter_a.row(), self._meter_b.row(said)])

    def _speed_up(self) -> str:
        a, b = self._meter_a.stats, self._meter_b.stats
        if a is None or b is None:
            return ""
        ratio = a.p50 / b.p50
        if 0.95 < ratio < 1.05:
            return "as fast"
        return f"{ratio:.1f}x faster" if ratio >= 1 else f"{1 / ratio:.1f}x slower"

    def _agree(self) -> str:
        return f"agree {median(self._overall):.3f}" if self._overall else ""

    def close(self) -> None:
        """Release the models of all pairs."""
        for pair in self._pairs.values():
            pair.close()
        self._pairs = {}

    def __enter__(self) -> Comparison:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Pair:
    """Two pipelines of one running mode.

    Raises
    ------
    VisionError
        If one of them cannot run what the configuration asks for.
    """

    def __init__(self, config: PipelineConfig, first: str, second: str) -> None:
        self._a = Pipeline(replace(config, pipeline=first))
        try:
            self._b = Pipeline(replace(config, pipeline=second))
        except BaseException:
            self._a.close()
            raise

    @property
    def notes(self) -> tuple[str, ...]:
        """What both have to say about themselves: models that others stand in for."""
        return tuple(dict.fromkeys((*self._a.notes, *self._b.notes)))

    def process(self, frame: Frame) -> ComparedResult:
        """Run both on a frame and return A's result, with B's and how far they agree. They change places every frame.

        Raises
        ------
        BackendError
            If a model failed on one of them, and on the reference too.
        """
        order = (self._a, self._b) if frame.index % 2 == 0 else (self._b, self._a)
        results = {pipeline: pipeline.process(frame) for pipeline in order}
        a, b = results[self._a], results[self._b]
        notices = tuple(dict.fromkeys((*a.notices, *b.notices, *_same(a, b))))
        values = {item.name: getattr(a, item.name) for item in fields(FrameResult)}
        return ComparedResult(**{**values, "notices": notices}, other=b, agreement=agreement(a, b))

    def reset(self) -> None:
        """Forget earlier frames."""
        self._a.reset()
        self._b.reset()

    def state(self) -> State:
        """Return everything that earlier frames left behind in both (`pipelines.state`)."""
        return {"a": self._a.state(), "b": self._b.state()}

    def restore(self, state: State) -> None:
        """Go on from a `state`.

        Raises
        ------
        VisionError
            If it does not fit one of them.
        """
        self._a.restore(take_state(state, "a"))
        self._b.restore(take_state(state, "b"))

    def close(self) -> None:
        """Release the models of both."""
        self._a.close()
        self._b.close()


def _same(a: FrameResult, b: FrameResult) -> tuple[str, ...]:
    """Say it where there is nothing to compare: two names of one backend, or one that took over."""
    if dict(a.backends) != dict(b.backends):
        return ()
    return (f"A and B both run on {', '.join(sorted(set(a.backends.values())))}, which is compared with itself",)
