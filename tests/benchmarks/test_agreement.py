"""How far backends are apart is measured on each output, and nothing stands in for a backend that fails."""

import sys

import numpy as np
import pytest

from benchmarks.agreement import differences
from models.errors import VisionError
from models.manifest import load_manifest
from pipelines.backends import get_backend

PICTURE = np.random.default_rng(4).integers(0, 256, (1, 192, 320, 3), np.uint8)


def test_the_same_backend_is_not_apart_and_another_runtime_is_by_rounding():
    manifest = load_manifest("depth_v2")
    assert differences(get_backend("ort-cpu"), manifest, [PICTURE, PICTURE]) == (2, {"depth": 0.0})
    litert = get_backend("litert-cpu")
    if not litert.prerequisites().available:
        pytest.skip("LiteRT is not installed")
    compared, largest = differences(litert, manifest, [PICTURE])
    assert compared == 1
    assert 0 < largest["depth"] < manifest.tolerance["depth"]


def test_a_backend_that_is_not_there_is_said():
    absent = "ort-cuda" if sys.platform == "darwin" else "ort-coreml"
    with pytest.raises(VisionError, match=absent):
        differences(get_backend(absent), load_manifest("depth_v2"), [PICTURE])
