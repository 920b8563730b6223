"""Pooling, resizing and moving data around."""

from __future__ import annotations

import numpy as np

from models.convert.emit_conv import same_pads
from models.convert.emitter import Emitter, emits
from models.convert.graph import SAME_PADDING, Op
from models.errors import ModelError

_CHANNELS_FIRST = (0, 2, 3, 1)
"""Where an axis of NHWC is in NCHW."""


@emits("MAX_POOL_2D")
def emit_max_pool(emitter: Emitter, op: Op) -> None:
    """Write the maximum over a sliding window."""
    height, width = emitter.graph.shape[op.ins[0]][1:3]
    kernel = [op.attr["filterHeight"], op.attr["filterWidth"]]
    strides = [op.attr["strideH"], op.attr["strideW"]]
    top = left = bottom = right = 0
    if op.attr["padding"] == SAME_PADDING:
        top, bottom = same_pads(height, kernel[0], strides[0])
        left, right = same_pads(width, kernel[1], strides[1])
    emitter.value[op.outs[0]] = emitter.node(
        "MaxPool",
        [emitter.value[op.ins[0]]],
        kernel_shape=kernel,
        strides=strides,
        pads=[top, left, bottom, right],
    )


@emits("MEAN", "AVERAGE_POOL_2D", "GLOBAL_MEAN")
def emit_global_mean(emitter: Emitter, op: Op) -> None:
    """Write the mean of each channel.

    Raises
    ------
    ModelError
        If it is a mean over only a part of the picture.
    """
    if not emitter.graph.is_global_mean(op):
        raise ModelError(f"{emitter.graph.stem}: a mean over a part of the picture is not supported")
    emitter.value[op.outs[0]] = emitter.node("GlobalAveragePool", [emitter.value[op.ins[0]]])


@emits("RESIZE_BILINEAR")
def emit_resize(emitter: Emitter, op: Op) -> None:
    """Write a bilinear resize."""
    small_h, small_w = emitter.graph.shape[op.ins[0]][1:3]
    large_h, large_w = emitter.graph.shape[op.outs[0]][1:3]
    scales = emitter.init(np.array([1, 1, large_h / small_h, large_w / small_w], np.float32), "s")
    emitter.value[op.outs[0]] = emitter.node(
        "Resize",
        [emitter.value[op.ins[0]], "", scales],
        mode="linear",
        coordinate_transformation_mode=emitter.graph.resize_mode(op),
    )


@emits("DEPTH_TO_SPACE")
def emit_depth_to_space(emitter: Emitter, op: Op) -> None:
    """Write the rearrangement of channels into blocks of pixels."""
    emitter.value[op.outs[0]] = emitter.node(
        "DepthToSpace", [emitter.value[op.ins[0]]], blocksize=op.attr["blockSize"], mode="DCR"
    )


@emits("RESHAPE")
def emit_reshape(emitter: Emitter, op: Op) -> None:
    """Write a new shape for the same elements, in the order that they have with channels last.

    Raises
    ------
    ModelError
        If the result would be a picture of more than one pixel.
    """
    source, target = (emitter.graph.shape[tensor] for tensor in (op.ins[0], op.outs[0]))
    value = emitter.value[op.ins[0]]
    if len(source) == 4 and not emitter.graph.is_point(op.ins[0]):
        value = emitter.node("Transpose", [value], perm=[0, 2, 3, 1])
    if len(target) == 4:
        if not emitter.graph.is_point(op.outs[0]):
            raise ModelError(f"{emitter.graph.stem}: a reshape to a picture is not supported")
        target = [target[0], target[3], 1, 1]
    emitter.value[op.outs[0]] = emitter.node("Reshape", [value, emitter.ints(*target, base="s")])


@emits("CONCATENATION")
def emit_concatenation(emitter: Emitter, op: Op) -> None:
    """Write tensors one behind the other."""
    rank = len(emitter.graph.shape[op.outs[0]])
    axis = op.attr["axis"] % rank
    if rank == 4:
        axis = _CHANNELS_FIRST[axis]
    emitter.value[op.outs[0]] = emitter.node("Concat", [emitter.value[tensor] for tensor in op.ins], axis=axis)


@emits("STRIDED_SLICE")
def emit_slice(emitter: Emitter, op: Op) -> None:
    """Write nothing: the only slices that occur take everything.

    Raises
    ------
    ModelError
        If one does not.
    """
    if emitter.graph.shape[op.ins[0]] != emitter.graph.shape[op.outs[0]]:
        raise ModelError(f"{emitter.graph.stem}: a slice of a part of a tensor is not supported")
    emitter.value[op.outs[0]] = emitter.value[op.ins[0]]
