"""Single models on several backends, with the inputs that the tasks really give them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.errors import VisionError
from models.manifest import Manifest, load_manifest
from pipelines.backends import Availability, Backend, Session, SessionReport, Tensors
from pipelines.bench.contenders import Contender
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.frame import Frame
from pipelines.records import MS_DIGITS, Json
from pipelines.tasks.base import TASK_REGISTRY, TaskContext
from pipelines.timing import LatencyStats, StageTimes

WARMUP: Final = 10
SAMPLES: Final = 100
INPUTS_KEPT: Final = 16
"""Different inputs of each model that are measured in turn."""

WARMUP_LIMIT_S: Final = 5.0
LIMIT_S: Final = 10.0
"""Seconds after which the warm-up and the measuring of one model end with what they have: an emulated GPU takes a
second for a run, and a benchmark that nobody waits for measures nothing."""
FEWEST_SAMPLES: Final = 3

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ModelRun:
    """One model on one backend (an entry of "runs" in the benchmark file).

    Parameters
    ----------
    task, model, pipeline : str
        Task it belongs to, its name, and the pipeline's.
    report : SessionReport
        What the runtime made of it.
    warmup, samples : int
        Rounds left out, and rounds measured.
    latency : LatencyStats
        Milliseconds of a run.
    speedup_vs_cpu : float or None
        Median on the CPU backend divided by this median; None when that was not measured.
    max_abs_diff_vs_cpu : float or None
        Largest difference of any output value to the CPU backend's on the same inputs.
    """

    task: str
    model: str
    pipeline: str
    report: SessionReport
    warmup: int
    samples: int
    latency: LatencyStats
    speedup_vs_cpu: float | None
    max_abs_diff_vs_cpu: float | None

    def record(self) -> Json:
        """Return the entry for the benchmark file."""
        return {
            "task": self.task,
            "model": self.model,
            "pipeline": self.pipeline,
            "backend": self.report.backend,
            "device": self.report.device,
            "software": self.report.software,
            "precision": self.report.precision,
            "threads": self.report.threads,
            "batch": 1,
            "warmup": self.warmup,
            "samples": self.samples,
            "latency_ms": latency_record(self.latency),
            "fps": round(1e3 / self.latency.p50, 1),
            "speedup_vs_cpu": None if self.speedup_vs_cpu is None else round(self.speedup_vs_cpu, 3),
            "placement": dict(self.report.placement),
            "max_abs_diff_vs_cpu": self.max_abs_diff_vs_cpu,
            "load_ms": round(self.report.load_ms, MS_DIGITS),
        }


def latency_record(stats: LatencyStats) -> Json:
    """Return latencies as they stand in the benchmark file."""
    return {name: round(getattr(stats, name), MS_DIGITS) for name in ("p50", "p90", "p99", "mean")}


class _RecordingSession:
    """Passes runs on and keeps what goes in."""

    def __init__(self, session: Session, inputs: list[Image]) -> None:
        self.report = session.report
        self._session = session
        self._inputs = inputs

    def run(self, image: Image) -> Tensors:
        if len(self._inputs) < INPUTS_KEPT:
            self._inputs.append(image.copy())  # tasks use their input buffers again
        return self._session.run(image)

    def close(self) -> None:
        self._session.close()


class _RecordingBackend:
    """Passes everything on and keeps the inputs of every model."""

    def __init__(self, backend: Backend) -> None:
        self.id = backend.id
        self.kind = backend.kind
        self.inputs: dict[str, list[Image]] = {}
        self._backend = backend

    def availability(self) -> Availability:
        return self._backend.availability()

    def refusal(self, manifest: Manifest) -> str | None:
        return self._backend.refusal(manifest)

    def open(self, manifest: Manifest, threads: int = 1) -> Session:
        session = self._backend.open(manifest, threads)
        return _RecordingSession(session, self.inputs.setdefault(manifest.name, []))


def record_inputs(
    frames: Sequence[Frame], config: PipelineConfig, backend: Backend
) -> dict[tuple[str, str], list[Image]]:
    """Run the tasks on frames and return what their models were given: real crops, not noise.

    Parameters
    ----------
    frames : sequence of Frame
        Frames to analyse.
    config : PipelineConfig
        Which tasks, with which models.
    backend : Backend
        Where they run meanwhile.

    Returns
    -------
    dict of (str, str) to list of ndarray
        Inputs by task and model, uint8 (1, H, W, 3) each, at most `INPUTS_KEPT`.

    Raises
    ------
    VisionError
        If a model does not run there.
    """
    found: dict[tuple[str, str], list[Image]] = {}
    for name in config.tasks:
        recorder = _RecordingBackend(backend)
        task = TASK_REGISTRY.get(name)(TaskContext(config, recorder))
        try:
            for frame in frames:
                task.process(frame, StageTimes())
        finally:
            task.close()
        found.update({(name, model): inputs for model, inputs in recorder.inputs.items() if inputs})
    return found


def measure_model(
    key: tuple[str, str],
    inputs: Sequence[Image],
    field: Sequence[Contender],
    threads: int = 1,
    warmup: int = WARMUP,
    samples: int = SAMPLES,
) -> tuple[list[ModelRun], list[str]]:
    """Measure one model on several backends in turn.

    Parameters
    ----------
    key : (str, str)
        Task and model.
    inputs : sequence of ndarray of uint8, shape (1, H, W, 3)
        Given one after the other.
    field : sequence of Contender
        Who is measured. The first of kind "cpu" is what the others are compared with.
    threads : int
        Threads of each session.
    warmup, samples : int
        Rounds left out, and rounds measured; fewer where they take too long (`LIMIT_S`).

    Returns
    -------
    runs : list of ModelRun
        In the order of `field`.
    failures : list of str
        One sentence for each backend that could not run the model.
    """
    task, model = key
    manifest = load_manifest(model)
    sessions: dict[str, Session] = {}
    failures: list[str] = []
    try:
        for contender in field:
            try:
                sessions[contender.pipeline] = contender.backend.open(manifest, threads)
            except VisionError as error:
                failures.append(str(error))
        found = _rounds(sessions, inputs, warmup, samples)
        failures += found.failures
        times = found.times
        compared = inputs[: max((len(values) for values in times.values()), default=0)]
        outputs = {name: [_copy(sessions[name].run(image)) for image in compared] for name in times}
        reports = {name: sessions[name].report for name in times}
    finally:
        for session in sessions.values():
            session.close()
    reference = next((item.pipeline for item in field if item.backend.kind == "cpu" and item.pipeline in times), None)
    stats = {name: LatencyStats.of(values) for name, values in times.items()}
    base = stats[reference] if reference is not None else None
    runs = []
    for name, latency in stats.items():
        if latency is None:
            continue
        speedup = None if base is None else base.p50 / latency.p50
        difference = None if reference is None else _largest_difference(outputs[reference], outputs[name])
        runs.append(
            ModelRun(task, model, name, reports[name], found.warmup, latency.count, latency, speedup, difference)
        )
    return runs, failures


@dataclass(slots=True)
class _Rounds:
    """What came out of the rounds of one model."""

    times: dict[str, list[float]]
    warmup: int = 0
    failures: list[str] = attribute(default_factory=list)


def _rounds(sessions: Mapping[str, Session], inputs: Sequence[Image], warmup: int, samples: int) -> _Rounds:
    found = _Rounds({name: [] for name in sessions})
    start = time.perf_counter()
    while found.warmup < warmup and (found.warmup < 1 or time.perf_counter() - start < WARMUP_LIMIT_S):
        _one_round(sessions, inputs[found.warmup % len(inputs)], found, keep=False)
        found.warmup += 1
    start = time.perf_counter()
    number = 0
    while number < samples and (number < FEWEST_SAMPLES or time.perf_counter() - start < LIMIT_S):
        _one_round(sessions, inputs[number % len(inputs)], found, keep=True)
        number += 1
    return found


def _one_round(sessions: Mapping[str, Session], image: Image, found: _Rounds, keep: bool) -> None:
    for name in list(found.times):
        start = time.perf_counter()
        try:
            sessions[name].run(image)
        except BackendError as error:
            found.failures.append(str(error))
            del found.times[name]
            continue
        if keep:
            found.times[name].append((time.perf_counter() - start) * 1e3)


def _copy(tensors: Tensors) -> Tensors:
    return {name: values.copy() for name, values in tensors.items()}  # a backend may use its output memory again


def _largest_difference(first: Sequence[Tensors], second: Sequence[Tensors]) -> float:
    return max(float(np.abs(a[name] - b[name]).max()) for a, b in zip(first, second, strict=True) for name in a)
