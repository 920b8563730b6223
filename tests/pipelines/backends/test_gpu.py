"""GPU backends for real, on a software Vulkan driver: the SwiftShader that comes with Chromium.

`tools/software_gpu.sh` fetches it. Without one the tests are skipped, and say why.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from onnx import TensorProto, helper
from scipy.stats import spearmanr

from app.__main__ import main
from models.manifest import load_manifest
from pipelines.backends import available_backends, get_backend, resolve
from pipelines.backends.graphics import ALLOW_SOFTWARE, loader_problem
from pipelines.backends.guarded import Binding
from pipelines.backends.select import fastest
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.export import encode_layer
from pipelines.pipeline import Pipeline
from pipelines.qualify import try_backend
from pipelines.qualify.sample import sample_input
from pipelines.sources import make_source
from tests.patience import PATIENCE_S

DRIVERS = (
    os.environ.get("TWINLENS_TEST_VULKAN_DRIVER", ""),
    os.environ.get("VK_DRIVER_FILES", ""),
    "/usr/lib/chromium/vk_swiftshader_icd.json",
    "/usr/lib/chromium-browser/vk_swiftshader_icd.json",
    "/opt/google/chrome/vk_swiftshader_icd.json",
)
DRIVER = next((path for path in DRIVERS if "swiftshader" in path and Path(path).is_file()), None)
MISSING = os.environ.get(
    "TWINLENS_TEST_NO_VULKAN_DRIVER",
    "no software Vulkan driver: point TWINLENS_TEST_VULKAN_DRIVER at what tools/software_gpu.sh prints",
)
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(DRIVER is None, reason=MISSING),
    pytest.mark.skipif(loader_problem() is not None, reason="no Vulkan loader (apt install libvulkan1)"),
]
GPUS = [
    pytest.param("ort-webgpu", "WebGpuExecutionProvider", marks=pytest.mark.timeout(1200)),
    pytest.param("litert-gpu", "LiteRT WebGPU", marks=pytest.mark.timeout(1200)),
]
DETECTOR = load_manifest("face_detection")
CLIP = Path(__file__).resolve().parents[3] / "assets" / "demo.mp4"
FRAMES = 2
"""The first is searched for faces, on the next the face is followed: on an emulated GPU each takes seconds."""


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
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=PATIENCE_S)
    assert told in (run.stdout if run.returncode == 0 else run.stderr)


def test_without_the_variable_there_is_no_gpu_and_the_reason_is_told(monkeypatch):
    monkeypatch.delenv(ALLOW_SOFTWARE)
    for backend_id in ("ort-webgpu", "litert-gpu"):
        with pytest.raises(BackendError, match=r"no GPU: the only adapter is SwiftShader.*which is software"):
            resolve(backend_id)


def test_auto_never_chooses_a_software_gpu():
    try_backend(get_backend("litert-gpu"), (DETECTOR,))
    assert fastest(("face_detection",)).id == "ort-cpu"


def layer_pair(layer, folder, expected):
    """A layer as it was written, and as it is written from the expected result."""
    written = (folder / layer / f"{expected.frame.index:06d}.png").read_bytes()
    wanted = encode_layer(layer, expected, expected.frame.image_bgr)
    return [cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED) for data in (written, wanted)]


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("pipeline", "backend_id", "models"),
    [
        # "gpu" is the first that works, which is WebGPU; LiteRT has no form of the 478-point mesh.
        ("gpu", "ort-webgpu", {}),
        ("litert-gpu", "litert-gpu", {"landmarks": "face_mesh_468"}),
    ],
    ids=["ort-webgpu", "litert-gpu"],
)
def test_a_file_is_processed_on_the_gpu_as_on_the_cpu(pipeline, backend_id, models, tmp_path):
    """The command line from file to file, all tasks; the reference is computed on the same frames."""
    results, layers = tmp_path / "out.jsonl", tmp_path / "layers"
    where = ["-o", str(tmp_path / "out.mp4"), "--results", str(results), "--layers-dir", str(layers)]
    options = ["--pipeline", pipeline, "--max-frames", str(FRAMES), "--layers", "mask,depth"]
    assert main(["process", str(CLIP), *where, *options]) == 0
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["frame"] for line in lines] == list(range(FRAMES))
    source = make_source(str(CLIP))
    source.open()
    with Pipeline(PipelineConfig(pipeline="ort-cpu", models=models)) as reference:
        for line in lines:
            assert line["pipeline"] == dict.fromkeys(("face", "segmentation", "depth"), backend_id)
            expected = reference.process(source.read())
            assert len(line["faces"]) == len(expected.faces.faces) == 1
            landmarks = np.array(line["faces"][0]["landmarks"])
            assert np.abs(landmarks - expected.faces.faces[0].landmarks).max() < 0.1
            person, truth = (picture > 127 for picture in layer_pair("mask", layers, expected))
            assert (person & truth).sum() / (person | truth).sum() > 0.999
            depths = [picture[::4, ::4].ravel() for picture in layer_pair("depth", layers, expected)]
            assert spearmanr(*depths).statistic > 0.9999
    source.close()
