"""GPU backends for real, on a software Vulkan driver (the SwiftShader that comes with Chromium)."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper
from scipy.stats import spearmanr

from models.manifest import load_manifest
from pipelines.backends import available_backends, get_backend, resolve
from pipelines.backends.graphics import ALLOW_SOFTWARE, loader_problem
from pipelines.backends.guarded import Binding
from pipelines.backends.select import fastest
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.pipeline import Pipeline
from pipelines.qualify import try_backend
from pipelines.qualify.sample import sample_input

DRIVERS = (
    os.environ.get("VK_DRIVER_FILES", ""),
    "/usr/lib/chromium/vk_swiftshader_icd.json",
    "/usr/lib/chromium-browser/vk_swiftshader_icd.json",
    "/opt/google/chrome/vk_swiftshader_icd.json",
)
DRIVER = next((path for path in DRIVERS if "swiftshader" in path and Path(path).is_file()), None)
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(DRIVER is None, reason="no software Vulkan driver (apt install chromium brings one)"),
    pytest.mark.skipif(loader_problem() is not None, reason="no Vulkan loader (apt install libvulkan1)"),
]
GPUS = [
    pytest.param("ort-webgpu", "WebGpuExecutionProvider", marks=pytest.mark.timeout(300)),
    pytest.param("litert-gpu", "LiteRT WebGPU", marks=pytest.mark.timeout(300)),
]
DETECTOR = load_manifest("face_detection")


@pytest.fixture(autouse=True)
def software_gpu(monkeypatch):
    monkeypatch.setenv("VK_DRIVER_FILES", DRIVER or "")
    monkeypatch.setenv(ALLOW_SOFTWARE, "1")


@pytest.fixture(scope="module")
def kept_trials(tmp_path_factory):
    return tmp_path_factory.mktemp("gpu-cache")


@pytest.fixture(autouse=True)
def shared_cache(own_cache, kept_trials, monkeypatch):
    """Trials on an emulated GPU take seconds: the tests of this file share them."""
    monkeypatch.setenv("TWINLENS_CACHE_DIR", str(kept_trials))


@pytest.mark.parametrize(("backend_id", "provider"), GPUS)
def test_a_software_gpu_passes_its_trial_and_is_labelled(backend_id, provider):
    trial = try_backend(get_backend(backend_id), (DETECTOR,))
    assert trial.problem is None
    assert trial.software
    assert "SwiftShader" in trial.device
    model = trial.models["face_detection"]
    assert model.verdict == "ok"
    assert list(model.placement) == [provider]
    assert model.placement[provider] > 50
    assert (model.on_cpu, model.crossings) == ({}, 0)
    assert 0 < model.max_abs_diff < 0.01
    assert model.median_ms is None
    state = available_backends()[backend_id]
    assert (state.available, state.software, state.device) == (True, True, trial.device)


@pytest.mark.parametrize(("backend_id", "provider"), GPUS)
def test_a_hosted_session_tells_where_it_runs_and_agrees(backend_id, provider):
    binding = Binding(get_backend(backend_id))
    session = binding.open(DETECTOR, 1)
    image = sample_input(DETECTOR)
    outputs = session.run(image)
    report = session.report
    assert (report.backend, report.software, list(report.placement)) == (backend_id, True, [provider])
    assert "SwiftShader" in report.device
    expected = get_backend("ort-cpu").open(DETECTOR).run(image)
    for name in expected:
        np.testing.assert_allclose(outputs[name], expected[name], atol=0.01)
    assert binding.notice is None
    binding.close()


SPLIT = """
import sys
from pathlib import Path
from pipelines.backends import get_backend
from pipelines.backends.ort import count_crossings, create_session, read_placement
device = get_backend("ort-webgpu").devices()[0]
attach = lambda options: options.add_provider_for_devices([device], {}) or []
data = Path(sys.argv[1]).read_bytes()
print(*read_placement(create_session(data, attach, device.ep_name, 1)), count_crossings(data, attach, 1), sep=";")
"""


@pytest.mark.parametrize(
    ("operators", "told"),
    [
        (("Relu", "Neg", "Abs"), "{'WebGpuExecutionProvider': 3};{};0"),
        (
            ("Relu", "Sign", "Neg", "Sign", "Abs"),
            "{'WebGpuExecutionProvider': 3, 'CPUExecutionProvider': 2};{'Sign': 2};4",
        ),
        (("Sign",), "WebGpuExecutionProvider took none of the graph's nodes"),
    ],
    ids=["all on the GPU", "split", "none on the GPU"],
)
def test_operators_without_a_gpu_kernel_are_counted_with_their_copies(operators, told, tmp_path):
    """WebGPU has no Sign. In a process of its own: a driver stays loaded in the process that used it."""
    shape = [1, 8]
    nodes = [helper.make_node(kind, [f"x{i}"], [f"x{i + 1}"]) for i, kind in enumerate(operators)]
    first, last = (helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, shape) for i in (0, len(operators)))
    graph = helper.make_graph(nodes, "chain", [first], [last])
    path = tmp_path / "chain.onnx"
    path.write_bytes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", SPLIT, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert told in (run.stdout if run.returncode == 0 else run.stderr)


def test_without_the_variable_there_is_no_gpu_and_the_reason_is_told(monkeypatch):
    monkeypatch.delenv(ALLOW_SOFTWARE)
    for backend_id in ("ort-webgpu", "litert-gpu"):
        with pytest.raises(BackendError, match=r"no GPU: the only adapter is SwiftShader.*which is software"):
            resolve(backend_id)


def test_auto_never_chooses_a_software_gpu():
    try_backend(get_backend("litert-gpu"), (DETECTOR,))
    assert fastest(("face_detection",)).id == "ort-cpu"


@pytest.mark.timeout(300)
def test_all_tasks_on_litert_gpu_find_what_the_cpu_finds(portrait):
    models = {"landmarks": "face_mesh_468"}
    with Pipeline(PipelineConfig(pipeline="litert-gpu", models=models)) as pipeline:
        result = pipeline.process(portrait(0))
        assert {report.software for reports in pipeline.reports.values() for report in reports} == {True}
    with Pipeline(PipelineConfig(pipeline="ort-cpu", models=models)) as pipeline:
        reference = pipeline.process(portrait(0))
    assert set(result.backends.values()) == {"litert-gpu"}
    assert result.notices == ()
    assert np.abs(result.faces.faces[0].landmarks - reference.faces.faces[0].landmarks).max() < 0.1
    person, expected = result.mask.alpha > 127, reference.mask.alpha > 127
    assert (person & expected).sum() / (person | expected).sum() > 0.999
    assert spearmanr(result.depth.inverse_depth.ravel(), reference.depth.inverse_depth.ravel()).statistic > 0.9999
