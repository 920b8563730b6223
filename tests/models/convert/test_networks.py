"""The whole converter on the networks that LiteRT can run."""

import shutil
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import numpy as np
import onnx
import pytest

from models.convert import check
from models.convert.__main__ import main, parse_arguments, run
from models.convert.build import build, convert
from models.convert.catalogue import RECIPES
from models.convert.options import CPU, GPU, LITERAL, SHIPPED, Options
from models.errors import ModelError
from models.manifest import load_manifest, manifests, read_manifest, weights_dir
from models.manifest_text import manifest_text

NETWORKS = ("face_detection", "face_mesh_468", "selfie_landscape")
BY_NAME = {recipe.name: recipe for recipe in RECIPES}
REWRITES = {
    field.name: replace(LITERAL, **{field.name: getattr(CPU, field.name)})
    for field in fields(Options)
    if field.name != "merge_heads"
} | {"compose": replace(LITERAL, commute_resize=True, split_means=True)}


def convert_shipped(name: str, options: Options) -> onnx.ModelProto:
    """Convert a shipped LiteRT file."""
    recipe = BY_NAME[name]
    outputs = [(output.name, output.shape) for output in recipe.outputs]
    path = load_manifest(name).file("litert").path
    return convert(path, options, outputs, recipe.mean, recipe.scale).model


@cache
def litert_answer(name: str) -> dict[str, np.ndarray]:
    """What LiteRT says about the sample picture."""
    recipe = BY_NAME[name]
    item = load_manifest(name).file("litert")
    picture = check.sample_picture(recipe.sample, recipe.size_wh)
    return check.run_litert(item.read_verified(), check.normalise(picture, item.input), recipe.outputs)


@pytest.mark.parametrize("rewrite", list(REWRITES))
@pytest.mark.parametrize("name", NETWORKS)
def test_each_rewrite_alone_keeps_the_network(name: str, rewrite: str) -> None:
    recipe = BY_NAME[name]
    picture = check.sample_picture(recipe.sample, recipe.size_wh)
    found = check.run_onnx(convert_shipped(name, REWRITES[rewrite]), "image", picture)
    differences = check.largest_differences(found, litert_answer(name))
    check.require_parity(name, differences, recipe.parity)
    assert set(differences) == {output.name for output in recipe.outputs}


@pytest.mark.parametrize("variant", list(SHIPPED))
@pytest.mark.parametrize("name", ["face_detection", "face_mesh_468"])
def test_the_shipped_graphs_are_what_the_converter_makes(name: str, variant: str) -> None:
    made = convert_shipped(name, SHIPPED[variant])
    shipped = onnx.load_from_string(load_manifest(name).file(variant).read_verified())
    # The graph is named after the published file, which the shipped copy is not.
    made.graph.name = shipped.graph.name
    assert [node.op_type for node in made.graph.node] == [node.op_type for node in shipped.graph.node]
    assert made.SerializeToString(deterministic=True) == shipped.SerializeToString(deterministic=True)


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("face_detection", {"Pad"}),
        ("face_mesh_468", {"PRelu", "Pad", "Transpose"}),
        ("face_mesh", {"PRelu", "Pad"}),
        ("selfie_landscape", {"HardSwish", "Transpose"}),
    ],
)
def test_the_cpu_graphs_have_no_operator_without_a_blocked_form(name: str, gone: set[str]) -> None:
    model = onnx.load_from_string(load_manifest(name).file("cpu").read_verified())
    assert {node.op_type for node in model.graph.node}.isdisjoint(gone)


@pytest.mark.parametrize("variant", ["cpu", "gpu"])
def test_the_attention_mesh_cuts_all_crops_at_once(variant: str) -> None:
    model = onnx.load_from_string(load_manifest("face_mesh").file(variant).read_verified())
    kinds = [node.op_type for node in model.graph.node]
    assert kinds.count("GridSample") == 1
    groups = [a.i for node in model.graph.node if node.op_type == "Conv" for a in node.attribute if a.name == "group"]
    assert {3, 5} <= set(groups), "heads run in groups of three (lips, eyes) and five (with irises)"


