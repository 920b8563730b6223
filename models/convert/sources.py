"""Finding the published files, and making sure that they are the right ones."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from models.errors import ModelError


def installed_mediapipe() -> Path:
    """Folder of the installed package mediapipe, which is not imported.

    Raises
    ------
    ModelError
        If it is not installed.
    """
    spec = importlib.util.find_spec("mediapipe")
    locations = spec.submodule_search_locations if spec is not None else None
    if not locations:
        raise ModelError("the package mediapipe is not installed: pass the folder of its files with --tflite-dir")
    return Path(next(iter(locations)))


def find_source(folder: Path, file: str) -> Path:
    """Find a file below a folder, at any depth.

    Parameters
    ----------
    folder : Path
        Where to look.
    file : str
        Path in the published package; only the name counts.

    Raises
    ------
    ModelError
        If there is none.
    """
    name = Path(file).name
    found = sorted(folder.rglob(name))
    if not found:
        raise ModelError(f"{folder}: there is no {name} in this folder")
    return found[0]


def read_source(path: Path, sha256: str) -> bytes:
    """Read a published file and compare its checksum.

    Raises
    ------
    ModelError
        If the file cannot be read, or is another one than the figures and licences are about.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise ModelError(f"{path}: this is not the published file: expected checksum {sha256}, found {found}")
    return data
