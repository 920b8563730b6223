"""Nothing leaves the machine: the runtimes neither send nor gather what could be sent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]
RUN = """
import sys
from pipelines.backends import resolve
from models.manifest import load_manifest
import onnxruntime
onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="looks at where the runtime gathers on Linux and macOS")
def test_the_runtime_gathers_nothing(tmp_path):
    """Its telemetry leaves the machine's number and a list of events in the home folder before it sends them."""
    home = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "TWINLENS_CACHE_DIR")}
    environment = {**os.environ, **home, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    model = ROOT / "models/weights/depth_v2.onnx"
    subprocess.run([sys.executable, "-c", RUN, str(model)], env=environment, check=True, timeout=PATIENCE_S)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("room", ["models", "pipelines"])
def test_it_is_told_before_it_can_be_imported(room):
    code = f"import {room}, os, sys; print('onnxruntime' in sys.modules, os.environ['ORT_DISABLE_TELEMETRY'])"
    environment = {**os.environ, "ORT_DISABLE_TELEMETRY": "0", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True, timeout=PATIENCE_S
    )
    assert done.stdout.split() == [b"False", b"1"]
