"""`twinlens process` on a backend that cannot be used: exit status 1, one sentence with the true reason, no file."""

import sys
from importlib import metadata
from pathlib import Path

import pytest

from app.__main__ import main
from pipelines.backends import graphics
from pipelines.backends.graphics import loader_problem

CLIP = Path(__file__).resolve().parents[3] / "assets" / "demo.mp4"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the Vulkan loader is asked on Linux only")


@pytest.fixture
def refused(tmp_path, capsys):
    """Run the command, and return the sentence that it ends with."""

    def run(pipeline):
        output = tmp_path / "out.mp4"
        assert main(["process", str(CLIP), "-o", str(output), "--pipeline", pipeline, "--max-frames", "1"]) == 1
        assert not list(tmp_path.iterdir())
        told = capsys.readouterr()
        assert told.out == ""
        assert "Traceback" not in told.err
        # Before it stands one line on the file, which has been looked at by then.
        [sentence] = [line for line in told.err.splitlines() if not line.startswith(str(CLIP))]
        assert sentence.startswith("twinlens: ")
        return sentence

    return run


@pytest.fixture
def without(monkeypatch):
    """Make a distribution look as if it was not installed."""
    version = metadata.version

    def hide(name):
        def answer(distribution):
            if distribution == name:
                raise metadata.PackageNotFoundError(name)
            return version(distribution)

        monkeypatch.setattr(metadata, "version", answer)

    return hide


@LINUX
@pytest.mark.parametrize("backend_id", ["ort-webgpu", "litert-gpu"])
def test_no_vulkan_loader(backend_id, refused, monkeypatch):
    monkeypatch.setattr(graphics, "LOADER", "libvulkan-hidden.so.1")
    sentence = refused(backend_id)
    assert f"{backend_id} cannot be used here: no Vulkan loader: libvulkan-hidden.so.1 is not installed" in sentence


@LINUX
@pytest.mark.skipif(loader_problem() is not None, reason="needs libvulkan.so.1")
def test_no_driver(refused, monkeypatch):
    monkeypatch.setenv("VK_DRIVER_FILES", "/nonexistent.json")
    assert "ort-webgpu cannot be used here: no GPU: the Vulkan loader found no driver for one" in refused("ort-webgpu")


def test_no_plugin_package(refused, without):
    without("onnxruntime-ep-webgpu")
    sentence = refused("ort-webgpu")
    assert "ort-webgpu cannot be used here: not installed: pip install onnxruntime-ep-webgpu" in sentence


def test_no_litert_package(refused, without):
    without("ai-edge-litert")
    assert "litert-cpu cannot be used here: not installed: pip install 'twinlens[litert]'" in refused("litert-cpu")


def test_cuda_on_the_plain_wheel(refused):
    sentence = refused("ort-cuda")
    assert (
        "ort-cuda cannot be used here: not installed: this onnxruntime build has no CUDAExecutionProvider" in sentence
    )
    assert "pip install onnxruntime-gpu" in sentence


@LINUX
def test_no_gpu_of_any_kind(refused, monkeypatch):
    """Every reason that a user can do something about is in the one sentence."""
    monkeypatch.setattr(graphics, "LOADER", "libvulkan-hidden.so.1")
    sentence = refused("gpu")
    assert "no GPU can be used here: no Vulkan loader" in sentence
    assert "not installed: " in sentence
    assert "ort-cuda" in sentence
