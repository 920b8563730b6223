"""Trials: every way in which a backend can fail gives its own verdict, and the parent survives it."""

import json
import os
import sys
import time

import numpy as np
import pytest

from models.manifest import load_manifest
from pipelines.backends import available_backends, get_backend
from pipelines.backends import child as child_module
from pipelines.backends.trials import ModelTrial, Trial, forget_trial, load_trial, save_trial
from pipelines.errors import BackendError
from pipelines.qualify import require, try_all, try_backend, untried
from pipelines.qualify import trial as trial_module
from pipelines.qualify.sample import sample_input
from tests.patience import HANG_S

DETECTOR = (load_manifest("face_detection"),)
MESH = load_manifest("face_mesh_468")


def verdict(backend_id, models=DETECTOR, **options):
    trial = try_backend(get_backend(backend_id), models, **options)
    return trial, trial.models.get(models[0].name)


def test_a_backend_that_computes_the_same_is_ok(stubs):
    trial, model = verdict("stub-good")
    assert trial.problem is None
    assert (trial.device, trial.software) == ("stub", False)
    assert model.verdict == "ok"
    assert model.max_abs_diff == 0
    assert model.placement == {"CPUExecutionProvider": model.placement["CPUExecutionProvider"]}
    assert model.median_ms > 0
    assert model.reference_ms > 0
    assert available_backends()["stub-good"].available


@pytest.mark.parametrize(
    ("backend_id", "start"),
    [
        ("stub-wrong", "wrong output: regressors differs from the CPU's by 1"),
        ("stub-nan-always", "wrong output: regressors is not finite"),
        ("stub-raise", "failed: the stub refuses"),
        ("stub-crash", "failed: its process crashed with SIGABRT"),
    ],
)
def test_each_failure_has_its_own_verdict(stubs, backend_id, start):
    _, model = verdict(backend_id)
    assert model.verdict.startswith(start)
    state = available_backends()[backend_id]
    assert not state.available
    assert state.reason == f"face_detection: {model.verdict}"
    with pytest.raises(BackendError, match=f"{backend_id} cannot run face_detection: {start}"):
        require(get_backend(backend_id), DETECTOR[0])


def test_a_backend_that_hangs_is_given_up_in_time(stubs, monkeypatch):
    monkeypatch.setattr(trial_module, "MODEL_SECONDS", 1.0)
    start = time.monotonic()
    _, model = verdict("stub-hang")
    assert model.verdict == "failed: it did not answer within 1 s"
    assert time.monotonic() - start < HANG_S / 2


def test_a_crash_costs_one_model_and_not_the_others(stubs):
    told = []
    trial = try_backend(get_backend("stub-crash"), (*DETECTOR, MESH), progress=told.append)
    assert told == ["face_detection", "face_mesh_468"]
    assert [item.verdict for item in trial.models.values()] == ["failed: its process crashed with SIGABRT"] * 2


def test_no_device_is_a_problem_of_the_backend(stubs):
    trial, model = verdict("stub-no-device")
    assert trial.problem == "no device: the stub was unplugged"
    assert model is None
    assert available_backends()["stub-no-device"].reason == trial.problem


def test_a_missing_package_is_told_without_a_trial(stubs, monkeypatch):
    monkeypatch.setattr(trial_module, "spawn", lambda *args, **kwargs: pytest.fail("a process was started"))
    trial, _ = verdict("stub-absent")
    assert trial.problem == "not installed: pip install stub"
    with pytest.raises(BackendError, match="stub-absent cannot be used here: not installed: pip install stub"):
        require(get_backend("stub-absent"), DETECTOR[0])


def test_a_model_without_a_form_does_not_make_the_backend_useless(stubs):
    models = (load_manifest("face_mesh"), *DETECTOR)
    _, model = verdict("stub-no-478", models)
    assert model.verdict == "no form: face_mesh has no stub file"
    assert available_backends()["stub-no-478"].available


def test_verdicts_are_kept_and_can_be_refreshed(stubs, monkeypatch):
    first, _ = verdict("stub-good")
    with monkeypatch.context() as patch:
        patch.setattr(trial_module, "spawn", lambda *args, **kwargs: pytest.fail("tried again"))
        again, _ = verdict("stub-good")
    assert again == first
    _, model = verdict("stub-good", refresh=True)
    assert model.median_ms != first.models["face_detection"].median_ms


def test_only_models_without_a_verdict_are_tried(stubs):
    verdict("stub-good")
    told = []
    try_backend(get_backend("stub-good"), (*DETECTOR, MESH), progress=told.append)
    assert told == ["face_mesh_468"]


