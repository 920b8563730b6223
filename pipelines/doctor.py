"""What this machine can do: backends and why one is missing, cameras, models and their checksums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.manifest import manifests
from pipelines.backends import BACKENDS, Availability, get_backend, resolve
from pipelines.cameras import list_cameras
from pipelines.config import TASKS, PipelineConfig
from pipelines.errors import BackendError
from pipelines.machine import APP, machine_info


def _backend_id(pipeline: str) -> str | None:
    try:
        return resolve(pipeline).id
    except BackendError:
        return None


def _backend_entry(backend_id: str, state: Availability) -> dict[str, Any]:
    return {
        "id": backend_id,
        "kind": get_backend(backend_id).kind,
        "available": state.available,
        "software": state.software,
        "device": state.device,
        "reason": state.reason,
        "versions": dict(state.versions),
        "models": _model_verdicts(backend_id, state),
    }


def _model_verdicts(backend_id: str, state: Availability) -> list[dict[str, Any]]:
    """Try every model once on a backend that is available; "not tried" on one that is not."""
    verdicts: list[dict[str, Any]] = []
    for manifest in manifests():
        if not state.available:
            verdicts.append({"model": manifest.name, "verdict": "not tried", "placement": {}})
            continue
        try:
            session = get_backend(backend_id).open(manifest)
        except Exception as error:  # noqa: BLE001 - a diagnosis reports whatever a runtime throws, and goes on
            verdicts.append({"model": manifest.name, "verdict": f"failed: {error}", "placement": {}})
            continue
        verdicts.append({"model": manifest.name, "verdict": "ok", "placement": dict(session.report.placement)})
        session.close()
    return verdicts


def examine(progress: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Return the diagnosis with the keys of the doctor file (docs/formats.md).

    Parameters
    ----------
    progress : callable
        Told what is being examined.
    """
    backends = []
    gpu: str | None = None
    for backend_id in BACKENDS.names():
        progress(backend_id)
        state = get_backend(backend_id).availability()
        if get_backend(backend_id).kind == "gpu" and state.available and gpu is None:
            gpu = state.device
        backends.append(_backend_entry(backend_id, state))
    progress("cameras")
    cameras = [
        {"index": camera.index, "name": camera.name, "backend": camera.backend, "modes": list(camera.modes)}
        for camera in list_cameras()
    ]
    models = []
    for manifest in manifests():
        progress(manifest.name)
        for file in manifest.files:
            models.append(
                {
                    "name": manifest.name,
                    "task": manifest.task,
                    "file": file.path.name,
                    "sha256": file.sha256,
                    "ok": file.is_intact(),
                    "licence": manifest.licence,
                }
            )
    auto = _backend_id(PipelineConfig().pipeline)
    return {
        "app": APP,
        "machine": machine_info(gpu),
        "backends": backends,
        "pipelines": {"cpu": _backend_id("cpu"), "gpu": _backend_id("gpu"), "auto": dict.fromkeys(TASKS, auto)},
        "cameras": cameras,
        "models": models,
    }
