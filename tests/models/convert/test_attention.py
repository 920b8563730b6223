"""The attention mesh's custom operators against a NumPy evaluation, and the merged heads against separate ones."""

import copy
from dataclasses import replace

import numpy as np
import pytest
from flatbuffers import flexbuffers

from models.convert.assemble import assemble_points
from models.convert.attention import read_crop_transform
from models.convert.options import LITERAL
from models.convert.rewrite_heads import merge_heads
from models.errors import ModelError

SIDE = 16
LIPS, LEFT, RIGHT = list(range(40, 60)), list(range(100, 118)), list(range(200, 218))


def transform_options(axis: tuple[int, int], subset: list[int], rotation: float = 0.0) -> bytes:
    """Options of a Landmarks2TransformMatrix."""
    return bytes(
        flexbuffers.Dumps(
            {
                "left_rotation_idx": axis[0],
                "right_rotation_idx": axis[1],
                "target_rotation_radians": rotation,
                "subset_idxs": subset,
                "scale_x": 1.5,
                "scale_y": 1.5,
                "output_width": SIDE,
                "output_height": SIDE,
            }
        )
    )


CROP_OPTIONS = bytes(flexbuffers.Dumps({"output_width": SIDE, "output_height": SIDE}))


def expected_affine(points: np.ndarray, axis: tuple[int, int], subset: list[int]) -> np.ndarray:
    """A(u, v) = centre + R * (1.5 * size / 16 * ((u, v) - 8)), box and centre measured along the axis."""
    dx, dy = points[axis[1], :2] - points[axis[0], :2]
    angle = np.arctan2(dy, dx)
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    along = points[[*axis, *subset], :2] @ rotation
    size = along.max(0) - along.min(0)
    centre = rotation @ ((along.max(0) + along.min(0)) / 2)
    linear = rotation @ np.diag(1.5 * size / SIDE)
    return np.column_stack([linear, centre - linear @ (SIDE / 2, SIDE / 2)])


def expected_crop(feature: np.ndarray, affine: np.ndarray) -> np.ndarray:
    """Bilinear samples at A(u + 0.5, v + 0.5) - 0.5; a sample outside the pixel centres is zero."""
    height, width, channels = feature.shape
    crop = np.zeros((SIDE, SIDE, channels))
    for v in range(SIDE):
        for u in range(SIDE):
            x, y = affine @ (u + 0.5, v + 0.5, 1) - 0.5
            if not (0 <= x <= width - 1 and 0 <= y <= height - 1):
                continue
            left, top = min(int(x), width - 2), min(int(y), height - 2)
            fx, fy = x - left, y - top
            rows = feature[top : top + 2, left : left + 2]
            crop[v, u] = (1 - fy) * ((1 - fx) * rows[0, 0] + fx * rows[0, 1])
            crop[v, u] += fy * ((1 - fx) * rows[1, 0] + fx * rows[1, 1])
    return crop


@pytest.fixture
def points(tiny) -> np.ndarray:
    """468 points somewhere in a feature map of 48x48, (468, 3)."""
    return tiny.random.uniform(4, 44, (468, 3)).astype(np.float32)


def test_the_affine_of_a_crop(tiny, run, points) -> None:
    mesh = tiny.input(1, 468, 3)
    custom = transform_options((61, 291), LIPS)
    tiny.graph.outputs = [tiny.op("Landmarks2TransformMatrix", [mesh], (1, 4, 4), custom)]
    found = run(tiny.graph, LITERAL, {mesh: points[None]})[0]
    np.testing.assert_allclose(found, expected_affine(points, (61, 291), LIPS), rtol=0, atol=2e-5)


def test_an_upright_box_is_cut_as_it_is(tiny, run) -> None:
    """Axis along x, box from (10, 20) to (26, 28): the crop is 24 wide and 12 high around (18, 24)."""
    points = np.full((468, 3), 18, np.float32)
    points[:2, :2] = [[10, 24], [26, 24]]
    points[2:4, :2] = [[18, 20], [18, 28]]
    mesh = tiny.input(1, 468, 3)
    tiny.graph.outputs = [tiny.op("Landmarks2TransformMatrix", [mesh], (1, 4, 4), transform_options((0, 1), [2, 3]))]
    found = run(tiny.graph, LITERAL, {mesh: points[None]})[0]
    np.testing.assert_allclose(found, [[1.5, 0, 6], [0, 0.75, 18]], rtol=0, atol=1e-5)