def test_every_onnx_file_uses_the_default_domain_only() -> None:
    for path in weights_dir().glob("*.onnx"):
        model = onnx.load(path)
        assert {node.domain for node in model.graph.node} == {""}
        assert [opset.domain for opset in model.opset_import] == [""]


@pytest.mark.parametrize("name", [manifest.name for manifest in manifests()])
def test_the_catalogue_and_the_manifests_say_the_same(name: str) -> None:
    manifest, recipe = load_manifest(name), BY_NAME[name]
    for field in ("title", "task", "role", "description", "licence", "litert_note", "source", "input", "outputs"):
        assert getattr(manifest, field) == getattr(recipe, field), field
    assert manifest.tolerance == recipe.tolerance


@pytest.mark.parametrize("name", [manifest.name for manifest in manifests()])
def test_a_written_manifest_reads_back(name: str, tmp_path: Path) -> None:
    manifest = load_manifest(name)
    path = tmp_path / f"{name}.toml"
    path.write_text(manifest_text(manifest), encoding="utf-8")
    files = tuple(replace(item, path=tmp_path / item.path.name) for item in manifest.files)
    assert read_manifest(path) == replace(manifest, path=path, files=files)


def test_the_command_writes_files_and_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "published"
    source.mkdir()
    shutil.copy(weights_dir() / "face_detection.tflite", source / "face_detection_short_range.tflite")
    out = tmp_path / "out"
    run(parse_arguments(["--tflite-dir", str(source), "--out", str(out), "--models", "face_detection"]))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        f"face_detection.{end}" for end in ("tflite", "cpu.onnx", "gpu.onnx")
    ]
    for path in out.iterdir():
        assert path.read_bytes() == (weights_dir() / path.name).read_bytes(), path.name
    assert len(list(out.iterdir())) == 4
    assert all(item.is_intact() for item in read_manifest(out / "face_detection.toml").files)


def test_the_command_refuses_another_file(tmp_path: Path, monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "face_landmark.tflite").write_bytes(b"something else")
    out = tmp_path / "out"
    arguments = ["convert", "--tflite-dir", str(tmp_path), "--out", str(out), "--models", "face_mesh_468"]
    monkeypatch.setattr("sys.argv", arguments)
    assert main() == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"error: {tmp_path / 'face_landmark.tflite'}: this is not the published file")
    assert captured.err.count("\n") == 1
    assert list(out.iterdir()) == []


def test_a_network_that_differs_is_refused() -> None:
    with pytest.raises(ModelError, match=r"net\.cpu: mask is 0\.1 away from the original, allowed is 0\.01"):
        check.require_parity("net.cpu", {"mask": 0.1}, {"mask": 0.01})
    with pytest.raises(ModelError, match="mask is nan away"):
        check.require_parity("net.cpu", {"mask": float("nan")}, {"mask": 0.01})


def test_another_number_of_outputs_is_refused() -> None:
    path = load_manifest("selfie_landscape").file("litert").path
    with pytest.raises(ModelError, match="selfie_landscape: has 1 outputs, not 2"):
        convert(path, GPU, [("mask", (1, 1, 144, 256)), ("more", (1,))], 0.0, 1.0)


def test_an_unknown_operator_is_named(tiny) -> None:
    source = tiny.input(1, 4, 4, 3)
    seen = tiny.conv(source, 2)
    tiny.graph.outputs = [tiny.op("COS", [seen], (1, 4, 4, 2))]
    with pytest.raises(ModelError, match="tiny: the operator COS is not supported"):
        build(tiny.graph, GPU, [("out", (1, 2, 4, 4))], 0.0, 1.0)


def test_a_network_that_does_not_start_with_a_convolution_is_refused(tiny) -> None:
    source = tiny.input(1, 4, 4, 3)
    tiny.graph.outputs = [tiny.op("RELU", [source], (1, 4, 4, 3))]
    with pytest.raises(ModelError, match="tiny: the input does not lead to one single convolution"):
        build(tiny.graph, GPU, [("out", (1, 3, 4, 4))], 0.0, 1.0)
