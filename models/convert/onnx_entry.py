"""The uint8 BGR entry (`entry`) for a network that is ONNX already, such as our own depth network."""

from __future__ import annotations

import math

import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper, shape_inference

from models.convert import cleanup
from models.convert.entry import INPUT_NAME, flatten_weights
from models.errors import ModelError


def take_picture(model: ModelProto) -> ModelProto:
    """Return a copy that takes a uint8 BGR picture, NHWC, as it is.

    Parameters
    ----------
    model : ModelProto
        Takes one float32 tensor [1, 3, H, W], RGB from 0 to 255, and starts with one convolution.

    Returns
    -------
    ModelProto
        Takes uint8 [1, H, W, 3], BGR, under the name "image". The rows of interleaved pixels go through the first
        convolution as a picture of one channel, three times as wide (see `entry`).

    Raises
    ------
    ModelError
        If the network starts in another way.
    """
    model = onnx.ModelProto.FromString(model.SerializeToString())
    graph = model.graph
    conv, weights = _first_convolution(graph)
    batch, channels, height, width = (dim.dim_value for dim in graph.input[0].type.tensor_type.shape.dim)
    settings: dict[str, AttributeProto] = {attribute.name: attribute for attribute in conv.attribute}
    if channels != 3 or settings["group"].i != 1 or list(settings["dilations"].ints) != [1, 1]:
        raise ModelError(f"{graph.name}: the first convolution cannot read interleaved pixels")
    flat = flatten_weights(np.ascontiguousarray(numpy_helper.to_array(weights)[:, ::-1]))
    weights.CopyFrom(numpy_helper.from_array(flat, weights.name))
    # Along x everything triples, the border too: a pixel outside is three values outside.
    top, left, bottom, right = settings["pads"].ints
    stride_h, stride_w = settings["strides"].ints
    settings["kernel_shape"].ints[:] = flat.shape[2:]
    settings["pads"].ints[:] = [top, 3 * left, bottom, 3 * right]
    settings["strides"].ints[:] = [stride_h, 3 * stride_w]

    rows = numpy_helper.from_array(np.array([batch, 1, height, width * channels], np.int64), "image_rows_shape")
    graph.initializer.append(rows)
    graph.node.insert(0, helper.make_node("Reshape", [INPUT_NAME, rows.name], ["image_rows"], name="image_rows"))
    graph.node.insert(1, helper.make_node("Cast", ["image_rows"], ["image_float"], name="image_float", to=1))
    conv.input[0] = "image_float"
    picture = helper.make_tensor_value_info(INPUT_NAME, TensorProto.UINT8, [batch, height, width, channels])
    graph.input[0].CopyFrom(picture)
    _fix_resize_sizes(model)
    cleanup.finish(model)
    return model


def count_macs(model: ModelProto) -> int:
    """Multiply-adds of a network's convolutions."""
    graph = shape_inference.infer_shapes(model).graph
    known = [*graph.value_info, *graph.input, *graph.output]
    shapes = {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in known}
    shapes |= {constant.name: list(constant.dims) for constant in graph.initializer}
    return sum(
        math.prod(shapes[node.output[0]]) * math.prod(shapes[node.input[1]][1:])
        for node in graph.node
        if node.op_type == "Conv"
    )


def _first_convolution(graph: GraphProto) -> tuple[NodeProto, TensorProto]:
    source = graph.input[0].name
    readers = [node for node in graph.node if source in node.input]
    if len(graph.input) != 1 or len(readers) != 1 or readers[0].op_type != "Conv":
        raise ModelError(f"{graph.name}: the input does not lead to one single convolution")
    for constant in graph.initializer:
        if constant.name == readers[0].input[1] and constant.data_type == TensorProto.FLOAT:
            return readers[0], constant
    raise ModelError(f"{graph.name}: the weights of the first convolution are no float32 constant")


def _fix_resize_sizes(model: ModelProto) -> None:
    """Give resizes constant scales where the exporter computes their target size at run time.

    All sizes are known, so the computation (Shape, Slice, Concat) is only a detour, and one that some providers send to
    the CPU.
    """
    graph = model.graph
    inferred = shape_inference.infer_shapes(model, data_prop=True).graph
    known = [*inferred.value_info, *inferred.input, *inferred.output]
    shapes = {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in known}
    for node in graph.node:
        if node.op_type == "Resize" and len(node.input) == 4:
            small, large = shapes[node.input[0]], shapes[node.output[0]]
            scales = np.array([after / before for before, after in zip(small, large, strict=True)], np.float32)
            name = f"{node.output[0]}_scales"
            graph.initializer.append(numpy_helper.from_array(scales, name))
            del node.input[2:]
            node.input.append(name)
