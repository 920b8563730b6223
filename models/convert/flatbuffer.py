"""Reading a .tflite file, without TensorFlow: the flatbuffer's schema comes with ai-edge-litert."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from models.convert.graph import Constant, Graph, Op
from models.convert.sparse import Level, densify

_KINDS = {number: name for name, number in vars(schema.BuiltinOperator).items() if not name.startswith("_")}
_DTYPES: dict[int, Any] = {
    schema.TensorType.FLOAT32: np.float32,
    schema.TensorType.FLOAT16: np.float16,
    schema.TensorType.INT8: np.int8,
    schema.TensorType.UINT8: np.uint8,
    schema.TensorType.INT32: np.int32,
    schema.TensorType.INT64: np.int64,
}


def parse(data: bytes) -> Any:
    """Unpack a .tflite file into the schema's own mutable objects (a `ModelT`)."""
    return schema.ModelT.InitFromObj(schema.Model.GetRootAs(data, 0))


def read_graph(path: Path) -> Graph:
    """Read a .tflite file.

    Weights that the file stores in half precision or sparsely, behind a DEQUANTIZE or DENSIFY operator, become plain
    constants, and those operators disappear.

    Parameters
    ----------
    path : Path
        The file; its first subgraph is read.

    Returns
    -------
    Graph
        The graph as it is, nothing rewritten.
    """
    model = parse(path.read_bytes())
    subgraph = model.subgraphs[0]
    shape = [[int(size) for size in tensor.shape] for tensor in subgraph.tensors]
    const: dict[int, Constant] = {}
    for index, tensor in enumerate(subgraph.tensors):
        data = model.buffers[tensor.buffer].data
        if data is not None and len(data):
            const[index] = _constant(bytes(bytearray(data)), tensor)
    ops = []
    for operator in subgraph.operators:
        op = _operator(operator, model.operatorCodes[operator.opcodeIndex])
        if op.kind in ("DEQUANTIZE", "DENSIFY") and op.ins[0] in const:
            const[op.outs[0]] = const[op.ins[0]].astype(_DTYPES[subgraph.tensors[op.outs[0]].type])
        else:
            ops.append(op)
    inputs, outputs = ([int(i) for i in part] for part in (subgraph.inputs, subgraph.outputs))
    return Graph(path.stem, ops, shape, const, inputs, outputs)


def _constant(raw: bytes, tensor: Any) -> Constant:
    values = np.frombuffer(raw, _DTYPES[tensor.type])
    shape = [int(size) for size in tensor.shape]
    sparsity = tensor.sparsity
    if sparsity is None:
        return values.reshape(shape)
    levels = []
    for axis, meta in zip(sparsity.traversalOrder, sparsity.dimMetadata, strict=True):
        if meta.format == schema.DimensionType.DENSE:
            levels.append(Level(int(axis), int(meta.denseSize)))
        else:
            segments, indices = (list(map(int, part.values)) for part in (meta.arraySegments, meta.arrayIndices))
            levels.append(Level(int(axis), None, segments, indices))
    block_axes = [] if sparsity.blockMap is None else [int(axis) for axis in sparsity.blockMap]
    return densify(values, shape, levels, block_axes)


def _operator(operator: Any, code: Any) -> Op:
    # Newer files keep the number in a wider field and 127 in the old one.
    kind = _KINDS[max(code.builtinCode, code.deprecatedBuiltinCode)]
    if kind == "CUSTOM":
        kind = code.customCode.decode()
    options = vars(operator.builtinOptions) if operator.builtinOptions is not None else {}
    return Op(
        kind,
        ins=[int(i) for i in operator.inputs],
        outs=[int(i) for i in operator.outputs],
        attr={name: int(value) for name, value in options.items() if isinstance(value, int)},
        custom=bytes(bytearray(operator.customOptions)) if operator.customOptions is not None else b"",
    )
