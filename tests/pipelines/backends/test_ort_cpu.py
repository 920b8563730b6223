"""The reference backend: real files, named outputs, checksums compared before anything is loaded."""

import shutil

import numpy as np
import pytest

from models.errors import ModelError
from models.manifest import load_manifest, manifest_names, read_manifest, weights_dir
from pipelines.backends import get_backend
from pipelines.backends.ort_cpu import preferred_variant
from pipelines.errors import BackendError


@pytest.fixture
def damaged(tmp_path):
    """Manifest of a model whose files lost their last byte."""

    def make(name):
        for path in weights_dir().glob(f"{name}.*"):
            shutil.copy(path, tmp_path)
        for path in tmp_path.glob("*.onnx"):
            path.write_bytes(path.read_bytes()[:-1])
        return read_manifest(tmp_path / f"{name}.toml")

    return make


@pytest.mark.parametrize("name", manifest_names())
def test_every_model_gives_what_its_manifest_says(name, noise):
    manifest = load_manifest(name)
    session = get_backend("ort-cpu").open(manifest)
    outputs = session.run(noise(name))
    session.close()
    assert {key: value.shape for key, value in outputs.items()} == {spec.name: spec.shape for spec in manifest.outputs}
    assert all(value.dtype == np.float32 and np.isfinite(value).all() for value in outputs.values())
    report = session.report
    assert (report.model, report.backend, report.variant, report.software) == (
        name,
        "ort-cpu",
        preferred_variant(),
        False,
    )
    assert set(report.placement) == {"CPUExecutionProvider"}
    assert report.placement["CPUExecutionProvider"] > 5
    assert report.load_ms > 0


def test_a_run_depends_on_nothing_but_its_input(noise):
    manifest = load_manifest("selfie_landscape")
    session = get_backend("ort-cpu").open(manifest)
    first = session.run(noise("selfie_landscape", 1))["mask"]
    other = session.run(noise("selfie_landscape", 2))["mask"]
    again = session.run(noise("selfie_landscape", 1))["mask"]
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_number_of_threads_changes_the_speed_only(noise):
    manifest = load_manifest("face_detection")
    one, two = (get_backend("ort-cpu").open(manifest, threads) for threads in (1, 2))
    image = noise("face_detection")
    assert two.report.threads == 2
    np.testing.assert_allclose(one.run(image)["scores"], two.run(image)["scores"], atol=1e-3)


def test_a_picture_of_another_size_is_refused_in_words():
    session = get_backend("ort-cpu").open(load_manifest("face_detection"))
    with pytest.raises(BackendError, match="face_detection failed on ort-cpu"):
        session.run(np.zeros((1, 64, 64, 3), np.uint8))


def test_a_closed_session_says_so(noise):
    session = get_backend("ort-cpu").open(load_manifest("face_detection"))
    session.close()
    with pytest.raises(BackendError, match="face_detection on ort-cpu was closed"):
        session.run(noise("face_detection"))


def test_a_damaged_file_is_not_loaded(damaged):
    with pytest.raises(ModelError, match=r"face_detection\..*onnx: checksum differs"):
        get_backend("ort-cpu").open(damaged("face_detection"))


def test_a_file_that_is_no_network_is_refused_in_words(tmp_path, damaged, monkeypatch):
    manifest = damaged("face_detection")
    monkeypatch.setattr("models.spec.ModelFile.read_verified", lambda self: b"not a network")
    with pytest.raises(BackendError, match="face_detection does not load on ort-cpu"):
        get_backend("ort-cpu").open(manifest)


@pytest.mark.parametrize(
    ("machine", "variant"), [("x86_64", "cpu"), ("AMD64", "cpu"), ("aarch64", "plain"), ("arm64", "plain")]
)
def test_the_blocked_graphs_are_for_x86(machine, variant, monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert preferred_variant() == variant


def test_cpu_and_plain_graphs_agree(noise, monkeypatch):
    manifest = load_manifest("face_mesh")
    outputs = []
    for variant in ("cpu", "plain"):
        monkeypatch.setattr("pipelines.backends.ort_cpu.preferred_variant", lambda variant=variant: variant)
        outputs.append(get_backend("ort-cpu").open(manifest).run(noise("face_mesh")))
    for name, limit in manifest.tolerance.items():
        np.testing.assert_allclose(outputs[0][name], outputs[1][name], atol=limit / 10)
