"""Networks of the user: what they are fed and what is made of their answers equals arithmetic on the picture."""

import hashlib
import os

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import helper

from models.adopt.adopt import adopt
from models.adopt.network import PREFIX
from models.adopt.request import Request, read_request
from models.errors import ModelError
from tests.models.foreign import save, weighted_sum

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def picture(size_wh):
    width, height = size_wh
    return np.random.default_rng(7).integers(0, 256, (1, height, width, 3), np.uint8)


def probe(data, size_wh):
    session = ort.InferenceSession(data, providers=["CPUExecutionProvider"])
    names = [item.name for item in session.get_outputs()]
    return dict(zip(names, session.run(names, {"image": picture(size_wh)}), strict=True))


def added(request, tmp_path):
    """The wrapped network's answers to the picture, and what was adopted."""
    adopted = adopt(request, probe, tmp_path)
    return probe(adopted.data, adopted.manifest.input.size_wh), adopted


@pytest.mark.parametrize(("color", "channel"), [("RGB", 2), ("BGR", 0)])
def test_the_network_is_fed_normalised_channels_in_its_own_order(tmp_path, color, channel):
    file = weighted_sum(tmp_path / "net.onnx")
    answers, adopted = added(Request(file, "depth", color=color, pixel_max=1.0, mean=MEAN, std=STD), tmp_path)
    expected = (picture((32, 24))[..., channel].astype(np.float64) / 255 - MEAN[0]) / STD[0]
    gain = 1.0
    for said in adopted.assumed:
        if "multiplied by" in said:
            gain = float(said.split("multiplied by ")[1].split(",")[0])
    assert answers["depth"].shape == (1, 1, 24, 32)
    np.testing.assert_allclose(answers["depth"][0, 0], gain * expected[0], atol=2e-6)
    far, near = np.percentile(answers["depth"], (2, 98))
    assert 0.25 <= near - far <= 2.0


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_bytes_can_stay_bytes_and_the_map_may_have_any_rank(tmp_path, dtype):
    file = weighted_sum(tmp_path / "net.onnx", out=(1, 1, 24, 32), dtype=dtype)
    request = Request(file, "depth", color="BGR", pixel_max=255.0, meaning="inverse-depth")
    answers, adopted = added(request, tmp_path)
    blue = picture((32, 24))[0, ..., 0].astype(np.float64)
    scale = answers["depth"][0, 0].max() / blue.max()
    assert answers["depth"].dtype == np.float32
    np.testing.assert_allclose(answers["depth"][0, 0], scale * blue, atol=2e-3)
    assert adopted.manifest.input.size_wh == (32, 24)


def test_open_sizes_come_from_the_user_or_the_preset(tmp_path):
    file = weighted_sum(tmp_path / "net.onnx", shape=("batch", 3, "height", "width"), out=("batch", "height", "width"))
    with pytest.raises(ModelError, match="leaves the size of its input open"):
        adopt(Request(file, "depth"), probe, tmp_path)
    _, adopted = added(Request(file, "depth", input_size=(56, 42)), tmp_path)
    assert adopted.manifest.input.shape == (1, 42, 56, 3)
    assert adopted.manifest.outputs[0].shape == (1, 1, 42, 56)
    _, adopted = added(Request(file, preset="depth-anything"), tmp_path)
    assert adopted.manifest.input.size_wh == (518, 518)
    _, adopted = added(Request(file, preset="midas"), tmp_path)
    assert adopted.manifest.input.size_wh == (256, 256)
    assert adopted.manifest.task == "depth"


def test_distance_becomes_inverse_depth(tmp_path):
    file = weighted_sum(tmp_path / "net.onnx")
    request = Request(file, "depth", color="BGR", pixel_max=255.0, mean=(-1.0,), meaning="distance")
    answers, _ = added(request, tmp_path)
    distance = picture((32, 24))[0, ..., 0].astype(np.float64) + 1
    ratio = answers["depth"][0, 0] * distance
    np.testing.assert_allclose(ratio, ratio.mean(), rtol=1e-4)
    assert ratio.mean() > 0


def channels_last(path, operator, out, kind="float32", **attributes):
    nodes = [helper.make_node(operator, ["input"], ["answer"], **attributes)]
    return save(path, nodes, {}, (1, 24, 32, 3), {"answer": (kind, out)})


def test_one_map_a_class_goes_through_softmax(tmp_path):
    file = channels_last(tmp_path / "net.onnx", "Identity", (1, 24, 32, 3))
    with pytest.raises(ModelError, match="which one is a person"):
        adopt(Request(file, "segmentation"), probe, tmp_path)
    request = Request(file, "segmentation", color="RGB", pixel_max=1.0, person_class=1)
    answers, adopted = added(request, tmp_path)
    shares = np.exp(picture((32, 24))[0].astype(np.float64) / 255)
    np.testing.assert_allclose(answers["mask"][0, 0], shares[..., 1] / shares.sum(-1), atol=1e-6)
    assert any("softmax" in said for said in adopted.assumed)
    with pytest.raises(ModelError, match="3 classes, numbered from 0: 3 is none"):
        adopt(Request(file, "segmentation", person_class=3), probe, tmp_path)


