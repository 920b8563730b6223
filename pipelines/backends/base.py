"""A backend is a runtime on a device; a session is one model loaded on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from models.manifest import Manifest
from models.registry import Registry

Kind = Literal["cpu", "gpu"]
Tensors = dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a backend can be used on this machine, and if not, why.

    Parameters
    ----------
    available : bool
        It can be used.
    reason : str or None
        Why it cannot, in words a user understands; None when it can.
    device : str or None
        Name of the device that it runs on.
    software : bool
        The device is a GPU emulated on the CPU (SwiftShader, lavapipe).
    versions : mapping of str to str
        Versions of the packages involved.
    devices : tuple of str
        Names of all devices that the backend can be asked for by number, as in "ort-cuda:1"; empty before a trial,
        and where it has no choice.
    """

    available: bool
    reason: str | None = None
    device: str | None = None
    software: bool = False
    versions: Mapping[str, str] = field(default_factory=dict)
    devices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionReport:
    """What a session turned out to be, read back from the runtime after it was made.

    Parameters
    ----------
    model, backend, variant : str
        Name of the model, id of the backend, and which of the model's files was loaded.
    device : str
        Name of the device it runs on.
    precision : str
        "fp32", "fp16" or "int8".
    threads : int
        Threads given to the runtime.
    placement : mapping of str to int
        Number of graph nodes on each execution provider, from the runtime.
    load_ms : float
        Time from reading the file to the end of the first run.
    software : bool
        The device is emulated.
    on_cpu : mapping of str to int
        Operators that a GPU backend left to the CPU, with their number; empty on a CPU backend.
    crossings : int or None
        Tensors that a run copies between devices; 0 when all nodes are in one place, None where the runtime cannot
        tell.
    """

    model: str
    backend: str
    variant: str
    device: str
    precision: str
    threads: int
    placement: Mapping[str, int]
    load_ms: float
    software: bool = False
    on_cpu: Mapping[str, int] = field(default_factory=dict)
    crossings: int | None = 0


class Session(Protocol):
    """One model, ready to run. Not safe for two threads at the same time."""

    @property
    def report(self) -> SessionReport:
        """What the session turned out to be."""
        ...

    def run(self, image: NDArray[np.uint8]) -> Tensors:
        """Run the model.

        Parameters
        ----------
        image : ndarray of uint8, shape (1, H, W, 3)
            BGR, contiguous, of the size in the model's manifest. A backend whose file wants another form converts
            it here, so that its time includes the conversion.

        Returns
        -------
        dict of str to ndarray of float32
            Outputs by their manifest names and shapes.

        Raises
        ------
        BackendError
            If the run failed.
        """
        ...

    def close(self) -> None:
        """Release the model's memory; the session is of no use afterwards."""
        ...


class Backend(Protocol):
    """A runtime on a device."""

    id: str
    kind: Kind

    def availability(self) -> Availability:
        """Say whether it can be used here.

        Cheap and without side effects; never raises. A backend that has to be qualified answers from the verdicts
        of earlier trials (`pipelines.qualify`) and starts none.
        """
        ...

    def refusal(self, manifest: Manifest) -> str | None:
        """Why the model has no form for this backend, None if it has one. Nothing is loaded."""
        ...

    def open(self, manifest: Manifest, threads: int = 1) -> Session:
        """Load a model and run it once on zeros.

        Raises
        ------
        ModelError
            If the file is missing, damaged, or has no form for this backend.
        BackendError
            If the runtime refuses it, or came up on another device than asked.
        """
        ...


BACKENDS: Registry[Callable[[], Backend]] = Registry("backend", "pipelines.backends")
