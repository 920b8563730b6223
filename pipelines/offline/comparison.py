"""The same frames through two pipelines, side by side in one picture."""

from __future__ import annotations

from dataclasses import replace
from types import TracebackType

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.bench import Contender
from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame
from pipelines.offline.figures import PipelineMeter
from pipelines.overlay import COLOUR_A, COLOUR_B, OverlayStyle, draw_figures, draw_results
from pipelines.pipeline import FrameResult, Pipeline

DIVIDER_BGR = (255, 255, 255)


class Comparison:
    """Two pipelines that take turns on every frame, and the picture of both: A on the left, B on the right.

    Stands for a `PipelinePool` in a job, whose drawing is `draw`.

    Parameters
    ----------
    config : PipelineConfig
        What is computed on both.
    first, second : Contender
        A and B.

    Raises
    ------
    VisionError
        If one of them cannot run it.
    """

    def __init__(self, config: PipelineConfig, first: Contender, second: Contender) -> None:
        self.config = config
        self._a = Pipeline(replace(config, pipeline=first.backend.id))
        try:
            self._b = Pipeline(replace(config, pipeline=second.backend.id))
        except BaseException:
            self._a.close()
            raise
        self._meter_a = PipelineMeter("A", COLOUR_A)
        self._meter_b = PipelineMeter("B", COLOUR_B)
        self._other: dict[int, FrameResult] = {}
        self._style = OverlayStyle()

    def get(self, mode: RunningMode) -> Comparison:
        """Return the pair, as if it had seen no frame yet. It was made for the mode of its configuration."""
        del mode
        self._a.reset()
        self._b.reset()
        self._other.clear()
        return self

    def process(self, frame: Frame) -> FrameResult:
        """Run both on a frame and return A's result; B's is kept for `draw`. They change places every frame."""
        order = (self._a, self._b) if frame.index % 2 == 0 else (self._b, self._a)
        results = {pipeline: pipeline.process(frame) for pipeline in order}
        self._other[frame.index] = results[self._b]
        return results[self._a]

    def draw(self, result: FrameResult) -> NDArray[np.uint8]:
        """Return the picture of both results, uint8 (H, W, 3), with the figures of both."""
        other = self._other.pop(result.frame.index)
        self._meter_a.add(result)
        self._meter_b.add(other)
        image = draw_results(result, self._style)
        middle = image.shape[1] // 2
        image[:, middle:] = draw_results(other, self._style)[:, middle:]
        width = max(1, round(min(image.shape[:2]) / 360))
        cv2.line(image, (middle, 0), (middle, image.shape[0] - 1), DIVIDER_BGR, width)
        return draw_figures(image, [self._meter_a.row(), self._meter_b.row(self._speed_up())])

    def _speed_up(self) -> str:
        a, b = self._meter_a.stats, self._meter_b.stats
        if a is None or b is None:
            return ""
        ratio = a.p50 / b.p50
        if 0.95 < ratio < 1.05:
            return "as fast"
        return f"{ratio:.1f}x faster" if ratio >= 1 else f"{1 / ratio:.1f}x slower"

    def close(self) -> None:
        """Release the models of both."""
        self._a.close()
        self._b.close()

    def __enter__(self) -> Comparison:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
