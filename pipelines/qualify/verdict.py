"""Does a loaded model compute what the reference computes, and how long does it take?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import numpy as np

from models.manifest import Manifest
from pipelines.backends.base import Session, Tensors
from pipelines.backends.fingerprint import model_fingerprint
from pipelines.backends.select import REFERENCE, get_backend
from pipelines.backends.trials import OK, ModelTrial
from pipelines.qualify.sample import sample_input

RUNS: Final = 20
SECONDS: Final = 1.0
"""A median over at most so many runs, and for at most so long."""


def judge(session: Session, manifest: Manifest) -> ModelTrial:
    """Run a model on the sample picture and compare it with the reference.

    Parameters
    ----------
    session : Session
        The model on the backend that is tried. On an emulated device its speed says nothing, and is not measured.
    manifest : Manifest
        The model, with its tolerances.

    Raises
    ------
    VisionError
        If it does not run.
    """
    report = session.report
    image = sample_input(manifest)
    reference = get_backend(REFERENCE).open(manifest, report.threads)
    verdict, difference = compare(session.run(image), reference.run(image), manifest)
    measured = verdict == OK and not report.software
    trial = ModelTrial(
        verdict,
        model_fingerprint(manifest),
        dict(report.placement),
        dict(report.on_cpu),
        report.crossings,
        difference,
        report.load_ms,
        _median_ms(lambda: session.run(image)) if measured else None,
        _median_ms(lambda: reference.run(image)) if measured else None,
    )
    reference.close()
    return trial


def compare(outputs: Tensors, expected: Tensors, manifest: Manifest) -> tuple[str, float]:
    """Return the verdict and the largest difference over all outputs."""
    largest = 0.0
    for name, limit in manifest.tolerance.items():
        found = outputs[name]
        if found.shape != expected[name].shape:
            return f"wrong output: {name} has the shape {list(found.shape)}", float("inf")
        if not np.isfinite(found).all():
            return f"wrong output: {name} is not finite", float("inf")
        difference = float(np.abs(found - expected[name]).max())
        largest = max(largest, difference)
        if difference > limit:
            return f"wrong output: {name} differs from the CPU's by {difference:.3g} ({limit:g} allowed)", largest
    return OK, largest


def _median_ms(run: Callable[[], object]) -> float:
    times: list[float] = []
    while len(times) < RUNS and sum(times) < SECONDS:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return float(np.median(times)) * 1e3
