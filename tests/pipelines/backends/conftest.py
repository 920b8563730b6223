"""Fixtures of the backend tests: inputs, and a cache of their own so that the user's is neither read nor written."""

import numpy as np
import pytest

from models.manifest import load_manifest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("TWINLENS_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def noise():
    """Reproducible input for a model: its shape, every pixel value."""

    def make(name, seed=1):
        shape = load_manifest(name).input.shape
        return np.random.default_rng(seed).integers(0, 256, shape).astype(np.uint8)

    return make
