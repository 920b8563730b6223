"""How the pipelines of a run come and go: built beside the frames of another one, and released beside them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from pipelines.background import gently, in_background
from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame
from pipelines.memory import return_freed_memory
from pipelines.pipeline import Pipeline
from pipelines.sources import Source, SourceOptions


@dataclass(slots=True)
class Parts:
    """How an engine makes sources and pipelines, and whom it tells of news."""

    on_update: Callable[[], None]
    source_factory: Callable[[str, SourceOptions], Source]
    pipeline_factory: Callable[[PipelineConfig], Pipeline]


def build_for_change(
    factory: Callable[[PipelineConfig], Pipeline], config: PipelineConfig, newest: Frame | None
) -> Pipeline:
    """Build a pipeline that can take over between two frames, taking from those that serve as little as possible.

    Parameters
    ----------
    factory : callable
        Makes the pipeline.
    config : PipelineConfig
        What it shall compute.
    newest : Frame or None
        The newest frame: a pipeline for a video sees it before it takes over (`Pipeline.warm_up`).

    Raises
    ------
    VisionError
        If it cannot be built, or fails on that frame; nothing is left of it then.
    """
    with in_background():
        pipeline = factory(config)
        if newest is not None and config.mode is RunningMode.VIDEO:
            frame = newest
            try:
                gently(lambda: pipeline.warm_up(frame))
            except BaseException:
                pipeline.close()
                raise
    return pipeline


def release_beside(pipeline: Pipeline | None, guard: Callable[[Callable[[], None]], None]) -> None:
    """Close a pipeline that is out of service, in a thread of its own: the next frame does not wait for it.

    Parameters
    ----------
    pipeline : Pipeline or None
        What is closed, if anything.
    guard : callable
        Does the thread's work, and tells what goes wrong.
    """
    if pipeline is None:
        return
    closing = pipeline

    def close() -> None:
        closing.close()
        return_freed_memory()

    threading.Thread(target=guard, args=(close,), name="releasing", daemon=True).start()
