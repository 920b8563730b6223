"""Run trials, and keep their verdicts."""

from __future__ import annotations

import json
import logging
import queue
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from subprocess import PIPE
from typing import IO, Any, Final

from models.manifest import Manifest, manifests
from pipelines.backends.base import Backend, Session
from pipelines.backends.child import end, how_it_ended, spawn
from pipelines.backends.host import Host
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.select import backend_ids, get_backend
from pipelines.backends.trials import OK, ModelTrial, Trial, failed, forget_trial, load_trial, save_trial
from pipelines.background import is_in_background
from pipelines.errors import BackendError

log = logging.getLogger(__name__)

DEVICE_SECONDS: Final = 30.0
MODEL_SECONDS: Final = 60.0
SOFTWARE_MODEL_SECONDS: Final = 180.0
"""Time limits. A GPU compiles a model's kernels in one to ten seconds; emulated on two busy cores it may take 30."""

_trying: Final[defaultdict[str, threading.Lock]] = defaultdict(threading.Lock)
"""One for each backend: a user who asks for a backend does not wait for the background's trial of another."""


def try_backend(
    backend: Backend,
    models: Iterable[Manifest] | None = None,
    refresh: bool = False,
    progress: Callable[[str], None] = lambda _: None,
    gently: bool = False,
) -> Trial:
    """Return the verdicts on a backend, making the trials that are missing. May take seconds.

    Parameters
    ----------
    backend : Backend
        What is tried. The reference needs no trial.
    models : iterable of Manifest, optional
        Which models; all by default. Without any the device is looked for, and that is all.
    refresh : bool
        Forget earlier verdicts first.
    progress : callable
        Told the name of each model that is tried.
    gently : bool
        Let everything else on the machine go first. Times measured so are compared with the reference's, which were
        measured in the same process.
    """
    wanted = tuple(manifests() if models is None else models)
    if not isinstance(backend, QualifiedBackend):
        return Trial()
    with _trying[backend.id]:
        if refresh:
            forget_trial(backend.id)
        state = backend.prerequisites()
        if not state.available:
            return Trial(problem=state.reason)
        trial = load_trial(backend.id) or Trial()
        missing = [manifest for manifest in wanted if trial.verdict(manifest) is None]
        if trial.problem is None and (missing or trial.device is None):
            trial = _run(backend, missing, trial, progress, gently)
            save_trial(backend.id, trial)
    return trial


def untried() -> tuple[Backend, ...]:
    """Return the backends that could be tried and were not, with every model. Cheap."""
    found: list[Backend] = []
    for backend_id in backend_ids():
        backend = get_backend(backend_id)
        if not isinstance(backend, QualifiedBackend) or not backend.prerequisites().available:
            continue
        trial = load_trial(backend_id)
        if trial is None or (trial.problem is None and any(trial.verdict(item) is None for item in manifests())):
            found.append(backend)
    return tuple(found)


def try_all(progress: Callable[[str], None] = lambda _: None) -> bool:
    """Make all missing trials, so that "auto" knows what is fastest.

    Takes seconds, in child processes of low priority; meant for a background thread beside a live picture. It costs
    that picture some of its rate all the same: nobody should trust figures measured meanwhile.

    Returns
    -------
    bool
        Something was tried: what "auto" stands for may have changed.
    """
    missing = untried()
    for backend in missing:
        progress(backend.id)
        try_backend(backend, gently=True)
    return bool(missing)


def require(backend: Backend, manifest: Manifest) -> None:
    """Make sure that a backend may run a model here, trying it if that was not done yet.

    Raises
    ------
    BackendError
        If it may not; the message says why.
    """
    if isinstance(backend, QualifiedBackend):
        _demand_ok(backend, manifest, _known(backend, (manifest,)).verdict(manifest))


