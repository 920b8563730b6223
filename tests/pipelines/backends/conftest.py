"""Fixtures of the backend tests: inputs, and a cache of their own so that the user's is neither read nor written."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from models.manifest import load_manifest
from pipelines.backends import BACKENDS, host
from pipelines.backends.select import get_backend
from pipelines.frame import Frame
from pipelines.qualify import trial
from pipelines.qualify.sample import PORTRAIT
from tests.patience import HANG_S


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("TWINLENS_CACHE_DIR", str(folder))
    return folder


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Nothing counts as a hang because the machine is busy; a test that waits for a hang sets a limit of its own."""
    for module, names in (
        (host, ("START_SECONDS", "OPEN_SECONDS", "RUN_SECONDS")),
        (trial, ("DEVICE_SECONDS", "MODEL_SECONDS", "SOFTWARE_MODEL_SECONDS")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, 10 * getattr(module, name))


@pytest.fixture
def impatience(stubs, monkeypatch):
    """Call it to give up a run after half a second, once the stubs misbehave."""
    ask = host.Host.ask

    def begin():
        def ask_in_a_hurry(self, order, seconds, name):
            if order[0] == "run" and stubs.exists():
                assert host.RUN_SECONDS <= seconds <= host.OPEN_SECONDS
                seconds = 0.5
            return ask(self, order, seconds, name)

        monkeypatch.setattr(host.Host, "ask", ask_in_a_hurry)

    return begin


@pytest.fixture
def noise():
    """Reproducible input for a model: its shape, every pixel value."""

    def make(name, seed=1):
        shape = load_manifest(name).input.shape
        return np.random.default_rng(seed).integers(0, 256, shape).astype(np.uint8)

    return make


@pytest.fixture
def stubs(monkeypatch, tmp_path):
    """Register the stub backends for one test; the value is the file that makes them misbehave."""
    trigger = tmp_path / "trigger"
    monkeypatch.setenv("STUB_TRIGGER", str(trigger))
    monkeypatch.setenv("STUB_HANG_S", str(HANG_S))
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "stubs"))
    BACKENDS.discover()
    monkeypatch.setattr(BACKENDS, "_entries", dict(BACKENDS._entries))
    sys.modules.pop("stub_backends", None)
    importlib.import_module("stub_backends")
    yield trigger
    get_backend.cache_clear()


@pytest.fixture
def portrait():
    """The picture of a face as a frame with a number."""
    import cv2

    picture = cv2.imread(str(PORTRAIT))
    return lambda index: Frame(picture, index, index / 30)
