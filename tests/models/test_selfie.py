"""Where the segmentation networks look, and how their answer gets back onto the frame."""

import numpy as np
import pytest

from models.errors import ModelError
from models.manifest import load_manifest
from models.selfie import decode, model_for, preprocess, to_frame

WIDE, SQUARE = (256, 144), (256, 256)


@pytest.mark.parametrize(
    ("size_wh", "expected"),
    [
        ((1280, 720), "selfie_landscape"),
        ((640, 480), "selfie_landscape"),
        ((115, 100), "selfie_landscape"),
        ((114, 100), "selfie_square"),
        ((512, 512), "selfie_square"),
        ((720, 1280), "selfie_square"),
        ((1, 1), "selfie_square"),
    ],
)
def test_each_shape_has_its_network(size_wh, expected):
    assert model_for(size_wh) == expected
    assert load_manifest(expected).role == "mask"


@pytest.mark.parametrize(("size_wh", "input_wh"), [((1280, 720), WIDE), ((1280, 720), SQUARE), ((512, 512), SQUARE)])
def test_looks_at_corners_of_a_picture(size_wh, input_wh):
    """At i * W / w: where that is a pixel, the network sees exactly it; in between the two neighbours' mean."""
    width, height = size_wh
    image = np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)
    x, y = (np.arange(n) * side / n for n, side in zip(input_wh, size_wh, strict=True))
    seen = preprocess(image, input_wh)
    assert seen.shape == (1, input_wh[1], input_wh[0], 3)
    assert seen.dtype == np.uint8
    on_pixel = np.ix_(y % 1 == 0, x % 1 == 0)
    expected = image[np.ix_(y[y % 1 == 0].astype(int), x[x % 1 == 0].astype(int))]
    np.testing.assert_array_equal(seen[0][on_pixel], expected)


@pytest.mark.parametrize(("width", "height"), [(64, 64), (200, 150), (255, 131), (97, 241)])
def test_looks_between_pixels_and_beyond_small_pictures(width, height):
    """A picture whose brightness is its x, and one whose brightness is its y, show where each pixel was taken."""
    across = np.broadcast_to(np.arange(width, dtype=np.uint8)[None, :, None], (height, width, 3)).copy()
    down = np.broadcast_to(np.arange(height, dtype=np.uint8)[:, None, None], (height, width, 3)).copy()
    x = np.minimum(np.arange(256) * width / 256, width - 1)
    y = np.minimum(np.arange(144) * height / 144, height - 1)
    seen_x = preprocess(across, WIDE)[0, :, :, 0].astype(float)
    seen_y = preprocess(down, WIDE)[0, :, :, 0].astype(float)
    assert np.abs(seen_x - x).max() <= 0.55
    assert np.abs(seen_y - y[:, None]).max() <= 0.55


@pytest.mark.parametrize("frame_wh", [(1280, 720), (640, 480), (1919, 1081), (64, 64)])
@pytest.mark.parametrize("out_wh", [(128, 72), (64, 36), (256, 144), None])
def test_goes_back_without_a_shift(frame_wh, out_wh):
    """A map that holds the frame coordinates each network pixel is about arrives as each output pixel's coordinates."""
    width, height = frame_wh
    out_w, out_h = out_wh or frame_wh
    x, y = np.arange(256) * width / 256, np.arange(144) * height / 144
    values = np.dstack(np.meshgrid(x, y)).astype(np.float32)
    moved = to_frame(values, frame_wh, (out_w, out_h))
    expected_x = (np.arange(out_w) + 0.5) * width / out_w - 0.5
    expected_y = (np.arange(out_h) + 0.5) * height / out_h - 0.5
    # Within two network pixels of the border there is nothing to interpolate with.
    inside_x = (expected_x >= 2 * width / 256) & (expected_x <= width - 4 * width / 256)
    inside_y = (expected_y >= 2 * height / 144) & (expected_y <= height - 4 * height / 144)
    assert inside_x.sum() > 20
    tolerance = 0.04 * width / 256  # warpAffine places a sample to 1/32 of a pixel
    assert np.abs(moved[:, inside_x, 0] - expected_x[inside_x]).max() < tolerance
    assert np.abs(moved[inside_y, :, 1] - expected_y[inside_y, None]).max() < 0.04 * height / 144


def test_going_back_keeps_the_type_and_averages():
    checks = (np.indices((144, 256)).sum(0) % 2).astype(np.float32)
    np.testing.assert_allclose(to_frame(checks, (1280, 720), (128, 72))[2:-2, 2:-2], 0.5, atol=0.15)
    assert to_frame(np.zeros((144, 256, 3), np.uint8), (1280, 720), (128, 72)).dtype == np.uint8
    assert to_frame(checks, (1, 1), (1, 1)).shape == (1, 1)


def test_another_network_is_refused():
    mask = np.zeros((1, 1, 256, 256), np.float32)
    assert decode(mask, SQUARE).shape == (256, 256)
    with pytest.raises(ModelError, match=r"mask of shape \(1, 1, 256, 256\), expected \(1, 1, 144, 256\)"):
        decode(mask, WIDE)
