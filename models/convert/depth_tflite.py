"""A .tflite file of our own depth network, so that it runs in LiteRT as well.

The network was exported to ONNX. It consists of few kinds of operators, each of which has a twin in TensorFlow Lite,
but for two differences: tensors are NHWC there, and a convolution with stride 2 pads an even picture at the far edges
only, while ONNX files pad all edges. Here that is an explicit PAD before an unpadded convolution.
"""

from __future__ import annotations

from typing import Any, Final

import flatbuffers
import numpy as np
import onnx
from ai_edge_litert import schema_py_generated as schema
from numpy.typing import NDArray
from onnx import numpy_helper

from models.errors import ModelError

_CONSTANT_KINDS: Final = ("Constant", "Cast", "Shape", "Slice", "Concat")
"""Operators that only prepare weights and sizes."""
_RELU: Final = schema.ActivationFunctionType.RELU
_NO_ACTIVATION: Final = schema.ActivationFunctionType.NONE
_HALF: Final = np.dtype(np.float16)


def to_tflite(model: onnx.ModelProto) -> bytes:
    """Translate a network of convolutions, ReLUs, sums and bilinear enlargements.

    Parameters
    ----------
    model : ModelProto
        Float32 NCHW with static shapes, one input and one output.

    Returns
    -------
    bytes
        A .tflite file, float32 NHWC, weights in half precision where the source has them so.

    Raises
    ------
    ModelError
        If the network has another operator, or one with attributes that have no twin.
    """
    return _Translator(onnx.shape_inference.infer_shapes(model)).translate()