def test_a_target_rotation_is_refused(tiny) -> None:
    mesh = tiny.input(1, 468, 3)
    tiny.op("Landmarks2TransformMatrix", [mesh], (1, 4, 4), transform_options((0, 1), [2, 3], rotation=0.5))
    with pytest.raises(ModelError, match="target rotation"):
        read_crop_transform(tiny.graph.ops[0])


@pytest.mark.parametrize(
    "affine",
    [
        [[1.0, 0, 10], [0, 1.0, 12]],
        [[1.5, -0.4, 9], [0.4, 1.5, 3]],
        [[2.0, 0, -8], [0, 2.0, 30]],
        [[1.0, 0, -0.5], [0, 1.0, 0]],
        [[3.0, 0, 0], [0, 3.0, 0]],
        [[9.0, 0, 100], [0, 9.0, -400]],
    ],
    ids=["inside", "turned", "over two edges", "half a pixel over", "the whole map", "far away"],
)
def test_a_crop_is_sampled_and_zero_outside(tiny, run, affine) -> None:
    feature, matrix = tiny.input(1, 48, 48, 3), tiny.input(2, 3)
    tiny.graph.outputs = [tiny.op("TransformTensorBilinear", [feature, matrix], (1, SIDE, SIDE, 3), CROP_OPTIONS)]
    values = tiny.random.normal(size=(1, 48, 48, 3)).astype(np.float32)
    found = run(tiny.graph, LITERAL, {feature: values, matrix: np.float32(affine)})[0]
    np.testing.assert_allclose(found[0], expected_crop(values[0], np.array(affine)), rtol=0, atol=1e-4)


def test_points_go_back_through_the_affine(tiny, run) -> None:
    points, matrix = tiny.input(1, 2, 2), tiny.input(2, 3)
    tiny.graph.outputs = [tiny.op("TransformLandmarks", [points, matrix], (1, 2, 2))]
    feeds = {points: np.float32([[[0, 0], [2, 1]]]), matrix: np.float32([[3, -1, 10], [1, 4, 20]])}
    np.testing.assert_array_equal(run(tiny.graph, LITERAL, feeds)[0], [[[10, 20], [15, 26]]])


def attention_graph(tiny):
    """A small network with the structure of the attention mesh: three crops, five heads, a face flag."""
    feature, mesh, flag = tiny.input(1, 48, 48, 4), tiny.input(1, 1, 1, 1404), tiny.input(1, 1, 1, 1)
    points = tiny.op("RESHAPE", [mesh], (1, 468, 3))
    quarter = tiny.const(np.float32([0.25]))
    small = tiny.op("MUL", [points, quarter], (1, 468, 3), fusedActivationFunction=0)
    crops, affines = [], []
    for axis, subset in (((61, 291), LIPS), ((33, 133), LEFT), ((362, 263), RIGHT)):
        custom = transform_options(axis, subset)
        affines.append(tiny.op("Landmarks2TransformMatrix", [small], (1, 4, 4), custom))
        crops.append(tiny.op("TransformTensorBilinear", [feature, affines[-1]], (1, SIDE, SIDE, 4), CROP_OPTIONS))
    back = np.float32([[4, 1, 1, 4], [1, 4, 1, 4], [1, 1, 1, 1], [1, 1, 1, 1]])
    heads = []
    for crop, count in ((0, len(LIPS)), (1, len(LEFT)), (2, len(RIGHT)), (1, 5), (2, 5)):
        body = tiny.prelu(tiny.conv(crops[crop], 3, kernel=3), [0.1 * len(heads), 0.5, 1.5])
        wider = tiny.op("PAD", [body, tiny.const(np.int32([[0, 0], [0, 0], [0, 0], [0, 2]]))], (1, SIDE, SIDE, 5))
        pooled = tiny.op(
            "MAX_POOL_2D", [wider], (1, 8, 8, 5), filterHeight=2, filterWidth=2, strideH=2, strideW=2, padding=1
        )
        last = tiny.conv(pooled, 2 * count, kernel=8, padding=1)
        flat = tiny.op("RESHAPE", [last], (1, count, 2))
        scale = tiny.const(back.reshape(1, 4, 4) * (1 + len(heads)))
        matrix = tiny.op("MUL", [affines[crop], scale], (1, 4, 4), fusedActivationFunction=0)
        heads.append(tiny.op("TransformLandmarks", [flat, matrix], (1, count, 2)))
    seen = tiny.op("RELU", [flag], (1, 1, 1, 1))
    mesh_out = tiny.op("RESHAPE", [mesh], (1, 1404))
    tiny.graph.outputs = [mesh_out, *heads, seen]
    return {
        feature: tiny.random.normal(size=(1, 48, 48, 4)).astype(np.float32),
        mesh: tiny.random.uniform(16, 176, (1, 1, 1, 1404)).astype(np.float32),
        flag: np.float32([[[[3]]]]),
    }


