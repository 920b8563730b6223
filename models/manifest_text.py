"""Writing manifests: TOML by hand, since the standard library only reads it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from models.spec import Manifest, ModelFile, TensorSpec


def describe_file(variant: str, format: str, path: Path, override: TensorSpec | None = None) -> ModelFile:
    """Look at a file that was written and return its entry for the manifest."""
    data = path.read_bytes()
    return ModelFile(variant, format, path, hashlib.sha256(data).hexdigest(), len(data), override)


def manifest_text(manifest: Manifest) -> str:
    """A manifest as TOML; `models.manifest.read_manifest` reads it back."""
    source = manifest.source
    parts = [
        _fields(
            {
                "name": manifest.name,
                "title": manifest.title,
                "task": manifest.task,
                "role": manifest.role,
                "description": manifest.description,
                "licence": manifest.licence,
                "macs": round(manifest.macs),
            }
            | ({"litert_note": manifest.litert_note} if manifest.litert_note else {})
        ),
        "[source]\n"
        + _fields(
            {
                "package": source.package,
                "version": source.version,
                "file": source.file,
                "sha256": source.sha256,
                "url": source.url or "",
                "notes": source.notes,
            }
        ),
        "[input]\n" + _tensor(manifest.input),
        *("[[outputs]]\n" + _tensor(output) for output in manifest.outputs),
        *(_file(item) for item in manifest.files),
        "[tolerance]\n" + _fields(manifest.tolerance),
    ]
    return "\n".join(parts)


def _fields(values: Mapping[str, object]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in values.items())


def _value(value: object) -> str:
    if isinstance(value, str):
        # The same in JSON and TOML, but for the delete character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return repr(value)


def _tensor(spec: TensorSpec) -> str:
    values: dict[str, object] = {"name": spec.name, "shape": spec.shape, "dtype": spec.dtype}
    if spec.layout:
        values["layout"] = spec.layout
    if spec.color:
        values |= {"color": spec.color, "mean": spec.mean, "scale": spec.scale}
    values["meaning"] = spec.meaning
    return _fields(values)


def _file(item: ModelFile) -> str:
    text = "[[files]]\n" + _fields(
        {
            "variant": item.variant,
            "format": item.format,
            "path": item.path.name,
            "sha256": item.sha256,
            "size_bytes": item.size_bytes,
        }
    )
    return text if item.input is None else f"{text}\n[files.input]\n{_tensor(item.input)}"
