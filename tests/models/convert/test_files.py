"""Reading published files, replacing their custom operator, finding and checking them."""

import hashlib
import sys
from pathlib import Path

import flatbuffers
import numpy as np
import pytest
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from models.convert.flatbuffer import parse, read_graph
from models.convert.litert_builtin import with_builtin_operators
from models.convert.sources import find_source, installed_mediapipe, read_source
from models.errors import ModelError
from models.manifest import load_manifest


def custom_model(weights: np.ndarray, bias: np.ndarray, height: int, width: int) -> bytes:
    """A .tflite file with one Convolution2DTransposeBias of stride 2, as MediaPipe writes it."""
    out, kernel, _, channels = weights.shape
    tensors, buffers = [], [schema.BufferT()]
    shapes = [(1, height, width, channels), weights.shape, bias.shape, (1, kernel * height, kernel * width, out)]
    for shape, value in zip(shapes, [None, weights, bias, None], strict=True):
        tensor = schema.TensorT()
        tensor.name, tensor.type, tensor.shape = f"t{len(tensors)}".encode(), 0, np.array(shape, np.int32)
        if value is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(value.tobytes(), np.uint8)
            buffers.append(buffer)
            tensor.buffer = len(buffers) - 1
        tensors.append(tensor)
    operator = schema.OperatorT()
    operator.inputs, operator.outputs = np.array([0, 1, 2], np.int32), np.array([3], np.int32)
    operator.customOptions = np.frombuffer(np.int32([1, kernel, kernel]).tobytes(), np.uint8)
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
    code.customCode = b"Convolution2DTransposeBias"
    graph = schema.SubGraphT()
    graph.tensors, graph.operators = tensors, [operator]
    graph.inputs, graph.outputs = np.array([0], np.int32), np.array([3], np.int32)
    model = schema.ModelT()
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [code], [graph], buffers
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


@pytest.mark.parametrize("kernels", ["BUILTIN", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"])
def test_litert_runs_the_builtin_in_place_of_the_custom_operator(kernels: str) -> None:
    random = np.random.default_rng(6)
    weights, bias = random.normal(size=(1, 2, 2, 3)).astype(np.float32), np.float32([0.25])
    values = random.normal(size=(1, 4, 5, 3)).astype(np.float32)
    content = with_builtin_operators(custom_model(weights, bias, 4, 5))
    interpreter = Interpreter(model_content=content, experimental_op_resolver_type=OpResolverType[kernels])
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], values)
    interpreter.invoke()
    found = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    expected = sum(np.kron(values[0, :, :, c], weights[0, :, :, c]) for c in range(3)) + 0.25
    np.testing.assert_allclose(found[0, :, :, 0], expected, rtol=0, atol=1e-5)


def test_litert_cannot_run_the_custom_operator_by_itself() -> None:
    """The reason for the rewrite; when this fails, the published files can be shipped as they are."""
    content = custom_model(np.ones((1, 2, 2, 3), np.float32), np.float32([0]), 4, 5)
    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(model_content=content, experimental_op_resolver_type=kernels)
    with pytest.raises(RuntimeError, match="Convolution2DTransposeBias"):
        interpreter.allocate_tensors()


def test_a_file_without_the_custom_operator_stays_byte_for_byte() -> None:
    data = load_manifest("face_detection").file("litert").read_verified()
    assert with_builtin_operators(data) is data


@pytest.mark.parametrize("name", ["face_detection", "face_mesh_468"])
def test_published_files_are_shipped_as_they_are(name: str) -> None:
    manifest = load_manifest(name)
    assert manifest.file("litert").sha256 == manifest.source.sha256


@pytest.mark.parametrize("name", ["selfie_landscape", "selfie_square"])
def test_rewritten_files_have_builtin_operators_only(name: str) -> None:
    model = parse(load_manifest(name).file("litert").read_verified())
    assert all(code.customCode is None for code in model.operatorCodes)


def test_half_precision_weights_become_constants() -> None:
    path = load_manifest("face_detection").file("litert").path
    graph = read_graph(path)
    assert graph.stem == "face_detection"
    assert {op.kind for op in graph.ops}.isdisjoint({"DEQUANTIZE", "DENSIFY"})
    assert [graph.shape[t] for t in graph.inputs] == [[1, 128, 128, 3]]
    assert [graph.shape[t] for t in graph.outputs] == [[1, 896, 16], [1, 896, 1]]
    first = graph.consumers(graph.inputs[0])[0]
    assert first.kind == "CONV_2D"
    assert (first.attr["strideH"], first.attr["strideW"]) == (2, 2)
    assert graph.weights(first.ins[1]).shape[3] == 3
    # The interpreter's own view of the same constant, already in float32.
    interpreter = Interpreter(
        model_content=path.read_bytes(),
        experimental_preserve_all_tensors=True,
        experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    )
    interpreter.allocate_tensors()
    interpreter.invoke()
    np.testing.assert_array_equal(graph.weights(first.ins[1]), interpreter.get_tensor(first.ins[1]))


def test_a_source_is_found_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    path = tmp_path / "a" / "b" / "net.tflite"
    path.write_bytes(b"net")
    assert find_source(tmp_path, "mediapipe/modules/net.tflite") == path
    with pytest.raises(ModelError, match=r"there is no other\.tflite in this folder"):
        find_source(tmp_path, "mediapipe/modules/other.tflite")


def test_only_the_published_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "net.tflite"
    path.write_bytes(b"net")
    right, wrong = hashlib.sha256(b"net").hexdigest(), "0" * 64
    assert read_source(path, right) == b"net"
    with pytest.raises(ModelError, match=f"not the published file: expected checksum {wrong}, found {right}"):
        read_source(path, wrong)
    with pytest.raises(ModelError, match="cannot be read: No such file"):
        read_source(tmp_path / "none.tflite", right)


def test_the_installed_package_is_found_without_importing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "mediapipe"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert installed_mediapipe() == package
    assert "mediapipe" not in sys.modules


def test_a_missing_package_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "mediapipe", raising=False)
    with pytest.raises(ModelError, match="mediapipe is not installed: pass the folder of its files with --tflite-dir"):
        installed_mediapipe()
