"""What is written as ONNX calculates what it should, in ONNX Runtime."""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from models.convert.depth_tflite import to_tflite
from models.convert.onnx_entry import take_picture
from models.training.onnx_writer import GraphWriter, folded


def run(model: onnx.ModelProto, **inputs: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, inputs)[0]


def test_folding_is_onnx_s_batch_normalisation():
    """Convolution and BatchNormalization as ONNX Runtime does them, against the one folded convolution."""
    rng = np.random.default_rng(4)
    weight = rng.normal(size=(5, 3, 3, 3)).astype(np.float32)
    norm = {name: rng.uniform(0.2, 2, 5).astype(np.float32) for name in ("scale", "shift", "mean", "variance")}
    nodes = [
        helper.make_node("Conv", ["x", "weight"], ["y"], pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["y", *norm], ["z"], epsilon=1e-3),
    ]
    shape = [1, 3, 8, 10], [1, 5, 8, 10]
    infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in zip("xz", shape, strict=True)]
    constants = [numpy_helper.from_array(value, name) for name, value in ({"weight": weight} | norm).items()]
    graph = helper.make_graph(nodes, "reference", infos[:1], infos[1:], constants)
    reference = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)

    new_weight, bias = folded(weight, **norm, epsilon=1e-3)
    nodes = [helper.make_node("Conv", ["x", "weight", "bias"], ["z"], pads=[1, 1, 1, 1])]
    constants = [numpy_helper.from_array(new_weight, "weight"), numpy_helper.from_array(bias, "bias")]
    graph = helper.make_graph(nodes, "folded", infos[:1], infos[1:], constants)
    ours = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)

    x = rng.normal(size=shape[0]).astype(np.float32)
    np.testing.assert_allclose(run(ours, x=x), run(reference, x=x), atol=2e-5)


@pytest.fixture
def small_network() -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """From (1, 3, 8, 12) to a map of the same size: every kind of node that the writer has."""
    rng = np.random.default_rng(6)
    values = {
        "stem": rng.normal(size=(16, 3, 3, 3)) / 255,
        "deep": rng.normal(size=(16, 1, 5, 5)) / 5,
        "out": rng.normal(size=(1, 16, 1, 1)),
    }
    weights = {name: value.astype(np.float32) for name, value in values.items()}
    # Exact in half precision, so that nothing is lost.
    weights["deep"] = weights["deep"].astype(np.float16).astype(np.float32)
    writer = GraphWriter((8, 12))
    zeros = np.zeros(16, np.float32)
    x = writer.convolution("stem", writer.input, weights["stem"], zeros, stride=2, relu=True, half=False)
    y = writer.convolution("deep", x, weights["deep"], zeros, groups=16)
    y = writer.add("sum", x, y)
    y = writer.convolution("out", y, weights["out"], np.array([2], np.float32), relu=True, half=False)
    return writer.model(writer.enlarged("large", writer.product("lift", y, 16.0)), "depth"), weights


def by_hand(image: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """The same in NumPy: windows and sums; enlarging by two takes 3/4 of the near and 1/4 of the far pixel."""

    def windows(x: np.ndarray, kernel: int) -> np.ndarray:
        padded = np.pad(x, ((0, 0), (kernel // 2,) * 2, (kernel // 2,) * 2))
        return np.lib.stride_tricks.sliding_window_view(padded, (kernel, kernel), axis=(1, 2))

    def doubled(x: np.ndarray) -> np.ndarray:
        edge = np.concatenate([x[:1], x, x[-1:]])
        pairs = np.stack([edge[:-2] / 4 + edge[1:-1] * 3 / 4, edge[1:-1] * 3 / 4 + edge[2:] / 4], 1)
        return pairs.reshape(-1, *x.shape[1:])

    x = np.maximum(np.einsum("chwij,ocij->ohw", windows(image, 3)[:, ::2, ::2], weights["stem"]), 0)
    y = x + np.einsum("chwij,cij->chw", windows(x, 5), weights["deep"][:, 0])
    out = np.maximum(np.einsum("chw,c->hw", y, weights["out"][0, :, 0, 0]) + 2, 0) * 16
    return doubled(doubled(out).T).T


def test_every_node_against_numpy(small_network):
    model, weights = small_network
    image = np.random.default_rng(7).uniform(0, 255, (3, 8, 12)).astype(np.float32)
    found = run(model, input=image[None])[0, 0]
    expected = by_hand(image, weights)
    assert np.ptp(expected) > 1
    np.testing.assert_allclose(found, expected, atol=1e-4, rtol=1e-5)


def test_weights_are_stored_in_half_precision(small_network):
    model, _ = small_network
    kinds = {item.name: item.data_type for item in model.graph.initializer}
    assert kinds["deep.weight.half"] == TensorProto.FLOAT16
    assert kinds["stem.weight"] == kinds["out.bias"] == TensorProto.FLOAT


def test_the_converters_take_it(small_network):
    """The app's uint8 BGR entry and the translation to TensorFlow Lite start from such a file."""
    model, _ = small_network
    image = np.random.default_rng(8).integers(0, 256, (1, 8, 12, 3), np.uint8)
    rgb = image[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32)
    np.testing.assert_allclose(run(take_picture(model), image=image), run(model, input=rgb), atol=1e-3)
    assert to_tflite(model)[4:8] == b"TFL3"
