"""Turn a published ONNX file into a model with a manifest."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, helper

from models.adopt.entry import INPUT_NAME, Entry, add_entry, plan_entry
from models.adopt.network import PREFIX, find_picture, read_network, set_apart
from models.adopt.outputs import add_exit
from models.adopt.presets import preset
from models.adopt.request import TASKS, Request
from models.errors import ModelError
from models.face_mesh import INPUT_SIZE
from models.manifest import MODEL_NAME
from models.spec import Manifest, ModelFile, Source, TensorSpec

Probe = Callable[[bytes, tuple[int, int]], Mapping[str, NDArray[np.generic]]]
"""Runs an ONNX file on a real picture of this width and height, stretched, uint8 BGR NHWC under the name "image"; gives
all outputs by name. Raises `ModelError` with one sentence where the runtime refuses the network."""

ROLES: Final = {"depth": "depth", "segmentation": "mask", "face": "landmarks"}
_VARIANTS: Final = ("cpu", "gpu", "plain")
_MEANINGS: Final = {"face": "a face, upright, in a square 1.5 times its size"}
_CHECKSUM_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class Adopted:
    """A network that is ready to be installed.

    Parameters
    ----------
    manifest : Manifest
        What it is; its files are not written yet.
    data : bytes
        The one ONNX file.
    assumed : tuple of str
        What neither the user nor the file said and was guessed, in words.
    """

    manifest: Manifest
    data: bytes
    assumed: tuple[str, ...]


def adopt(request: Request, probe: Probe, folder: Path) -> Adopted:
    """Wrap a network.

    Parameters
    ----------
    request : Request
        What the user says.
    probe : callable
        Runs a network on a real picture (see `Probe`).
    folder : Path
        Where the model is to be installed; nothing is written here.

    Raises
    ------
    ModelError
        If the file is no network for a picture, contradicts the request, leaves open what cannot be guessed, or
        answers a real picture with something the task cannot use.
    """
    if request.preset is not None:
        request = request.over(preset(request.preset))
    if request.task is None:
        raise ModelError(f"{request.file}: say with task what it is for ({', '.join(TASKS)})")
    if request.person_class is not None and request.task != "segmentation":
        raise ModelError(f"{request.file}: only a segmentation has a class 'person', and this is for {request.task}")
    original = read_network(request.file)
    picture = find_picture(request.file, original)
    if request.task == "face" and request.input_size is None:
        request = replace(request, input_size=(INPUT_SIZE, INPUT_SIZE))
    entry = plan_entry(request, picture)
    if request.task == "face" and entry.size_wh != (INPUT_SIZE, INPUT_SIZE):
        raise ModelError(f"{request.file}: a face network must take {INPUT_SIZE}x{INPUT_SIZE} pixels")
    model = set_apart(original)
    add_entry(model, picture, entry)
    answers = _ask(model, probe, entry.size_wh)
    found = add_exit(model, request, answers)
    model.producer_name, model.producer_version = "twinlens", ""
    data = model.SerializeToString()
    _check(probe(data, entry.size_wh), found.outputs, request.file)
    manifest = _manifest(request, entry, found.outputs, found.tolerance, data, folder)
    return Adopted(manifest, data, (*entry.guesses, *found.guesses))


def _ask(model: ModelProto, probe: Probe, size_wh: tuple[int, int]) -> dict[str, NDArray[np.generic]]:
    """The network's answers by its own names. Old files claim output shapes that hold for another input size."""
    asked = onnx.ModelProto()
    asked.CopyFrom(model)
    for output in asked.graph.output:
        tensor = output.type.tensor_type
        open_shape = helper.make_tensor_value_info(output.name, tensor.elem_type, None)
        output.CopyFrom(open_shape)
    answers = probe(asked.SerializeToString(), size_wh)
    return {name.removeprefix(PREFIX): values for name, values in answers.items()}


def _check(answers: Mapping[str, NDArray[np.generic]], outputs: tuple[TensorSpec, ...], file: Path) -> None:
    for spec in outputs:
        values = answers[spec.name]
        if values.shape != spec.shape or values.dtype != np.float32 or not np.all(np.isfinite(values)):
            raise ModelError(f"{file}: {spec.name} came out as {values.dtype} {values.shape}, expected {spec.shape}")


def _manifest(
    request: Request,
    entry: Entry,
    outputs: tuple[TensorSpec, ...],
    tolerance: dict[str, float],
    data: bytes,
    folder: Path,
) -> Manifest:
    assert request.task is not None
    name = request.name or _name_of(request.file, request.task)
    if not MODEL_NAME.fullmatch(name):
        raise ModelError(
            f"{name!r} cannot name a model: small letters a to z or digits, then also dots, dashes and underscores"
        )
    checksum = hashlib.sha256(data).hexdigest()
    # The checksum in the name keeps the old file beside the new one until the manifest is replaced.
    path = folder / f"{name}-{checksum[:_CHECKSUM_DIGITS]}.onnx"
    width, height = entry.size_wh
    normalised = f"(pixel / 255 * {entry.pixel_max:g} - {list(entry.mean)}) / {list(entry.std)}"
    return Manifest(
        name=name,
        title=request.title or request.file.stem,
        task=request.task,
        role=ROLES[request.task],
        description=f"Added from {request.file.name}.",
        licence=request.licence or "NOASSERTION",
        source=Source(
            package="added by the user",
            version="",
            file=request.file.name,
            sha256=hashlib.sha256(request.file.read_bytes()).hexdigest(),
            notes=f"Wrapped to take uint8 BGR. The network itself is fed {entry.layout} {entry.color}, {normalised}.",
        ),
        input=TensorSpec(
            INPUT_NAME,
            (1, height, width, 3),
            "uint8",
            "NHWC",
            "BGR",
            meaning=_MEANINGS.get(request.task, "the whole frame, stretched to the input's size"),
        ),
        outputs=outputs,
        files=tuple(ModelFile(variant, "onnx", path, checksum, len(data)) for variant in _VARIANTS),
        tolerance=tolerance,
        macs=0.0,
        litert_note="it was added as ONNX, and nothing translates it to TensorFlow Lite.",
        path=folder / f"{name}.toml",
    )


def _name_of(file: Path, task: str) -> str:
    """A name from that of the file, or from the task where the file's has no usable letter."""
    name = re.sub(r"[^a-z0-9_.-]+", "_", file.stem.lower()).strip("_.-")
    return name if re.match(r"[a-z0-9]", name) else f"my_{task}"
