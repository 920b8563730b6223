"""The child process of a trial: load, run, compare, report (started by `pipelines.qualify.trial`).

Reads one JSON line ``{"backend", "module", "models": [paths of manifests]}``, writes JSON lines: first what the
device is or why there is none, then for each model "begin" and its trial.
"""

from __future__ import annotations

import importlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from models.errors import VisionError
from models.manifest import Manifest, read_manifest
from pipelines.backends.base import Backend
from pipelines.backends.child import end_with_parent, first_line
from pipelines.backends.fingerprint import model_fingerprint
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.select import get_backend
from pipelines.backends.trials import ModelTrial, failed
from pipelines.backends.words import one_line
from pipelines.qualify.verdict import judge


def main() -> None:
    """Serve one trial."""
    # Libraries print where they like; only this stream is ours.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)

    def tell(event: str, **facts: Any) -> None:
        out.write(json.dumps({"event": event, **facts}) + "\n")

    order = json.loads(first_line())
    end_with_parent()
    importlib.import_module(order["module"])
    backend = get_backend(order["backend"])
    try:
        if isinstance(backend, QualifiedBackend):
            state = backend.probe()
            tell("device", device=state.device, software=state.software, devices=state.devices)
    except VisionError as error:
        tell("problem", reason=str(error))
        return
    for path in order["models"]:
        manifest = read_manifest(Path(path))
        tell("begin", model=manifest.name)
        tell("model", model=manifest.name, trial=asdict(try_model(backend, manifest)))


def try_model(backend: Backend, manifest: Manifest) -> ModelTrial:
    """Load a model on a backend, run it, and compare with the reference.

    Parameters
    ----------
    backend : Backend
        What is tried.
    manifest : Manifest
        The model, with its tolerances.
    """
    fingerprint = model_fingerprint(manifest)
    refusal = backend.refusal(manifest)
    if refusal:
        return ModelTrial(f"no form: {refusal}", fingerprint)
    try:
        session = backend.open(manifest)
        trial = judge(session, manifest)
    except VisionError as error:
        return failed(backend.id, manifest, str(error))
    except Exception as error:  # noqa: BLE001 - a trial reports whatever a runtime throws
        return failed(backend.id, manifest, one_line(repr(error)))
    session.close()
    return trial


if __name__ == "__main__":
    main()