def test_other_circumstances_ask_for_another_trial(stubs, monkeypatch):
    save_trial("stub-good", Trial("stub"))
    assert load_trial("stub-good") == Trial("stub")
    monkeypatch.setenv("VK_DRIVER_FILES", "/another/driver.json")
    assert load_trial("stub-good") is None
    assert available_backends()["stub-good"].reason == "not tried yet on this machine (twinlens doctor tries it)"


def test_a_model_that_changed_is_tried_again(stubs):
    trial = Trial("stub", models={"face_detection": ModelTrial("ok", "digest of older files")})
    save_trial("stub-good", trial)
    assert load_trial("stub-good") == trial
    assert load_trial("stub-good").verdict(DETECTOR[0]) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format": 1, "trial": {"device": 3, "models": 1}}'])
def test_a_broken_cache_counts_as_none(stubs, own_cache, text):
    save_trial("stub-good", Trial("stub"))
    (path,) = own_cache.rglob("*.json")
    path.write_text(text)
    assert load_trial("stub-good") is None


def test_a_cache_that_cannot_be_written_is_no_failure(stubs, own_cache):
    (own_cache / "trials").write_text("a file where the folder should be")
    trial, model = verdict("stub-good")
    assert model.verdict == "ok"
    # What was tried can be used as long as the program runs: it is not said to be untried a moment later.
    assert load_trial("stub-good") == trial
    assert get_backend("stub-good").availability().available
    forget_trial("stub-good")
    assert load_trial("stub-good") is None


def test_a_kept_file_is_complete_or_absent(stubs, own_cache, monkeypatch):
    save_trial("stub-good", Trial("first"))
    monkeypatch.setattr(json, "dump", lambda *args, **kwargs: (_ for _ in ()).throw(OSError("disk full")))
    save_trial("stub-good", Trial("second"))
    assert load_trial("stub-good") == Trial("first")
    assert len(list((own_cache / "trials").iterdir())) == 1


def test_what_is_missing_is_tried_in_one_go(stubs, monkeypatch):
    names = ("ort-cpu", "stub-good", "stub-no-device", "stub-absent")
    monkeypatch.setattr(trial_module, "backend_ids", lambda: names)
    monkeypatch.setattr(trial_module, "manifests", lambda: DETECTOR)
    assert [backend.id for backend in untried()] == ["stub-good", "stub-no-device"]
    told = []
    asked = []
    spawn = trial_module.spawn
    monkeypatch.setattr(trial_module, "spawn", lambda *args, **kwargs: asked.append(kwargs) or spawn(*args, **kwargs))
    assert try_all(told.append)
    assert all(kwargs["gently"] for kwargs in asked)
    assert told == ["stub-good", "stub-no-device"]
    assert load_trial("stub-good").models["face_detection"].verdict == "ok"
    assert untried() == ()
    assert not try_all()


def test_the_reference_needs_no_trial(monkeypatch):
    monkeypatch.setattr(trial_module, "spawn", lambda *args, **kwargs: pytest.fail("a process was started"))
    require(get_backend("ort-cpu"), DETECTOR[0])
    assert available_backends()["ort-cpu"].available


@pytest.mark.parametrize("name", ["face_detection", "face_mesh", "selfie_landscape", "depth_v2"])
def test_the_sample_shows_what_the_models_look_for(name):
    manifest = load_manifest(name)
    outputs = get_backend("ort-cpu").open(manifest).run(sample_input(manifest))
    if name == "face_detection":
        assert outputs["scores"].max() > 2
    elif name == "face_mesh":
        assert outputs["face_flag"].item() > 2
    elif name == "selfie_landscape":
        assert 0.2 < np.mean(outputs["mask"] > 0.5) < 0.8
    else:
        assert np.ptp(outputs["depth"]) > 0.2


@pytest.mark.skipif(sys.platform == "win32", reason="there it is a flag of the process that cannot be read back")
@pytest.mark.parametrize(("gently", "more"), [(False, 0), (True, child_module.GENTLE)])
def test_a_child_in_the_background_lets_others_go_first(gently, more):
    process = child_module.spawn("pipelines.backends.host_child", gently=gently)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == max(own, more)
    child_module.end(process)


def test_a_trial_of_one_backend_does_not_wait_for_that_of_another(stubs):
    with trial_module._trying["stub-hang"]:
        assert verdict("stub-good")[1].verdict == "ok"
