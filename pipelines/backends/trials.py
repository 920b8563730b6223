"""Verdicts on backends, kept between runs: a backend is offered only after it has run the models on this machine.

One JSON file for each backend and set of circumstances (`pipelines.backends.fingerprint`) in the user's cache folder,
or in `TWINLENS_CACHE_DIR`. A file that is damaged or of another form counts as absent.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import platformdirs

from models.manifest import Manifest
from pipelines.backends.fingerprint import machine_fingerprint, model_fingerprint

log = logging.getLogger(__name__)

OK: Final = "ok"
NOT_TRIED: Final = "not tried"
FORMAT: Final = 1
_UNKEPT: Final[dict[Path, Trial]] = {}
"""Trials that could not be written: they hold as long as the program runs, or a trial would be of no use to anybody."""


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """How a model did on a backend.

    Parameters
    ----------
    verdict : str
        "ok", "wrong output: ...", "failed: ...", or "no form: ..." where the model has no file for the backend.
    fingerprint : str
        Digest of the model's files.
    placement : mapping of str to int
        Nodes on each execution provider.
    on_cpu : mapping of str to int
        Operators left to the CPU, with their number.
    crossings : int or None
        Copies between devices in a run, None where the runtime cannot tell.
    max_abs_diff : float or None
        Largest difference from the reference over all outputs.
    load_ms, median_ms, reference_ms : float or None
        Time to load, and median time of a run on the backend and on the reference, in milliseconds.
    """

    verdict: str
    fingerprint: str
    placement: Mapping[str, int] = field(default_factory=dict)
    on_cpu: Mapping[str, int] = field(default_factory=dict)
    crossings: int | None = 0
    max_abs_diff: float | None = None
    load_ms: float | None = None
    median_ms: float | None = None
    reference_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """What is known about a backend on this machine.

    Parameters
    ----------
    device : str or None
        What it ran on.
    software : bool
        The device is emulated.
    problem : str or None
        Why nothing could run at all.
    models : mapping of str to ModelTrial
        By model name.
    devices : tuple of str
        What the backend could choose from.
    """

    device: str | None = None
    software: bool = False
    problem: str | None = None
    models: Mapping[str, ModelTrial] = field(default_factory=dict)
    devices: tuple[str, ...] = ()

    def verdict(self, manifest: Manifest) -> ModelTrial | None:
        """What is known of a model; None if it was not tried, or its files have changed since."""
        trial = self.models.get(manifest.name)
        return trial if trial is not None and trial.fingerprint == model_fingerprint(manifest) else None

    def first_failure(self) -> str | None:
        """The first bad verdict with the model's name, None if there is none."""
        for name, trial in self.models.items():
            if trial.verdict != OK and not trial.verdict.startswith("no form"):
                return f"{name}: {trial.verdict}"
        return None

    def with_model(self, name: str, trial: ModelTrial) -> Trial:
        """Return a copy that knows one model more."""
        return replace(self, models={**self.models, name: trial})


def failed(backend_id: str, manifest: Manifest, reason: str) -> ModelTrial:
    """Return the verdict on a model that does not load or run.

    It stands under the model's and the backend's name already, which the reason need not repeat.
    """
    for known in (f"{manifest.name} does not load on {backend_id}: ", f"{manifest.name} on {backend_id} failed: "):
        reason = reason.removeprefix(known)
    return ModelTrial(f"failed: {reason}", model_fingerprint(manifest))


def cache_dir() -> Path:
    """Folder for what can be made again."""
    chosen = os.environ.get("TWINLENS_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("twinlens", appauthor=False))


def _path(backend_id: str) -> Path:
    name = backend_id.replace(":", "-")  # Windows has no colon in names
    return cache_dir() / "trials" / f"{name}.{machine_fingerprint()[:16]}.json"


def load_trial(backend_id: str) -> Trial | None:
    """Return what is known of a backend on this machine as it is now; None if it was not tried."""
    path = _path(backend_id)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return _UNKEPT.get(path)
    try:
        if document["format"] != FORMAT:
            return None
        return _parse(document["trial"])
    except (KeyError, TypeError, AttributeError) as error:
        log.info("the verdicts on %s are ignored: %r", backend_id, error)
        return None


def _parse(item: dict[str, Any]) -> Trial:
    models = {str(name): ModelTrial(**values) for name, values in item["models"].items()}
    devices = tuple(str(name) for name in item.get("devices", ()))
    return Trial(item["device"], bool(item["software"]), item["problem"], models, devices)


def save_trial(backend_id: str, trial: Trial) -> None:
    """Keep a trial. A cache that cannot be written is no failure: the trial is made again by the next program."""
    document = {"format": FORMAT, "trial": asdict(trial)}
    path = _path(backend_id)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(document, file, indent=1)
            Path(temporary).replace(path)
            _UNKEPT.pop(path, None)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        if path not in _UNKEPT:
            log.warning("the verdicts on %s cannot be kept: %s", backend_id, error.strerror or error)
        _UNKEPT[path] = trial


def forget_trial(backend_id: str) -> None:
    """Forget what is known of a backend."""
    _UNKEPT.pop(_path(backend_id), None)
    with contextlib.suppress(OSError):
        _path(backend_id).unlink()
