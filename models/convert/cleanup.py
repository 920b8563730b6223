"""Dropping what a finished ONNX graph does not need."""

from __future__ import annotations

from collections import Counter

import onnx
from onnx import ModelProto, shape_inference


def drop_dead_nodes(model: ModelProto) -> None:
    """Remove nodes and constants that no output depends on."""
    graph = model.graph
    needed = {output.name for output in graph.output}
    kept = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    constants = [constant for constant in graph.initializer if constant.name in needed]
    del graph.node[:]
    graph.node.extend(reversed(kept))
    del graph.initializer[:]
    graph.initializer.extend(constants)


def drop_reshapes(model: ModelProto) -> None:
    """Remove reshapes to the shape that a tensor has already, and the first of two in a row.

    Channels-last networks flatten and concatenate a lot; what is left of it after the change of layout mostly does
    nothing, but every node has a cost at run time, on a GPU one kernel.
    """
    inferred = shape_inference.infer_shapes(model).graph
    known = [*inferred.value_info, *inferred.input, *inferred.output]
    shapes = {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in known}
    producers = {output: node for node in model.graph.node for output in node.output}
    readers = Counter(name for node in model.graph.node for name in node.input)
    superfluous = []
    for node in model.graph.node:
        if node.op_type != "Reshape":
            continue
        before = producers.get(node.input[0])
        if before is not None and before.op_type == "Reshape":
            node.input[0] = before.input[0]
            before = producers.get(node.input[0])
        same_shape = shapes.get(node.input[0]) == shapes.get(node.output[0])
        if before is not None and readers[node.input[0]] == 1 and same_shape:
            at = list(before.output).index(node.input[0])
            before.output[at] = node.output[0]
            superfluous.append(node)
    for node in superfluous:
        model.graph.node.remove(node)
    drop_dead_nodes(model)


def finish(model: ModelProto) -> None:
    """Clean up and let ONNX's own checker look at the result.

    Raises
    ------
    onnx.checker.ValidationError
        If the graph is not valid: a fault of this package.
    """
    drop_dead_nodes(model)
    drop_reshapes(model)
    onnx.checker.check_model(model, full_check=True)
