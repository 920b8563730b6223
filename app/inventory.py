"""What can be chosen on this machine: cameras and backends. Asking may take a second: not in the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.words import pipeline_word


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
        Sizes and rates it claims, "1280x720@30 MJPG".
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
    """

    id: str
    kind: str
    available: bool
    reason: str = ""
    device: str = ""
    software: bool = False


def why_not(pipeline: str, backends: tuple[BackendEntry, ...] | None) -> str:
    """Say why a pipeline cannot be used here; "" if it can, or while that is not known.

    Parameters
    ----------
    pipeline : str
        "auto", "cpu", "gpu" or the name of a backend.
    backends : tuple of BackendEntry or None
        All backends, None before they were asked.
    """
    if backends is None:
        return ""
    fitting = [entry for entry in backends if pipeline in ("auto", entry.kind, entry.id)]
    if not fitting:
        return f"no {pipeline_word(pipeline)} backend is installed"
    if any(entry.available for entry in fitting):
        return ""
    return "; ".join(entry.reason if len(fitting) == 1 else f"{entry.id}: {entry.reason}" for entry in fitting)


class Inventory(Protocol):
    """Lists what there is. Both methods may block and are never called in the GUI thread."""

    def cameras(self) -> tuple[CameraEntry, ...]: ...
    def backends(self) -> tuple[BackendEntry, ...]: ...


class RealInventory:
    """Asks the system and the runtimes."""

    def cameras(self) -> tuple[CameraEntry, ...]:
        """List cameras by name."""
        from pipelines.cameras import list_cameras

        found = list(list_cameras())
        names = [camera.name for camera in found]
        return tuple(
            CameraEntry(
                source=f"camera:{camera.name}" if _can_be_named(camera.name, names) else f"camera:{camera.index}",
                name=camera.name if names.count(camera.name) == 1 else f"{camera.name} ({camera.index})",
                modes=tuple(camera.modes),
            )
            for camera in found
        )

    def backends(self) -> tuple[BackendEntry, ...]:
        """Ask every backend whether it can be used."""
        from pipelines.backends import available_backends, get_backend

        return tuple(
            BackendEntry(
                id=backend_id,
                kind=get_backend(backend_id).kind,
                available=state.available,
                reason=state.reason or "",
                device=state.device or "",
                software=state.software,
            )
            for backend_id, state in available_backends().items()
        )


def _can_be_named(name: str, names: list[str]) -> bool:
    return names.count(name) == 1 and not name.isdigit()
