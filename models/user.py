"""The models that the user added: where they are, how they are written and removed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

import platformdirs

from models.errors import ModelError
from models.manifest_text import manifest_text
from models.spec import Manifest

FOLDER_VARIABLE: Final = "TWINLENS_MODELS_DIR"


def user_models_dir() -> Path:
    """Folder of the user's own models; it may not exist."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("twinlens", appauthor=False)) / "models"


def install(manifest: Manifest, data: bytes) -> None:
    """Write a model: its file first, then the manifest, which makes it a model. An older one of the name is replaced.

    Raises
    ------
    ModelError
        If the folder cannot be written.
    """
    folder = manifest.path.parent
    (path,) = {item.path for item in manifest.files}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, data)
        try:
            _write(manifest.path, manifest_text(manifest).encode())
        except OSError:
            path.unlink(missing_ok=True)
            raise
        for other in _files_of(manifest.name, folder):
            if other != path:
                other.unlink(missing_ok=True)
    except OSError as error:
        raise ModelError(f"{folder}: the model cannot be kept there: {error.strerror or error}") from None


def uninstall(name: str) -> None:
    """Remove one of the user's models, be it a broken one.

    Raises
    ------
    ModelError
        If there is none of this name, or it cannot be removed.
    """
    folder = user_models_dir()
    manifest = folder / f"{name}.toml"
    if Path(name).name != name or not manifest.is_file():
        mine = ", ".join(sorted(path.stem for path in folder.glob("*.toml"))) or "none"
        raise ModelError(f"you have not added a model called {name!r} (added: {mine})")
    try:
        # The manifest first: without it the rest is no model any more.
        manifest.unlink()
        for path in _files_of(name, folder):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise ModelError(f"{manifest}: cannot be removed: {error.strerror or error}") from None


def _files_of(name: str, folder: Path) -> list[Path]:
    """ONNX files of a model: its name, a dash, eight digits of the checksum."""
    return [path for path in folder.glob("*.onnx") if path.stem.rpartition("-")[0] == name]


def _write(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".twinlens-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
