"""A backend that fails in mid-run: the reference goes on with the same frame, and the results say who made them."""

import gc
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from models.manifest import load_manifest
from pipelines.backends import get_backend
from pipelines.backends import host as host_module
from pipelines.backends.guarded import Binding
from pipelines.backends.host import DeviceLostError, Host
from pipelines.backends.trials import load_trial
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.frame import Frame
from pipelines.pipeline import Pipeline
from tests.patience import HANG_S

MANIFEST = load_manifest("face_detection")


@pytest.fixture
def expected(noise):
    return get_backend("ort-cpu").open(MANIFEST).run(noise("face_detection"))


def same(outputs, expected):
    return all(np.array_equal(outputs[name], expected[name]) for name in expected)


def run_frames(binding, session, image, count):
    """Return what each frame gave, and the backends that made them."""
    outputs, backends = [], []
    for _ in range(count):
        binding.begin_frame()
        outputs.append(session.run(image))
        backends.append(binding.backend_of_frame())
    return outputs, backends


@pytest.mark.parametrize(
    ("backend_id", "tolerated", "sentence"),
    [
        ("stub-raises-later", 2, "the stub refuses (3 times in a row)"),
        ("stub-loses-later", 0, "VK_ERROR_DEVICE_LOST"),
        ("stub-nan-later", 0, "face_detection on stub-nan-later: regressors is not finite"),
        ("stub-dies-later", 0, "its process crashed with SIGABRT"),
        ("stub-hangs-later", 0, "face_detection on stub-hangs-later gave no answer within 0.5 s"),
    ],
)
def test_every_frame_is_made_whatever_happens(backend_id, tolerated, sentence, stubs, noise, expected, impatience):
    binding = Binding(get_backend(backend_id))
    session = binding.open(MANIFEST, 1)
    image = noise("face_detection")
    good, backends = run_frames(binding, session, image, 3)
    assert backends == [backend_id] * 3
    assert binding.notice is None
    if "hangs" in backend_id:
        impatience()
    stubs.touch()
    start = time.monotonic()
    bad, backends = run_frames(binding, session, image, 5)
    assert time.monotonic() - start < HANG_S / 2
    assert backends == ["ort-cpu"] * 5
    assert all(same(outputs, expected) for outputs in good + bad)
    assert binding.notice == f"{backend_id} failed, going on on ort-cpu: {binding.notice.split(': ', 1)[1]}"
    assert sentence in binding.notice
    assert session.report.backend == "ort-cpu"
    binding.close()


def test_one_bad_run_costs_one_frame(stubs, noise, expected):
    binding = Binding(get_backend("stub-raises-once-later"))
    session = binding.open(MANIFEST, 1)
    stubs.touch()
    outputs, backends = run_frames(binding, session, noise("face_detection"), 3)
    assert backends == ["ort-cpu", "stub-raises-once-later", "stub-raises-once-later"]
    assert all(same(item, expected) for item in outputs)
    assert binding.notice is None
    binding.close()


def test_all_sessions_of_a_task_move_together(stubs, noise):
    binding = Binding(get_backend("stub-nan-later"))
    first = binding.open(MANIFEST, 1)
    second = binding.open(load_manifest("face_mesh_468"), 1)
    stubs.touch()
    first.run(noise("face_detection"))
    binding.begin_frame()
    assert np.isfinite(second.run(noise("face_mesh_468"))["landmarks"]).all()
    assert binding.backend_of_frame() == "ort-cpu"
    binding.close()


def test_a_backend_in_this_process_is_guarded_too(stubs, noise, expected, monkeypatch):
    binding = Binding(get_backend("stub-raises-later"))
    monkeypatch.setattr(binding.backend, "kind", "cpu")
    session = binding.open(MANIFEST, 1)
    stubs.touch()
    outputs, _ = run_frames(binding, session, noise("face_detection"), 4)
    assert all(same(item, expected) for item in outputs)
    assert "3 times in a row" in binding.notice
    binding.close()


