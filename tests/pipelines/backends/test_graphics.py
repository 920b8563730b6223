"""Adapters and reasons: no loader, no driver, software only. None of them ends in a CPU run under a GPU's name."""

import sys

import pytest

from models.manifest import load_manifest
from pipelines.backends import get_backend, graphics, resolve
from pipelines.backends.graphics import Adapter, choose_adapter, loader_problem
from pipelines.backends.stderr import captured_stderr
from pipelines.errors import BackendError
from pipelines.qualify import try_backend

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the Vulkan loader is asked on Linux only")
HAS_LOADER = pytest.mark.skipif(loader_problem() is not None, reason="needs libvulkan.so.1")
REAL = Adapter("Arc A380", False, 0x8086)
EMULATED = Adapter("llvmpipe", True, 0x10005)


def test_a_real_adapter_is_preferred(monkeypatch):
    monkeypatch.delenv(graphics.ALLOW_SOFTWARE, raising=False)
    assert choose_adapter([REAL, EMULATED]) == REAL
    monkeypatch.setenv(graphics.ALLOW_SOFTWARE, "1")
    assert choose_adapter([REAL, EMULATED]) == REAL
    assert choose_adapter([EMULATED]) == EMULATED


@pytest.mark.parametrize("value", [None, "0", "yes", ""])
def test_software_is_used_on_request_only(value, monkeypatch):
    monkeypatch.delenv(graphics.ALLOW_SOFTWARE, raising=False)
    if value is not None:
        monkeypatch.setenv(graphics.ALLOW_SOFTWARE, value)
    with pytest.raises(BackendError, match="no GPU: the only adapter is llvmpipe, which is software; set TWINLENS_"):
        choose_adapter([EMULATED])


def test_no_adapter_is_no_driver():
    with pytest.raises(BackendError, match="no GPU: the Vulkan loader found no driver"):
        choose_adapter([])


@LINUX
@pytest.mark.parametrize("backend_id", ["ort-webgpu", "litert-gpu"])
def test_without_a_loader_its_packages_are_named(backend_id, monkeypatch):
    monkeypatch.setattr(graphics, "LOADER", "libvulkan-hidden.so.1")
    sentence = "no Vulkan loader: libvulkan-hidden.so.1 is not installed .*libvulkan1"
    with pytest.raises(BackendError, match=sentence):
        resolve(backend_id)
    with pytest.raises(BackendError, match=sentence):
        get_backend(backend_id).open(load_manifest("face_detection"))


@LINUX
@HAS_LOADER
@pytest.mark.parametrize("backend_id", ["ort-webgpu", "litert-gpu"])
def test_without_a_driver_that_is_the_reason(backend_id, monkeypatch):
    monkeypatch.setenv("VK_DRIVER_FILES", "/nonexistent.json")
    monkeypatch.setenv(graphics.ALLOW_SOFTWARE, "1")
    trial = try_backend(get_backend(backend_id), (load_manifest("face_detection"),))
    assert trial.problem == "no GPU: the Vulkan loader found no driver for one"
    with pytest.raises(BackendError, match=f"{backend_id} cannot be used here: no GPU: the Vulkan loader found no dri"):
        resolve(backend_id)


def test_a_plugin_that_is_not_installed_says_how(monkeypatch):
    from importlib import metadata

    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert get_backend("ort-webgpu").availability().reason == "not installed: pip install onnxruntime-ep-webgpu"
    assert get_backend("litert-gpu").availability().reason == "not installed: pip install 'twinlens[litert]'"


def test_native_output_is_caught_and_the_stream_restored(capfd):
    import os

    with captured_stderr() as lines:
        os.write(2, b"from a library\nsecond line\n")
    os.write(2, b"afterwards\n")
    assert lines == ["from a library", "second line"]
    assert capfd.readouterr().err == "afterwards\n"
