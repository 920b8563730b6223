"""Tasks on a backend: frames in, results out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Final

import cv2

from models.errors import VisionError
from models.manifest import load_manifest
from models.results import DepthMap, FaceLandmarks, SegmentationMask, TaskResult
from pipelines.backends.base import Backend, SessionReport
from pipelines.backends.guarded import Binding
from pipelines.backends.select import REFERENCE, candidates, fastest, get_backend, no_backend
from pipelines.background import is_in_background, loading
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError, ConfigError
from pipelines.frame import Frame
from pipelines.helper import Helper
from pipelines.machine import cores
from pipelines.memory import keep_freed_memory
from pipelines.side_by_side import SideBySide, shares
from pipelines.state import State, take_state
from pipelines.tasks.base import TASK_REGISTRY, Task, TaskContext
from pipelines.timing import StageTimes

COST_WEIGHT: Final = 0.2
"""Weight of the newest frame in what a task is thought to cost."""


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
        By task, the id of the backend that really made the result. A result that was partly made on the reference,
        because the other backend failed, counts as the reference's.
    notices : tuple of str
        What went wrong and still matters: backends that were given up.
    software : frozenset of str
        Backends whose device is software, as their sessions say: test devices, not GPUs.
    side_by_side : bool
        Whether tasks ran in several threads at the same time: `total_ms` is less than the sum then, and each took
        longer than alone.
    """

    frame: Frame
    results: Mapping[str, TaskResult]
    times: Mapping[str, StageTimes]
    total_ms: float
    backends: Mapping[str, str]
    notices: tuple[str, ...] = ()
    software: frozenset[str] = frozenset()
    side_by_side: bool = False

    def backend_label(self, task: str) -> str:
        """Return the backend of a task, with "(software)" where its device is."""
        backend = self.backends[task]
        return f"{backend} (software)" if backend in self.software else backend

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

    Attributes
    ----------
    notes : list of str
        What the user should know from the start: models that others stand in for.

    Notes
    -----
    Building may take seconds: the first time that a backend is used, it is tried (`pipelines.qualify`). "auto" only
    uses what was measured before.

    Used by one thread at a time. With `config.parallel` the tasks run in as many threads as there are cores, as long as
    that is faster than one thread for all (`pipelines.side_by_side`); where a task waits for a GPU, in a thread each.
    OpenCV's own threads are switched off, or they would fight the sessions for the cores. Both this and the keeping of
    freed memory (`pipelines.memory`) hold for the whole process.
    """

    def __init__(self, config: PipelineConfig) -> None:
        keep_freed_memory()
        self.config = config
        start = time.perf_counter()
        self.notes: list[str] = []
        self._notes: dict[str, list[str]] = {}
        self._tasks: dict[str, Task] = {}
        self._bindings: dict[str, Binding] = {}
        self._helpers: list[Helper[dict[str, TaskResult]]] = []
        self._side_by_side = SideBySide()
        try:
            self._bind_all()
        except BaseException:
            self.close()
            raise
        self._costs_ms = dict.fromkeys(self._tasks, 1.0)
        self._threads = len(self._tasks)
        if all(binding.backend.kind == "cpu" for binding in self._bindings.values()):
            self._threads = min(cores(), self._threads)
        if config.parallel and self._threads > 1 and cores() > 1:
            # The calling thread takes a share itself, hence one thread fewer.
            self._helpers = [Helper(f"task {number}") for number in range(1, self._threads)]
        cv2.setNumThreads(1)
        self.load_ms = (time.perf_counter() - start) * 1e3

    def _bind_all(self) -> None:
        """Build all tasks at the same time: a GPU driver compiles a model's kernels on one core only.

        In the background half of the cores have to do, for the others are busy with the frames.
        """
        names = self.config.tasks
        workers = min(len(names), max(1, cores() // 2)) if is_in_background() else len(names)
        with loading(), ThreadPoolExecutor(workers, thread_name_prefix="loading") as pool:
            tasks = [pool.submit(copy_context().run, self._bind, name, self.config.pipeline_of(name)) for name in names]
        for future in tasks:
            future.result()
        self._tasks = {name: self._tasks[name] for name in names}
        self._bindings = {name: self._bindings[name] for name in names}
        self.notes = [note for name in names for note in self._notes[name]]

    def _bind(self, name: str, pipeline: str) -> None:
        """Build a task on the first backend that can run it."""
        if pipeline == "auto":
            self._build(name, get_backend(REFERENCE))
            best = fastest(tuple(report.model for report in self._tasks[name].reports))
            if best.id != REFERENCE:
                self._release(name)
                self._build(name, best)
            return
        options = candidates(pipeline)
        reasons: dict[str, str] = {}
        for backend in options:
            try:
                self._build(name, backend)
            except BackendError as error:
                if len(options) == 1:
                    raise
                reasons[backend.id] = backend.availability().reason or str(error)
            else:
                return
        raise no_backend(pipeline, reasons)

    def _build(self, name: str, backend: Backend) -> None:
        binding = Binding(backend)
        context = TaskContext(self.config, backend, binding)
        try:
            self._tasks[name] = TASK_REGISTRY.get(name)(context)
        except BaseException:
            binding.close()
            raise
        self._bindings[name] = binding
        self._notes[name] = context.notes

    def _release(self, name: str) -> None:
        self._tasks.pop(name).close()
        self._bindings.pop(name).close()

    def warm_up(self, frame: Frame) -> None:
        """Run every task on `frame`, one after the other in the calling thread.

        The first frame of a pipeline costs several times what the others do: the whole picture is searched for faces,
        the networks see real input for the first time, and the one for this shape of frame may still have to be
        loaded. A pipeline that takes over from another in mid-run does all that beforehand, in the background, and
        goes on from there with its first frame.

        Raises
        ------
        VisionError
            If a model failed.
        """
        for binding in self._bindings.values():
            binding.begin_frame()
        for task in self._tasks.values():
            task.process(frame, StageTimes())

    def process(self, frame: Frame) -> FrameResult:
        """Run every task on `frame`.

        Raises
        ------
        BackendError
            If a model failed. All tasks of the frame have ended when it is raised.
        """
        start = time.perf_counter()
        for binding in self._bindings.values():
            binding.begin_frame()
        times = {name: StageTimes() for name in self._tasks}
        results: dict[str, TaskResult] = {}
        beside = bool(self._helpers) and self._side_by_side.wanted
        if not beside:
            for name, task in self._tasks.items():
                results[name] = task.process(frame, times[name])
        else:
            results = self._run_beside(frame, times)
        for name, spent in times.items():
            self._costs_ms[name] += COST_WEIGHT * (spent.total_ms - self._costs_ms[name])
        total_ms = (time.perf_counter() - start) * 1e3
        self._side_by_side.note(total_ms)
        backends = {name: binding.backend_of_frame() for name, binding in self._bindings.items()}
        notices = tuple(f"{name}: {binding.notice}" for name, binding in self._bindings.items() if binding.notice)
        software = frozenset(item.backend.id for item in self._bindings.values() if item.is_software)
        return FrameResult(frame, results, times, total_ms, backends, notices, software, beside)

    def _run_beside(self, frame: Frame, times: Mapping[str, StageTimes]) -> dict[str, TaskResult]:
        """Run the tasks in several threads, this one among them. All have ended when it returns or raises."""
        *others, own = shares(self._costs_ms, self._threads)
        at_work = self._helpers[: len(others)]
        for helper, share in zip(at_work, others, strict=True):
            helper.begin(partial(self._run, share, frame, times))
        ends: list[Callable[[], dict[str, TaskResult]]] = [partial(self._run, own, frame, times)]
        ends += [helper.result for helper in at_work]
        found: dict[str, TaskResult] = {}
        failure: BaseException | None = None
        for end in ends:
            try:
                found |= end()
            except BaseException as error:  # noqa: BLE001 - raised below, when nobody works on the frame any more
                failure = failure or error
        if failure is not None:
            raise failure
        return {name: found[name] for name in self._tasks}

    def _run(self, names: Sequence[str], frame: Frame, times: Mapping[str, StageTimes]) -> dict[str, TaskResult]:
        """Run some of the tasks one after the other; one that fails does not keep the next from running."""
        found: dict[str, TaskResult] = {}
        failure: VisionError | None = None
        for name in names:
            try:
                found[name] = self._tasks[name].process(frame, times[name])
            except VisionError as error:
                failure = failure or error
        if failure is not None:
            raise failure
        return found

    def reset(self) -> None:
        """Forget earlier frames: after a seek, a loop or a change of source."""
        for task in self._tasks.values():
            task.reset()

    def state(self) -> State:
        """Return everything that earlier frames left behind, with what made it (`pipelines.state`)."""
        return {
            "made_by": {name: self._made_by(name) for name in self._tasks},
            "tasks": {name: task.state() for name, task in self._tasks.items()},
        }

    def _made_by(self, name: str) -> State:
        """Return what a task runs on: its backend, and the checksum of each file that is loaded."""
        sums: dict[str, str] = {}
        for report in self._tasks[name].reports:
            for file in load_manifest(report.model).files:
                if file.variant == report.variant:
                    sums[f"{report.model} ({report.variant})"] = file.sha256
        return {"backend": self._bindings[name].backend.id, "models": sums}

    def restore(self, state: State) -> None:
        """Go on from a `state`: the next frames give the same results as without the break, to the bit.

        Raises
        ------
        ConfigError
            If it was made by other models or on another backend.
        VisionError
            If a model that it needs cannot be loaded.
        """
        tasks, made_by = take_state(state, "tasks"), take_state(state, "made_by")
        for name, task in self._tasks.items():
            then, now = take_state(made_by, name), self._made_by(name)
            if then.get("backend") != now["backend"]:
                raise ConfigError(f"{name} ran on {then.get('backend')} and would go on on {now['backend']}")
            task.restore(take_state(tasks, name))
            models_then, models_now = take_state(then, "models"), take_state(self._made_by(name), "models")
            changed = [model for model in models_now if models_then.get(model, models_now[model]) != models_now[model]]
            if changed:
                raise ConfigError(f"the model {changed[0]} is not the one that {name} ran on")

    @property
    def reports(self) -> dict[str, tuple[SessionReport, ...]]:
        """Session reports by task."""
        return {name: task.reports for name, task in self._tasks.items()}

    def close(self) -> None:
        """Stop the threads and release the models."""
        for helper in self._helpers:
            helper.close()
        self._helpers = []
        for name in list(self._tasks):
            self._release(name)

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
