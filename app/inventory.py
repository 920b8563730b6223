"""What can be chosen on this machine: cameras and backends. Asking may take a second: not in the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from app.i18n import tr
from app.i18n.families import sentence_words
from app.sources import COMMON_MODES
from app.words import pipeline_word

if TYPE_CHECKING:
    from pipelines.backends import Backend

PATIENCE_S: Final = 2.0
"""For how long at most the first picture is waited for."""


@dataclass(frozen=True, slots=True)
class CameraEntry:
    """A camera to choose.

    Parameters
    ----------
    source : str
        SRC that opens it. By name where the name is unique, since numbers change when cameras come and go.
    name : str
        What the user reads.
    modes : tuple of str
        Sizes and rates it claims, "1280x720@30 MJPG"; common ones where the system does not tell.
    """

    source: str
    name: str
    modes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BackendEntry:
    """A backend to choose.

    Parameters
    ----------
    id, kind : str
        "ort-cpu", and "cpu" or "gpu".
    available : bool
        It can be used.
    reason : str
        Why it cannot; "" when it can.
    device : str
        Name of the device; "" where unknown.
    software : bool
        The device is emulated.
    untried : bool
        It has not run on this machine yet; choosing it tries it first.
    """

    id: str
    kind: str
    available: bool
    reason: str = ""
    device: str = ""
    software: bool = False
    untried: bool = False


def fitting(pipeline: str, backends: tuple[BackendEntry, ...]) -> list[BackendEntry]:
    """Return the backends that `pipeline` ("auto", "cpu", "gpu" or a backend's own name) can stand for."""
    return [entry for entry in backends if pipeline in ("auto", entry.kind, entry.id)]


def why_not(pipeline: str, backends: tuple[BackendEntry, ...] | None) -> str:
    """Say in a few words why a pipeline cannot be used here.

    Parameters
    ----------
    pipeline : str
        "auto", "cpu", "gpu" or the name of a backend; a choice for each task ("face=cpu,depth=gpu") is not judged.
    backends : tuple of BackendEntry or None
        All backends, None before they were asked.

    Returns
    -------
    str
        "" if it can be used or tried, or if that is not known.
    """
    if backends is None or "=" in pipeline:
        return ""
    entries = fitting(pipeline, backends)
    if not entries:
        return tr("no {pipeline} backend is installed").format(pipeline=pipeline_word(pipeline))
    if any(entry.available or entry.untried for entry in entries):
        return ""
    if len(entries) == 1:
        return sentence_words(entries[0].reason)
    return tr("none of the {count} {pipeline} backends can be used").format(
        count=len(entries), pipeline=pipeline_word(pipeline)
    )


def reasons(pipeline: str, backends: tuple[BackendEntry, ...] | None) -> str:
    """Return a line for each backend of a pipeline that cannot be used, with its reason."""
    entries = fitting(pipeline, backends or ())
    return "\n".join(f"{entry.id}: {sentence_words(entry.reason)}" for entry in entries if not entry.available)


class Inventory(Protocol):
    """Lists what there is. The methods may block and are never called in the GUI thread."""

    def cameras(self) -> tuple[CameraEntry, ...]: ...
    def backends(self) -> tuple[BackendEntry, ...]: ...
    def try_backends(self, progress: Callable[[str], None]) -> bool: ...


class RealInventory:
    """Asks the system and the runtimes.

    Parameters
    ----------
    settled : Event, optional
        Set when the first picture is on the screen: what to ask takes the interpreter from it for 50 ms, so the
        backends are asked after it, or after `PATIENCE_S`.
    """

    def __init__(self, settled: threading.Event | None = None) -> None:
        self._settled = settled

    def cameras(self) -> tuple[CameraEntry, ...]:
        """List cameras by name."""
        from pipelines.cameras import list_cameras

        found = list(list_cameras())
        names = [camera.name for camera in found]
        return tuple(
            CameraEntry(
                source=f"camera:{camera.name}" if _can_be_named(camera.name, names) else f"camera:{camera.index}",
                name=camera.name if names.count(camera.name) == 1 else f"{camera.name} ({camera.index})",
                modes=tuple(camera.modes) or COMMON_MODES,
            )
            for camera in found
        )

    def backends(self) -> tuple[BackendEntry, ...]:
        """Ask every backend whether it can be used."""
        if self._settled is not None:
            self._settled.wait(PATIENCE_S)
        from pipelines.backends import available_backends, get_backend

        return tuple(
            BackendEntry(
                id=backend_id,
                kind=get_backend(backend_id).kind,
                available=state.available,
                reason=state.reason or "",
                device=state.device or "",
                software=state.software,
                untried=not state.available and _is_untried(get_backend(backend_id)),
            )
            for backend_id, state in available_backends().items()
        )

    def try_backends(self, progress: Callable[[str], None]) -> bool:
        """Try every backend that was not tried yet, in child processes; takes seconds.

        Parameters
        ----------
        progress : callable
            Told the name of each backend that is tried.

        Returns
        -------
        bool
            Something was tried.
        """
        from pipelines.qualify import try_all

        return try_all(progress)


def _is_untried(backend: Backend) -> bool:
    from pipelines.backends.qualified import QualifiedBackend
    from pipelines.backends.trials import load_trial

    return (
        isinstance(backend, QualifiedBackend) and backend.prerequisites().available and load_trial(backend.id) is None
    )


def _can_be_named(name: str, names: list[str]) -> bool:
    return names.count(name) == 1 and not name.isdigit()
