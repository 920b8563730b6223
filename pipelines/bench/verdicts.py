"""What a benchmark means, in one sentence a model, the same on the command line and in the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pipelines.backends import get_backend
from pipelines.bench.model_runs import ModelRun

SAME: Final = 0.05
"""Medians of the same thing, measured twice, differ by so much."""


def verdicts(runs: Sequence[ModelRun]) -> list[str]:
    """Return for each model which backend is the fastest: "face_mesh: CPU is the fastest here: 2.5x as fast as gpu".

    A model that was measured on one backend only gets no sentence, for there is nothing to choose. A software GPU is
    never recommended, and its speed not told: it says nothing about a GPU.
    """
    by_model: dict[str, list[ModelRun]] = {}
    for run in runs:
        by_model.setdefault(run.model, []).append(run)
    return [f"{model}: {_verdict(found)}" for model, found in by_model.items() if len(found) > 1]


def _verdict(runs: Sequence[ModelRun]) -> str:
    real = sorted((run for run in runs if not run.report.software), key=_ms)
    if len(real) < 2:
        emulated = ", ".join(run.report.backend for run in runs if run.report.software)
        return f"nothing to choose: {emulated} is a software GPU"
    best = real[0]
    base = next((run for run in real if run.speedup_vs_cpu == 1.0), None)
    # What is as fast as the reference gives no reason to leave it; without a reference the next best is the measure.
    rival = base if base is not None and base is not best else real[1]
    if _ms(rival) <= _ms(best) * (1 + SAME):
        close = [run for run in real if _ms(run) <= _ms(best) * (1 + SAME)]
        names = [run.report.backend for run in sorted(close, key=lambda run: run is not base)]
        return f"{', '.join(names[:-1])} and {names[-1]} are equally fast here"
    others = [run for run in real if run is not best]
    # Against another runtime on the same processor it would say nothing.
    beats_gpus = best is base and all(get_backend(run.report.backend).kind == "gpu" for run in others)
    name = "CPU" if beats_gpus else best.report.backend
    return f"{name} is the fastest here: {_ms(rival) / _ms(best):.1f}x as fast as {rival.report.backend}"


def _ms(run: ModelRun) -> float:
    """Return the median time of a run, in milliseconds."""
    return run.latency.p50
