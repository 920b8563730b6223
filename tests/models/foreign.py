"""Tiny networks in the style of published ones, made with the onnx package alone."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TYPES = {
    "float32": TensorProto.FLOAT,
    "float16": TensorProto.FLOAT16,
    "uint8": TensorProto.UINT8,
    "int64": TensorProto.INT64,
}


def save(path, nodes, constants, shape, outputs, dtype="float32", opset=17, name="input", external=None):
    """Write a network; `outputs` is name to (type, shape), `external` a file name for the weights."""
    graph = helper.make_graph(
        nodes,
        "foreign",
        [helper.make_tensor_value_info(name, TYPES[dtype], shape)],
        [helper.make_tensor_value_info(key, TYPES[kind], sides) for key, (kind, sides) in outputs.items()],
        [numpy_helper.from_array(np.asarray(value), key) for key, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    if external:
        onnx.save(model, path, save_as_external_data=True, location=external, size_threshold=0)
    else:
        onnx.save(model, path)
    return path


def weighted_sum(path, weights=(1.0, 0.0, 0.0), shape=(1, 3, 24, 32), out=(1, 24, 32), dtype="float32", **more):
    """Depth = weighted sum of the three channels, channels first, as MiDaS and TCMonoDepth lay them out.

    With weights 1, 0, 0 the answer is what the first channel was fed: order and normalisation show in it.
    """
    kind = {"float16": np.float16}.get(dtype, np.float32)
    nodes = [
        helper.make_node("Mul", ["input", "weights"], ["weighed"]),
        helper.make_node("ReduceSum", ["weighed", "axes"], ["depth_map"], keepdims=0 if len(out) == 3 else 1),
    ]
    constants = {"weights": np.array(weights, kind).reshape(1, 3, 1, 1), "axes": np.array([1], np.int64)}
    return save(path, nodes, constants, shape, {"depth_map": (dtype, out)}, dtype, **more)
