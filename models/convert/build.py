"""From a .tflite file to an ONNX model: the order of the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto, TensorProto, helper

from models.convert import cleanup, emit_attention, emit_conv, emit_merged, emit_pointwise, emit_shape
from models.convert.attention import shrink_affines
from models.convert.emitter import EMITTERS, Emitter
from models.convert.entry import emit_entry
from models.convert.flatbuffer import read_graph
from models.convert.graph import Graph
from models.convert.options import Options
from models.convert.rewrite_heads import merge_heads
from models.convert.rewrite_resize import commute_resizes, compose_resizes, split_means
from models.errors import ModelError

OPSET = 17
IR_VERSION = 8
EMIT_MODULES = (emit_attention, emit_conv, emit_merged, emit_pointwise, emit_shape)
"""Importing them fills `EMITTERS`."""


@dataclass(frozen=True)
class Built:
    """A converted model.

    Parameters
    ----------
    model : ModelProto
        The ONNX model, checked.
    macs : int
        Multiply-adds of its convolutions.
    """

    model: ModelProto
    macs: int


def rewrite(graph: Graph, options: Options) -> None:
    """Apply the rewrites that `options` asks for, in place."""
    if options.commute_resize:
        commute_resizes(graph)
    if options.split_means:
        split_means(graph)
    if options.commute_resize and options.split_means:
        compose_resizes(graph)
    shrink_affines(graph)
    if options.merge_heads:
        merge_heads(graph)


def build(
    graph: Graph, options: Options, outputs: Sequence[tuple[str, Sequence[int]]], mean: float, scale: float
) -> Built:
    """Rewrite a graph and write it as ONNX.

    Parameters
    ----------
    graph : Graph
        What to convert; it is changed.
    options : Options
        Which rewrites to use.
    outputs : sequence of (str, sequence of int)
        Name and shape of each output, in the graph's order.
    mean, scale : float
        The network wants ``(pixel - mean) * scale``.

    Raises
    ------
    ModelError
        If the graph has an operator, or a use of one, that this package does not know.
    """
    rewrite(graph, options)
    if len(outputs) != len(graph.outputs):
        raise ModelError(f"{graph.stem}: has {len(graph.outputs)} outputs, not {len(outputs)}")
    emitter = Emitter(graph, options)
    picture = emit_entry(emitter, mean, scale)
    for op in graph.ops:
        if op.kind not in EMITTERS:
            raise ModelError(f"{graph.stem}: the operator {op.kind} is not supported")
        EMITTERS[op.kind](emitter, op)
    declared = []
    for tensor, (name, shape) in zip(graph.outputs, outputs, strict=True):
        emitter.node("Reshape", [emitter.value[tensor], emitter.ints(*shape, base="s")], name)
        declared.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    onnx_graph = helper.make_graph(emitter.nodes, graph.stem, [picture], declared, emitter.initializers)
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(onnx_graph, opset_imports=opsets, ir_version=IR_VERSION)
    model.producer_name = "twinlens models.convert"
    cleanup.finish(model)
    return Built(model, emitter.macs)


def convert(
    path: Path, options: Options, outputs: Sequence[tuple[str, Sequence[int]]], mean: float, scale: float
) -> Built:
    """Read a .tflite file and convert it; see `build`."""
    return build(read_graph(path), options, outputs, mean, scale)
