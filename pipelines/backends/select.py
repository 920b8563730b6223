"""From what a user asks for ("cpu", "gpu", "auto", a name) to a backend."""

from __future__ import annotations

import functools

from pipelines.backends.base import BACKENDS, Availability, Backend
from pipelines.errors import BackendError


@functools.cache
def get_backend(backend_id: str) -> Backend:
    """Return the one instance of a backend.

    Raises
    ------
    VisionError
        If no backend has this name.
    """
    return BACKENDS.get(backend_id)()


def available_backends() -> dict[str, Availability]:
    """Availability of every known backend, by id."""
    return {backend_id: get_backend(backend_id).availability() for backend_id in BACKENDS.names()}


def resolve(pipeline: str) -> Backend:
    """Return the backend that `pipeline` stands for.

    Parameters
    ----------
    pipeline : str
        "cpu" or "gpu" for the best available of that kind, "auto" for the fastest, or a backend's own name.

    Raises
    ------
    BackendError
        If it is not available here; the message gives the reason of each candidate. A backend is never replaced by
        another one in silence.
    """
    if pipeline not in ("auto", "cpu", "gpu"):
        backend = get_backend(pipeline)
        state = backend.availability()
        if not state.available:
            raise BackendError(f"{pipeline} cannot be used here: {state.reason}")
        return backend
    reasons = []
    for backend_id in BACKENDS.names():
        backend = get_backend(backend_id)
        if pipeline not in ("auto", backend.kind):
            continue
        state = backend.availability()
        if state.available and not (pipeline == "auto" and state.software):
            return backend
        reasons.append(f"{backend_id}: {state.reason}")
    if reasons:
        raise BackendError(f"no {pipeline} backend can be used here ({'; '.join(reasons)})")
    raise BackendError(f"no {pipeline.upper()} backend is installed; --pipeline cpu works everywhere")
