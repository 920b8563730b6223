"""The pixels of the layers: numbers that can be compared between frames."""

import numpy as np
import pytest

from models.results import DepthMap, SegmentationMask
from pipelines.overlay import depth_png_pixels, mask_png_pixels


def test_the_mask_is_its_own_layer(make):
    alpha = make.disc(64, 48, (30, 20), 10)
    pixels = mask_png_pixels(SegmentationMask(alpha, 0.1))
    assert pixels.dtype == np.uint8
    assert np.array_equal(pixels, alpha)


@pytest.mark.parametrize(
    ("value", "expected"), [(0.0, 0), (1.0, 32768), (0.5, 16384), (2.0, 65535), (3.7, 65535), (-0.2, 0), (1.3, 42598)]
)
def test_depth_has_a_fixed_scale(value, expected):
    depth = DepthMap(np.full((19, 32), value, np.float32), (64, 38), near=5.0, far=-5.0)
    pixels = depth_png_pixels(depth)
    assert pixels.dtype == np.uint16
    assert pixels.shape == (38, 64)
    assert np.abs(pixels.astype(int) - expected).max() <= 1


def test_the_scale_does_not_follow_the_frame(make):
    one = DepthMap(np.full((19, 32), 0.7, np.float32), (32, 19), near=0.8, far=0.6)
    other = DepthMap(np.full((19, 32), 0.7, np.float32), (32, 19), near=1.9, far=0.1)
    assert np.array_equal(depth_png_pixels(one), depth_png_pixels(other))


def test_depth_comes_back_from_its_layer(make):
    depth = make.slope((320, 192))
    back = depth_png_pixels(depth).astype(np.float64) / 65535 * 2.0
    assert np.abs(back - depth.inverse_depth).max() < 1.6e-5