def test_merged_heads_give_the_same_points(tiny, run) -> None:
    feeds = attention_graph(tiny)
    graph = tiny.graph
    transforms = [read_crop_transform(op) for op in graph.ops if op.kind == "Landmarks2TransformMatrix"]
    raw = run(copy.deepcopy(graph), LITERAL, feeds)
    separate_convolutions = run.nodes.count("Conv")
    names = ("mesh", "lips", "left_eye", "right_eye", "left_iris", "right_iris")
    named = dict(zip(names, [raw[0].reshape(1, 468, 3), *raw[1:6]], strict=True))
    expected = assemble_points(named, tuple(transforms))

    points, flag = run(graph, replace(LITERAL, merge_heads=True), feeds)
    size = np.abs(expected).max()
    np.testing.assert_allclose(points.reshape(1, 478, 3), expected, rtol=0, atol=2e-6 * size)
    assert flag.ravel() == [3]
    assert separate_convolutions == 10
    # Two grouped convolutions, and the one that pads channels in groups.
    assert run.nodes.count("Conv") == 3
    assert run.nodes.count("GridSample") == 1


def test_points_are_assembled_by_subset(tiny) -> None:
    raw = {
        "mesh": np.arange(1404, dtype=np.float32).reshape(1, 468, 3),
        "lips": np.full((1, 20, 2), -1, np.float32),
        "left_eye": np.full((1, 18, 2), -2, np.float32),
        "right_eye": np.full((1, 18, 2), -3, np.float32),
        "left_iris": np.full((1, 5, 2), -4, np.float32),
        "right_iris": np.full((1, 5, 2), -5, np.float32),
    }
    for subset in (LIPS, LEFT, RIGHT):
        tiny.op("Landmarks2TransformMatrix", [], (1, 4, 4), transform_options((0, 1), subset))
    points = assemble_points(raw, tuple(read_crop_transform(op) for op in tiny.graph.ops))[0]
    np.testing.assert_array_equal(points[[0, 50, 110, 210, 468, 477], 0], [0, -1, -2, -3, -4, -5])
    np.testing.assert_array_equal(points[:468, 2], raw["mesh"][0, :, 2])
    # The contour of the left eye is its first 16 points, 100 to 115: z from 302 in steps of 3.
    np.testing.assert_array_equal(points[468:473, 2], np.full(5, 302 + 3 * 7.5))


def test_a_graph_without_crops_stays_as_it_is(tiny) -> None:
    tiny.graph.outputs = [tiny.conv(tiny.input(1, 4, 4, 3), 2)]
    before = list(tiny.graph.ops)
    merge_heads(tiny.graph)
    assert tiny.graph.ops == before


def test_crops_of_different_maps_are_refused(tiny) -> None:
    attention_graph(tiny)
    last = [op for op in tiny.graph.ops if op.kind == "TransformTensorBilinear"][-1]
    last.ins[0] = tiny.input(1, 48, 48, 4)
    with pytest.raises(ModelError, match="not cut from one feature map by one mesh"):
        merge_heads(tiny.graph)
