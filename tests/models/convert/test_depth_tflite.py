"""Networks translated from ONNX to TensorFlow Lite: both runtimes compute the same; what has no twin is refused."""

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from ai_edge_litert.interpreter import Interpreter
from onnx import TensorProto, helper, numpy_helper

from models.convert.depth_tflite import to_tflite
from models.errors import ModelError

RANDOM = np.random.default_rng(11)
HEIGHT, WIDTH, CHANNELS = 12, 20, 4


def weights(*shape, dtype=np.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


def network(nodes, constants, output_shape, height=HEIGHT):
    """A network from x (1, 4, height, 20) to y."""
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, CHANNELS, height, WIDTH])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, output_shape)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def conv(source, target, kernel, stride=1, group=1):
    pads = [kernel // 2] * 4
    inputs = [source, "w", "b"]
    shape = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": pads, "group": group}
    return helper.make_node("Conv", inputs, [target], **shape)


def both(model):
    """Outputs of ONNX Runtime and of LiteRT on the same input, NHWC."""
    picture = RANDOM.standard_normal([1, CHANNELS, HEIGHT, WIDTH]).astype(np.float32)
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, {"x": picture})[0].transpose(0, 2, 3, 1)
    interpreter = Interpreter(model_content=to_tflite(model))
    interpreter.allocate_tensors()
    interpreter.set_tensor(
        interpreter.get_input_details()[0]["index"], np.ascontiguousarray(picture.transpose(0, 2, 3, 1))
    )
    interpreter.invoke()
    return expected, interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


def assert_same(model):
    expected, found = both(model)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("kernel", [1, 3, 5])
@pytest.mark.parametrize("outputs", [1, 6])
def test_convolutions(stride, kernel, outputs):
    if stride == 2 and kernel == 1:
        kernel = 3
    constants = {"w": weights(outputs, CHANNELS, kernel, kernel), "b": weights(outputs)}
    shape = [1, outputs, HEIGHT // stride, WIDTH // stride]
    assert_same(network([conv("x", "y", kernel, stride)], constants, shape))


@pytest.mark.parametrize(("stride", "kernel"), [(1, 3), (1, 5), (2, 3), (2, 5)])
def test_depthwise_convolutions(stride, kernel):
    constants = {"w": weights(CHANNELS, 1, kernel, kernel), "b": weights(CHANNELS)}
    shape = [1, CHANNELS, HEIGHT // stride, WIDTH // stride]
    assert_same(network([conv("x", "y", kernel, stride, group=CHANNELS)], constants, shape))


def test_a_relu_and_a_factor_go_into_the_convolution():
    nodes = [
        conv("x", "c", 3),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Mul", ["r", "factor"], ["y"]),
    ]
    constants = {"w": weights(5, CHANNELS, 3, 3), "b": weights(5), "factor": np.float32(16)}
    model = network(nodes, constants, [1, 5, HEIGHT, WIDTH])
    assert_same(model)
    expected, _ = both(model)
    assert (expected == 0).any()
    assert (expected > 0).any()
    interpreter = Interpreter(model_content=to_tflite(model))
    names = [item["op_name"] for item in interpreter._get_ops_details() if item["op_name"] != "DELEGATE"]
    assert names == ["CONV_2D"]


def test_a_relu_that_cannot_be_fused_is_refused():
    """The convolution's own value is used as well, so nothing may be fused into it."""
    nodes = [conv("x", "c", 1), helper.make_node("Relu", ["c"], ["r"]), helper.make_node("Add", ["c", "r"], ["y"])]
    constants = {"w": weights(CHANNELS, CHANNELS, 1, 1), "b": weights(CHANNELS)}
    with pytest.raises(ModelError, match="the operator Relu"):
        to_tflite(network(nodes, constants, [1, CHANNELS, HEIGHT, WIDTH]))


def test_sums_and_enlargements():
    nodes = [
        conv("x", "c", 3, 2),
        helper.make_node(
            "Resize", ["c", "", "scales"], ["up"], mode="linear", coordinate_transformation_mode="half_pixel"
        ),
        helper.make_node("Add", ["up", "x"], ["y"]),
    ]
    constants = {
        "w": weights(CHANNELS, CHANNELS, 3, 3),
        "b": weights(CHANNELS),
        "scales": np.array([1, 1, 2, 2], np.float32),
    }
    assert_same(network(nodes, constants, [1, CHANNELS, HEIGHT, WIDTH]))


def test_weights_in_half_precision_stay_small():
    half = {"wh": weights(64, CHANNELS, 3, 3, dtype=np.float16), "b": weights(64)}
    nodes = [helper.make_node("Cast", ["wh"], ["w"], to=TensorProto.FLOAT), conv("x", "y", 3)]
    shape = [1, 64, HEIGHT, WIDTH]
    model = network(nodes, half, shape)
    assert_same(model)
    single = network([conv("x", "y", 3)], {"w": half["wh"].astype(np.float32), "b": half["b"]}, shape)
    assert len(to_tflite(single)) - len(to_tflite(model)) > half["wh"].nbytes / 2


def strange_conv(weight="w", **attributes):
    return helper.make_node("Conv", ["x", weight, "b"], ["y"], **attributes)


@pytest.mark.parametrize(
    ("node", "height_width", "sentence"),
    [
        (helper.make_node("Sigmoid", ["x"], ["y"]), (12, 20), "the operator Sigmoid .* has no translation"),
        (strange_conv(pads=[2] * 4, dilations=[2, 2]), (12, 20), "is dilated"),
        (strange_conv(pads=[1, 1, 2, 2]), (13, 21), "not the same in both directions"),
        (strange_conv(pads=[0] * 4), (10, 18), "does not keep its input centred"),
        (strange_conv("w2", pads=[1] * 4, group=2), (12, 20), "has groups"),
        (helper.make_node("Resize", ["x", "", "s"], ["y"], mode="nearest"), (24, 40), "is not bilinear"),
    ],
    ids=["operator", "dilated", "uneven", "unpadded", "groups", "nearest"],
)
def test_what_has_no_twin_is_refused(node, height_width, sentence):
    constants = {"w": weights(4, 4, 3, 3), "w2": weights(4, 2, 3, 3), "b": weights(4), "s": np.float32([1, 1, 2, 2])}
    with pytest.raises(ModelError, match=sentence):
        to_tflite(network([node], constants, [1, 4, *height_width]))


def test_an_odd_size_cannot_be_halved():
    constants = {"w": weights(4, CHANNELS, 3, 3), "b": weights(4)}
    with pytest.raises(ModelError, match="odd size"):
        to_tflite(network([conv("x", "y", 3, 2)], constants, [1, 4, 7, WIDTH // 2], height=13))
