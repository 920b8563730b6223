"""The child process of a trial: load, run, compare, report (started by `pipelines.qualify.trial`).

Reads one JSON line ``{"backend", "module", "models": [paths of manifests]}``, writes JSON lines: first what the
device is or why there is none, then for each model "begin" and its trial.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.errors import VisionError
from models.manifest import Manifest, read_manifest
from pipelines.backends.base import Backend, Tensors
from pipelines.backends.child import end_with_parent
from pipelines.backends.fingerprint import model_fingerprint
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.select import REFERENCE, get_backend
from pipelines.backends.trials import OK, ModelTrial
from pipelines.backends.words import one_line
from pipelines.qualify.sample import sample_input

RUNS: Final = 20
SECONDS: Final = 1.0
"""A median over at most so many runs, and for at most so long."""


def main() -> None:
    """Serve one trial."""
    # Libraries print where they like; only this stream is ours.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)

    def tell(event: str, **facts: Any) -> None:
        out.write(json.dumps({"event": event, **facts}) + "\n")

    order = json.loads(sys.stdin.buffer.readline())
    end_with_parent()
    importlib.import_module(order["module"])
    backend = get_backend(order["backend"])
    software = False
    try:
        if isinstance(backend, QualifiedBackend):
            state = backend.probe()
            software = state.software
            tell("device", device=state.device, software=software)
    except VisionError as error:
        tell("problem", reason=str(error))
        return
    for path in order["models"]:
        manifest = read_manifest(Path(path))
        tell("begin", model=manifest.name)
        tell("model", model=manifest.name, trial=asdict(try_model(backend, manifest, software)))


def try_model(backend: Backend, manifest: Manifest, software: bool) -> ModelTrial:
    """Load a model on a backend, run it, and compare with the reference.

    Parameters
    ----------
    backend : Backend
        What is tried.
    manifest : Manifest
        The model, with its tolerances.
    software : bool
        The device is emulated: its speed says nothing, and is not measured.
    """
    fingerprint = model_fingerprint(manifest)
    refusal = backend.refusal(manifest)
    if refusal:
        return ModelTrial(f"no form: {refusal}", fingerprint)
    image = sample_input(manifest)
    reference = get_backend(REFERENCE).open(manifest)
    expected = reference.run(image)
    try:
        session = backend.open(manifest)
        outputs = session.run(image)
        verdict, difference = compare(outputs, expected, manifest)
        measured = verdict == OK and not software
        median_ms = _median_ms(lambda: session.run(image)) if measured else None
    except VisionError as error:
        # The verdict stands under the model's and the backend's name already.
        reason = str(error).removeprefix(f"{manifest.name} does not load on {backend.id}: ")
        return ModelTrial(f"failed: {reason}", fingerprint)
    except Exception as error:  # noqa: BLE001 - a trial reports whatever a runtime throws
        return ModelTrial(f"failed: {one_line(repr(error))}", fingerprint)
    report = session.report
    trial = ModelTrial(
        verdict,
        fingerprint,
        dict(report.placement),
        dict(report.on_cpu),
        report.crossings,
        difference,
        report.load_ms,
        median_ms,
        _median_ms(lambda: reference.run(image)) if measured else None,
    )
    session.close()
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


if __name__ == "__main__":
    main()