def test_numbers_of_classes_become_a_mask(tmp_path):
    file = channels_last(tmp_path / "net.onnx", "ArgMax", (1, 24, 32), "int64", axis=3, keepdims=0)
    answers, _ = added(Request(file, "segmentation", color="BGR", person_class=2), tmp_path)
    np.testing.assert_array_equal(answers["mask"][0, 0], picture((32, 24))[0].argmax(-1) == 2)


def test_logits_get_a_sigmoid_and_are_told_from_probabilities(tmp_path):
    file = weighted_sum(tmp_path / "net.onnx")
    logits = Request(file, "segmentation", color="BGR", pixel_max=1.0, mean=(0.5,), std=(0.1,))
    answers, adopted = added(logits, tmp_path)
    blue = picture((32, 24))[0, ..., 0].astype(np.float64) / 255
    np.testing.assert_allclose(answers["mask"][0, 0], 1 / (1 + np.exp(-(blue - 0.5) / 0.1)), atol=1e-5)
    assert "the output is logits" in adopted.assumed
    answers, adopted = added(Request(file, "segmentation", color="BGR", pixel_max=1.0), tmp_path)
    np.testing.assert_allclose(answers["mask"][0, 0], blue, atol=1e-6)
    with pytest.raises(ModelError, match="which is no probability"):
        adopt(Request(file, "segmentation", pixel_max=255.0, meaning="probability"), probe, tmp_path)


@pytest.mark.parametrize(("score", "logit"), [(12.5, 12.5), (0.75, np.log(3.0))])
def test_landmarks_in_shares_and_scores_of_both_kinds(tmp_path, score, logit):
    nodes = [
        helper.make_node("GlobalAveragePool", ["input"], ["mean"]),
        helper.make_node("ReduceMean", ["mean"], ["one"], keepdims=0),
        helper.make_node("Mul", ["one", "zero"], ["none"]),
        helper.make_node("Add", ["points", "none"], ["landmarks"]),
        helper.make_node("Add", ["score", "none"], ["flag"]),
    ]
    points = np.random.default_rng(1).uniform(0, 1, (1, 1404)).astype(np.float32)
    constants = {"zero": np.float32(0), "points": points, "score": np.full((1, 1), score, np.float32)}
    outputs = {"flag": ("float32", (1, 1)), "landmarks": ("float32", (1, 1404))}
    file = save(tmp_path / "face.onnx", nodes, constants, (1, 3, 192, 192), outputs)
    answers, adopted = added(Request(file, "face"), tmp_path)
    np.testing.assert_allclose(answers["landmarks"], 192 * points.reshape(1, 468, 3), rtol=1e-5)
    assert answers["face_flag"][0, 0] == pytest.approx(logit, abs=1e-5)
    assert adopted.manifest.role == "landmarks"


def test_weights_beside_the_file_are_taken_in(tmp_path):
    file = weighted_sum(tmp_path / "net.onnx", external="net.weights")
    adopted = adopt(Request(file, "depth"), probe, tmp_path)
    (tmp_path / "net.weights").unlink()
    assert probe(adopted.data, (32, 24))["depth"].shape == (1, 1, 24, 32)
    with pytest.raises(ModelError, match=r"its weights are in net\.weights, which is not beside it"):
        adopt(Request(file, "depth"), probe, tmp_path)


