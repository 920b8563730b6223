"""LiteRT on the CPU: the same results from the same pictures, and reasons where there is no file."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.errors import ModelError
from models.manifest import load_manifest, manifest_names
from models.spec import TensorSpec
from pipelines.backends import get_backend
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.pipeline import Pipeline
from pipelines.qualify.sample import sample_input
from pipelines.sources import make_source

pytest.importorskip("ai_edge_litert", reason="needs the extra twinlens[litert]")
CLIP = Path(__file__).resolve().parents[3] / "assets" / "demo.mp4"
LITERT = [name for name in manifest_names() if any(file.variant == "litert" for file in load_manifest(name).files)]


@pytest.mark.parametrize("name", LITERT)
def test_it_agrees_with_the_reference(name, noise):
    manifest = load_manifest(name)
    session = get_backend("litert-cpu").open(manifest)
    assert session.report.placement == {"XNNPACK": session.report.placement["XNNPACK"]}
    for image in (sample_input(manifest), noise(name)):
        outputs, expected = session.run(image), get_backend("ort-cpu").open(manifest).run(image)
        for output, limit in manifest.tolerance.items():
            assert outputs[output].shape == expected[output].shape
            assert outputs[output].dtype == np.float32
            np.testing.assert_allclose(outputs[output], expected[output], atol=limit / 5)
    session.close()


@pytest.mark.parametrize("name", sorted(set(manifest_names()) - set(LITERT)))
def test_a_model_without_a_file_says_why(name):
    manifest = load_manifest(name)
    assert manifest.litert_note in get_backend("litert-cpu").refusal(manifest)
    with pytest.raises(ModelError, match="has no litert file"):
        get_backend("litert-cpu").open(manifest)


def test_a_closed_session_and_a_wrong_size_say_so(noise):
    session = get_backend("litert-cpu").open(load_manifest("face_detection"))
    with pytest.raises(BackendError, match=r"shape .* was expected"):
        session.run(np.zeros((1, 8, 8, 3), np.uint8))
    session.close()
    with pytest.raises(BackendError, match="face_detection on litert-cpu was closed"):
        session.run(noise("face_detection"))


def test_a_file_that_is_no_network_is_refused_in_words(monkeypatch):
    monkeypatch.setattr("models.spec.ModelFile.read_verified", lambda self: b"not a network")
    with pytest.raises(BackendError, match="face_detection does not load on litert-cpu"):
        get_backend("litert-cpu").open(load_manifest("face_detection"))


@pytest.mark.parametrize(
    ("color", "mean", "scale"),
    [("RGB", (0.0,), (1 / 255,)), ("BGR", (127.5,), (1 / 127.5,)), ("RGB", (1.0, 2.0, 3.0), (0.5,))],
)
def test_pictures_are_converted_as_the_manifest_says(color, mean, scale):
    from pipelines.backends.litert import InputConverter

    image = np.random.default_rng(3).integers(0, 256, (1, 5, 7, 3)).astype(np.uint8)
    spec = TensorSpec("image", (1, 5, 7, 3), "float32", "NHWC", color, mean, scale)
    pixels = (image[..., ::-1] if color == "RGB" else image).astype(np.float64)
    np.testing.assert_allclose(InputConverter(spec)(image), (pixels - np.array(mean)) * scale[0], rtol=1e-5, atol=1e-5)


def test_another_input_form_is_refused():
    from pipelines.backends.litert import InputConverter

    with pytest.raises(ModelError, match="takes float32 NHWC pictures, not uint8 NHWC RGB"):
        InputConverter(TensorSpec("image", (1, 5, 7, 3), "uint8", "NHWC", "RGB"))


def test_faces_come_from_the_mesh_that_litert_can_load(portrait):
    with Pipeline(PipelineConfig(tasks=("face",), pipeline="litert-cpu")) as pipeline:
        result = pipeline.process(portrait(0))
        assert [note.split(" (")[0] for note in pipeline.notes] == ["litert-cpu runs face_mesh_468"]
    models = {"landmarks": "face_mesh_468"}
    with Pipeline(PipelineConfig(tasks=("face",), pipeline="ort-cpu", models=models)) as pipeline:
        reference = pipeline.process(portrait(0))
    assert result.backends == {"face": "litert-cpu"}
    distance = np.abs(result.faces.faces[0].landmarks - reference.faces.faces[0].landmarks).max()
    assert distance < 0.1


def test_faces_that_are_followed_do_not_drift_apart():
    """Each crop comes from the landmarks before it: what two backends round differently must not add up."""
    config = PipelineConfig(tasks=("face",), pipeline="ort-cpu", models={"landmarks": "face_mesh_468"})
    with Pipeline(config) as reference, Pipeline(replace(config, pipeline="litert-cpu")) as pipeline:
        source = make_source(str(CLIP))
        source.open()
        for _ in range(45):
            frame = source.read()
            expected, found = (item.process(frame).faces.faces for item in (reference, pipeline))
            assert len(found) == len(expected) == 1
            assert found[0].track_id == expected[0].track_id
            np.testing.assert_allclose(found[0].landmarks, expected[0].landmarks, atol=0.05)
        source.close()


def test_nothing_is_written_to_the_terminal():
    code = (
        "from models.manifest import load_manifest; from pipelines.backends import get_backend; import numpy as np\n"
        "manifest = load_manifest('face_detection'); session = get_backend('litert-cpu').open(manifest)\n"
        "session.run(np.zeros(manifest.input.shape, np.uint8)); session.close()"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_the_sample_has_the_size_of_each_model():
    for name in LITERT:
        manifest = load_manifest(name)
        assert sample_input(manifest).shape == manifest.input.shape
        assert cv2.Laplacian(sample_input(manifest)[0], cv2.CV_64F).var() > 100
