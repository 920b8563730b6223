"""Sessions that outlive their backend: when it fails, the reference goes on with the same frame, and that is told."""

from __future__ import annotations

import logging
import re
import threading
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.manifest import Manifest
from pipelines.backends.base import Backend, Session, SessionReport, Tensors
from pipelines.backends.host import DeviceLostError, Host
from pipelines.backends.select import REFERENCE, get_backend
from pipelines.background import gently
from pipelines.errors import BackendError
from pipelines.qualify import open_hosted, require

log = logging.getLogger(__name__)

FAILURES_IN_A_ROW: Final = 3
"""A driver may refuse a run or two, when memory is short for a moment."""
_LOST: Final = re.compile(r"device.{0,12}(lost|removed|hung|reset)|VK_ERROR_DEVICE_LOST|DXGI_ERROR", re.IGNORECASE)


class Binding:
    """The backend of one task, with everything that is loaded on it.

    All sessions of a task move together: figures of a task belong to one backend.

    Parameters
    ----------
    backend : Backend
        Where the task runs, as long as that goes well.

    Attributes
    ----------
    notice : str or None
        What to tell the user once the backend was given up; None as long as it serves.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.notice: str | None = None
        self._host: Host | None = None
        self._sessions: list[GuardedSession] = []
        self._used_reference = False
        self._lock = threading.Lock()
        self._row = 0

    @property
    def given_up(self) -> bool:
        """The backend failed for good; everything runs on the reference."""
        return self.notice is not None

    @property
    def is_software(self) -> bool:
        """Whether the backend's device is software, as far as sessions on it were opened."""
        return any(session.report.software for session in self._sessions)

    def open(self, manifest: Manifest, threads: int) -> Session:
        """Load a model, after a trial. On the reference this is the session itself, elsewhere a guarded one.

        Raises
        ------
        ModelError, BackendError
            See `Backend.open`. What fails here was never in use, so nothing takes its place.
        """
        if self.backend.id == REFERENCE:
            return self._open_here(manifest, threads)
        if self.backend.kind == "gpu":
            # Not gently: the process would stay slow when it serves.
            session = open_hosted(self.backend, manifest, self._get_host, threads)
        else:
            require(self.backend, manifest)
            session = self._open_here(manifest, threads)
        guarded = GuardedSession(self, session, manifest, threads)
        self._sessions.append(guarded)
        return guarded

    def _open_here(self, manifest: Manifest, threads: int) -> Session:
        if threads > 1:  # a session's own threads would keep the low priority of the one that made them
            return self.backend.open(manifest, threads)
        return gently(lambda: self.backend.open(manifest, threads))

    def _get_host(self) -> Host:
        if self._host is None or self._host.closed:
            self._host = Host(self.backend)
        return self._host

    def begin_frame(self) -> None:
        """Forget which backend made the last frame."""
        self._used_reference = False

    def backend_of_frame(self) -> str:
        """Return the backend that made the current frame.

        A frame that was partly made on the reference counts as the reference's, so that no figure of another backend
        contains its work.
        """
        return REFERENCE if self._used_reference or self.given_up else self.backend.id

    def succeeded(self) -> None:
        """Note a good run."""
        self._row = 0

    def failed(self, error: BackendError) -> None:
        """Note a bad run; give the backend up if there were too many, or if it is of no use any more."""
        self._used_reference = True
        self._row += 1
        if isinstance(error, (DeviceLostError, NotFiniteError)) or _LOST.search(str(error)):
            self.give_up(str(error))
        elif self._row >= FAILURES_IN_A_ROW:
            self.give_up(f"{error} ({FAILURES_IN_A_ROW} times in a row)")
        else:
            log.warning("%s; this frame is made on %s", error, REFERENCE)

    def give_up(self, reason: str) -> None:
        """Go on on the reference from now on."""
        with self._lock:
            if self.given_up:
                return
            self.notice = f"{self.backend.id} failed, going on on {REFERENCE}: {reason}"
        log.error("%s", self.notice)
        for session in self._sessions:
            session.leave()
        self.release_host()

    def used_reference(self) -> None:
        """Note that the reference worked on this frame."""
        self._used_reference = True

    def release_host(self) -> None:
        """End the child process."""
        if self._host is not None:
            self._host.close()
            self._host = None

    def close(self) -> None:
        """Release everything."""
        for session in self._sessions:
            session.close()
        self._sessions = []
        self.release_host()


class NotFiniteError(BackendError):
    """A model returned something that is no number: it will not get better."""


class GuardedSession:
    """A session that hands over to the reference (see `Session`).

    Parameters
    ----------
    binding : Binding
        Counts failures for all sessions of the task.
    session : Session
        The session on the binding's backend.
    manifest : Manifest
        The model, for loading it on the reference when that is needed.
    threads : int
        Threads for the reference.
    """

    def __init__(self, binding: Binding, session: Session, manifest: Manifest, threads: int) -> None:
        self._binding = binding
        self._session: Session | None = session
        self._manifest = manifest
        self._threads = threads
        self._reference: Session | None = None
        self._report = session.report

    @property
    def report(self) -> SessionReport:
        """What serves now."""
        if self._session is None and self._reference is not None:
            return self._reference.report
        return self._report

    def run(self, image: NDArray[np.uint8]) -> Tensors:
        """Run on the backend, and on the reference if that fails.

        Raises
        ------
        BackendError
            If the reference fails as well.
        """
        if self._session is not None:
            try:
                outputs = self._session.run(image)
                self._check(outputs)
            except BackendError as error:
                self._binding.failed(error)
            else:
                self._binding.succeeded()
                return outputs
        self._binding.used_reference()
        if self._reference is None:
            self._reference = get_backend(REFERENCE).open(self._manifest, self._threads)
        return self._reference.run(image)

    def _check(self, outputs: Tensors) -> None:
        for name, value in outputs.items():
            if not np.isfinite(value).all():
                raise NotFiniteError(f"{self._manifest.name} on {self._binding.backend.id}: {name} is not finite")

    def leave(self) -> None:
        """Let go of the backend's session. It may be in a state in which closing fails; then that is all there is."""
        session, self._session = self._session, None
        if session is not None:
            try:
                session.close()
            except BackendError as error:
                log.debug("%s", error)

    def close(self) -> None:
        """Release both models."""
        self.leave()
        if self._reference is not None:
            self._reference.close()
            self._reference = None
