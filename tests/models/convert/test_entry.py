"""A uint8 BGR picture as input: the same numbers as a float RGB one, at the borders too."""

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper

from models.convert.entry import flatten_weights
from models.convert.onnx_entry import count_macs, take_picture
from models.errors import ModelError


def network(
    kernel: int, stride: int, pads: list[int], height: int = 6, width: int = 8, **conv: object
) -> onnx.ModelProto:
    """A convolution over a float RGB picture, then an enlargement whose size is computed at run time."""
    weights = np.random.default_rng(3).integers(-4, 5, (5, 3, kernel, kernel)).astype(np.float32)
    bias = np.arange(5, dtype=np.float32)
    settings = {"kernel_shape": [kernel, kernel], "strides": [stride, stride], "pads": pads, "dilations": [1, 1]}
    settings |= {"group": 1} | conv
    out_h = (height + pads[0] + pads[2] - kernel) // stride + 1
    out_w = (width + pads[1] + pads[3] - kernel) // stride + 1
    nodes = [
        helper.make_node("Conv", ["rgb", "weights", "bias"], ["seen"], **settings),
        helper.make_node("Shape", ["seen"], ["size"]),
        helper.make_node("Mul", ["size", "factors"], ["larger"]),
        helper.make_node("Resize", ["seen", "", "", "larger"], ["out"], mode="nearest"),
    ]
    constants = {"weights": weights, "bias": bias, "factors": np.array([1, 1, 2, 2], np.int64)}
    graph = helper.make_graph(
        nodes,
        "toy",
        [helper.make_tensor_value_info("rgb", TensorProto.FLOAT, [1, 3, height, width])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, 5, 2 * out_h, 2 * out_w])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def run(model: onnx.ModelProto, feed: np.ndarray) -> np.ndarray:
    """The output of a model of one input."""
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: feed})[0]


def test_flat_weights_lie_pixel_by_pixel() -> None:
    weights = np.arange(2 * 3 * 2 * 2, dtype=np.float32).reshape(2, 3, 2, 2)
    flat = flatten_weights(weights)
    assert flat.shape == (2, 1, 2, 6)
    # First output, first row: both columns, three channels each.
    np.testing.assert_array_equal(flat[0, 0, 0], [0, 4, 8, 1, 5, 9])


@pytest.mark.parametrize(
    ("kernel", "stride", "pads"),
    [(1, 1, [0, 0, 0, 0]), (3, 1, [1, 1, 1, 1]), (3, 2, [1, 1, 1, 1]), (3, 2, [0, 0, 1, 1]), (5, 2, [2, 1, 1, 2])],
)
def test_a_bgr_picture_gives_what_floats_gave(kernel: int, stride: int, pads: list[int]) -> None:
    original = network(kernel, stride, pads)
    bgr = np.random.default_rng(4).integers(0, 256, (1, 6, 8, 3), np.uint8)
    rgb = bgr[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32)
    converted = take_picture(original)
    # Small whole numbers: float32 is exact, so equal means equal.
    np.testing.assert_array_equal(run(converted, bgr), run(original, rgb))
    assert "Shape" not in {node.op_type for node in converted.graph.node}
    assert original.graph.input[0].name == "rgb", "the original stays as it was"


def test_count_macs() -> None:
    # 6x8 outputs of 5 channels, each a sum over 3 channels of 3x3 pixels.
    assert count_macs(network(3, 1, [1, 1, 1, 1])) == 6 * 8 * 5 * 3 * 9


def test_a_dilated_first_convolution_is_refused() -> None:
    with pytest.raises(ModelError, match="toy: the first convolution cannot read interleaved pixels"):
        take_picture(network(3, 1, [2, 2, 2, 2], dilations=[2, 2]))


def test_another_start_is_refused() -> None:
    model = network(3, 1, [1, 1, 1, 1])
    model.graph.node[0].op_type = "ConvTranspose"
    with pytest.raises(ModelError, match="toy: the input does not lead to one single convolution"):
        take_picture(model)
