"""Tasks on a backend: frames in, results out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

import cv2

from models.results import DepthMap, FaceLandmarks, SegmentationMask, TaskResult
from pipelines.backends.base import SessionReport
from pipelines.backends.select import resolve
from pipelines.config import PipelineConfig
from pipelines.frame import Frame
from pipelines.machine import cores
from pipelines.tasks.base import TASK_REGISTRY, Task, TaskContext
from pipelines.timing import StageTimes


@dataclass(frozen=True, eq=False, slots=True)
class FrameResult:
    """What was found on one frame, with the frame itself: picture and findings never come from different moments.

    Parameters
    ----------
    frame : Frame
        The frame.
    results : mapping of str to TaskResult
        By task; a task that is off has no entry.
    times : mapping of str to StageTimes
        Stage times by task.
    total_ms : float
        Wall time of all tasks together; less than the sum where they ran side by side.
    backends : mapping of str to str
        By task, the id of the backend that really made the result.
    """

    frame: Frame
    results: Mapping[str, TaskResult]
    times: Mapping[str, StageTimes]
    total_ms: float
    backends: Mapping[str, str]

    @property
    def faces(self) -> FaceLandmarks | None:
        """The faces, None when the task is off."""
        result = self.results.get("face")
        return result if isinstance(result, FaceLandmarks) else None

    @property
    def mask(self) -> SegmentationMask | None:
        """The person mask, None when the task is off."""
        result = self.results.get("segmentation")
        return result if isinstance(result, SegmentationMask) else None

    @property
    def depth(self) -> DepthMap | None:
        """The depth map, None when the task is off."""
        result = self.results.get("depth")
        return result if isinstance(result, DepthMap) else None


class Pipeline:
    """All tasks of a configuration, their models loaded and run once.

    Parameters
    ----------
    config : PipelineConfig
        What to compute.

    Raises
    ------
    VisionError
        If a task or model is unknown, a model is damaged, or the backend cannot run it. What was loaded before is
        released.

    Notes
    -----
    Used by one thread at a time. With `config.parallel` and more than one core each task has a thread of its own;
    OpenCV's own threads are switched off then, or they would fight the sessions for the cores.
    """

    def __init__(self, config: PipelineConfig) -> None:
        self.config = config
        start = time.perf_counter()
        self.backend = resolve(config.pipeline)
        self._tasks: dict[str, Task] = {}
        self._pool: ThreadPoolExecutor | None = None
        context = TaskContext(config, self.backend)
        try:
            for name in config.tasks:
                self._tasks[name] = TASK_REGISTRY.get(name)(context)
        except BaseException:
            self.close()
            raise
        if config.parallel and len(self._tasks) > 1 and cores() > 1:
            # The calling thread runs the last task itself, hence one thread fewer.
            self._pool = ThreadPoolExecutor(len(self._tasks) - 1, thread_name_prefix="task")
        cv2.setNumThreads(1)
        self.load_ms = (time.perf_counter() - start) * 1e3

    def process(self, frame: Frame) -> FrameResult:
        """Run every task on `frame`.

        Raises
        ------
        BackendError
            If a model failed. All tasks of the frame have ended when it is raised.
        """
        start = time.perf_counter()
        times = {name: StageTimes() for name in self._tasks}
        results: dict[str, TaskResult] = {}
        if self._pool is None:
            for name, task in self._tasks.items():
                results[name] = task.process(frame, times[name])
        else:
            # The first task (faces, the one whose cost varies most) starts first; the caller takes the last.
            names = list(self._tasks)
            futures: dict[str, Future[TaskResult]] = {
                name: self._pool.submit(self._tasks[name].process, frame, times[name]) for name in names[:-1]
            }
            try:
                last = self._tasks[names[-1]].process(frame, times[names[-1]])
            finally:
                errors = [future.exception() for future in futures.values()]
            for error in errors:
                if error is not None:
                    raise error
            results = {name: future.result() for name, future in futures.items()}
            results[names[-1]] = last
        total_ms = (time.perf_counter() - start) * 1e3
        backends = {name: task.reports[0].backend for name, task in self._tasks.items()}
        return FrameResult(frame, results, times, total_ms, backends)

    def reset(self) -> None:
        """Forget earlier frames: after a seek, a loop or a change of source."""
        for task in self._tasks.values():
            task.reset()

    @property
    def reports(self) -> dict[str, tuple[SessionReport, ...]]:
        """Session reports by task."""
        return {name: task.reports for name, task in self._tasks.items()}

    def close(self) -> None:
        """Stop the threads and release the models."""
        if self._pool is not None:
            self._pool.shutdown(wait=True)
            self._pool = None
        for task in self._tasks.values():
            task.close()
        self._tasks = {}

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
