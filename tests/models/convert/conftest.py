"""Tiny graphs, and a way to run them as the converter would write them."""

from collections.abc import Callable, Mapping

import numpy as np
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper

from models.convert.build import rewrite
from models.convert.emitter import EMITTERS, Emitter
from models.convert.graph import Graph, Op
from models.convert.options import Options


class TinyGraph:
    """Builds a `Graph` operator by operator; pictures are NHWC, as in TensorFlow Lite."""

    def __init__(self) -> None:
        self.graph = Graph("tiny", [], [], {}, [], [])
        self.random = np.random.default_rng(5)

    def input(self, *shape: int) -> int:
        """Add an input."""
        tensor = self.graph.fresh(shape)
        self.graph.inputs.append(tensor)
        return tensor

    def const(self, value: np.ndarray) -> int:
        """Add a constant."""
        return self.graph.fresh_const(np.asarray(value))

    def op(self, kind: str, ins: list[int], shape: tuple[int, ...], custom: bytes = b"", **attr: int) -> int:
        """Add an operator of one output and return that."""
        out = self.graph.fresh(shape)
        self.graph.ops.append(Op(kind, ins, [out], attr, custom))
        return out

    def conv(self, source: int, channels: int, kernel: int = 1, padding: int = 0) -> int:
        """Add a convolution of stride 1 with random weights; padding 0 is SAME, 1 is VALID."""
        _, height, width, depth = self.graph.shape[source]
        weights = self.random.normal(size=(channels, kernel, kernel, depth)).astype(np.float32)
        bias = self.random.normal(size=channels).astype(np.float32)
        shrink = padding * (kernel - 1)
        return self.op(
            "CONV_2D",
            [source, self.const(weights), self.const(bias)],
            (1, height - shrink, width - shrink, channels),
            strideH=1,
            strideW=1,
            dilationHFactor=1,
            dilationWFactor=1,
            padding=padding,
            fusedActivationFunction=0,
        )

    def resize(self, source: int, factor: int) -> int:
        """Add a bilinear resize with half-pixel centres."""
        _, height, width, depth = self.graph.shape[source]
        shape = (1, height * factor, width * factor, depth)
        return self.op("RESIZE_BILINEAR", [source], shape, alignCorners=0, halfPixelCenters=1)

    def add(self, left: int, right: int) -> int:
        """Add a sum."""
        shape = tuple(self.graph.shape[left])
        return self.op("ADD", [left, right], shape, fusedActivationFunction=0)

    def prelu(self, source: int, slopes: list[float]) -> int:
        """Add a PRelu."""
        return self.op("PRELU", [source, self.const(np.float32([[slopes]]))], tuple(self.graph.shape[source]))


@pytest.fixture
def tiny() -> TinyGraph:
    """An empty graph to build on."""
    return TinyGraph()


Runner = Callable[[Graph, Options, Mapping[int, np.ndarray]], list[np.ndarray]]


@pytest.fixture
def run() -> Runner:
    """Rewrite a graph, write it as ONNX and run it without ONNX Runtime's own rewrites.

    Inputs and outputs of four dimensions are NHWC. Leaves the ONNX nodes in `run.nodes`.
    """

    def runner(graph: Graph, options: Options, feeds: Mapping[int, np.ndarray]) -> list[np.ndarray]:
        rewrite(graph, options)
        emitter = Emitter(graph, options)
        inputs = []
        arrays = {}
        for tensor, array in feeds.items():
            name = f"in{tensor}"
            arrays[name] = np.ascontiguousarray(array.transpose(0, 3, 1, 2) if array.ndim == 4 else array)
            inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, arrays[name].shape))
            emitter.value[tensor] = name
        for op in graph.ops:
            EMITTERS[op.kind](emitter, op)
        outputs = [helper.make_tensor_value_info(emitter.value[t], TensorProto.FLOAT, None) for t in graph.outputs]
        made = helper.make_graph(emitter.nodes, "tiny", inputs, outputs, emitter.initializers)
        model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        runner.nodes = [node.op_type for node in emitter.nodes]
        settings = ort.SessionOptions()
        settings.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = ort.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
        found = session.run(None, arrays)
        return [array.transpose(0, 2, 3, 1) if array.ndim == 4 else array for array in found]

    return runner
