"""Sessions in a child process: a GPU driver that crashes or hangs there is an error here, and nothing worse.

Pictures and results go through shared memory (a mapped file), only the order to run through a socket; that round trip
takes about 45 microseconds, and is part of every latency measured through a host.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import secrets
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.manifest import Manifest
from pipelines.backends.base import Backend, SessionReport, Tensors
from pipelines.backends.child import end, how_it_ended, spawn
from pipelines.backends.trials import ModelTrial
from pipelines.errors import BackendError

START_SECONDS: Final = 30.0
OPEN_SECONDS: Final = 180.0
"""Limits for starting the process and for loading a model, kernels compiled. Emulated GPUs take 30 s."""
RUN_SECONDS: Final = 2.0
RUN_FACTOR: Final = 6.0
"""A run that takes longer than both `RUN_SECONDS` and so many times the first one counts as a hang."""


class DeviceLostError(BackendError):
    """The process or device is gone; another run makes no sense."""


class Layout:
    """Places of a model's input and outputs in a block of shared memory, 64-byte aligned."""

    def __init__(self, manifest: Manifest) -> None:
        self.size = 0
        self._input = (self._place(int(np.prod(manifest.input.shape))), manifest.input.shape)
        self._outputs = {
            spec.name: (self._place(int(np.prod(spec.shape)) * 4), spec.shape) for spec in manifest.outputs
        }

    def _place(self, count: int) -> int:
        start = self.size
        self.size += -(-count // 64) * 64
        return start

    def input(self, block: mmap.mmap) -> NDArray[np.uint8]:
        """View of the input."""
        start, shape = self._input
        return np.frombuffer(block, np.uint8, int(np.prod(shape)), start).reshape(shape)

    def outputs(self, block: mmap.mmap) -> Tensors:
        """Views of the outputs."""
        return {
            name: np.frombuffer(block, np.float32, int(np.prod(shape)), start).reshape(shape)
            for name, (start, shape) in self._outputs.items()
        }


class Host:
    """A child process that holds the sessions of one task. Used by one thread at a time.

    Parameters
    ----------
    backend : Backend
        Where the sessions run.

    Raises
    ------
    BackendError
        If the process does not start.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.closed = False
        key = secrets.token_bytes(32)
        with Listener(authkey=key) as listener:
            self._process = spawn("pipelines.backends.host_child")
            address = listener.address
            order = repr((address, key.hex(), backend.id, type(backend).__module__))
            try:
                self._process.stdin.write(order.encode() + b"\n")
                self._process.stdin.flush()
                self._connection = self._accept(listener, key)
            except (OSError, EOFError, AuthenticationError) as error:
                end(self._process)
                raise BackendError(f"the process for {backend.id} does not start: {error}") from error

    def _accept(self, listener: Listener, key: bytes) -> Connection[Any, Any]:
        """Wait for the child, but neither for ever nor for one that has died."""
        accepted: list[Connection[Any, Any]] = []
        failure: list[BaseException] = []

        def wait() -> None:
            try:
                accepted.append(listener.accept())
            except (OSError, EOFError, AuthenticationError) as error:
                failure.append(error)

        thread = threading.Thread(target=wait, name="host", daemon=True)
        thread.start()
        deadline = time.monotonic() + START_SECONDS
        while thread.is_alive() and time.monotonic() < deadline and self._process.poll() is None:
            thread.join(0.05)
        thread.join(0.2)
        if accepted:
            return accepted[0]
        with contextlib.suppress(OSError, EOFError, AuthenticationError):
            Client(listener.address, authkey=key).close()  # ends the waiting thread
        raise OSError(str(failure[0]) if failure else how_it_ended(self._process.poll()))

    def open(self, manifest: Manifest, threads: int) -> HostedSession:
        """Load a model in the child and run it once.

        Raises
        ------
        ModelError, BackendError
            See `Backend.open`.
        """
        return self._open(manifest, threads, on_trial=False)[0]

    def open_on_trial(self, manifest: Manifest, threads: int) -> tuple[HostedSession, ModelTrial]:
        """Load a model in the child, and compare there what it computes with the reference.

        Raises
        ------
        ModelError, BackendError
            See `Backend.open`.
        """
        session, trial = self._open(manifest, threads, on_trial=True)
        return session, ModelTrial(**trial)

    def _open(self, manifest: Manifest, threads: int, on_trial: bool) -> tuple[HostedSession, dict[str, Any]]:
        layout = Layout(manifest)
        with _shared_file(layout.size) as (path, block):
            order = ("open", str(manifest.path), threads, str(path), on_trial)
            number, report, trial = self.ask(order, OPEN_SECONDS, manifest.name)
        return HostedSession(self, number, manifest, layout, block, SessionReport(**report)), trial

    def ask(self, order: tuple[Any, ...], seconds: float, name: str) -> Any:
        """Send an order and return the answer.

        Raises
        ------
        DeviceLostError
            If the process has died or does not answer in time; it is ended then.
        BackendError
            If the child says that it failed.
        """
        if self.closed:
            raise DeviceLostError(f"{self._backend.id} was lost: its process is gone")
        try:
            self._connection.send(order)
            if not self._connection.poll(seconds):
                self.close()
                raise DeviceLostError(f"{name} on {self._backend.id} gave no answer within {seconds:.1f} s")
            done, value = self._connection.recv()
        except (OSError, EOFError):
            status = self._wait()
            self.close()
            raise DeviceLostError(f"{name} on {self._backend.id} failed: {how_it_ended(status)}") from None
        if not done:
            raise BackendError(value)
        return value

    def _wait(self) -> int | None:
        """Exit status of a process whose connection broke, None if it lives on."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        status: int | None = self._process.poll()
        return status

    def close(self) -> None:
        """End the process and with it all sessions."""
        if not self.closed:
            self.closed = True
            self._connection.close()
            end(self._process)


class HostedSession:
    """One model in a child process (see `Session`)."""

    def __init__(
        self, host: Host, number: int, manifest: Manifest, layout: Layout, block: mmap.mmap, report: SessionReport
    ) -> None:
        self.report = report
        self._host = host
        self._number = number
        self._shape = manifest.input.shape
        self._input = layout.input(block)
        self._outputs = layout.outputs(block)
        self._limit_s = OPEN_SECONDS  # the first run on real input may compile another kernel

    def run(self, image: NDArray[np.uint8]) -> Tensors:
        if image.shape != self._shape:
            raise BackendError(
                f"{self.report.model} failed on {self.report.backend}: "
                f"a picture of shape {list(self._shape)} was expected, not {list(image.shape)}"
            )
        start = time.monotonic()
        np.copyto(self._input, image)
        self._host.ask(("run", self._number), self._limit_s, self.report.model)
        if self._limit_s == OPEN_SECONDS:
            self._limit_s = max(RUN_SECONDS, RUN_FACTOR * (time.monotonic() - start))
        return {name: value.copy() for name, value in self._outputs.items()}

    def close(self) -> None:
        """Release the model. The memory returns when the host is closed."""
        if not self._host.closed:
            self._host.ask(("close", self._number), RUN_SECONDS, self.report.model)


@contextlib.contextmanager
def _shared_file(size: int) -> Iterator[tuple[Path, mmap.mmap]]:
    """Yield a file and its mapping; the name is gone when the block ends, the memory when the last user is."""
    folder = "/dev/shm" if Path("/dev/shm").is_dir() else None
    handle, name = tempfile.mkstemp(prefix="twinlens-", dir=folder)
    path = Path(name)
    try:
        os.truncate(handle, size)
        yield path, mmap.mmap(handle, size)
    finally:
        os.close(handle)
        with contextlib.suppress(PermissionError):  # Windows keeps a mapped file, in its folder for temporary ones
            path.unlink()


def report_fields(report: SessionReport) -> dict[str, Any]:
    """Return a report as plain values that can be sent."""
    return asdict(report)
