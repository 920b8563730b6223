"""Which backends are measured against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.backends import Backend, backend_ids, resolve
from pipelines.errors import BackendError


@dataclass(frozen=True, slots=True)
class Contender:
    """A backend under the name by which it was chosen: "cpu", "gpu", or its own."""

    pipeline: str
    backend: Backend


def contenders(pipelines: Sequence[str] = ()) -> list[Contender]:
    """Return what is measured against each other.

    Parameters
    ----------
    pipelines : sequence of str
        "cpu", "gpu" or names of backends. Without any, all that are available: the best of each kind as "cpu" and
        "gpu", the others under their own names. One that was never tried on this machine is tried first.

    Raises
    ------
    BackendError
        If one that was named is not available, or is named twice.
    """
    if pipelines:
        chosen = [Contender(name, resolve(name)) for name in pipelines]
        ids = [item.backend.id for item in chosen]
        doubled = next((item for item in chosen if ids.count(item.backend.id) > 1), None)
        if doubled is not None:
            raise BackendError(f"the backend {doubled.backend.id} is named twice: it cannot be compared with itself")
        return chosen
    found: list[Contender] = []
    kinds: set[str] = set()
    for backend_id in backend_ids():
        try:
            backend = resolve(backend_id)
        except BackendError:
            continue  # not here; `twinlens doctor` tells why
        # A software GPU is measured under its own name only: "gpu" promises a real one.
        best = backend.kind not in kinds and not backend.availability().software
        if best:
            kinds.add(backend.kind)
        found.append(Contender(backend.kind if best else backend_id, backend))
    return found
