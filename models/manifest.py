"""Manifests: what a model is, which files it has, what they take and give, and where they came from.

One TOML file a model, `models/weights/<name>.toml`, next to the files it lists. Nothing is loaded from a model folder
before its SHA-256 was compared with the manifest (`ModelFile.read_verified`).
"""

from __future__ import annotations

import functools
import logging
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from models.errors import ModelError
from models.manifest_fields import Table
from models.spec import Manifest, ModelFile, Source, TensorSpec
from models.user import user_models_dir

__all__ = [
    "Manifest",
    "ModelFile",
    "Source",
    "TensorSpec",
    "is_users",
    "load_manifest",
    "manifest_names",
    "manifests",
    "read_manifest",
    "weights_dir",
]

log = logging.getLogger(__name__)

DTYPES: Final = ("uint8", "float32", "float16", "int32", "int64")
LAYOUTS: Final = ("NHWC", "NCHW", "")
COLORS: Final = ("BGR", "RGB", "GRAY", "")
FORMATS: Final = ("onnx", "tflite")
MODEL_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@functools.cache
def weights_dir() -> Path:
    """Folder of the built-in models; it is part of the package, so an installed wheel has it too."""
    return Path(__file__).resolve().parent / "weights"


def _search_path(extra_dirs: Iterable[Path]) -> tuple[Path, ...]:
    return (weights_dir(), user_models_dir(), *extra_dirs)


def manifest_names(extra_dirs: Iterable[Path] = ()) -> tuple[str, ...]:
    """Names of all models, in alphabetical order: the built-in ones, the user's own, and those of `extra_dirs`."""
    return tuple(sorted({path.stem for folder in _search_path(extra_dirs) for path in folder.glob("*.toml")}))


def load_manifest(name: str, extra_dirs: Iterable[Path] = ()) -> Manifest:
    """Read the manifest of a model.

    Parameters
    ----------
    name : str
        Name of the model.
    extra_dirs : iterable of Path
        Folders to look in after the built-in one and the user's. The built-in one always wins: nobody can pass off
        another file as a built-in model.

    Raises
    ------
    ModelError
        If there is no such model, or its manifest is broken.
    """
    extra_dirs = tuple(extra_dirs)
    if name in manifest_names(extra_dirs):
        for folder in _search_path(extra_dirs):
            path = folder / f"{name}.toml"
            if path.is_file():
                return read_manifest(path)
    known = ", ".join(manifest_names(extra_dirs)) or "none"
    raise ModelError(f"there is no model called {name!r} (known: {known})")


def manifests(task: str | None = None, extra_dirs: Iterable[Path] = ()) -> tuple[Manifest, ...]:
    """All manifests, or those of one task, in alphabetical order.

    A broken manifest among the user's own models is left out and logged: it must not take the others with it.

    Raises
    ------
    ModelError
        If another one is broken.
    """
    extra_dirs = tuple(extra_dirs)
    found = []
    for name in manifest_names(extra_dirs):
        try:
            found.append(load_manifest(name, extra_dirs))
        except ModelError as error:
            if not is_users(name):
                raise
            log.warning("a model of the user is left out: %s", error)
    return tuple(manifest for manifest in found if task is None or manifest.task == task)


def is_users(name: str) -> bool:
    """Whether a model is one that the user added."""
    return (user_models_dir() / f"{name}.toml").is_file() and not (weights_dir() / f"{name}.toml").is_file()


def read_manifest(path: Path) -> Manifest:
    """Read and check one manifest file. The model's files are not opened.

    Raises
    ------
    ModelError
        If the file cannot be read, is no TOML, lacks a field, has one of the wrong type, or contradicts itself.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    return _read(path, (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))


@functools.lru_cache(maxsize=64)
def _read(path: Path, version: tuple[int, ...]) -> Manifest:
    """Read a file once for each of its `version`s: the window asks eighteen times before it opens."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: the manifest is not valid TOML: {error}") from None
    top = Table(path, "", document)
    name = top.text("name", pattern=MODEL_NAME)
    if name != path.stem:
        raise ModelError(f"{path}: the manifest calls itself {name!r}, which is not the name of the file")
    source = top.table("source")
    manifest = Manifest(
        name=name,
        title=top.text("title"),
        task=top.text("task"),
        role=top.text("role"),
        description=top.text("description"),
        licence=top.text("licence"),
        source=Source(
            package=source.text("package"),
            version=source.text("version"),
            file=source.text("file"),
            sha256=source.text("sha256", pattern=_SHA256),
            url=source.text("url", default="") or None,
            notes=source.text("notes", default=""),
        ),
        input=_tensor(top.table("input")),
        outputs=tuple(_tensor(item) for item in top.tables("outputs")),
        files=tuple(_file(item, path.parent) for item in top.tables("files")),
        tolerance=top.table("tolerance").all_numbers(),
        macs=top.number("macs"),
        litert_note=top.text("litert_note", default=""),
        path=path,
    )
    source.finish()
    top.finish()
    _check(manifest)
    return manifest


def _tensor(table: Table) -> TensorSpec:
    spec = TensorSpec(
        name=table.text("name"),
        shape=table.integers("shape"),
        dtype=table.text("dtype", choices=DTYPES),
        layout=table.text("layout", default="", choices=LAYOUTS),
        color=table.text("color", default="", choices=COLORS),
        mean=table.numbers("mean", default=(0.0,)),
        scale=table.numbers("scale", default=(1.0,)),
        meaning=table.text("meaning", default=""),
    )
    table.finish()
    if spec.layout and len(spec.shape) != 4:
        raise table.error(f"the layout {spec.layout} needs four dimensions, not {len(spec.shape)}")
    for field, values in (("mean", spec.mean), ("scale", spec.scale)):
        if len(values) != 1 and len(values) != spec.channels:
            raise table.error(f"{field!r} needs one number or one a channel, not {len(values)}")
    return spec


def _file(table: Table, folder: Path) -> ModelFile:
    relative = Path(table.text("path"))
    if relative.is_absolute() or ".." in relative.parts:
        raise table.error("the path leaves the folder of the manifest")
    override = table.optional_table("input")
    item = ModelFile(
        variant=table.text("variant"),
        format=table.text("format", choices=FORMATS),
        path=folder / relative,
        sha256=table.text("sha256", pattern=_SHA256),
        size_bytes=table.integer("size_bytes"),
        input=_tensor(override) if override is not None else None,
    )
    table.finish()
    return item


def _check(manifest: Manifest) -> None:
    """Refuse a manifest whose parts do not fit together."""
    variants = [item.variant for item in manifest.files]
    if len(set(variants)) != len(variants):
        raise ModelError(f"{manifest.path}: two files have the same variant")
    outputs = {spec.name for spec in manifest.outputs}
    if set(manifest.tolerance) != outputs:
        raise ModelError(f"{manifest.path}: [tolerance] must name exactly the outputs ({', '.join(sorted(outputs))})")
    if "litert" not in variants and not manifest.litert_note:
        raise ModelError(f"{manifest.path}: there is no litert file, and no litert_note says why")
