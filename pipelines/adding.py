"""Add a network that the user brings: wrap it, try it on this machine, keep it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.adopt.adopt import ROLES, Adopted, Probe, adopt
from models.adopt.request import Request
from models.errors import ModelError
from models.manifest import is_users, manifest_names, weights_dir
from models.spec import Manifest
from models.user import install, uninstall, user_models_dir
from pipelines.backends.ort_once import run_once
from pipelines.backends.qualified import QualifiedBackend
from pipelines.backends.select import backend_ids, get_backend
from pipelines.errors import BackendError
from pipelines.qualify.sample import sample_picture
from pipelines.qualify.trial import try_backend


def prepare(request: Request) -> Adopted:
    """Wrap a network and run it once on ONNX Runtime's CPU provider. Nothing is written.

    Raises
    ------
    ModelError
        If it cannot be used; one sentence says why.
    """
    return adopt(request, _probe(request), user_models_dir())


def keep(adopted: Adopted, replace: bool) -> Manifest:
    """Install a network among the user's models.

    Parameters
    ----------
    adopted : Adopted
        From `prepare`.
    replace : bool
        An earlier model of this name, added by the user, may be replaced.

    Raises
    ------
    ModelError
        If the name is taken, or the folder cannot be written.
    """
    name = adopted.manifest.name
    if (weights_dir() / f"{name}.toml").is_file():
        raise ModelError(f"a model called {name!r} comes with the app: choose another name")
    if name in manifest_names() and not (replace and is_users(name)):
        raise ModelError(
            f"there is a model called {name!r} already (--overwrite replaces it, --name gives another name)"
        )
    install(adopted.manifest, adopted.data)
    return adopted.manifest


def remove(name: str) -> None:
    """Remove a model that the user added.

    Raises
    ------
    ModelError
        If it came with the app, does not exist, or cannot be removed.
    """
    if (weights_dir() / f"{name}.toml").is_file():
        raise ModelError(f"{name} comes with the app and stays")
    uninstall(name)


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a backend makes of a model.

    Parameters
    ----------
    backend : str
        Identifier.
    verdict : str
        "ok", or why the model does not run there.
    usable : bool
        The backend works on this machine; where it does not, the verdict says nothing about the model.
    """

    backend: str
    verdict: str
    usable: bool


def dry_run(manifest: Manifest, progress: Callable[[str], None] = lambda _: None) -> Iterator[DryRun]:
    """Try an installed model on every backend of this machine.

    The CPU, which all are compared with, is not among them: `prepare` ran it.

    Parameters
    ----------
    manifest : Manifest
        The model.
    progress : callable
        Told the identifier of each backend before the model is tried there, which may take a minute, and on an emulated
        GPU three.
    """
    for backend_id in backend_ids():
        backend = get_backend(backend_id)
        if not isinstance(backend, QualifiedBackend):
            continue
        refusal = backend.refusal(manifest)
        models = () if refusal is not None else (manifest,)
        trial = try_backend(backend, models, progress=_named(backend_id, progress))
        verdict = trial.verdict(manifest)
        said = trial.problem or refusal or (verdict.verdict if verdict is not None else "not tried")
        yield DryRun(backend_id, said, trial.problem is None)


def _named(backend_id: str, progress: Callable[[str], None]) -> Callable[[str], None]:
    """Return what `try_backend` tells the model's name; the backend's is passed on."""
    return lambda _: progress(backend_id)


def _probe(request: Request) -> Probe:
    def probe(data: bytes, size_wh: tuple[int, int]) -> Mapping[str, NDArray[np.generic]]:
        try:
            return run_once(data, sample_picture(ROLES.get(request.task or "", ""), size_wh))
        except BackendError as error:
            raise ModelError(f"{request.file}: ONNX Runtime cannot run it: {error}") from None

    return probe
