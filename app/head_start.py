"""A pipeline that is built while the window is being made: the first picture comes the sooner for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from models.errors import VisionError
from pipelines.backends.base import BACKENDS
from pipelines.config import PipelineConfig
from pipelines.pipeline import Pipeline
from pipelines.tasks.base import TASK_REGISTRY

if TYPE_CHECKING:
    from app.engine import Engine


class HeadStart:
    """Builds one pipeline in a thread of its own and hands it to whoever first asks for it.

    Parameters
    ----------
    config : PipelineConfig
        What the window is going to ask for, as far as the settings tell.
    build : callable, optional
        Makes a pipeline; tests put a stub here.
    """

    def __init__(self, config: PipelineConfig, build: Callable[[PipelineConfig], Pipeline] = Pipeline) -> None:
        # Imported here and not in the thread: two threads that import the same modules wait for each other.
        TASK_REGISTRY.discover()
        BACKENDS.discover()
        self._config = config
        self._build_now = build
        self._lock = threading.Lock()
        self._is_wanted = True
        self._built: Future[Pipeline] = Future()
        threading.Thread(target=self._build, name="head start", daemon=True).start()

    def _build(self) -> None:
        try:
            self._built.set_result(self._build_now(self._config))
        except VisionError as error:
            self._built.set_exception(error)  # raised where the pipeline is asked for
        except BaseException as error:
            self._built.set_exception(error)
            raise

    def pipeline(self, config: PipelineConfig) -> Pipeline:
        """Return a pipeline for `config`: the one that was built ahead if it fits, once, else another.

        Raises
        ------
        VisionError
            If it cannot be built.
        """
        with self._lock:
            fits = self._is_wanted and config == self._config
            if fits:
                self._is_wanted = False
        if fits:
            return self._built.result()
        self.close()
        return self._build_now(config)

    def engine(self, on_update: Callable[[], None]) -> Engine:
        """Make the engine, whose first pipeline is this one."""
        from pipelines.engine import LiveEngine

        return LiveEngine(on_update, pipeline_factory=self.pipeline)

    def close(self) -> None:
        """Release the pipeline if nobody asked for it; does not wait for one that is still being built."""
        with self._lock:
            unused, self._is_wanted = self._is_wanted, False
        if unused:
            self._built.add_done_callback(_release)


def _release(built: Future[Pipeline]) -> None:
    if built.exception() is None:
        built.result().close()
