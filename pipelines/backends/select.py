"""From what a user asks for ("cpu", "gpu", "auto", a name) to a backend."""

from __future__ import annotations

import functools
from typing import Final

from models.errors import ModelError
from models.manifest import load_manifest
from pipelines.backends.base import BACKENDS, Availability, Backend
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.trials import OK, Trial, load_trial
from pipelines.errors import BackendError

REFERENCE: Final = "ort-cpu"
"""The backend that the others are compared with, and that goes on when one fails. It works everywhere."""
MARGIN: Final = 0.9
"""`auto` leaves the reference only for a backend that takes less than this part of its time: measured medians of the
same thing differ by several per cent."""


@functools.cache
def get_backend(backend_id: str) -> Backend:
    """Return the one instance of a backend.

    Parameters
    ----------
    backend_id : str
        Name of a backend; where it can choose between devices also with a number, as in "ort-cuda:1".

    Raises
    ------
    VisionError
        If no backend has this name, or this one has no choice of devices.
    """
    name, colon, number = backend_id.partition(":")
    backend = BACKENDS.get(name)()
    if not colon:
        return backend
    if not number.isascii() or not number.isdigit():
        raise BackendError(f"{backend_id!r} does not name a device: write its number, as in {name}:1")
    if not isinstance(backend, QualifiedBackend) or not backend.chooses_devices:
        raise BackendError(f"{name} has no choice of devices: leave out the :{number}")
    return backend.on_device(int(number))


def backend_ids() -> tuple[str, ...]:
    """All known backends in the order of preference, the reference first."""
    return tuple(sorted(BACKENDS.names(), key=_rank))


def _rank(backend_id: str) -> int:
    backend = get_backend(backend_id)
    return backend.rank if isinstance(backend, QualifiedBackend) else 0


def available_backends() -> dict[str, Availability]:
    """Availability of every known backend, by id. Cheap: nothing is tried (see `pipelines.qualify.try_backend`)."""
    return {backend_id: get_backend(backend_id).availability() for backend_id in backend_ids()}


def candidates(pipeline: str) -> tuple[Backend, ...]:
    """Return the backends that `pipeline` can stand for, the best first.

    Parameters
    ----------
    pipeline : str
        "cpu", "gpu", or a backend's own name.

    Raises
    ------
    VisionError
        If no backend has this name.
    """
    if pipeline not in ("cpu", "gpu"):
        return (get_backend(pipeline),)
    return tuple(backend for name in backend_ids() if (backend := get_backend(name)).kind == pipeline)


def resolve(pipeline: str) -> Backend:
    """Return the backend that `pipeline` stands for. May take seconds at first use, when a backend is tried.

    Parameters
    ----------
    pipeline : str
        "cpu" or "gpu" for the best available of that kind, "auto" for the reference (which backend is fastest differs
        by task, see `fastest`), or a backend's own name.

    Raises
    ------
    BackendError
        If it is not available here; the message gives the reason of each candidate. A backend is never replaced by
        another one in silence.
    """
    if pipeline == "auto":
        return get_backend(REFERENCE)
    emulated: Backend | None = None
    reasons: dict[str, str] = {}
    for backend in candidates(pipeline):
        state = _tried(backend)
        if state.available and not state.software:
            return backend
        if state.available:
            emulated = emulated or backend
        else:
            reasons[backend.id] = str(state.reason)
    if emulated is not None:
        return emulated
    if pipeline not in ("cpu", "gpu"):
        raise BackendError(f"{pipeline} cannot be used here: {reasons[pipeline]}")
    raise no_backend(pipeline, reasons)


def _tried(backend: Backend) -> Availability:
    """Availability after a trial of all models, if none was made yet."""
    if isinstance(backend, QualifiedBackend) and backend.prerequisites().available and load_trial(backend.id) is None:
        from pipelines.qualify import try_backend  # it imports this package

        try_backend(backend)
    return backend.availability()


def no_backend(pipeline: str, reasons: dict[str, str]) -> BackendError:
    """Return the error for a kind of which nothing can be used.

    Backends with the same reason share it; those of which only a package is missing come last, and those of other
    systems are left out, so that the reason a user can do something about stands out.
    """
    by_reason: dict[str, list[str]] = {}
    missing = []
    for name, reason in reasons.items():
        if reason.startswith("not installed"):
            missing.append(name)
        elif " exists on " not in reason:
            by_reason.setdefault(reason.removeprefix(f"no {pipeline.upper()}: "), []).append(name)
    told = [f"{reason} ({', '.join(names)})" for reason, names in by_reason.items()]
    if missing:
        told.append(f"not installed: {', '.join(missing)}")
    return BackendError(f"no {pipeline.upper()} can be used here: {'; '.join(told)}")


def fastest(models: tuple[str, ...]) -> Backend:
    """Return the backend on which a task's models took the least time in the trials; the reference if none was faster.

    Parameters
    ----------
    models : tuple of str
        Names of all the task's models.

    Notes
    -----
    Only what was measured on this machine counts, so nothing is tried here. A software GPU is never chosen, nor a
    backend that cannot run these very models.
    """
    best: Backend = get_backend(REFERENCE)
    best_ratio = MARGIN
    for backend_id in backend_ids():
        backend = get_backend(backend_id)
        if not isinstance(backend, QualifiedBackend) or not backend.prerequisites().available:
            continue
        trial = load_trial(backend_id)
        ratio = _time_ratio(trial, models) if trial is not None and not trial.software else None
        if ratio is not None and ratio < best_ratio:
            best, best_ratio = backend, ratio
    return best


def _time_ratio(trial: Trial, models: tuple[str, ...]) -> float | None:
    """Time on the backend divided by the reference's in the same trial; None if a model did not pass."""
    own = reference = 0.0
    for name in models:
        try:
            verdict = trial.verdict(load_manifest(name))
        except ModelError:
            return None
        if verdict is None or verdict.verdict != OK or verdict.median_ms is None or not verdict.reference_ms:
            return None
        own += verdict.median_ms
        reference += verdict.reference_ms
    return own / reference if reference else None
