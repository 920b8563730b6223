"""`twinlens doctor`: the JSON is the contract, the text has the same facts, reasons are true."""

import json
import re
import shutil

import pytest

from app.__main__ import main
from models.manifest import load_manifest, manifest_names, weights_dir
from pipelines.backends.fingerprint import model_fingerprint
from pipelines.backends.trials import ModelTrial, Trial, save_trial

CONTRACT = ("ort-cpu", "ort-webgpu", "ort-cuda", "ort-tensorrt", "ort-coreml", "ort-directml", "ort-openvino",
            "litert-cpu", "litert-gpu")  # fmt: skip


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def quiet_machine(cache, monkeypatch):
    """A machine without a graphics driver, whose trials are made once for this file."""
    monkeypatch.setenv("TWINLENS_CACHE_DIR", str(cache))
    monkeypatch.setenv("VK_DRIVER_FILES", "/nonexistent.json")
    monkeypatch.delenv("TWINLENS_ALLOW_SOFTWARE_GPU", raising=False)


def doctor_json(capsys, status=0):
    assert main(["doctor", "--json"]) == status
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def test_the_json_is_the_contract(capsys):
    found = doctor_json(capsys)
    assert list(found) == ["app", "machine", "backends", "pipelines", "cameras", "models"]
    assert re.fullmatch(r"twinlens \d+\.\d+\.\d+\S*", found["app"])
    assert set(found["machine"]) == {"cpu", "cores", "gpu", "os", "python", "onnxruntime", "litert"}
    for backend in found["backends"]:
        assert list(backend) == [
            *("id", "kind", "available", "software", "device", "devices", "reason", "versions", "models")
        ]
        assert backend["kind"] in ("cpu", "gpu")
        assert backend["available"] == (backend["reason"] is None)
        assert [model["model"] for model in backend["models"]] == list(manifest_names())
        for model in backend["models"]:
            assert set(model) == {"model", "verdict", "placement", "on_cpu", "crossings"}
            assert bool(model["placement"]) == (model["verdict"] == "ok")
    assert set(found["pipelines"]) == {"cpu", "gpu", "auto"}
    assert set(found["pipelines"]["auto"]) == {"face", "segmentation", "depth"}
    for camera in found["cameras"]:
        assert set(camera) == {"index", "name", "backend", "modes"}
    for model in found["models"]:
        assert set(model) == {"name", "task", "file", "sha256", "ok", "licence"}
        assert model["ok"] is True
    assert {model["name"] for model in found["models"]} == set(manifest_names())
    assert len({model["file"] for model in found["models"]}) == len(found["models"])


def test_every_known_backend_is_listed_with_its_reason(capsys):
    found = {backend["id"]: backend for backend in doctor_json(capsys)["backends"]}
    assert set(CONTRACT) <= set(found)
    reference = found["ort-cpu"]
    assert reference["available"]
    assert reference["versions"]["onnxruntime"]
    assert all(model["verdict"] == "ok" for model in reference["models"])
    assert all(set(model["placement"]) == {"CPUExecutionProvider"} for model in reference["models"])
    assert "this onnxruntime build has no CUDAExecutionProvider" in found["ort-cuda"]["reason"]
    assert "pip install onnxruntime-gpu" in found["ort-cuda"]["reason"]
    assert all(model["verdict"] == "not tried" for model in found["ort-cuda"]["models"])
    for backend_id in ("ort-webgpu", "litert-gpu"):
        assert re.search("no GPU|no Vulkan loader|not installed", found[backend_id]["reason"])


def test_pipelines_say_what_would_run(capsys):
    pipelines = doctor_json(capsys)["pipelines"]
    assert pipelines["cpu"] == "ort-cpu"
    assert pipelines["gpu"] is None
    assert pipelines["auto"]["face"] == pipelines["auto"]["depth"] == "ort-cpu"


def test_the_text_has_the_same_facts(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for word in ("Machine", "Backends", "Pipelines", "Cameras", "Models", *CONTRACT, *manifest_names()):
        assert word in out
    assert re.search(r"ort-cuda +not usable +not installed: this onnxruntime build has no CUDA", out)
    assert re.search(r"face_mesh +ok \(\d+ nodes on CPU\)", out)
    assert re.search(r"gpu +none", out)


def test_what_stayed_on_the_cpu_is_told(capsys):
    trial = ModelTrial("ok", model_fingerprint(load_manifest("depth_v2")),
                       {"WebGpuExecutionProvider": 98, "CPUExecutionProvider": 3}, {"Resize": 3}, 6)  # fmt: skip
    others = {
        name: ModelTrial("failed: x", model_fingerprint(load_manifest(name)))
        for name in manifest_names()
        if name != "depth_v2"
    }
    save_trial("ort-webgpu", Trial("Arc", models={"depth_v2": trial, **others}))
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"depth_v2 +ok \(98 nodes on WebGpu, 3 nodes on CPU, left to the CPU: Resize x3; 6 copies", out)
    assert re.search(r"ort-webgpu +ok +Arc", out)
    assert main(["doctor", "--refresh"]) == 0
    assert not re.search(r"ort-webgpu +ok", capsys.readouterr().out)


def test_a_damaged_model_is_named_and_the_status_is_1(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "weights"
    shutil.copytree(weights_dir(), folder)
    monkeypatch.setattr("models.manifest.weights_dir", lambda: folder)
    for path in folder.glob("selfie_square*.onnx"):
        path.write_bytes(path.read_bytes()[:-1])
    found = doctor_json(capsys, status=1)
    bad = [model["file"] for model in found["models"] if not model["ok"]]
    assert bad == ["selfie_square.cpu.onnx", "selfie_square.gpu.onnx"]
    reference = next(backend for backend in found["backends"] if backend["id"] == "ort-cpu")
    verdicts = {model["model"]: model["verdict"] for model in reference["models"]}
    assert verdicts["face_mesh"] == "ok"
    assert verdicts["selfie_square"].startswith("failed: ")
    assert "checksum differs" in verdicts["selfie_square"]
