"""What the depth network sees, what it says, and which part of that is shown."""

import numpy as np
import onnxruntime as ort
import pytest
from skimage import data
from skimage.transform import resize

from models.depth import MIN_SPAN, decode, preprocess, robust_range, widened
from models.errors import ModelError
from models.manifest import load_manifest

INPUT_WH = (320, 192)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (64, 64), (255, 101), (101, 255), (3840, 2160)])
def test_any_size_is_stretched(width, height):
    """A picture whose brightness is its x: every pixel covers an equal share of it."""
    x = np.rint(np.linspace(0, 255, width)) if width > 1 else np.array([7.0])
    image = np.broadcast_to(x.astype(np.uint8)[None, :, None], (height, width, 3)).copy()
    seen = preprocess(image, INPUT_WH)
    assert seen.shape == (1, 192, 320, 3)
    assert seen.dtype == np.uint8
    centres = np.clip((np.arange(320) + 0.5) * width / 320 - 0.5, 0, width - 1)
    expected = np.interp(centres, np.arange(width), x)
    assert np.abs(seen[0, :, :, 0].astype(float) - expected).max() <= 0.8


def test_another_network_is_refused():
    with pytest.raises(ModelError, match=r"map of shape \(1, 1, 96, 160\), expected \(1, 1, 192, 320\)"):
        decode(np.zeros((1, 1, 96, 160), np.float32), INPUT_WH)
    assert decode(np.zeros((1, 1, 192, 320), np.float32), INPUT_WH).shape == (192, 320)


def test_range_of_a_slope():
    slope = np.broadcast_to(np.linspace(0, 1, 400, dtype=np.float32), (40, 400)).copy()
    near, far = robust_range(slope)
    assert near == pytest.approx(0.98, abs=0.01)
    assert far == pytest.approx(0.02, abs=0.01)


@pytest.mark.parametrize("shape", [(192, 320), (5, 9), (1, 6)])
def test_the_range_is_numpys_percentiles(shape):
    values = np.random.default_rng(5).normal(0.5, 2.0, shape).astype(np.float32)
    far, near = np.percentile(values[::4, ::4], (2, 98))
    assert robust_range(values) == pytest.approx((near, far), abs=1e-6)


def test_a_few_wild_pixels_change_nothing():
    slope = np.broadcast_to(np.linspace(0, 1, 400, dtype=np.float32), (200, 400)).copy()
    calm = robust_range(slope)
    slope[::4, 4] = 50.0
    slope[::4, 396] = -50.0
    np.testing.assert_allclose(robust_range(slope), calm, atol=0.02)


@pytest.mark.parametrize("level", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("shape", [(192, 320), (1, 1), (3, 2)])
def test_a_flat_scene_has_a_range_too(level, shape):
    near, far = robust_range(np.full(shape, level, np.float32))
    assert (near + far) / 2 == pytest.approx(level, abs=1e-6)
    assert near - far == pytest.approx(MIN_SPAN)


def test_only_too_small_a_range_is_widened():
    assert widened(0.9, 0.2) == (0.9, 0.2)
    assert widened(0.52, 0.48) == pytest.approx((0.55, 0.45))


@pytest.mark.parametrize(("height", "width"), [(288, 512), (400, 300), (192, 320)])
def test_same_with_another_library_s_resampling(height, width):
    """From picture to map; `test_weights_parity.py` compares with the network as it was trained."""
    image_bgr = np.ascontiguousarray(data.astronaut()[:height, :width, ::-1])
    manifest = load_manifest("depth_v2")
    session = ort.InferenceSession(manifest.file("cpu").read_verified(), providers=["CPUExecutionProvider"])
    found = decode(session.run(["depth"], {"image": preprocess(image_bgr, INPUT_WH)})[0], INPUT_WH)
    stretched = resize(image_bgr.astype(np.float32), (192, 320), order=1, mode="edge", anti_aliasing=False)
    (expected,) = session.run(["depth"], {"image": np.rint(stretched).astype(np.uint8)[None]})
    assert np.ptp(expected) > 0.3
    # What is left comes from resampled values that lie halfway between two levels.
    assert np.abs(found - expected[0, 0]).max() < 0.02
    assert np.abs(found - expected[0, 0]).mean() < 0.002
