"""What a benchmark means, in one sentence a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pipelines.backends import REFERENCE, get_backend
from pipelines.bench.model_runs import ModelRun

SAME: Final = 0.05
"""Medians of the same thing, measured twice, differ by so much."""


def verdicts(runs: Sequence[ModelRun]) -> list[str]:
    """Return for each model which backend to take: "face_mesh: CPU is better here: ort-webgpu 0.4x".

    A model that was measured on one backend only gets no sentence, for there is nothing to choose. A software GPU is
    never recommended, and its speed not told: it says nothing about a GPU.
    """
    by_model: dict[str, list[ModelRun]] = {}
    for run in runs:
        by_model.setdefault(run.model, []).append(run)
    return [f"{model}: {_verdict(found)}" for model, found in by_model.items() if len(found) > 1]


def _verdict(runs: Sequence[ModelRun]) -> str:
    rivals = [run for run in runs if run.speedup_vs_cpu is not None and run.speedup_vs_cpu != 1.0]
    emulated = [run.report.backend for run in rivals if run.report.software]
    rivals = [run for run in rivals if not run.report.software]
    if not rivals:
        which = ", ".join(emulated)
        return f"nothing to choose: {which} is a software GPU" if emulated else "as fast everywhere"
    best = max(rivals, key=_speed)
    others = ", ".join(f"{run.report.backend} {_speed(run):.1f}x" for run in sorted(rivals, key=_speed, reverse=True))
    base = next((run.report.backend for run in runs if run.speedup_vs_cpu == 1.0), REFERENCE)
    if _speed(best) > 1 + SAME:
        return f"{best.report.backend} is better here: {_speed(best):.1f}x as fast as {base}"
    if _speed(best) < 1 - SAME:
        # Against another runtime on the same processor it would say nothing.
        name = "CPU" if all(get_backend(run.report.backend).kind == "gpu" for run in rivals) else base
        return f"{name} is better here: {others}"
    return f"as fast on {base} as on the others: {others}"


def _speed(run: ModelRun) -> float:
    return run.speedup_vs_cpu or 0.0
