"""The models that the user added: where they are, how they are written and removed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import platformdirs

from models.errors import ModelError
from models.spec import Manifest, TensorSpec

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


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as TOML, the form that `models.manifest.read_manifest` reads."""
    parts = [
        _fields(
            {
                "name": manifest.name,
                "title": manifest.title,
                "task": manifest.task,
                "role": manifest.role,
                "description": manifest.description,
                "licence": manifest.licence,
                "macs": manifest.macs,
                "litert_note": manifest.litert_note,
            }
        )
    ]
    source = manifest.source
    origin = {"package": source.package, "version": source.version, "file": source.file, "sha256": source.sha256}
    parts.append("[source]\n" + _fields({**origin, "url": source.url or "", "notes": source.notes}))
    parts.append("[input]\n" + _tensor(manifest.input))
    parts += ["[[outputs]]\n" + _tensor(spec) for spec in manifest.outputs]
    for item in manifest.files:
        facts = {"variant": item.variant, "format": item.format, "path": item.path.name, "sha256": item.sha256}
        parts.append("[[files]]\n" + _fields({**facts, "size_bytes": item.size_bytes}))
    parts.append("[tolerance]\n" + _fields(manifest.tolerance))
    return "\n".join(parts)


def _tensor(spec: TensorSpec) -> str:
    fields: dict[str, Any] = {"name": spec.name, "shape": list(spec.shape), "dtype": spec.dtype}
    if spec.layout:
        fields["layout"] = spec.layout
    if spec.color:
        fields["color"] = spec.color
    return _fields({**fields, "meaning": spec.meaning})


def _fields(values: Mapping[str, Any]) -> str:
    # Texts, numbers and lists of them look the same in JSON and TOML, but for the delete character.
    return "".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n".replace("\x7f", "\\u007f") for key, value in values.items()
    )