@pytest.mark.parametrize("software", [False, True])
def test_results_tell_a_software_device_as_its_session_does(software, stubs):
    pipeline = Pipeline(PipelineConfig(tasks=("face",), pipeline="ort-cpu"))
    (binding,) = pipeline._bindings.values()
    binding.backend = get_backend("stub-raises-later")
    session = binding.open(MANIFEST, 1)
    session._report = replace(session.report, software=software)
    found = pipeline.process(Frame(np.zeros((96, 96, 3), np.uint8)))
    assert found.software == ({"stub-raises-later"} if software else set())
    assert found.backend_label("face") == "stub-raises-later" + (" (software)" if software else "")
    pipeline.close()


def test_what_does_not_load_is_an_error_and_not_the_reference():
    binding = Binding(get_backend("ort-cuda"))
    with pytest.raises(BackendError, match="ort-cuda cannot be used here: not installed"):
        binding.open(MANIFEST, 1)
    binding.close()


def test_hosted_sessions_compute_the_same(stubs, noise):
    host = Host(get_backend("stub-good"))
    for name in ("face_detection", "face_mesh_468", "selfie_landscape"):
        manifest = load_manifest(name)
        session = host.open(manifest, 1)
        assert session.report.backend == "stub-good"
        assert same(session.run(noise(name)), get_backend("ort-cpu").open(manifest).run(noise(name)))
        with pytest.raises(BackendError, match="was expected"):
            session.run(np.zeros((1, 8, 8, 3), np.uint8))
        session.close()
    host.close()


def test_results_of_a_hosted_run_stay_as_they_are(stubs, noise):
    host = Host(get_backend("stub-good"))
    session = host.open(MANIFEST, 1)
    first = session.run(noise("face_detection", 1))
    kept = first["scores"].copy()
    session.run(noise("face_detection", 2))
    assert np.array_equal(first["scores"], kept)
    host.close()


def test_closing_leaves_no_process_thread_or_file(stubs, noise):
    before = threading.active_count()
    binding = Binding(get_backend("stub-good"))
    session = binding.open(MANIFEST, 1)
    process = binding._host._process
    binding.close()
    assert process.poll() is not None
    assert threading.active_count() == before
    del session, binding
    gc.collect()


def test_a_closed_host_says_so(stubs, noise):
    host = Host(get_backend("stub-good"))
    session = host.open(MANIFEST, 1)
    host.close()
    with pytest.raises(DeviceLostError, match="its process is gone"):
        session.run(noise("face_detection"))


def test_a_host_that_does_not_start_is_told(stubs, monkeypatch):
    monkeypatch.setattr(host_module, "spawn", lambda module: host_module_spawn("pipelines.no_such_module"))
    with pytest.raises(BackendError, match=r"the process for stub-good does not start: .*status 1"):
        Host(get_backend("stub-good"))


host_module_spawn = host_module.spawn


def test_a_hung_child_does_not_outlive_its_parent(stubs):
    host = Host(get_backend("stub-hangs-later"))
    host.open(MANIFEST, 1)
    stubs.touch()
    host._connection.send(("run", 0))
    host._process.stdin.close()  # what the system does when the parent is killed
    assert host._process.wait(timeout=HANG_S / 2) == 1
    host.close()


def test_the_pipeline_survives_and_tells(stubs, portrait):
    with Pipeline(PipelineConfig(tasks=("face",), pipeline="stub-dies-later")) as pipeline:
        assert {report.backend for report in pipeline.reports["face"]} == {"stub-dies-later"}
        before = [pipeline.process(portrait(index)) for index in range(2)]
        stubs.touch()
        after = [pipeline.process(portrait(index)) for index in range(2, 5)]
    with Pipeline(PipelineConfig(tasks=("face",), pipeline="ort-cpu")) as pipeline:
        truth = [pipeline.process(portrait(index)) for index in range(5)]
    assert [result.backends["face"] for result in before] == ["stub-dies-later"] * 2
    assert [result.backends["face"] for result in after] == ["ort-cpu"] * 3
    assert all(not result.notices for result in before)
    for result in after:
        assert len(result.notices) == 1
        assert "face: stub-dies-later failed, going on on ort-cpu" in result.notices[0]
    for result, reference in zip(before + after, truth, strict=True):
        assert len(result.faces.faces) == 1
        np.testing.assert_allclose(result.faces.faces[0].landmarks, reference.faces.faces[0].landmarks, atol=1e-3)


