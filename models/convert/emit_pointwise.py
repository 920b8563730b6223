"""Activations and element-wise arithmetic."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.convert.channels import absorbs_sign
from models.convert.emitter import Emitter, emits
from models.convert.graph import Op
from models.errors import ModelError


@emits("PRELU")
def emit_prelu(emitter: Emitter, op: Op) -> None:
    """Write PRelu, a slope a channel for negative values.

    ``prelu(x) = a*x + relu((1-a)*x)`` for every slope a up to 1: both terms are depthwise 1x1 convolutions, into which
    ONNX Runtime fuses the ReLU of one and the sum of both, so that two passes in the blocked layout remain. PRelu
    itself has no blocked form, and the meshes are full of it. Gain: 3.85 -> 1.04 ms with 468 points, 5.66 -> 1.98 with
    478.

    For a slope above 1 the same holds for the negated output, ``-prelu(x) = -a*x + relu((a-1)*x)``: such channels stay
    negated until a reader absorbs the sign (`channels.absorbs_sign`). Gain: 2 to 4 % against the form with three
    passes, which is written where no reader can.

    Raises
    ------
    ModelError
        If the slopes differ between pixels.
    """
    slopes = emitter.graph.weights(op.ins[1])
    if slopes.size != slopes.shape[-1]:
        raise ModelError(f"{emitter.graph.stem}: a PRelu with a slope a pixel is not supported")
    count = emitter.channels(op.ins[0])
    slope = np.zeros(count, np.float32)
    slope[: slopes.size] = slopes.ravel()
    value = emitter.value[op.ins[0]]
    if not emitter.options.prelu_as_convolutions:
        written = emitter.node("PRelu", [value, emitter.init(slope.reshape(count, 1, 1))])
    elif (slope <= 1).all() or absorbs_sign(emitter.graph, op.outs[0]):
        read = emitter.signs.get(op.ins[0], np.ones(count, np.float32))
        sign = np.where(slope > 1, -1, 1).astype(np.float32)
        curved = emitter.node("Relu", [_scale_channels(emitter, value, read * abs(1 - slope))])
        written = emitter.node("Add", [_scale_channels(emitter, value, read * sign * slope), curved])
        if (sign < 0).any():
            emitter.signs[op.outs[0]] = sign
    else:
        sign_read = emitter.signs.get(op.ins[0])
        straight = value if sign_read is None else _scale_channels(emitter, value, sign_read)
        positive = emitter.node("Relu", [straight])
        read = np.ones(count, np.float32) if sign_read is None else sign_read
        terms = [_scale_channels(emitter, value, read * slope), _scale_channels(emitter, positive, 1 - slope)]
        written = emitter.node("Add", terms)
    emitter.value[op.outs[0]] = written


def _scale_channels(emitter: Emitter, value: str, factors: NDArray[np.float32]) -> str:
    """Multiply each channel by a number, as a depthwise 1x1 convolution."""
    count = factors.size
    weights = emitter.init(factors.reshape(count, 1, 1, 1))
    return emitter.node("Conv", [value, weights], group=count, kernel_shape=[1, 1])


@emits("RELU")
def emit_relu(emitter: Emitter, op: Op) -> None:
    """Write max(x, 0)."""
    emitter.value[op.outs[0]] = emitter.node("Relu", [emitter.value[op.ins[0]]])


@emits("LOGISTIC")
def emit_sigmoid(emitter: Emitter, op: Op) -> None:
    """Write 1 / (1 + exp(-x))."""
    emitter.value[op.outs[0]] = emitter.node("Sigmoid", [emitter.value[op.ins[0]]])


@emits("HARD_SWISH")
def emit_hard_swish(emitter: Emitter, op: Op) -> None:
    """Write x * clip(x/6 + 1/2, 0, 1): as one operator, or as a product that fuses into the convolution before it."""
    value = emitter.value[op.ins[0]]
    if emitter.options.split_hard_swish:
        gate = emitter.node("HardSigmoid", [value], alpha=1 / 6, beta=0.5)
        emitter.value[op.outs[0]] = emitter.node("Mul", [value, gate])
    else:
        emitter.value[op.outs[0]] = emitter.node("HardSwish", [value])


@emits("ADD")
def emit_sum(emitter: Emitter, op: Op) -> None:
    """Write a sum. Its sides have the same channels negated, or none.

    Raises
    ------
    ModelError
        If they have not.
    """
    rank = len(emitter.graph.shape[op.outs[0]])
    value = emitter.node("Add", [emitter.operand(tensor, rank) for tensor in op.ins])
    signs = [emitter.signs.get(tensor) for tensor in op.ins]
    known = [sign for sign in signs if sign is not None]
    if known:
        if len(known) != len(signs) or any((sign != known[0]).any() for sign in known):
            raise ModelError(f"{emitter.graph.stem}: the sides of a sum have different channels negated")
        emitter.signs[op.outs[0]] = known[0]
    emitter.value[op.outs[0]] = emitter.activation(value, op.activation)


@emits("MUL")
def emit_product(emitter: Emitter, op: Op) -> None:
    """Write a product.

    A channel gate is a single pixel that multiplies a whole picture. That has no blocked form, whereas a product of
    equal shapes has one and so has the resize that brings the gate to the picture's size. Gain: 7 % of the selfie
    models.
    """
    graph = emitter.graph
    rank = len(graph.shape[op.outs[0]])
    factors = [emitter.operand(tensor, rank) for tensor in op.ins]
    if emitter.options.resize_gates and rank == 4:
        for at, tensor in enumerate(op.ins):
            other = op.ins[1 - at]
            if graph.is_point(tensor) and not graph.is_point(other):
                height, width = graph.shape[other][1:3]
                scales = emitter.init(np.array([1, 1, height, width], np.float32), "s")
                factors[at] = emitter.node(
                    "Resize",
                    [factors[at], "", scales],
                    mode="nearest",
                    coordinate_transformation_mode="asymmetric",
                    nearest_mode="floor",
                )
    emitter.value[op.outs[0]] = emitter.activation(emitter.node("Mul", factors), op.activation)
