"""How a picture enters the graph: uint8, BGR, NHWC, exactly as OpenCV holds it.

A network wants channels first, RGB and normalised floats, and preparing those costs more than it seems: for the 468
point mesh NumPy took the total from 1.02 to 1.23 ms. Here the graph does it, and for nothing (1.03 ms):

- The rows of interleaved pixels B, G, R, B, G, R, ... are read as a picture of one channel that is three times as wide,
  which needs no transpose. The first convolution, k x k with stride s over three channels, becomes a k x 3k one with
  horizontal stride 3s over one channel; its padding left and right triples as well.
- The order B, G, R and the scale go into the weights of that convolution. A mean other than zero is subtracted: the
  convolution pads with zeros after normalisation, so it could not be folded into the bias at the borders.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, ValueInfoProto, helper

from models.convert.emitter import Emitter
from models.convert.graph import Graph, Op
from models.errors import ModelError

INPUT_NAME = "image"


def flatten_weights(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Weights for interleaved pixels from weights for separate channels.

    Parameters
    ----------
    weights : ndarray of float32, shape (O, C, K, K)
        Weights of a convolution over C channels.

    Returns
    -------
    ndarray of float32, shape (O, 1, K, K * C)
        Weights of the convolution over one channel in which the C values of a pixel lie side by side.
    """
    out, channels, height, width = weights.shape
    return weights.transpose(0, 2, 3, 1).reshape(out, 1, height, width * channels)


def emit_entry(emitter: Emitter, mean: float, scale: float) -> ValueInfoProto:
    """Write the way from the picture to the first convolution, and adapt that convolution's weights.

    Parameters
    ----------
    emitter : Emitter
        Nothing has been written to it yet.
    mean, scale : float
        The network wants ``(pixel - mean) * scale``.

    Returns
    -------
    ValueInfoProto
        The input of the ONNX graph.

    Raises
    ------
    ModelError
        If anything but one convolution reads the input.
    """
    graph, options = emitter.graph, emitter.options
    tensor = graph.inputs[0]
    batch, height, width, channels = graph.shape[tensor]
    weights = _first_convolution(graph).ins[1]
    graph.const[weights] = np.ascontiguousarray(graph.weights(weights)[..., ::-1]) * np.float32(scale)
    value = INPUT_NAME
    emitter.flat = options.entry == "flat"
    if emitter.flat:
        value = emitter.node("Reshape", [value, emitter.ints(batch, 1, height, width * channels, base="s")])
    else:
        value = emitter.node("Transpose", [value], perm=[0, 3, 1, 2])
    value = emitter.node("Cast", [value], to=TensorProto.FLOAT)
    if mean:
        value = emitter.node("Sub", [value, emitter.init(np.float32(mean))])
    emitter.value[tensor] = value
    return helper.make_tensor_value_info(INPUT_NAME, TensorProto.UINT8, [batch, height, width, channels])


def reads_input(graph: Graph, op: Op) -> bool:
    """Whether `op` reads the network's input, be it through spatial padding."""
    tensor = op.ins[0]
    while tensor not in graph.inputs:
        producer = graph.producer(tensor)
        if producer is None or producer.kind != "PAD":
            return False
        tensor = producer.ins[0]
    return True


def _first_convolution(graph: Graph) -> Op:
    readers = graph.consumers(graph.inputs[0])
    while len(readers) == 1 and readers[0].kind == "PAD":
        readers = graph.consumers(readers[0].outs[0])
    if len(readers) != 1 or readers[0].kind != "CONV_2D":
        raise ModelError(f"{graph.stem}: the input does not lead to one single convolution")
    return readers[0]