def test_weights_elsewhere_are_refused(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    file = weighted_sum(folder / "net.onnx", external="net.weights")
    model = onnx.load(file, load_external_data=False)
    (folder / "net.weights").rename(tmp_path / "net.weights")
    for tensor in model.graph.initializer:
        for entry in tensor.external_data:
            if entry.key == "location":
                entry.value = "../net.weights"
    file.write_bytes(model.SerializeToString())
    with pytest.raises(ModelError, match="outside its folder"):
        adopt(Request(file, "depth"), probe, tmp_path)


def test_names_of_the_network_cannot_collide_with_ours(tmp_path):
    nodes = [helper.make_node("ReduceMean", ["image"], ["depth"], axes=[1], keepdims=0)]
    file = save(
        tmp_path / "net.onnx", nodes, {}, (1, 3, 24, 32), {"depth": ("float32", (1, 24, 32))}, opset=13, name="image"
    )
    answers, adopted = added(Request(file, "depth"), tmp_path)
    assert set(answers) == {"depth"}
    graph = onnx.load_from_string(adopted.data).graph
    assert graph.input[0].name == "image"
    assert PREFIX + "image" in {name for node in graph.node for name in node.output}


def test_the_manifest_tells_the_origin(tmp_path):
    file = weighted_sum(tmp_path / "My Net (深度).onnx")
    _, adopted = added(Request(file, "depth", licence="MIT", title="Mine"), tmp_path)
    manifest = adopted.manifest
    assert manifest.name == "my_net"
    assert (manifest.title, manifest.licence) == ("Mine", "MIT")
    assert manifest.source.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert {item.sha256 for item in manifest.files} == {hashlib.sha256(adopted.data).hexdigest()}
    other = weighted_sum(tmp_path / "深度.onnx")
    assert added(Request(other, "depth"), tmp_path)[1].manifest.name == "my_depth"


BAD = {
    "rank": ({"shape": (3, 24, 32), "out": (1, 24, 32)}, {}, "has 3 dimensions; a picture has 4"),
    "batch": ({"shape": (4, 3, 24, 32), "out": (4, 24, 32)}, {}, "takes 4 pictures at a time"),
    "opset": ({"opset": 8}, {}, "of opset 8; 9 is the oldest"),
    "layout": ({}, {"layout": "NHWC"}, "has 32 channels when read as NHWC"),
    "size": ({}, {"input_size": (64, 24)}, "32 pixels wide, not 64"),
    "mean": ({}, {"mean": (1.0, 2.0)}, "mean needs one value or three, not 2"),
    "std": ({}, {"std": (0.0,)}, "std must be larger than 0"),
    "output": ({}, {"output": ("depth",)}, r"there is no output 'depth' \(there are depth_map\)"),
    "meaning": ({}, {"meaning": "logits"}, "'logits' is no meaning for depth"),
    "flat": ({"weights": (0.0, 0.0, 0.0)}, {}, "the same everywhere on a test picture"),
    "not finite": ({"weights": (np.inf, 0.0, 0.0)}, {}, "is not finite on a test picture"),
    "preset": ({}, {"preset": "yolo"}, "no preset called 'yolo'"),
    "task": ({}, {"task": None}, "say with task what it is for"),
    "class": ({}, {"person_class": 3}, "only a segmentation has a class 'person'"),
    "face": ({}, {"task": "face"}, "32 pixels wide, not 192"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_work_is_told_in_one_sentence(tmp_path, case):
    network, said, sentence = BAD[case]
    file = weighted_sum(tmp_path / "net.onnx", **network)
    with pytest.raises(ModelError, match=sentence) as caught:
        adopt(Request(file, **{"task": "depth", **said}), probe, tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"hello, this is a text\n" * 20, b"\x00" * 64])
def test_what_is_no_onnx_file_is_told_so(tmp_path, content):
    file = tmp_path / "net.onnx"
    file.write_bytes(content)
    with pytest.raises(ModelError, match="this is no ONNX file"):
        adopt(Request(file, "depth"), probe, tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_nothing_waits_at_a_pipe(tmp_path):
    for name in ("net.onnx", "net.toml"):
        os.mkfifo(tmp_path / name)
    with pytest.raises(ModelError, match="this is a pipe or a device, not a file"):
        adopt(Request(tmp_path / "net.onnx", "depth"), probe, tmp_path)
    with pytest.raises(ModelError, match="this is a pipe or a device, not a file"):
        read_request(tmp_path / "net.toml")


def test_several_inputs_or_outputs_are_told(tmp_path):
    nodes = [helper.make_node("Split", ["input"], ["a", "b", "c"], axis=1, num_outputs=3)]
    outputs = dict.fromkeys("abc", ("float32", (1, 1, 24, 32)))
    file = save(tmp_path / "net.onnx", nodes, {}, (1, 3, 24, 32), outputs, opset=18)
    with pytest.raises(ModelError, match="the outputs a, b, c: say with output which to read"):
        adopt(Request(file, "depth"), probe, tmp_path)
    answers, _ = added(Request(file, "depth", output=("b",), color="RGB", pixel_max=1.0), tmp_path)
    np.testing.assert_allclose(answers["depth"][0, 0], picture((32, 24))[0, ..., 1] / 255, atol=1e-6)


def test_a_toml_file_says_the_same(tmp_path):
    file = tmp_path / "net.toml"
    file.write_text('task = "depth"\ninput_size = [56, 42]\nmean = [0.485, 0.456, 0.406]\nstd = 0.25\noutput = "d"\n')
    request = read_request(file)
    assert request == Request(
        tmp_path / "net.onnx", "depth", input_size=(56, 42), mean=MEAN, std=(0.25,), output=("d",)
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("task = 3", "the field 'task' must be a text"),
        ('task = "sound"', "is 'sound', not one of depth, segmentation, face"),
        ("input_size = [3]", r"must be \[width, height\]"),
        ("colour = 'RGB'", "the field 'colour' is unknown"),
        ("mean = 'x'", "the field 'mean' must be a number"),
        ("task = ", "not valid TOML"),
    ],
)
def test_a_wrong_toml_file_is_told_in_one_sentence(tmp_path, text, sentence):
    file = tmp_path / "net.toml"
    file.write_text(text)
    with pytest.raises(ModelError, match=sentence) as caught:
        read_request(file)
    assert str(file) in str(caught.value)
