"""The attention mesh's custom operators, one by one, as standard operators (see `attention` for what they do).

The literal graph uses these. The shipped ones do the same for all crops at once (`emit_merged`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.convert.attention import read_crop_size, read_crop_transform
from models.convert.emitter import Emitter, emits
from models.convert.graph import Op
from models.errors import ModelError

ROTATION_TERMS = np.array([[1, 0, 0, 1], [0, -1, 1, 0]], np.float32)
"""(c, s) times this is (c, -s, s, c): a rotation matrix, row by row."""


def crop_pixels(width: int, height: int) -> NDArray[np.float32]:
    """Centres of a crop's pixels as homogeneous columns (u + 0.5, v + 0.5, 1), row by row: shape (3, width*height)."""
    u, v = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    return np.stack([u.ravel(), v.ravel(), np.ones(width * height)]).astype(np.float32)


def difference_row(count: int) -> NDArray[np.float32]:
    """A row that, times a list of `count` points, is the second minus the first."""
    row = np.zeros((1, count), np.float32)
    row[0, :2] = -1, 1
    return row


def push_outside(emitter: Emitter, over: str, axis: int) -> str:
    """0 where nothing in `over` is above zero along `axis`, else 8: enough to leave GridSample's picture altogether.

    TransformTensorBilinear gives zero for every sample outside the pixel centres, where GridSample would fade between
    the border and zero. The step is a Clip, because Sign has no WebGPU kernel; grid coordinates differ by 6e-8 at
    least, which the factor makes 60.
    """
    most = emitter.node("ReduceMax", [over], axes=[axis], keepdims=1)
    steep = emitter.node("Mul", [most, emitter.init(np.float32(1e9))])
    return emitter.node("Clip", [steep, emitter.init(np.float32(0)), emitter.init(np.float32(8))])


@emits("Landmarks2TransformMatrix")
def emit_crop_affine(emitter: Emitter, op: Op) -> None:
    """Write the affine map of a crop, [2, 3].

    In the frame of the axis (basis B, columns along and across it) the subset's box has size `size` and centre `mid`.
    With ``step = size * scale / crop size``, the crop's pixel p lies at ``B @ (step * (p - crop size / 2) + mid)``.
    """
    transform = read_crop_transform(op)
    width, height = transform.size_wh
    points = [*transform.axis, *transform.subset]
    count = len(points)
    xy = emitter.node("Slice", [emitter.value[op.ins[0]], emitter.ints(0), emitter.ints(2), emitter.ints(2)])
    picked = emitter.node("Gather", [xy, emitter.ints(*points)], axis=1)
    picked = emitter.node("Reshape", [picked, emitter.ints(count, 2)])

    direction = emitter.node("MatMul", [emitter.init(difference_row(count)), picked])
    squares = emitter.node("Mul", [direction, direction])
    length = emitter.node("Sqrt", [emitter.node("ReduceSum", [squares, emitter.ints(1)], keepdims=1)])
    unit = emitter.node("Div", [direction, length])
    terms = emitter.node("MatMul", [unit, emitter.init(ROTATION_TERMS)])
    basis = emitter.node("Reshape", [terms, emitter.ints(2, 2)])

    turned = emitter.node("MatMul", [picked, basis])
    high = emitter.node("ReduceMax", [turned], axes=[0], keepdims=1)
    low = emitter.node("ReduceMin", [turned], axes=[0], keepdims=1)
    size = emitter.node("Sub", [high, low])
    middle = emitter.node("Mul", [emitter.node("Add", [high, low]), emitter.init(np.float32(0.5))])
    per_pixel = np.array([[transform.scale_xy[0] / width, transform.scale_xy[1] / height]], np.float32)
    step = emitter.node("Mul", [size, emitter.init(per_pixel)])

    linear = emitter.node("Mul", [basis, step])
    half = emitter.node("Mul", [step, emitter.init(np.array([[width / 2, height / 2]], np.float32))])
    corner = emitter.node("Transpose", [emitter.node("Sub", [middle, half])], perm=[1, 0])
    shift = emitter.node("MatMul", [basis, corner])
    emitter.value[op.outs[0]] = emitter.node("Concat", [linear, shift], axis=1)


@emits("TransformTensorBilinear")
def emit_crop(emitter: Emitter, op: Op) -> None:
    """Write the bilinear samples of a crop: at A(u + 0.5, v + 0.5) - 0.5 for the pixel (u, v)."""
    feature, affine = op.ins
    width, height = read_crop_size(op)
    source_h, source_w = emitter.graph.shape[feature][1:3]
    position = emitter.node("MatMul", [emitter.value[affine], emitter.init(crop_pixels(width, height))])
    half = emitter.init(np.array([[source_w / 2.0], [source_h / 2.0]], np.float32))
    grid = emitter.node("Sub", [emitter.node("Div", [position, half]), emitter.init(np.float32(1))])
    inside = emitter.init(np.array([[1 - 1.0 / source_w], [1 - 1.0 / source_h]], np.float32))
    over = emitter.node("Relu", [emitter.node("Sub", [emitter.node("Abs", [grid]), inside])])
    grid = emitter.node("Add", [grid, push_outside(emitter, over, axis=0)])
    grid = emitter.node("Transpose", [grid], perm=[1, 0])
    grid = emitter.node("Reshape", [grid, emitter.ints(1, height, width, 2)])
    emitter.value[op.outs[0]] = emitter.node(
        "GridSample", [emitter.value[feature], grid], mode="bilinear", padding_mode="zeros", align_corners=0
    )


@emits("TransformLandmarks")
def emit_points_back(emitter: Emitter, op: Op) -> None:
    """Write x, y of a head's points through an affine.

    Raises
    ------
    ModelError
        If the points have a z, which no head's have.
    """
    points, affine = op.ins
    if emitter.graph.shape[points][2] != 2:
        raise ModelError(f"{emitter.graph.stem}: refined points with a depth are not supported")
    matrix = emitter.value[affine]
    linear = emitter.node("Slice", [matrix, emitter.ints(0), emitter.ints(2), emitter.ints(1)])
    shift = emitter.node("Slice", [matrix, emitter.ints(2), emitter.ints(3), emitter.ints(1)])
    turned = emitter.node("Transpose", [linear], perm=[1, 0])
    mapped = emitter.node("MatMul", [emitter.value[points], turned])
    emitter.value[op.outs[0]] = emitter.node("Add", [mapped, emitter.node("Transpose", [shift], perm=[1, 0])])
