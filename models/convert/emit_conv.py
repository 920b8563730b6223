"""Convolutions, and the padding in front of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.convert.emitter import Emitter, Pads, emits
from models.convert.entry import flatten_weights, reads_input
from models.convert.graph import CONVOLUTIONS, SAME_PADDING, VALID_PADDING, Graph, Op
from models.errors import ModelError


def same_pads(size: int, kernel: int, stride: int, dilation: int = 1) -> tuple[int, int]:
    """Padding before and after one axis by TensorFlow's rule SAME: as even as possible, the odd one behind."""
    out = -(-size // stride)
    total = max(0, (out - 1) * stride + (kernel - 1) * dilation + 1 - size)
    return total // 2, total - total // 2


@emits("CONV_2D")
def emit_convolution(emitter: Emitter, op: Op) -> None:
    """Write a convolution, dense or in the groups of merged heads."""
    weights = emitter.graph.weights(op.ins[1]).transpose(0, 3, 1, 2)
    _write_convolution(emitter, op, weights, op.groups, emitter.channels(op.outs[0]))


@emits("DEPTHWISE_CONV_2D")
def emit_depthwise(emitter: Emitter, op: Op) -> None:
    """Write a depthwise convolution: as many groups as channels."""
    weights = emitter.graph.weights(op.ins[1]).transpose(3, 0, 1, 2)
    out = emitter.channels(op.outs[0]) if op.attr["depthMultiplier"] == 1 else weights.shape[0]
    _write_convolution(emitter, op, weights, emitter.channels(op.ins[0]), out)


def _write_convolution(emitter: Emitter, op: Op, weights: NDArray[np.float32], groups: int, channels_out: int) -> None:
    graph = emitter.graph
    out, _, kernel_h, kernel_w = weights.shape
    target_h, target_w = graph.shape[op.outs[0]][1:3]
    emitter.macs += target_h * target_w * weights.size
    per_group = emitter.channels(op.ins[0]) // groups
    padded = np.zeros((channels_out, per_group, kernel_h, kernel_w), np.float32)
    padded[:out, : weights.shape[1]] = weights
    bias = None
    if len(op.ins) > 2 and op.ins[2] >= 0:
        bias = np.zeros(channels_out, np.float32)
        bias[:out] = graph.weights(op.ins[2])
    padded, bias = _apply_signs(emitter, op, padded, bias, groups)

    top, left, bottom, right = _total_pads(emitter, op, kernel_h, kernel_w)
    stride_w = op.attr["strideW"]
    if emitter.flat and reads_input(graph, op):
        if groups != 1 or op.attr["dilationWFactor"] != 1:
            raise ModelError(f"{graph.stem}: the first convolution cannot read interleaved pixels")
        padded = flatten_weights(padded)
        kernel_w, stride_w, left, right = (per_group * size for size in (kernel_w, stride_w, left, right))
    inputs = [emitter.value[op.ins[0]], emitter.init(padded)]
    if bias is not None:
        inputs.append(emitter.init(bias, "b"))
    value = emitter.node(
        "Conv",
        inputs,
        group=groups,
        kernel_shape=[kernel_h, kernel_w],
        pads=[top, left, bottom, right],
        strides=[op.attr["strideH"], stride_w],
        dilations=[op.attr["dilationHFactor"], op.attr["dilationWFactor"]],
    )
    emitter.value[op.outs[0]] = emitter.activation(value, op.activation)


def _total_pads(emitter: Emitter, op: Op, kernel_h: int, kernel_w: int) -> Pads:
    """The convolution's own padding and that of a PAD in front of it."""
    top, left, bottom, right = emitter.pads.get(op.ins[0], (0, 0, 0, 0))
    if op.attr["padding"] == SAME_PADDING:
        height, width = emitter.graph.shape[op.ins[0]][1:3]
        before_h, after_h = same_pads(height, kernel_h, op.attr["strideH"], op.attr["dilationHFactor"])
        before_w, after_w = same_pads(width, kernel_w, op.attr["strideW"], op.attr["dilationWFactor"])
        return top + before_h, left + before_w, bottom + after_h, right + after_w
    return top, left, bottom, right


def _apply_signs(
    emitter: Emitter,
    op: Op,
    weights: NDArray[np.float32],
    bias: NDArray[np.float32] | None,
    groups: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
    """Absorb negated input channels, and negate output channels where the sum behind wants it."""
    read = emitter.signs.get(op.ins[0])
    if read is not None:
        out, per_group = weights.shape[:2]
        by_group = weights.reshape(groups, out // groups, *weights.shape[1:])
        weights = (by_group * read.reshape(groups, 1, per_group, 1, 1)).reshape(weights.shape)
    wanted = _sign_of_sum(emitter, op.outs[0])
    if wanted is not None:
        emitter.signs[op.outs[0]] = wanted
        weights = weights * wanted.reshape(-1, 1, 1, 1)
        bias = None if bias is None else bias * wanted
    return weights, bias


def _sign_of_sum(emitter: Emitter, tensor: int) -> NDArray[np.float32] | None:
    """Signs that `tensor` needs so that it can be added to the other side of its sum."""
    users = emitter.graph.consumers(tensor)
    if len(users) == 1 and users[0].kind == "ADD":
        for other in users[0].ins:
            if other != tensor and other in emitter.signs:
                return emitter.signs[other]
    return None


@emits("PAD")
def emit_pad(emitter: Emitter, op: Op) -> None:
    """Write a padding, if it has to be written at all.

    Spatial padding in front of convolutions goes into their own. Channel padding is what a residual block does where it
    becomes wider. Rounded channel counts make most of it vanish (`Emitter.channels`); the rest is a 1x1 convolution
    with an identity matrix, which stays in the blocked layout, where Pad has no form. Gain: 1 to 4 %.
    """
    (_, _), (top, bottom), (left, right), (front, _) = emitter.graph.const[op.ins[1]].reshape(-1, 2).tolist()
    source, target = op.ins[0], op.outs[0]
    value = emitter.value[source]
    spatial = any((top, bottom, left, right))
    declared = emitter.graph.shape[target][3] - emitter.graph.shape[source][3]
    if emitter.options.fold_pads and spatial and not declared and _only_unpadded_convolutions(emitter.graph, target):
        emitter.pads[target] = (top, left, bottom, right)
        emitter.value[target] = value
        return
    added = emitter.channels(target) - emitter.channels(source) - front
    if not spatial and not front and not added:
        emitter.value[target] = value
        return
    if (emitter.options.pads_as_convolutions or op.groups > 1) and not spatial and not front:
        identity = _grouped_identity(emitter, op)
        emitter.value[target] = emitter.node("Conv", [value, identity], kernel_shape=[1, 1], group=op.groups)
        return
    pads = emitter.ints(0, front, top, left, 0, added, bottom, right, base="p")
    emitter.value[target] = emitter.node("Pad", [value, pads])


def _only_unpadded_convolutions(graph: Graph, tensor: int) -> bool:
    return all(op.kind in CONVOLUTIONS and op.attr["padding"] == VALID_PADDING for op in graph.consumers(tensor))


def _grouped_identity(emitter: Emitter, op: Op) -> str:
    """Weights that copy the channels of each group and leave its added ones zero."""
    groups = op.groups
    stored_in, stored_out = (emitter.channels(tensor) // groups for tensor in (op.ins[0], op.outs[0]))
    real = range(emitter.graph.shape[op.ins[0]][3] // groups)
    identity = np.zeros((groups, stored_out, stored_in, 1, 1), np.float32)
    identity[:, real, real] = 1
    return emitter.init(identity.reshape(-1, stored_in, 1, 1))


@emits("Convolution2DTransposeBias")
def emit_custom_transposed(emitter: Emitter, op: Op) -> None:
    """Write MediaPipe's custom operator, a transposed convolution with bias.

    Its options are three int32: padding (1 is SAME, 2 is VALID, the same thing here), stride along x, stride along y.
    """
    _, stride_w, stride_h = np.frombuffer(op.custom, np.int32)[:3].tolist()
    picture, weights, bias = op.ins
    _write_transposed(emitter, op.outs[0], picture, weights, bias, (stride_h, stride_w))


@emits("TRANSPOSE_CONV")
def emit_transposed(emitter: Emitter, op: Op) -> None:
    """Write the builtin transposed convolution, by which `litert_builtin` replaces the custom one."""
    _, weights, picture, bias = op.ins
    _write_transposed(emitter, op.outs[0], picture, weights, bias, (op.attr["strideH"], op.attr["strideW"]))


def _write_transposed(
    emitter: Emitter, target: int, picture: int, weights: int, bias: int, strides: tuple[int, int]
) -> None:
    graph = emitter.graph
    kernel = graph.weights(weights)
    out, kernel_h, kernel_w, channels = kernel.shape
    if (kernel_h, kernel_w) != strides:
        raise ModelError(f"{graph.stem}: a transposed convolution with overlapping windows is not supported")
    height, width = graph.shape[picture][1:3]
    emitter.macs += height * width * kernel.size
    padded = np.zeros((emitter.channels(picture), out, kernel_h, kernel_w), np.float32)
    padded[:channels] = kernel.transpose(3, 0, 1, 2)
    emitter.value[target] = emitter.node(
        "ConvTranspose",
        [emitter.value[picture], emitter.init(padded), emitter.init(graph.weights(bias), "b")],
        kernel_shape=[kernel_h, kernel_w],
        strides=list(strides),
    )