def open_hosted(backend: Backend, manifest: Manifest, host: Callable[[], Host], threads: int) -> Session:
    """Load a model in the process where it will serve; if it was not tried yet, that is its trial.

    A GPU takes seconds to compile a model's kernels. A trial in a process of its own would make the first start
    take twice as long, and find nothing else.

    Parameters
    ----------
    backend : Backend
        Where the model is to run.
    manifest : Manifest
        The model.
    host : callable
        Returns the process; called once it is known that the backend has a device.
    threads : int
        Threads of the session.

    Raises
    ------
    BackendError
        If the backend cannot run it here; the message says why.
    """
    if not isinstance(backend, QualifiedBackend):
        return host().open(manifest, threads)
    verdict = _known(backend, ()).verdict(manifest)
    if verdict is not None:
        _demand_ok(backend, manifest, verdict)
        return host().open(manifest, threads)
    session: Session | None = None
    process = host()
    try:
        session, verdict = process.open_on_trial(manifest, threads)
    except BackendError as error:
        verdict = failed(backend.id, manifest, str(error))
    with _trying[backend.id]:
        save_trial(backend.id, (load_trial(backend.id) or Trial()).with_model(manifest.name, verdict))
    _demand_ok(backend, manifest, verdict)
    assert session is not None
    return session


def _known(backend: QualifiedBackend, models: tuple[Manifest, ...]) -> Trial:
    """Make the trials that are missing; raise the reason if the backend is of no use at all."""
    trial = try_backend(backend, models, gently=is_in_background())
    if trial.problem is not None:
        raise BackendError(f"{backend.id} cannot be used here: {trial.problem}")
    return trial


def _demand_ok(backend: Backend, manifest: Manifest, verdict: ModelTrial | None) -> None:
    if verdict is None or verdict.verdict != OK:
        raise BackendError(f"{backend.id} cannot run {manifest.name}: {verdict.verdict if verdict else 'not tried'}")


def _run(
    backend: QualifiedBackend,
    missing: list[Manifest],
    trial: Trial,
    progress: Callable[[str], None],
    gently: bool,
) -> Trial:
    """Try models in child processes; a process that dies takes one model with it, the next gets a new process."""
    left = {manifest.name: manifest for manifest in missing}
    while True:
        with tempfile.TemporaryFile() as stderr:
            child = _Child(backend, list(left.values()), stderr, gently)
            try:
                trial = child.follow(trial, left, progress)
            finally:
                child.close()
        if trial.problem is not None or not left:
            return trial


class _Child:
    """A child process with its messages."""

    def __init__(self, backend: QualifiedBackend, models: list[Manifest], stderr: IO[bytes], gently: bool) -> None:
        self._backend_id = backend.id
        self._process = spawn("pipelines.qualify.child", stdout=PIPE, stderr=stderr, gently=gently)
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        order = {
            "backend": backend.id,
            "module": type(backend).__module__,
            "models": [str(manifest.path) for manifest in models],
        }
        self._reader = threading.Thread(target=self._read, name="trial", daemon=True)
        self._reader.start()
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            log.debug("the trial of %s ended before it began", backend.id)  # the reader tells how

    def _read(self) -> None:
        for line in self._process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            self._messages.put(message)
        self._messages.put(None)

    def follow(self, trial: Trial, left: dict[str, Manifest], progress: Callable[[str], None]) -> Trial:
        """Take in verdicts until the process is done, dead, or too slow. Tried models leave `left`."""
        seconds = DEVICE_SECONDS
        current: str | None = None
        looked = False
        while left or not looked:
            try:
                message = self._messages.get(timeout=seconds)
            except queue.Empty:
                return self._broken(trial, left, current, f"it did not answer within {seconds:.0f} s")
            if message is None:
                return self._broken(trial, left, current, how_it_ended(self._process.wait()))
            if message["event"] == "problem":
                return replace(trial, problem=message["reason"])
            if message["event"] == "device":
                looked = True
                device, devices = message["device"], tuple(message["devices"])
                trial = replace(trial, device=device, software=message["software"], devices=devices)
                seconds = SOFTWARE_MODEL_SECONDS if trial.software else MODEL_SECONDS
            elif message["event"] == "begin":
                current = str(message["model"])
                progress(current)
            else:
                current = None
                trial = trial.with_model(message["model"], ModelTrial(**message["trial"]))
                del left[message["model"]]
        return trial

    def _broken(self, trial: Trial, left: dict[str, Manifest], current: str | None, reason: str) -> Trial:
        """Blame the model that was being tried, or the backend if it was none yet."""
        if current is None:
            return replace(trial, problem=f"failed: {reason}")
        manifest = left.pop(current)
        return trial.with_model(current, failed(self._backend_id, manifest, reason))

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._reader.join()
        end(self._process)
