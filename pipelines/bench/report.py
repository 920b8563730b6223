"""Everything measured in one go, as the benchmark file (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pipelines.backends import BACKENDS, Kind, get_backend, resolve
from pipelines.bench.contenders import Contender
from pipelines.bench.end_to_end import Draw, PipelineRun, measure_pipelines
from pipelines.bench.model_runs import INPUTS_KEPT, SAMPLES, WARMUP, ModelRun, measure_model, record_inputs
from pipelines.config import TASKS, PipelineConfig
from pipelines.frame import Frame
from pipelines.machine import APP, machine_info
from pipelines.records import Json


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Everything measured in one go.

    Parameters
    ----------
    runs : tuple of ModelRun
        Models.
    end_to_end : tuple of PipelineRun
        Whole pipelines.
    failures : tuple of str
        What could not be measured and why, one sentence each.
    """

    runs: tuple[ModelRun, ...]
    end_to_end: tuple[PipelineRun, ...]
    failures: tuple[str, ...] = ()

    def record(self) -> Json:
        """Return the contents of the benchmark file."""
        gpus = sorted({run.report.device for run in self.runs if get_kind(run.report.backend) == "gpu"})
        return {
            "app": APP,
            "machine": machine_info(", ".join(gpus) or None),
            "runs": [run.record() for run in self.runs],
            "end_to_end": [run.record() for run in self.end_to_end],
            "failures": list(self.failures),
        }


def get_kind(backend_id: str) -> Kind | None:
    """Return whether a backend is a CPU or a GPU; None for one that is not registered."""
    return get_backend(backend_id).kind if backend_id.partition(":")[0] in BACKENDS else None


def run_benchmark(
    frames: Sequence[Frame],
    field: Sequence[Contender],
    draw: Draw,
    tasks: Sequence[str] = TASKS,
    threads: int = 1,
    warmup: int = WARMUP,
    samples: int = SAMPLES,
    models: Mapping[str, str] | None = None,
    progress: Callable[[str, Sequence[ModelRun]], None] = lambda step, runs: None,
) -> Benchmark:
    """Measure every model of the tasks, and the tasks together.

    Parameters
    ----------
    frames : sequence of Frame
        Real frames, more than `warmup`.
    field : sequence of Contender
        Who is measured.
    draw : callable
        Draws a result.
    tasks : sequence of str
        Tasks to measure.
    threads : int
        Threads of each session.
    warmup, samples : int
        Rounds left out, and rounds measured.
    models : mapping of str to str, optional
        Role to model name where another than the default is wanted.
    progress : callable
        Told what is measured next, and what was measured so far.

    Raises
    ------
    VisionError
        If the CPU, on which the inputs of the models are gathered, cannot run them.
    """
    config = PipelineConfig(tasks=tuple(tasks), models=models or {}, threads=threads)
    runs: list[ModelRun] = []
    failures: list[str] = []
    progress("inputs", runs)
    for key, inputs in record_inputs(frames[: 2 * INPUTS_KEPT], config, resolve("cpu")).items():
        progress(key[1], runs)
        measured, failed = measure_model(key, inputs, field, threads, warmup, samples)
        runs += measured
        failures += failed
    progress("pipelines", runs)
    end_to_end, failed = measure_pipelines(frames, field, config, draw, min(warmup, len(frames) // 4))
    return Benchmark(tuple(runs), tuple(end_to_end), _distinct([*failures, *failed]))


def _distinct(sentences: Sequence[str]) -> tuple[str, ...]:
    """Drop sentences that are, or quote, an earlier one: a model that does not run keeps its pipeline from running."""
    kept: list[str] = []
    for sentence in sentences:
        if not any(earlier in sentence for earlier in kept):
            kept.append(sentence)
    return tuple(kept)
