"""Pipelines that are made once and used for every file that needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Protocol

from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult, Pipeline
from pipelines.state import State


class Analyser(Protocol):
    """What a job needs of a pipeline."""

    @property
    def notes(self) -> Sequence[str]:
        """What the user should know from the start."""
        ...

    def process(self, frame: Frame) -> FrameResult:
        """Run every task on a frame."""
        ...

    def state(self) -> State:
        """Return everything that earlier frames left behind (`pipelines.state`)."""
        ...

    def restore(self, state: State) -> None:
        """Go on from a `state`.

        Raises
        ------
        VisionError
            If it does not fit.
        """
        ...


class Analysers(Protocol):
    """What a job needs of a pool."""

    config: PipelineConfig

    def get(self, mode: RunningMode) -> Analyser:
        """Return the pipeline of a running mode, as if it had seen no frame yet."""
        ...


class PipelinePool:
    """One pipeline for pictures and one for videos, loaded when first needed.

    Parameters
    ----------
    config : PipelineConfig
        What to compute; its running mode is set by the file.
    """

    def __init__(self, config: PipelineConfig) -> None:
        self.config = config
        self._pipelines: dict[RunningMode, Pipeline] = {}

    def get(self, mode: RunningMode) -> Pipeline:
        """Return the pipeline of a running mode, as if it had seen no frame yet.

        Raises
        ------
        VisionError
            If its models cannot be loaded.
        """
        pipeline = self._pipelines.get(mode)
        if pipeline is None:
            pipeline = self._pipelines[mode] = Pipeline(replace(self.config, mode=mode))
        else:
            pipeline.reset()
        return pipeline

    def close(self) -> None:
        """Release the models."""
        for pipeline in self._pipelines.values():
            pipeline.close()
        self._pipelines = {}

    def __enter__(self) -> PipelinePool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
