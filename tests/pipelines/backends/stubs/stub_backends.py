"""Backends that misbehave. They compute on the reference, until a trigger file exists or from the very start.

Child processes of the tests import this module too, so it stands in a folder of its own on the import path.
"""

import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipelines.backends.base import BACKENDS, Availability
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.select import get_backend
from pipelines.errors import BackendError


class StubSession:
    def __init__(self, session, behave, backend_id):
        self.report = replace(session.report, backend=backend_id, device="stub")
        self._session, self._behave = session, behave

    def run(self, image):
        return self._behave(self._session.run(image))

    def close(self):
        self._session.close()


class Stub(QualifiedBackend):
    kind = "gpu"
    rank = 90

    def __init__(
        self, backend_id, behave=lambda outputs: outputs, kind="gpu", prerequisites=None, probe=None, missing=()
    ):
        self.id, self.kind = backend_id, kind
        self._behave, self._prerequisites, self._probe, self._missing = behave, prerequisites, probe, missing

    def prerequisites(self):
        return self._prerequisites or Availability(True, versions={"stub": "1"})

    def probe(self):
        if self._probe:
            self._probe()
        return Availability(True, device="stub")

    def refusal(self, manifest):
        return f"{manifest.name} has no stub file" if manifest.name in self._missing else None

    def open(self, manifest, threads=1):
        return StubSession(get_backend("ort-cpu").open(manifest, threads), self._behave, self.id)


def when_triggered(behave):
    """Behave well until the test makes the trigger file."""

    def wrapped(outputs):
        return behave(outputs) if Path(os.environ["STUB_TRIGGER"]).exists() else outputs

    return wrapped


def complain(outputs):
    raise BackendError("the stub refuses")


def complain_once(outputs):
    Path(os.environ["STUB_TRIGGER"]).unlink()
    raise BackendError("the stub refuses")


def lose(outputs):
    raise BackendError("VK_ERROR_DEVICE_LOST")


def not_numbers(outputs):
    return {name: np.full_like(value, np.nan) for name, value in outputs.items()}


def off_by_one(outputs):
    return {name: value + 1 for name, value in outputs.items()}


def hang(outputs):
    time.sleep(float(os.environ["STUB_HANG_S"]))
    return outputs


def die(outputs):
    os.abort()


def no_device():
    raise BackendError("no device: the stub was unplugged")


def from_run(number, behave):
    """Behave well for so many runs of a session's process, and not after that."""
    runs = []

    def wrapped(outputs):
        runs.append(None)
        return behave(outputs) if len(runs) >= number else outputs

    return when_triggered(wrapped)


BEHAVIOURS = {
    "raises": complain,
    "raises-once": complain_once,
    "loses": lose,
    "nan": not_numbers,
    "hangs": hang,
    "dies": die,
}


def register():
    """File the stubs in the registry."""

    def add(name, **options):
        BACKENDS.register(name)(lambda: Stub(name, **options))

    add("stub-good")
    add("stub-cpu", kind="cpu")
    add("stub-wrong", behave=off_by_one)
    add("stub-nan-always", behave=not_numbers)
    add("stub-crash", behave=die)
    add("stub-hang", behave=hang)
    add("stub-raise", behave=complain)
    add("stub-no-478", missing=("face_mesh",))
    add("stub-no-mesh", missing=("face_mesh", "face_mesh_468"))
    add("stub-no-device", probe=no_device)
    add("stub-unplugged", probe=no_device)
    add("stub-absent", prerequisites=Availability(False, "not installed: pip install stub"))
    for name, behave in BEHAVIOURS.items():
        add(f"stub-{name}-later", behave=when_triggered(behave))
        add(f"stub-{name}-in-mid-run", behave=from_run(41, behave))


register()