class _Translator:
    """Builds the flatbuffer's objects from the nodes, in their order."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._graph = model.graph
        self._constants = {item.name: numpy_helper.to_array(item) for item in self._graph.initializer}
        self._shapes = {
            value.name: [size.dim_value for size in value.type.tensor_type.shape.dim]
            for value in (*self._graph.value_info, *self._graph.input, *self._graph.output)
        }
        self._readers: dict[str, list[onnx.NodeProto]] = {}
        for node in self._graph.node:
            for name in node.input:
                self._readers.setdefault(name, []).append(node)
        self._model = schema.ModelT()
        self._model.version, self._model.description = 3, b"twinlens"
        self._model.buffers, self._model.operatorCodes = [schema.BufferT()], []
        self._subgraph = schema.SubGraphT()
        self._subgraph.tensors, self._subgraph.operators = [], []
        self._codes: dict[tuple[int, int], int] = {}
        self._tensors: dict[str, int] = {}
        self._fused: set[str] = set()

    def translate(self) -> bytes:
        (entry,) = self._graph.input
        (result,) = self._graph.output
        self._tensors[entry.name] = self._tensor(entry.name, _nhwc(self._shapes[entry.name]))
        for node in self._graph.node:
            self._node(node)
        self._subgraph.inputs = np.array([self._tensors[entry.name]], np.int32)
        self._subgraph.outputs = np.array([self._tensors[result.name]], np.int32)
        self._model.subgraphs = [self._subgraph]
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(self._model.Pack(builder), b"TFL3")
        return bytes(builder.Output())

    def _node(self, node: onnx.NodeProto) -> None:
        attributes = {item.name: onnx.helper.get_attribute_value(item) for item in node.attribute}
        if node.output[0] in self._fused:
            return
        match node.op_type:
            case "Constant":
                self._constants[node.output[0]] = numpy_helper.to_array(attributes["value"])
            case "Cast" if node.input[0] in self._constants:
                self._constants[node.output[0]] = self._constants[node.input[0]]
            case "Conv":
                self._convolution(node, attributes)
            case "Add":
                self._add(node)
            case "Resize":
                self._resize(node, attributes)
            case kind if kind not in _CONSTANT_KINDS:
                raise ModelError(f"the operator {kind} ({node.output[0]}) has no translation to TensorFlow Lite")

    # -- operators

    def _convolution(self, node: onnx.NodeProto, attributes: dict[str, Any]) -> None:
        weights, bias = self._constants[node.input[1]], self._constants[node.input[2]]
        stride = attributes.get("strides", [1, 1])
        pads = attributes.get("pads", [0, 0, 0, 0])
        if attributes.get("dilations", [1, 1]) != [1, 1] or stride[0] != stride[1] or len(set(pads)) != 1:
            raise ModelError(f"the convolution {node.output[0]} is dilated, or not the same in both directions")
        if 2 * pads[0] != weights.shape[2] - 1 or weights.shape[2] != weights.shape[3]:
            raise ModelError(f"the convolution {node.output[0]} does not keep its input centred")
        groups = attributes.get("group", 1)
        depthwise = groups > 1 and groups == weights.shape[0]
        if groups > 1 and not depthwise:
            raise ModelError(f"the convolution {node.output[0]} has groups")
        name, activation, factor = self._tail(node)
        weights, bias = weights * weights.dtype.type(factor), bias * bias.dtype.type(factor)
        picture = self._tensors[node.input[0]]
        if stride[0] == 1:
            padding = schema.Padding.SAME
        else:
            picture, padding = self._pad(picture, pads[0]), schema.Padding.VALID
        if depthwise:
            options = schema.DepthwiseConv2DOptionsT()
            options.depthMultiplier = 1
            code, kind, layout = schema.BuiltinOperator.DEPTHWISE_CONV_2D, "DepthwiseConv2DOptions", (1, 2, 3, 0)
        else:
            options = schema.Conv2DOptionsT()
            code, kind, layout = schema.BuiltinOperator.CONV_2D, "Conv2DOptions", (0, 2, 3, 1)
        options.padding, options.strideH, options.strideW = padding, stride[0], stride[1]
        options.dilationHFactor = options.dilationWFactor = 1
        options.fusedActivationFunction = activation
        inputs = [picture, self._weights(node.input[1], weights.transpose(layout)), self._weights(node.input[2], bias)]
        self._operator(code, kind, options, inputs, name)

    def _tail(self, node: onnx.NodeProto) -> tuple[str, int, float]:
        """Follow a convolution through what it takes along: a ReLU, and a positive factor after that.

        Returns
        -------
        name : str
            The tensor that the fused operator gives.
        activation : int
            Of the schema's kinds.
        factor : float
            For weights and bias.
        """
        name = node.output[0]
        relu = self._only_reader(name, "Relu")
        if relu is None:
            return name, _NO_ACTIVATION, 1.0
        name = relu.output[0]
        self._fused.add(name)
        product = self._only_reader(name, "Mul")
        if product is None:
            return name, _RELU, 1.0
        self._fused.add(product.output[0])
        factor = float(self._value(next(item for item in product.input if item != name)))
        if factor <= 0:
            raise ModelError(f"the product {product.output[0]} cannot be moved before a ReLU")
        return product.output[0], _RELU, factor

    def _only_reader(self, name: str, kind: str) -> onnx.NodeProto | None:
        readers = self._readers.get(name, [])
        return readers[0] if len(readers) == 1 and readers[0].op_type == kind else None

    def _value(self, name: str) -> NDArray[Any]:
        """A constant, which may come from a node that was not reached yet."""
        if name not in self._constants:
            maker = next(node for node in self._graph.node if name in node.output)
            self._node(maker)
        return self._constants[name]

    def _pad(self, picture: int, count: int) -> int:
        """Add rows and columns of zeros before the picture; with stride 2 and even sizes none are read behind it."""
        batch, height, width, channels = (int(size) for size in self._subgraph.tensors[picture].shape)
        if height % 2 or width % 2:
            raise ModelError("a convolution with stride 2 has an input of odd size")
        # A 3x3 kernel reads one pixel on each side; with an even size the far one is never reached.
        paddings = self._constant(
            "paddings", np.array([[0, 0], [count, count - 1], [count, count - 1], [0, 0]], np.int32)
        )
        name = f"padded_{picture}"
        self._shapes[name] = [batch, channels, height + 2 * count - 1, width + 2 * count - 1]
        self._operator(schema.BuiltinOperator.PAD, "PadOptions", schema.PadOptionsT(), [picture, paddings], name)
        return self._tensors[name]

    def _add(self, node: onnx.NodeProto) -> None:
        options = schema.AddOptionsT()
        options.fusedActivationFunction = _NO_ACTIVATION
        self._operator(
            schema.BuiltinOperator.ADD,
            "AddOptions",
            options,
            [self._tensors[item] for item in node.input],
            node.output[0],
        )

    def _resize(self, node: onnx.NodeProto, attributes: dict[str, Any]) -> None:
        if (attributes.get("mode"), attributes.get("coordinate_transformation_mode")) != (b"linear", b"half_pixel"):
            raise ModelError(f"the enlargement {node.output[0]} is not bilinear with pixel centres at one half")
        _, _, height, width = self._shapes[node.output[0]]
        size = self._constant("size", np.array([height, width], np.int32))
        options = schema.ResizeBilinearOptionsT()
        options.alignCorners, options.halfPixelCenters = False, True
        self._operator(
            schema.BuiltinOperator.RESIZE_BILINEAR,
            "ResizeBilinearOptions",
            options,
            [self._tensors[node.input[0]], size],
            node.output[0],
            version=3,  # the first with half-pixel centres
        )

    # -- the flatbuffer's objects

    def _operator(self, code: int, kind: str, options: Any, inputs: list[int], output: str, version: int = 1) -> None:
        if (code, version) not in self._codes:
            entry = schema.OperatorCodeT()
            entry.builtinCode, entry.deprecatedBuiltinCode, entry.version = code, code, version
            self._codes[code, version] = len(self._model.operatorCodes)
            self._model.operatorCodes.append(entry)
        self._tensors[output] = self._tensor(output, _nhwc(self._shapes[output]))
        operator = schema.OperatorT()
        operator.opcodeIndex = self._codes[code, version]
        operator.inputs = np.array(inputs, np.int32)
        operator.outputs = np.array([self._tensors[output]], np.int32)
        operator.builtinOptionsType, operator.builtinOptions = getattr(schema.BuiltinOptions, kind), options
        self._subgraph.operators.append(operator)

    def _weights(self, name: str, values: NDArray[Any]) -> int:
        """A weight tensor in float32; one in half precision gets a DEQUANTIZE, which runtimes fold when they load."""
        stored = self._constant(name, np.ascontiguousarray(values))
        if values.dtype != _HALF:
            return stored
        plain = f"{name}/float32"
        # _operator turns shapes from NCHW; a weight is in its final order already.
        self._shapes[plain] = _nchw(list(values.shape)) if values.ndim == 4 else list(values.shape)
        code = schema.BuiltinOperator.DEQUANTIZE
        self._operator(code, "DequantizeOptions", schema.DequantizeOptionsT(), [stored], plain, version=3)
        return self._tensors[plain]

    def _constant(self, name: str, values: NDArray[Any]) -> int:
        buffer = schema.BufferT()
        buffer.data = np.frombuffer(values.tobytes(), np.uint8)
        self._model.buffers.append(buffer)
        kinds = {"float16": "FLOAT16", "float32": "FLOAT32", "int32": "INT32"}
        kind = getattr(schema.TensorType, kinds[values.dtype.name])
        return self._tensor(name, list(values.shape), kind, len(self._model.buffers) - 1)

    def _tensor(self, name: str, shape: list[int], kind: int = schema.TensorType.FLOAT32, buffer: int = 0) -> int:
        tensor = schema.TensorT()
        tensor.name, tensor.type, tensor.buffer = name.encode(), kind, buffer
        tensor.shape = np.array(shape, np.int32)
        self._subgraph.tensors.append(tensor)
        return len(self._subgraph.tensors) - 1


def _nhwc(shape: list[int]) -> list[int]:
    return [shape[0], *shape[2:], shape[1]] if len(shape) == 4 else shape


def _nchw(shape: list[int]) -> list[int]:
    return [shape[0], shape[3], shape[1], shape[2]]
