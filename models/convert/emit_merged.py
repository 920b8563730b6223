"""The operators of the merged heads (`rewrite_heads`): all crops, all heads, all points at once."""

from __future__ import annotations

import numpy as np

from models.convert.attention import MESH_POINTS, Crops, Refine, Select, refinement_plan
from models.convert.emit_attention import ROTATION_TERMS, crop_pixels, difference_row, push_outside
from models.convert.emitter import Emitter, emits
from models.convert.graph import Op


@emits("CROPS")
def emit_crops(emitter: Emitter, op: Op) -> None:
    """Write the affines of all crops, [n, 2, 3], and one GridSample that cuts all of them, one below the other."""
    assert isinstance(op, Crops)
    feature, mesh = op.ins
    affine = _emit_affines(emitter, op, mesh)
    emitter.value[op.outs[1]] = affine

    count = len(op.transforms)
    width, height = (int(size) for size in op.transforms[0].size_wh)
    source_h, source_w = emitter.graph.shape[feature][1:3]
    channels = emitter.channels(feature)
    position = emitter.node("MatMul", [affine, emitter.init(crop_pixels(width, height))])
    to_grid = emitter.init(np.array([[2.0 / source_w], [2.0 / source_h]], np.float32))
    grid = emitter.node("Sub", [emitter.node("Mul", [position, to_grid]), emitter.init(np.float32(1))])
    size = emitter.node("Abs", [grid])
    inside = emitter.init(np.array([[1 - 1.0 / source_w], [1 - 1.0 / source_h]], np.float32))
    over = emitter.node("Relu", [emitter.node("Sub", [size, inside])])
    far = push_outside(emitter, over, axis=1)
    grid = emitter.node("Transpose", [emitter.node("Add", [grid, far])], perm=[0, 2, 1])
    grid = emitter.node("Reshape", [grid, emitter.ints(1, count * height, width, 2)])
    cut = emitter.node(
        "GridSample", [emitter.value[feature], grid], mode="bilinear", padding_mode="zeros", align_corners=0
    )
    cut = emitter.node("Reshape", [cut, emitter.ints(channels, count, height * width)])
    cut = emitter.node("Transpose", [cut], perm=[1, 0, 2])
    emitter.value[op.outs[0]] = emitter.node("Reshape", [cut, emitter.ints(1, count * channels, height, width)])


def _emit_affines(emitter: Emitter, op: Crops, mesh: int) -> str:
    """As `emit_attention.emit_crop_affine`, for all crops.

    The subsets have different lengths; the shorter ones are filled up with copies of their first point, which changes
    no box.
    """
    count = len(op.transforms)
    width, height = op.transforms[0].size_wh
    rows = [[*transform.axis, *transform.subset] for transform in op.transforms]
    longest = max(len(row) for row in rows)
    picked = np.array([row + [row[2]] * (longest - len(row)) for row in rows], np.int64)
    points = emitter.node("Reshape", [emitter.value[mesh], emitter.ints(MESH_POINTS, 3)])
    points = emitter.node("Slice", [points, emitter.ints(0), emitter.ints(2), emitter.ints(1)])
    points = emitter.node("Gather", [points, emitter.init(picked)], axis=0)

    direction = emitter.node("MatMul", [emitter.init(difference_row(longest)), points])
    length = emitter.node("ReduceL2", [direction], axes=[2], keepdims=1)
    unit = emitter.node("Div", [direction, length])
    terms = emitter.node("MatMul", [unit, emitter.init(ROTATION_TERMS)])
    basis = emitter.node("Reshape", [terms, emitter.ints(count, 2, 2)])

    turned = emitter.node("MatMul", [points, basis])
    high = emitter.node("ReduceMax", [turned], axes=[1], keepdims=1)
    low = emitter.node("ReduceMin", [turned], axes=[1], keepdims=1)
    scales = [transform.scale_xy for transform in op.transforms]
    per_pixel = np.array([[[op.scale * x / width, op.scale * y / height]] for x, y in scales], np.float32)
    step = emitter.node("Mul", [emitter.node("Sub", [high, low]), emitter.init(per_pixel)])
    middle = emitter.node("Mul", [emitter.node("Add", [high, low]), emitter.init(np.float32(0.5 * op.scale))])
    half = emitter.node("Mul", [step, emitter.init(np.array([[[width / 2, height / 2]]], np.float32))])
    corner = emitter.node("Sub", [middle, half])
    linear = emitter.node("Mul", [basis, step])
    shift = emitter.node("MatMul", [basis, emitter.node("Reshape", [corner, emitter.ints(count, 2, 1)])])
    return emitter.node("Concat", [linear, shift], axis=2)


@emits("SELECT")
def emit_select(emitter: Emitter, op: Op) -> None:
    """Write a choice of some of the equal parts of the channels."""
    assert isinstance(op, Select)
    each = emitter.channels(op.ins[0]) // op.parts
    picked = np.concatenate([np.arange(part * each, (part + 1) * each) for part in op.positions])
    emitter.value[op.outs[0]] = emitter.node("Gather", [emitter.value[op.ins[0]], emitter.init(picked)], axis=1)


@emits("REFINE")
def emit_refine(emitter: Emitter, op: Op) -> None:
    """Write the finished points: the heads' x, y mapped back and sorted in, z of the mesh, z of the irises averaged."""
    assert isinstance(op, Refine)
    mesh, last, affine = (emitter.value[tensor] for tensor in op.ins)
    count = len(op.heads)
    xy = emitter.node("Reshape", [last, emitter.ints(count, op.slots, 2)])
    maps = emitter.node("Gather", [affine, emitter.ints(*(head.crop for head in op.heads))], axis=0)
    maps = emitter.node("Mul", [maps, emitter.init(np.stack([head.scale for head in op.heads]))])
    maps = emitter.node("Transpose", [maps], perm=[0, 2, 1])
    linear = emitter.node("Slice", [maps, emitter.ints(0), emitter.ints(2), emitter.ints(1)])
    shift = emitter.node("Slice", [maps, emitter.ints(2), emitter.ints(3), emitter.ints(1)])
    xy = emitter.node("Add", [emitter.node("MatMul", [xy, linear]), shift])
    xy = emitter.node("Reshape", [xy, emitter.ints(count * op.slots, 2)])
    points = emitter.node("Reshape", [mesh, emitter.ints(MESH_POINTS, 3)])
    mesh_xy = emitter.node("Slice", [points, emitter.ints(0), emitter.ints(2), emitter.ints(1)])
    pool = emitter.node("Concat", [mesh_xy, xy], axis=0)

    pick, iris_depth = refinement_plan(op.heads, op.transforms, op.slots)
    z = emitter.node("Slice", [points, emitter.ints(2), emitter.ints(3), emitter.ints(1)])
    iris_z = emitter.node("MatMul", [emitter.init(iris_depth), z])
    z = emitter.node("Concat", [z, iris_z], axis=0)
    chosen = emitter.node("Gather", [pool, emitter.init(pick)], axis=0)
    emitter.value[op.outs[0]] = emitter.node("Concat", [chosen, z], axis=1)
