"""Read an ONNX file that somebody else made, and find out what it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import onnx
from google.protobuf.message import DecodeError
from onnx import GraphProto, ModelProto, TensorProto, external_data_helper

from models.adopt.request import check_file
from models.errors import ModelError

OLDEST_OPSET: Final = 9
PREFIX: Final = "network/"
"""All names inside the user's graph get it, so that none of ours can be taken."""
_MOST_BYTES: Final = 2**31 - 1
_DTYPES: Final = {
    TensorProto.FLOAT: "float32",
    TensorProto.FLOAT16: "float16",
    TensorProto.UINT8: "uint8",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """The input of a network that looks at one picture.

    Parameters
    ----------
    name : str
        Name of the tensor.
    dtype : str
        "float32", "float16" or "uint8".
    shape : tuple of (int or None)
        Four sides; None is open.
    """

    name: str
    dtype: str
    shape: tuple[int | None, ...]


def read_network(path: Path) -> ModelProto:
    """Read an ONNX file with everything that belongs to it.

    Raises
    ------
    ModelError
        If it is missing, no ONNX file, too old, or too large, or if weights that it keeps in other files are not there.
    """
    check_file(path)
    try:
        model = onnx.load(path, load_external_data=False)
    except FileNotFoundError:
        raise ModelError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (DecodeError, ValueError):
        raise ModelError(f"{path}: this is no ONNX file") from None
    if not model.graph.node or not model.graph.output:
        raise ModelError(f"{path}: this is no ONNX file, or one without a network in it")
    _check_opset(path, model)
    _load_external_data(path, model)
    if model.ByteSize() > _MOST_BYTES:
        raise ModelError(f"{path}: the network is larger than 2 GB, which one ONNX file cannot hold")
    return model


def _check_opset(path: Path, model: ModelProto) -> None:
    versions = [item.version for item in model.opset_import if item.domain in ("", "ai.onnx")]
    if not versions:
        raise ModelError(f"{path}: the file does not say which operators (opset) it uses")
    if versions[0] < OLDEST_OPSET:
        raise ModelError(
            f"{path}: its operators are of opset {versions[0]}; {OLDEST_OPSET} is the oldest that works here"
        )


def _load_external_data(path: Path, model: ModelProto) -> None:
    """Take in weights that lie in files beside the graph; a path that leads elsewhere is refused."""
    folder = path.resolve().parent
    for tensor in _tensors(model.graph):
        if not external_data_helper.uses_external_data(tensor):
            continue
        location = external_data_helper.ExternalDataInfo(tensor).location
        beside = (folder / location).resolve()
        if not beside.is_relative_to(folder):
            raise ModelError(f"{path}: its weights are said to lie in {location}, outside its folder")
        if not beside.is_file():
            raise ModelError(f"{path}: its weights are in {location}, which is not beside it")
    try:
        external_data_helper.load_external_data_for_model(model, str(folder))
    except (OSError, ValueError, onnx.checker.ValidationError) as error:
        raise ModelError(f"{path}: its weights cannot be read: {error}") from None


def _tensors(graph: GraphProto) -> Iterator[TensorProto]:
    """All constants of a graph, and of the graphs inside its nodes."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            for inner in (attribute.g, *attribute.graphs):
                yield from _tensors(inner)


def find_picture(path: Path, model: ModelProto) -> Picture:
    """Return the network's input.

    Raises
    ------
    ModelError
        If it has several, or one that is no picture.
    """
    constants = {item.name for item in model.graph.initializer}
    inputs = [item for item in model.graph.input if item.name not in constants]
    if len(inputs) != 1:
        names = ", ".join(item.name for item in inputs) or "none"
        raise ModelError(f"{path}: a network with one input is needed, this one has {len(inputs)} ({names})")
    tensor = inputs[0].type.tensor_type
    shape = tuple(dim.dim_value if dim.dim_value > 0 else None for dim in tensor.shape.dim)
    if len(shape) != 4:
        raise ModelError(f"{path}: the input {inputs[0].name} has {len(shape)} dimensions; a picture has 4")
    if shape[0] not in (1, None):
        raise ModelError(f"{path}: the network takes {shape[0]} pictures at a time; only one works here")
    if tensor.elem_type not in _DTYPES:
        kind = TensorProto.DataType.Name(tensor.elem_type).lower()
        raise ModelError(
            f"{path}: the input {inputs[0].name} is of type {kind}; {', '.join(_DTYPES.values())} work here"
        )
    return Picture(inputs[0].name, _DTYPES[tensor.elem_type], shape)


def set_apart(model: ModelProto) -> ModelProto:
    """Return a copy in which every name of the graph starts with `PREFIX`, and no shape is claimed but by the outputs.

    Shapes inside may hold symbols of an input that gets a fixed size now; the runtimes infer them again.
    """
    apart = onnx.compose.add_prefix(model, PREFIX)
    del apart.graph.value_info[:]
    return apart
