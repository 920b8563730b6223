"""What this machine can do: backends and why one is missing, cameras, models and their checksums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.errors import VisionError
from models.manifest import Manifest, manifests
from pipelines.backends import Availability, Backend, backend_ids, get_backend, resolve
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.trials import OK, Trial
from pipelines.cameras import list_cameras
from pipelines.config import TASKS, PipelineConfig
from pipelines.errors import BackendError
from pipelines.machine import APP, machine_info
from pipelines.pipeline import Pipeline
from pipelines.qualify import try_backend

NOT_TRIED = "not tried"


def examine(progress: Callable[[str], None] = lambda _: None, refresh: bool = False) -> dict[str, Any]:
    """Return the diagnosis with the keys of the doctor file (docs/formats.md).

    Every backend is tried with every model in a child process, unless that was done before under the same
    circumstances.

    Parameters
    ----------
    progress : callable
        Told what is being examined.
    refresh : bool
        Try the backends again.
    """
    known = manifests()
    backends = [_backend_entry(get_backend(name), known, progress, refresh) for name in backend_ids()]
    gpu = next((item for item in backends if item["kind"] == "gpu" and item["available"]), None)
    progress("cameras")
    cameras = [
        {"index": camera.index, "name": camera.name, "backend": camera.backend, "modes": list(camera.modes)}
        for camera in list_cameras()
    ]
    progress("models")
    models = [entry for manifest in known for entry in _model_entries(manifest)]
    label = f"{gpu['device']}{' (software)' if gpu['software'] else ''}" if gpu else None
    return {
        "app": APP,
        "machine": machine_info(label),
        "backends": backends,
        "pipelines": {
            "cpu": _kind("cpu"),
            "gpu": _kind("gpu"),
            "auto": {task: _fastest(task) for task in TASKS},
        },
        "cameras": cameras,
        "models": models,
    }


def _kind(pipeline: str) -> str | None:
    try:
        return resolve(pipeline).id
    except BackendError:
        return None


def _fastest(task: str) -> str | None:
    """What "auto" stands for, found by building it; None if the task's models do not load at all."""
    try:
        with Pipeline(PipelineConfig(tasks=(task,), pipeline="auto")) as pipeline:
            return pipeline.reports[task][0].backend
    except VisionError:
        return None


def _backend_entry(
    backend: Backend, known: tuple[Manifest, ...], progress: Callable[[str], None], refresh: bool
) -> dict[str, Any]:
    progress(backend.id)
    if isinstance(backend, QualifiedBackend):
        trial = try_backend(backend, known, refresh, lambda model: progress(f"{backend.id}: {model}"))
        verdicts = [_verdict(manifest, trial) for manifest in known]
        state = backend.availability()
    else:
        state = backend.availability()
        verdicts = [_reference_verdict(backend, manifest, state) for manifest in known]
    return {
        "id": backend.id,
        "kind": backend.kind,
        "available": state.available,
        "software": state.software,
        "device": state.device,
        "devices": list(state.devices),
        "reason": state.reason,
        "versions": dict(state.versions),
        "models": verdicts,
    }


def _verdict(manifest: Manifest, trial: Trial) -> dict[str, Any]:
    model = trial.verdict(manifest)
    if model is None:
        return _model(manifest, NOT_TRIED)
    return _model(manifest, model.verdict, dict(model.placement), dict(model.on_cpu), model.crossings)


def _reference_verdict(backend: Backend, manifest: Manifest, state: Availability) -> dict[str, Any]:
    """Load a model on the backend that needs no trial."""
    if not state.available:
        return _model(manifest, NOT_TRIED)
    try:
        session = backend.open(manifest)
    except VisionError as error:
        return _model(manifest, f"failed: {error}")
    session.close()
    return _model(manifest, OK, dict(session.report.placement))


def _model(
    manifest: Manifest,
    verdict: str,
    placement: dict[str, int] | None = None,
    on_cpu: dict[str, int] | None = None,
    crossings: int | None = 0,
) -> dict[str, Any]:
    return {
        "model": manifest.name,
        "verdict": verdict,
        "placement": placement or {},
        "on_cpu": on_cpu or {},
        "crossings": crossings,
    }


def _model_entries(manifest: Manifest) -> list[dict[str, Any]]:
    """One entry a file; a file that serves two purposes is listed once."""
    entries: dict[str, dict[str, Any]] = {}
    for file in manifest.files:
        if file.path.name not in entries:
            entries[file.path.name] = {
                "name": manifest.name,
                "task": manifest.task,
                "file": file.path.name,
                "sha256": file.sha256,
                "ok": file.is_intact(),
                "licence": manifest.licence,
            }
    return list(entries.values())
