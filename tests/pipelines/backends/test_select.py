"""From words to backends: kinds, names, per task; nothing is replaced in silence."""

import re
import sys

import pytest

from models.errors import VisionError
from models.manifest import load_manifest
from pipelines.backends import available_backends, backend_ids, get_backend, resolve
from pipelines.backends.fingerprint import model_fingerprint
from pipelines.backends.select import candidates, fastest
from pipelines.backends.trials import ModelTrial, Trial, save_trial
from pipelines.config import PipelineConfig, parse_pipeline
from pipelines.errors import BackendError, ConfigError

FACE = ("face_detection", "face_mesh_468")


def passed(own_ms, reference_ms=1.0, names=FACE, **changes):
    """A trial in which the models passed at these speeds."""
    return Trial(
        "stub",
        models={
            name: ModelTrial("ok", model_fingerprint(load_manifest(name)), median_ms=own_ms, reference_ms=reference_ms)
            for name in names
        },
        **changes,
    )


def test_every_backend_of_the_contract_is_known_and_says_why_not():
    states = available_backends()
    assert next(iter(states)) == "ort-cpu"
    assert set(states) >= {
        "ort-cpu", "ort-webgpu", "ort-cuda", "ort-tensorrt", "ort-coreml", "ort-directml", "ort-openvino", "litert-cpu",
        "litert-gpu",
    }  # fmt: skip
    assert states["ort-cpu"].available
    for state in states.values():
        assert state.available != bool(state.reason)


def test_the_reference_is_the_cpu():
    assert resolve("cpu").id == resolve("auto").id == resolve("ort-cpu").id == "ort-cpu"
    assert get_backend("ort-cpu") is get_backend("ort-cpu")


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(VisionError, match=r"there is no backend called 'ort-gpu' \(known: .*ort-cpu.*\)"):
        resolve("ort-gpu")


def test_cuda_on_the_plain_wheel_says_what_to_install():
    sentence = "this onnxruntime build has no CUDAExecutionProvider: pip install onnxruntime-gpu"
    with pytest.raises(BackendError, match=sentence):
        resolve("ort-cuda")
    with pytest.raises(BackendError, match=sentence):
        get_backend("ort-cuda").open(load_manifest("face_detection"))


@pytest.mark.parametrize(
    ("backend_id", "system", "sentence"),
    [
        ("ort-directml", "linux", "exists on Windows only"),
        ("ort-coreml", "win32", "exists on macOS only"),
        ("ort-cuda", "darwin", "exists on Linux and Windows only"),
    ],
)
def test_a_provider_of_another_system_says_so(backend_id, system, sentence, monkeypatch):
    monkeypatch.setattr(sys, "platform", system)
    assert sentence in get_backend(backend_id).availability().reason


def test_gpus_are_tried_by_preference_and_software_comes_last(stubs):
    ids = [backend.id for backend in candidates("gpu")]
    assert ids == [name for name in backend_ids() if get_backend(name).kind == "gpu"]
    assert ids.index("ort-cuda") < ids.index("ort-webgpu") < ids.index("litert-gpu") < ids.index("stub-good")


def test_a_gpu_is_taken_once_it_has_passed(stubs, monkeypatch):
    save_trial("stub-good", passed(1.0, software=True))
    save_trial("stub-no-478", passed(1.0))
    monkeypatch.setattr(
        "pipelines.backends.select.candidates", lambda _: (get_backend("stub-good"), get_backend("stub-no-478"))
    )
    assert resolve("gpu").id == "stub-no-478"


def test_no_gpu_names_each_reason(stubs, monkeypatch):
    names = (
        "stub-absent",
        "stub-no-device",
        "ort-directml" if sys.platform != "win32" else "ort-coreml",
        "stub-unplugged",
    )
    monkeypatch.setattr("pipelines.backends.select.candidates", lambda _: tuple(map(get_backend, names)))
    with pytest.raises(
        BackendError,
        match=r"no GPU can be used here: no device: the stub was unplugged \(stub-no-device, stub-unplugged\); "
        r"not installed: stub-absent$",
    ):
        resolve("gpu")


