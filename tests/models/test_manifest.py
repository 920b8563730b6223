"""Manifests: every complaint is one sentence, and no file is used that is not the one described."""

import hashlib
import math
import re
import shutil
from pathlib import Path

import onnxruntime as ort
import pytest
from ai_edge_litert.interpreter import Interpreter

from models.errors import ModelError, VisionError
from models.manifest import load_manifest, manifest_names, manifests, read_manifest, weights_dir

SHIPPED = ("depth_v2", "face_detection", "face_mesh", "face_mesh_468", "selfie_landscape", "selfie_square")
FILES = [(manifest, item) for manifest in manifests() for item in manifest.files]
FILE_IDS = [f"{manifest.name}-{item.variant}" for manifest, item in FILES]
ONNX_TYPES = {"tensor(uint8)": "uint8", "tensor(float)": "float32"}

SOURCE = f"""[source]
package = "toys"
version = "1"
file = "toy.onnx"
sha256 = "{"a" * 64}"
"""

GOOD = f"""
name = "toy"
title = "Toy"
task = "depth"
role = "depth"
description = "A toy."
licence = "MIT"
macs = 12

{SOURCE}
[input]
name = "image"
shape = [1, 4, 6, 3]
dtype = "uint8"
layout = "NHWC"
color = "BGR"

[[outputs]]
name = "depth"
shape = [1, 1, 4, 6]
dtype = "float32"

[[files]]
variant = "cpu"
format = "onnx"
path = "toy.bin"
sha256 = "{hashlib.sha256(b"toy").hexdigest()}"
size_bytes = 3

[[files]]
variant = "litert"
format = "tflite"
path = "toy.bin"
sha256 = "{hashlib.sha256(b"toy").hexdigest()}"
size_bytes = 3

[files.input]
name = "picture"
shape = [1, 4, 6, 3]
dtype = "float32"
layout = "NHWC"
color = "RGB"
mean = [127.5]
scale = 0.5

[tolerance]
depth = 0.1
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A folder with one small model."""
    (tmp_path / "toy.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "toy.bin").write_bytes(b"toy")
    return tmp_path


def test_the_shipped_models_are_these() -> None:
    assert manifest_names() == SHIPPED
    assert {manifest.name: manifest.task for manifest in manifests()} == {
        "depth_v2": "depth",
        "face_detection": "face",
        "face_mesh": "face",
        "face_mesh_468": "face",
        "selfie_landscape": "segmentation",
        "selfie_square": "segmentation",
    }
    assert {manifest.name for manifest in manifests("segmentation")} == {"selfie_landscape", "selfie_square"}
    assert {m.name for m in manifests("face") if m.role == "landmarks"} == {"face_mesh", "face_mesh_468"}


def test_everything_together_stays_small() -> None:
    paths = {item.path for _, item in FILES}
    assert sum(path.stat().st_size for path in paths) < 15e6
    assert paths == {path for path in weights_dir().iterdir() if path.suffix in (".onnx", ".tflite")}


@pytest.mark.parametrize(("manifest", "item"), FILES, ids=FILE_IDS)
def test_a_file_is_what_its_manifest_says(manifest, item) -> None:
    data = item.read_verified()
    assert len(data) == item.size_bytes
    expected = item.input or manifest.input
    if item.format == "onnx":
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        assert item.input is None, "every ONNX file takes the manifest's input"
        found = [(value.name, tuple(value.shape), ONNX_TYPES[value.type]) for value in session.get_inputs()]
        assert found == [(expected.name, expected.shape, expected.dtype)]
        found = [(value.name, tuple(value.shape), ONNX_TYPES[value.type]) for value in session.get_outputs()]
        assert found == [(spec.name, spec.shape, spec.dtype) for spec in manifest.outputs]
    else:
        interpreter = Interpreter(model_content=data)
        found = [(tuple(value["shape"]), value["dtype"].__name__) for value in interpreter.get_input_details()]
        assert found == [(expected.shape, expected.dtype)]
        sizes = [value["shape"].prod() for value in interpreter.get_output_details()]
        assert sizes == [math.prod(spec.shape) for spec in manifest.outputs]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_onnx_file_takes_a_bgr_picture_as_it_is(name: str) -> None:
    spec = load_manifest(name).input
    width, height = spec.size_wh
    assert (spec.name, spec.dtype, spec.layout, spec.color) == ("image", "uint8", "NHWC", "BGR")
    assert (spec.shape, spec.mean, spec.scale) == ((1, height, width, 3), (0.0,), (1.0,))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_model_has_a_file_for_every_kind_of_backend(name: str) -> None:
    manifest = load_manifest(name)
    for variant in ("cpu", "gpu", "plain"):
        assert manifest.file(variant).is_intact()
    if manifest.litert_note:
        with pytest.raises(ModelError, match=re.escape(manifest.litert_note)):
            manifest.file("litert")
    else:
        assert manifest.file("litert").is_intact()


@pytest.mark.parametrize("name", SHIPPED)
def test_the_licences_are_there(name: str) -> None:
    manifest = load_manifest(name)
    folder = weights_dir().parent
    assert name in (folder / "LICENSES.md").read_text(encoding="utf-8")
    assert manifest.licence == "Apache-2.0"
    assert "Apache License" in (folder / "licenses" / "Apache-2.0.txt").read_text(encoding="utf-8")


def test_an_unknown_model_lists_the_known_ones() -> None:
    with pytest.raises(ModelError, match=r"no model called 'face_mash' \(known: depth_v2, .*selfie_square\)"):
        load_manifest("face_mash")


@pytest.mark.parametrize("name", ["../weights/face_mesh", "", "face_mesh.toml"])
def test_a_name_is_never_a_path(name: str) -> None:
    with pytest.raises(ModelError, match="no model called"):
        load_manifest(name)


@pytest.mark.parametrize("at", [0, 1000, -1])
def test_a_flipped_byte_refuses_to_load(tmp_path: Path, at: int) -> None:
    for path in weights_dir().glob("selfie_square*"):
        shutil.copy(path, tmp_path)
    manifest = read_manifest(tmp_path / "selfie_square.toml")
    item = manifest.file("cpu")
    assert item.is_intact()
    data = bytearray(item.path.read_bytes())
    data[at] ^= 0x01
    item.path.write_bytes(data)
    with pytest.raises(ModelError) as caught:
        item.read_verified()
    found = hashlib.sha256(data).hexdigest()
    assert str(caught.value) == (
        f"{item.path}: checksum differs: expected {item.sha256}, found {found}; the file is damaged or was replaced"
    )
    assert not item.is_intact()
    assert manifest.file("gpu").is_intact()


def test_a_missing_file_says_so(toy: Path) -> None:
    item = read_manifest(toy / "toy.toml").file("cpu")
    item.path.unlink()
    with pytest.raises(ModelError, match=r"toy\.bin: the model file is missing"):
        item.read_verified()
    assert not item.is_intact()


def test_a_folder_instead_of_a_file_says_so(toy: Path) -> None:
    item = read_manifest(toy / "toy.toml").file("cpu")
    item.path.unlink()
    item.path.mkdir()
    with pytest.raises(ModelError, match=r"toy\.bin: cannot be read: "):
        item.read_verified()


def test_a_manifest_says_everything(toy: Path) -> None:
    manifest = read_manifest(toy / "toy.toml")
    assert manifest.input.size_wh == (6, 4)
    assert (manifest.input.mean, manifest.input.scale) == ((0.0,), (1.0,))
    assert manifest.source.url is None
    assert manifest.tolerance == {"depth": 0.1}
    assert manifest.macs == 12.0
    override = manifest.file("litert").input
    assert override is not None
    assert (override.name, override.mean, override.scale) == ("picture", (127.5,), (0.5,))
    assert manifest.output("depth").shape == (1, 1, 4, 6)
    with pytest.raises(ModelError, match="toy has no output 'colour'"):
        manifest.output("colour")
    with pytest.raises(ModelError, match=r"toy has no gpu file \(it has cpu, litert\)"):
        manifest.file("gpu")
    with pytest.raises(ModelError, match="'depth' is no picture"):
        _ = manifest.output("depth").size_wh


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('title = "Toy"\n', "", "the field 'title' is missing"),
        ('title = "Toy"', "title = 3", "the field 'title' must be a text"),
        ("macs = 12", 'macs = "many"', "the field 'macs' must be a number"),
        ("macs = 12", "macs = true", "the field 'macs' must be a number"),
        ('licence = "MIT"', 'licence = "MIT"\nlicense = "MIT"', "the field 'license' is unknown"),
        ('name = "toy"', 'name = "boy"', "the manifest calls itself 'boy', which is not the name of the file"),
        ("[source]", "[origin]", "the field 'source' is missing"),
        ('file = "toy.onnx"\n', "", r"\[source\]: the field 'file' is missing"),
        ("a" * 64, "a" * 63, r"\[source\]: the field 'sha256' has a value of the wrong form"),
        ("shape = [1, 4, 6, 3]", "shape = [1, 4, 6]", r"\[input\]: the layout NHWC needs four dimensions, not 3"),
        ("shape = [1, 4, 6, 3]", "shape = [1, 4, -6, 3]", r"\[input\]: the field 'shape' must be a whole number"),
        ("shape = [1, 4, 6, 3]", "shape = 4", r"\[input\]: the field 'shape' must be a list of whole numbers"),
        ('dtype = "uint8"', 'dtype = "bits"', r"\[input\]: the field 'dtype' is 'bits', not one of uint8, float32"),
        ('color = "BGR"', 'colour = "BGR"', r"\[input\]: the field 'colour' is unknown"),
        ("[[outputs]]", "[outputs]", "'outputs' must be a list of tables"),
        ('path = "toy.bin"', 'path = "../toy.bin"', r"\[files\[0\]\]: the path leaves the folder of the manifest"),
        ('path = "toy.bin"', 'path = "/etc/hostname"', r"\[files\[0\]\]: the path leaves the folder of the manifest"),
        ("size_bytes = 3", "size_bytes = 3.5", r"\[files\[0\]\]: the field 'size_bytes' must be a whole number"),
        ("scale = 0.5", 'scale = ["x"]', r"\[files\[1\]\.input\]: the field 'scale' must be a number"),
        ('variant = "litert"', 'variant = "cpu"', "two files have the same variant"),
        ('variant = "litert"', 'variant = "gpu"', "there is no litert file, and no litert_note says why"),
        ("depth = 0.1", "death = 0.1", r"\[tolerance\] must name exactly the outputs \(depth\)"),
        ("[tolerance]", "[tolerance", "the manifest is not valid TOML: "),
        (SOURCE, 'source = "here"\n', r"\[source\]: this must be a table"),
        ("mean = [127.5]", "mean = [1, 2]", r"\[files\[1\]\.input\]: 'mean' needs one number or one a channel, not 2"),
    ],
)
def test_a_broken_manifest_says_what_is_wrong(toy: Path, old: str, new: str, sentence: str) -> None:
    path = toy / "toy.toml"
    assert old in GOOD
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ModelError, match=sentence) as caught:
        read_manifest(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_manifest_that_is_no_text_says_so(toy: Path) -> None:
    (toy / "toy.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ModelError, match="the manifest is not valid TOML"):
        read_manifest(toy / "toy.toml")


def test_a_missing_manifest_says_so(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read: No such file"):
        read_manifest(tmp_path / "toy.toml")


def test_models_of_another_folder_are_found_after_the_built_in_ones(toy: Path) -> None:
    assert manifest_names([toy]) == tuple(sorted((*SHIPPED, "toy")))
    assert load_manifest("toy", [toy]).path == toy / "toy.toml"
    assert [manifest.name for manifest in manifests("depth", [toy])] == ["depth_v2", "toy"]


def test_nothing_can_pose_as_a_built_in_model(toy: Path) -> None:
    fake = GOOD.replace('name = "toy"', 'name = "face_mesh"')
    (toy / "face_mesh.toml").write_text(fake, encoding="utf-8")
    assert load_manifest("face_mesh", [toy]).path == weights_dir() / "face_mesh.toml"


def test_a_model_error_can_be_shown_to_the_user() -> None:
    assert issubclass(ModelError, VisionError)
