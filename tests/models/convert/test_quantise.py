"""Other precisions of a small network, run by ONNX Runtime against the same network in float32."""

from itertools import pairwise

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from models.convert.check import run_onnx
from models.convert.quantise import to_half, to_int8

CHANNELS = (3, 8, 16, 8, 1)


def network() -> ModelProto:
    """Four convolutions with ReLU on a picture of 16x24, random weights that keep the values' size."""
    rng = np.random.default_rng(5)
    nodes = [
        helper.make_node("Cast", ["image"], ["float"], to=TensorProto.FLOAT),
        helper.make_node("Transpose", ["float"], ["c0"], perm=[0, 3, 1, 2]),
    ]
    weights = []
    for index, (fewer, more) in enumerate(pairwise(CHANNELS)):
        scale = (1 / 255 if index == 0 else 1) * np.sqrt(2 / (9 * fewer))
        values = rng.normal(0, scale, (more, fewer, 3, 3)).astype(np.float32)
        weights.append(numpy_helper.from_array(values, f"w{index}"))
        nodes.append(helper.make_node("Conv", [f"c{index}", f"w{index}"], [f"r{index}"], f"conv{index}", pads=[1] * 4))
        nodes.append(helper.make_node("Relu", [f"r{index}"], [f"c{index + 1}"]))
    nodes[-1].output[0] = "out"
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("image", TensorProto.UINT8, [1, 16, 24, 3])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, 1, 16, 24])],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def pictures(count: int, seed: int) -> list[np.ndarray]:
    return [np.random.default_rng(seed + number).integers(0, 256, (1, 16, 24, 3), np.uint8) for number in range(count)]


def weight_types(model: ModelProto) -> set[int]:
    return {item.data_type for item in model.graph.initializer if len(item.dims) == 4}


@pytest.fixture(scope="module")
def model() -> ModelProto:
    return network()


def test_integers_are_close_and_the_ends_stay_floats(model):
    before = model.SerializeToString()
    quantised = to_int8(model, pictures(8, 100))
    onnx.checker.check_model(quantised)
    assert model.SerializeToString() == before
    assert weight_types(quantised) == {TensorProto.FLOAT, TensorProto.INT8}
    held = {item.name: numpy_helper.to_array(item) for item in quantised.graph.initializer if len(item.dims) == 4}
    assert sum(values.dtype == np.int8 for values in held.values()) == 2
    # Seven bits: the products of two neighbours fit into 16.
    assert max(np.abs(values.astype(int)).max() for values in held.values() if values.dtype == np.int8) <= 64
    picture = pictures(1, 7)[0]
    expected, found = (run_onnx(item, "image", picture)["out"] for item in (model, quantised))
    assert 0 < np.abs(found - expected).max() < 0.06 * expected.max()


def test_halves_are_close_and_take_the_same_picture(model):
    half = to_half(model)
    assert weight_types(half) == {TensorProto.FLOAT16}
    assert half.graph.input[0].type.tensor_type.elem_type == TensorProto.UINT8
    picture = pictures(1, 8)[0]
    expected, found = (run_onnx(item, "image", picture)["out"] for item in (model, half))
    assert np.abs(found - expected).max() < 3e-3 * expected.max()
