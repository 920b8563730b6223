"""The shipped graphs compute what the published networks compute, on the same pixels.

Two yardsticks, neither of them made by the converter: LiteRT on the published weights, and numbers that MediaPipe
0.10.21's own runtime gave (tests/data/make_mediapipe_reference.py), also for the attention mesh, which LiteRT cannot
load. The picture is a NASA portrait in the public domain.
"""

import json
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest
from ai_edge_litert.interpreter import Interpreter
from skimage import data

from models.manifest import load_manifest

ONNX_VARIANTS = ("cpu", "gpu", "plain")
DATA = Path(__file__).parents[1] / "data"
# Left, top and step of the part of the portrait that each network sees: no resampling that could differ.
SAMPLES = {
    "face_detection": (0, 0, 4),
    "face_mesh": (128, 14, 1),
    "face_mesh_468": (128, 14, 1),
    "selfie_landscape": (0, 0, 2),
    "selfie_square": (0, 0, 2),
    "depth_v2": (64, 0, 1),
}
# Largest difference, in the outputs' own units: crop pixels of 192, input pixels up to 170, logits down to -150,
# probabilities, inverse depth up to 1.3.
LIMITS = {
    "landmarks": 2e-4,
    "face_flag": 2e-4,
    "regressors": 2.5e-4,
    "scores": 1e-3,
    "mask": 4e-4,
    "depth": 1e-3,
}


def picture_rgb(name: str) -> np.ndarray:
    """What the network sees, uint8 RGB, (H, W, 3)."""
    left, top, step = SAMPLES[name]
    width, height = load_manifest(name).input.size_wh
    return data.astronaut()[top::step, left::step][:height, :width]


def run_onnx(name: str, variant: str) -> dict[str, np.ndarray]:
    """Outputs of a shipped ONNX file."""
    manifest = load_manifest(name)
    session = ort.InferenceSession(manifest.file(variant).read_verified(), providers=["CPUExecutionProvider"])
    names = [spec.name for spec in manifest.outputs]
    bgr = np.ascontiguousarray(picture_rgb(name)[None, ..., ::-1])
    return dict(zip(names, session.run(names, {"image": bgr}), strict=True))


def run_litert(name: str) -> dict[str, np.ndarray]:
    """Outputs of a shipped LiteRT file, fed as its manifest asks."""
    manifest = load_manifest(name)
    item = manifest.file("litert")
    assert item.input is not None
    assert item.input.color == "RGB"
    pixels = picture_rgb(name)[None].astype(np.float64)
    interpreter = Interpreter(model_content=item.read_verified(), num_threads=1)
    interpreter.allocate_tensors()
    fed = ((pixels - item.input.mean) * item.input.scale).astype(np.float32)
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], fed)
    interpreter.invoke()
    details = interpreter.get_output_details()
    return {
        spec.name: interpreter.get_tensor(detail["index"]).reshape(spec.shape)
        for spec, detail in zip(manifest.outputs, details, strict=True)
    }


def reference(file: str, name: str) -> dict[str, np.ndarray]:
    """Numbers of another runtime."""
    values = json.loads((DATA / file).read_text(encoding="utf-8"))
    return {key: np.array(value) for key, value in (values[name] if name else values).items() if key != "made_by"}


@pytest.mark.parametrize("variant", ONNX_VARIANTS)
@pytest.mark.parametrize("name", ["face_detection", "face_mesh_468", "selfie_landscape", "selfie_square"])
def test_onnx_agrees_with_litert(name: str, variant: str) -> None:
    found, expected = run_onnx(name, variant), run_litert(name)
    for output, values in expected.items():
        np.testing.assert_allclose(found[output], values, rtol=0, atol=LIMITS[output], err_msg=output)


@pytest.mark.parametrize("variant", ONNX_VARIANTS)
def test_the_attention_mesh_agrees_with_mediapipe(variant: str) -> None:
    found, expected = run_onnx("face_mesh", variant), reference("mediapipe_reference.json", "face_mesh")
    assert expected["landmarks"].shape == (478, 3)
    np.testing.assert_allclose(found["landmarks"][0], expected["landmarks"], rtol=0, atol=LIMITS["landmarks"])
    np.testing.assert_allclose(found["face_flag"][0], expected["face_flag"], rtol=0, atol=LIMITS["face_flag"])


@pytest.mark.parametrize("variant", [*ONNX_VARIANTS, "litert"])
@pytest.mark.parametrize("name", ["selfie_landscape", "selfie_square"])
def test_the_masks_agree_with_mediapipe(name: str, variant: str) -> None:
    found = run_litert(name) if variant == "litert" else run_onnx(name, variant)
    expected = reference("mediapipe_reference.json", name)["mask_every_8th"]
    assert 0.2 < (expected > 0.5).mean() < 0.8, "the reference shows a person and a background"
    np.testing.assert_allclose(found["mask"][0, 0, ::8, ::8], expected, rtol=0, atol=LIMITS["mask"])


@pytest.mark.parametrize("variant", ONNX_VARIANTS)
def test_depth_agrees_with_the_network_as_it_was_trained(variant: str) -> None:
    expected = reference("depth_v2_reference.json", "")["depth_every_8th"]
    found = run_onnx("depth_v2", variant)["depth"]
    np.testing.assert_allclose(found[0, 0, ::8, ::8], expected, rtol=0, atol=LIMITS["depth"])
    assert found[0, 0, 100, 120] > found[0, 0, 10, 10], "the face is nearer than the background"


def test_the_detector_finds_the_face_where_it_is() -> None:
    found = run_onnx("face_detection", "cpu")
    scores = found["scores"][0, :, 0]
    best = int(scores.argmax())
    assert scores[best] > 2
    # Anchors: 16x16 cells with 2 each, then 8x8 cells with 6 each.
    cell, cells = (best // 2, 16) if best < 512 else ((best - 512) // 6, 8)
    anchor = (np.array([cell % cells, cell // cells]) + 0.5) / cells
    centre = (found["regressors"][0, best, :2] / 128 + anchor) * 512
    # Marked by hand on the portrait: the nose is at (224, 116).
    np.testing.assert_allclose(centre, (224, 116), atol=20)


@pytest.mark.parametrize("name", ["face_mesh", "face_mesh_468"])
def test_the_meshes_tell_a_face_from_none(name: str) -> None:
    manifest = load_manifest(name)
    session = ort.InferenceSession(manifest.file("cpu").read_verified(), providers=["CPUExecutionProvider"])
    black = session.run(["face_flag"], {"image": np.zeros(manifest.input.shape, np.uint8)})[0]
    assert black[0, 0] < 0
    assert run_onnx(name, "cpu")["face_flag"][0, 0] > 10


@pytest.mark.parametrize("name", list(SAMPLES))
def test_colour_order_matters(name: str) -> None:
    """A graph that took RGB for BGR would pass no parity test, but this says so directly."""
    manifest = load_manifest(name)
    session = ort.InferenceSession(manifest.file("cpu").read_verified(), providers=["CPUExecutionProvider"])
    rgb = np.ascontiguousarray(picture_rgb(name)[None])
    first = manifest.outputs[0].name
    wrong = session.run([first], {"image": rgb})[0]
    assert np.abs(wrong - run_onnx(name, "cpu")[first]).max() > 10 * LIMITS[first]