def test_a_missing_form_is_stood_in_for_and_told(stubs, portrait):
    with Pipeline(PipelineConfig(tasks=("face",), pipeline="stub-no-478")) as pipeline:
        assert [report.model for report in pipeline.reports["face"]] == ["face_detection", "face_mesh_468"]
        assert len(pipeline.notes) == 1
        assert pipeline.notes[0].startswith("stub-no-478 runs face_mesh_468 (")
        assert "face_mesh has no stub file" in pipeline.notes[0]
        assert pipeline.process(portrait(0)).faces.faces[0].landmarks.shape == (468, 3)


@pytest.mark.parametrize(("backend_id", "models"), [("stub-no-478", {"landmarks": "face_mesh"}), ("stub-no-mesh", {})])
def test_a_model_chosen_by_name_or_without_kin_is_not_replaced(backend_id, models, stubs):
    config = PipelineConfig(tasks=("face",), pipeline=backend_id, models=models)
    with pytest.raises(BackendError, match=f"{backend_id} cannot run face_mesh: face_mesh has no stub file"):
        Pipeline(config)


def test_a_backend_that_computes_something_else_is_not_used(stubs):
    with pytest.raises(BackendError, match="stub-wrong cannot run face_detection: wrong output"):
        Pipeline(PipelineConfig(tasks=("face",), pipeline="stub-wrong"))


def test_gpu_takes_the_first_that_works(stubs, portrait, monkeypatch):
    names = ("stub-absent", "stub-no-device", "stub-wrong", "stub-good")
    monkeypatch.setattr("pipelines.pipeline.candidates", lambda _: tuple(map(get_backend, names)))
    with Pipeline(PipelineConfig(tasks=("face",), pipeline="gpu")) as pipeline:
        assert pipeline.process(portrait(0)).backends == {"face": "stub-good"}
    monkeypatch.setattr("pipelines.pipeline.candidates", lambda _: tuple(map(get_backend, names[:3])))
    with pytest.raises(
        BackendError, match=r"no GPU can be used here: .*\(stub-no-device\); .*\(stub-wrong\); not inst"
    ):
        Pipeline(PipelineConfig(tasks=("face",), pipeline="gpu"))


def test_the_first_use_of_a_gpu_model_is_its_trial(stubs, noise, monkeypatch):
    """It is loaded once, in the process where it serves, and the verdict is kept for the next time."""
    opened = []
    on_trial, plain = Host.open_on_trial, Host.open
    monkeypatch.setattr(Host, "open_on_trial", lambda *args: opened.append("trial") or on_trial(*args))
    monkeypatch.setattr(Host, "open", lambda *args: opened.append("plain") or plain(*args))
    for _ in range(2):
        binding = Binding(get_backend("stub-good"))
        binding.open(MANIFEST, 1).run(noise("face_detection"))
        binding.close()
    assert opened == ["trial", "plain"]
    verdict = load_trial("stub-good").verdict(MANIFEST)
    assert (verdict.verdict, verdict.max_abs_diff) == ("ok", 0)
    assert verdict.median_ms > 0


@pytest.mark.parametrize(
    ("backend_id", "verdict"),
    [
        ("stub-wrong", "wrong output: regressors differs from the CPU's by 1"),
        ("stub-raise", "failed: the stub refuses"),
        ("stub-crash", "failed: its process crashed with SIGABRT"),
    ],
)
def test_a_first_use_that_fails_is_a_verdict_too(backend_id, verdict, stubs):
    for _ in range(2):
        binding = Binding(get_backend(backend_id))
        with pytest.raises(BackendError, match=f"{backend_id} cannot run face_detection: {verdict}"):
            binding.open(MANIFEST, 1)
        binding.close()
    assert load_trial(backend_id).verdict(MANIFEST).verdict.startswith(verdict)
