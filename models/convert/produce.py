"""Converting one model, from the published file to the files and the manifest that are shipped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from models.convert import check
from models.convert.assemble import RAW_OUTPUTS, assemble_points
from models.convert.attention import read_crop_transform
from models.convert.build import Built, convert
from models.convert.catalogue import Recipe
from models.convert.depth_tflite import to_tflite
from models.convert.flatbuffer import read_graph
from models.convert.litert_builtin import with_builtin_operators
from models.convert.onnx_entry import count_macs, take_picture
from models.convert.options import LITERAL, SHIPPED, Options
from models.convert.sources import read_source
from models.manifest import read_manifest
from models.manifest_text import describe_file, manifest_text
from models.spec import Manifest, ModelFile


def produce_mediapipe(recipe: Recipe, source: Path, out: Path) -> list[str]:
    """Convert a model of the package mediapipe.

    The yardstick is LiteRT on the published weights. Where it cannot load them, as with the attention mesh, it is the
    literal conversion; `tests/models/test_weights_parity.py` compares that model with MediaPipe itself.

    Parameters
    ----------
    recipe : Recipe
        The model.
    source : Path
        The published .tflite file.
    out : Path
        Folder to write to.

    Returns
    -------
    list of str
        One line a file: what was written and how far it is from the yardstick.

    Raises
    ------
    ModelError
        If the source is not the published file, cannot be converted, or a result differs too much.
    """
    data = read_source(source, recipe.source.sha256)
    picture = check.sample_picture(recipe.sample, recipe.size_wh)
    files, lines = [], []
    litert: list[ModelFile] = []
    if recipe.litert_note:
        literal = convert(source, LITERAL, RAW_OUTPUTS, recipe.mean, recipe.scale)
        expected = _expected_points(literal, source, picture)
    else:
        literal = _convert(recipe, source, LITERAL)
        tensor = check.normalise(picture, recipe.published_input)
        expected = check.run_litert(data, tensor, recipe.outputs)
        path = out / f"{recipe.name}.tflite"
        rewritten = with_builtin_operators(data)
        found = check.run_litert(rewritten, tensor, recipe.outputs)
        lines.append(_accept(recipe, path, rewritten, check.largest_differences(found, expected)))
        litert = [describe_file("litert", "tflite", path, recipe.published_input)]
    for variant, options in SHIPPED.items():
        built = _convert(recipe, source, options)
        path = out / f"{recipe.name}.{variant}.onnx"
        lines.append(_accept_onnx(recipe, path, built.model, picture, expected))
        files.append(describe_file(variant, "onnx", path))
    # The graphs for a GPU are also the right ones for processors without a blocked layout (see `options.GPU`).
    files.append(describe_file("plain", "onnx", out / f"{recipe.name}.gpu.onnx"))
    _write_manifest(recipe, files + litert, literal.macs, out)
    return lines


def produce_depth(recipe: Recipe, source: Path, out: Path) -> list[str]:
    """Give our own depth network the uint8 entry, and translate it to TensorFlow Lite.

    One ONNX graph serves all: it consists of convolutions with as many channels as the blocked layout wants, and of
    nothing that a GPU would rather have in another form.

    Parameters
    ----------
    recipe : Recipe
        The model.
    source : Path
        The file as training left it: float32 NCHW, RGB, 0 to 255.
    out : Path
        Folder to write to.

    Returns
    -------
    list of str
        One line a file: what was written and how far it is from the original.

    Raises
    ------
    ModelError
        As `produce_mediapipe`.
    """
    original = onnx.load_from_string(read_source(source, recipe.source.sha256))
    picture = check.sample_picture(recipe.sample, recipe.size_wh)
    tensor = np.ascontiguousarray(picture[..., ::-1].transpose(0, 3, 1, 2)).astype(np.float32)
    expected = check.run_onnx(original, original.graph.input[0].name, tensor)
    path = out / f"{recipe.name}.onnx"
    lines = [_accept_onnx(recipe, path, take_picture(original), picture, expected)]
    files = [describe_file(variant, "onnx", path) for variant in ("cpu", "gpu", "plain")]
    path = out / f"{recipe.name}.tflite"
    translated = to_tflite(original)
    found = check.run_litert(translated, check.normalise(picture, recipe.published_input), recipe.outputs)
    lines.append(_accept(recipe, path, translated, check.largest_differences(found, expected)))
    files.append(describe_file("litert", "tflite", path, recipe.published_input))
    _write_manifest(recipe, files, count_macs(original), out)
    return lines


def _convert(recipe: Recipe, source: Path, options: Options) -> Built:
    outputs = [(output.name, output.shape) for output in recipe.outputs]
    return convert(source, options, outputs, recipe.mean, recipe.scale)


def _expected_points(literal: Built, source: Path, picture: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
    raw = check.run_onnx(literal.model, "image", picture)
    operators = [op for op in read_graph(source).ops if op.kind == "Landmarks2TransformMatrix"]
    lips, left, right = (read_crop_transform(op) for op in operators)
    return {"landmarks": assemble_points(raw, (lips, left, right)), "face_flag": raw["face_flag"]}


def _accept_onnx(
    recipe: Recipe,
    path: Path,
    model: onnx.ModelProto,
    picture: NDArray[np.uint8],
    expected: dict[str, NDArray[np.float32]],
) -> str:
    found = check.run_onnx(model, recipe.input.name, picture)
    line = _accept(recipe, path, model.SerializeToString(), check.largest_differences(found, expected))
    return f"{line}, {len(model.graph.node)} nodes"


def _accept(recipe: Recipe, path: Path, content: bytes, differences: dict[str, float]) -> str:
    """Write a file if it is close enough to the original, and say how close."""
    check.require_parity(path.name, differences, recipe.parity)
    path.write_bytes(content)
    figures = ", ".join(f"{name} {difference:.1e}" for name, difference in differences.items())
    return f"{path.name}: off by {figures}, {len(content) / 1024:.0f} KiB"


def _write_manifest(recipe: Recipe, files: Sequence[ModelFile], macs: int, out: Path) -> None:
    path = out / f"{recipe.name}.toml"
    manifest = Manifest(
        name=recipe.name,
        title=recipe.title,
        task=recipe.task,
        role=recipe.role,
        description=recipe.description,
        licence=recipe.licence,
        source=recipe.source,
        input=recipe.input,
        outputs=recipe.outputs,
        files=tuple(files),
        tolerance=recipe.tolerance,
        macs=float(macs),
        litert_note=recipe.litert_note,
        path=path,
    )
    path.write_text(manifest_text(manifest), encoding="utf-8", newline="\n")
    read_manifest(path)
