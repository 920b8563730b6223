"""What all backends but the reference have in common: they are offered only after a trial."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Final, Self, TypeVar

from models.manifest import Manifest
from pipelines.backends.base import Availability, Kind, Session
from pipelines.backends.trials import OK, load_trial
from pipelines.errors import BackendError

Device = TypeVar("Device")
NOT_TRIED_YET: Final = "not tried yet on this machine (twinlens doctor tries it)"


class QualifiedBackend(ABC):
    """A backend that has to show on this machine that it computes what the reference computes.

    Attributes
    ----------
    id, kind : str
        See `Backend`.
    rank : int
        Order of preference within a kind, the smallest first.
    chooses_devices : bool
        It can be bound to one of several devices.
    device_number : int or None
        Which one it is bound to; None where the runtime takes its first.
    """

    id: str
    kind: Kind
    rank: int = 50
    chooses_devices: bool = False
    device_number: int | None = None

    @abstractmethod
    def prerequisites(self) -> Availability:
        """Say whether a trial makes sense: packages and libraries are there. Cheap, loads no driver."""

    @abstractmethod
    def probe(self) -> Availability:
        """Find the device. Loads drivers, so it is called in a child process only.

        Raises
        ------
        BackendError
            If there is none; the message says why.
        """

    @abstractmethod
    def refusal(self, manifest: Manifest) -> str | None:
        """See `Backend.refusal`."""

    @abstractmethod
    def open(self, manifest: Manifest, threads: int = 1) -> Session:
        """See `Backend.open`."""

    def on_device(self, number: int) -> Self:
        """Return this backend bound to the device of a number. Whether there is one, the trial finds out."""
        bound = copy(self)
        bound.id = f"{self.id}:{number}"
        bound.device_number = number
        return bound

    def choose(self, devices: Sequence[Device]) -> Device:
        """Return the device that this backend is bound to, the first where it is bound to none.

        Raises
        ------
        BackendError
            If there are not so many; the message lists those that there are.
        """
        number = self.device_number or 0
        if number < len(devices):
            return devices[number]
        known = ", ".join(f"{index} = {device}" for index, device in enumerate(devices)) or "none"
        raise BackendError(f"there is no device {number} (known: {known})")

    def require(self) -> None:
        """Raise BackendError with the reason if a prerequisite is missing."""
        state = self.prerequisites()
        if not state.available:
            raise BackendError(f"{self.id} cannot be used here: {state.reason}")

    def identity(self) -> Availability:
        """Return device and software flag for a session's report: from the trial, or by looking where none was made.

        Raises
        ------
        BackendError
            If a prerequisite is missing or there is no device.
        """
        self.require()
        state = self.availability()
        return state if state.device else self.probe()

    def availability(self) -> Availability:
        """See `Backend.availability`: the answer comes from the kept verdicts."""
        state = self.prerequisites()
        if not state.available:
            return state
        trial = load_trial(self.id)
        if trial is None:
            return replace(state, available=False, reason=NOT_TRIED_YET)
        state = replace(state, device=trial.device, software=trial.software, devices=trial.devices)
        if trial.problem:
            return replace(state, available=False, reason=trial.problem)
        if any(item.verdict == OK for item in trial.models.values()):
            return state
        if not trial.models:
            return replace(state, available=False, reason=NOT_TRIED_YET)
        return replace(state, available=False, reason=trial.first_failure() or "no model has a form for it")