def test_auto_takes_what_was_measured_to_be_faster(stubs):
    assert fastest(FACE).id == "ort-cpu"
    save_trial("stub-good", passed(0.5))
    save_trial("stub-cpu", passed(0.4))
    assert fastest(FACE).id == "stub-cpu"


@pytest.mark.parametrize(
    "trial",
    [
        passed(0.95),
        passed(0.5, software=True),
        passed(0.5, names=FACE[:1]),
        Trial("stub", models={name: ModelTrial("failed: x", "y", median_ms=0.1, reference_ms=1.0) for name in FACE}),
        Trial(problem="no device"),
    ],
    ids=["hardly faster", "software", "a model was not tried", "failed", "no device"],
)
def test_auto_stays_on_the_cpu_when(trial, stubs):
    save_trial("stub-good", trial)
    assert fastest(FACE).id == "ort-cpu"


def test_a_pipeline_can_be_given_by_task():
    config = PipelineConfig(pipeline="face=ort-cpu, depth=ort-webgpu")
    assert [config.pipeline_of(task) for task in ("face", "segmentation", "depth")] == ["ort-cpu", "auto", "ort-webgpu"]
    assert parse_pipeline("gpu,face=cpu") == {"": "gpu", "face": "cpu"}
    assert PipelineConfig().pipeline_of("face") == "auto"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "empty part"),
        ("face=", "empty part"),
        ("=cpu", "empty part"),
        ("face=cpu,", "empty part"),
        ("pose=cpu", "unknown task 'pose'"),
        ("face=cpu,face=gpu", "says twice where face"),
        ("cpu,gpu", "says twice where the rest"),
    ],
)
def test_a_pipeline_that_makes_no_sense_is_refused(text, sentence):
    with pytest.raises(ConfigError, match=sentence):
        PipelineConfig(pipeline=text)


def test_installed_plugins_are_found_by_the_names_of_their_packages(tmp_path, monkeypatch):
    from pipelines.backends import ort_plugins

    names = ("numpy-2.4.0", "onnxruntime_ep_QNN-1.2", "onnxruntime-ep.webgpu-0.4.0", "onnxruntime-1.32.0", "nothing")
    for name in names:
        tmp_path.joinpath("site", f"{name}.dist-info").mkdir(parents=True)
    monkeypatch.setattr("sys.path", ["", str(tmp_path / "gone"), str(tmp_path / "site"), str(tmp_path / "site")])
    monkeypatch.chdir(tmp_path)
    assert ort_plugins.installed_plugins() == ("onnxruntime-ep-qnn", "onnxruntime-ep-webgpu")


def test_versions_of_runtimes_are_those_that_they_state():
    from importlib import metadata

    from pipelines.backends.fingerprint import runtime_versions

    expected = {}
    for item in metadata.distributions():
        name = re.sub(r"[-_.]+", "-", item.metadata["Name"]).lower()
        if name.startswith(("onnxruntime", "ai-edge-litert")):
            expected[name] = item.version
    assert runtime_versions() == expected
    assert "onnxruntime" in expected


def test_a_plugin_that_does_not_load_says_so(tmp_path, monkeypatch):
    from pipelines.backends.ort_plugins import OrtPluginBackend, installed_plugins

    (tmp_path / "onnxruntime_ep_fake.py").write_text(
        "def get_library_path():\n    return '/nonexistent/libfake.so'\n\n"
        "def get_ep_names():\n    return ['FakeExecutionProvider']\n"
    )
    information = tmp_path / "onnxruntime_ep_fake-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: onnxruntime-ep-fake\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "onnxruntime-ep-fake" in installed_plugins()
    backend = OrtPluginBackend("ort-fake", "onnxruntime-ep-fake")
    assert backend.prerequisites().versions["onnxruntime-ep-fake"] == "1.0"
    with pytest.raises(BackendError, match=r"onnxruntime-ep-fake does not load: .*libfake\.so"):
        backend.probe()
