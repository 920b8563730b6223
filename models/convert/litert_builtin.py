"""A .tflite file that every LiteRT kernel and delegate can run.

The selfie models have one custom operator, Convolution2DTransposeBias, which MediaPipe and the XNNPACK delegate know
but neither LiteRT's own kernels nor its other delegates. It is the same as the builtin transposed convolution with a
bias, so the file is rewritten to use that.
"""

from __future__ import annotations

from typing import Any

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from models.convert.flatbuffer import parse

_CUSTOM = b"Convolution2DTransposeBias"
_VERSION_WITH_BIAS = 3


def with_builtin_operators(data: bytes) -> bytes:
    """Replace Convolution2DTransposeBias by TRANSPOSE_CONV.

    Parameters
    ----------
    data : bytes
        A .tflite file.

    Returns
    -------
    bytes
        The rewritten file; `data` itself if the operator does not occur.
    """
    model = parse(data)
    codes = [code for code in model.operatorCodes if code.customCode == _CUSTOM]
    if not codes:
        return data
    graph = model.subgraphs[0]
    for operator in graph.operators:
        if model.operatorCodes[operator.opcodeIndex] in codes:
            _replace(model, graph, operator)
    for code in codes:
        code.customCode, code.version = None, _VERSION_WITH_BIAS
        code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.TRANSPOSE_CONV
    builder = flatbuffers.Builder(1 << 20)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _replace(model: Any, graph: Any, operator: Any) -> None:
    """Give the operator the inputs of the builtin: output shape, weights, picture, bias."""
    _, stride_w, stride_h = np.frombuffer(bytes(bytearray(operator.customOptions)), np.int32)[:3].tolist()
    picture, weights, bias = operator.inputs
    target = np.array(graph.tensors[operator.outputs[0]].shape, np.int32)
    operator.inputs = np.array([_add_constant(model, graph, target), weights, picture, bias], np.int32)
    options = schema.TransposeConvOptionsT()
    options.padding, options.strideW, options.strideH = schema.Padding.SAME, stride_w, stride_h
    options.fusedActivationFunction = schema.ActivationFunctionType.NONE
    operator.customOptions = None
    operator.builtinOptionsType = schema.BuiltinOptions.TransposeConvOptions
    operator.builtinOptions = options


def _add_constant(model: Any, graph: Any, value: np.ndarray) -> int:
    """Add an int32 constant and return its tensor number."""
    buffer = schema.BufferT()
    buffer.data = np.frombuffer(value.tobytes(), np.uint8)
    model.buffers.append(buffer)
    tensor = schema.TensorT()
    tensor.name, tensor.type = b"output_shape", schema.TensorType.INT32
    tensor.shape = np.array(value.shape, np.int32)
    tensor.buffer = len(model.buffers) - 1
    graph.tensors.append(tensor)
    return len(graph.tensors) - 1
