"""A mask in few pixels: what it says about every pixel of its columns."""

import cv2
import numpy as np
import pytest

from models.soft_mask import SoftMask


@pytest.mark.parametrize("columns", [None, (0, 70), (30, 31), (55, 100)])
def test_a_mask_of_the_frames_size_comes_out_as_it_went_in(columns):
    alpha = np.zeros((60, 100), np.uint8)
    alpha[10:50, 20:80] = np.random.default_rng(1).integers(1, 256, (40, 60), np.uint8)
    first, end = columns or (0, 100)
    mask = SoftMask.of(alpha, columns)
    np.testing.assert_array_equal(mask.pixels(), alpha[:, first:end])
    assert mask.levels.size <= 40 * 60


def test_an_empty_mask_is_empty():
    mask = SoftMask.of(np.zeros((4, 6), np.uint8))
    assert mask.levels.size == 0
    np.testing.assert_array_equal(mask.pixels(), np.zeros((4, 6), np.uint8))


@pytest.mark.parametrize("columns", [(0, 40), (10, 40), (0, 22), (21, 22), (0, 4), (36, 40)])
def test_levels_are_enlarged_and_each_side_keeps_its_own(columns):
    levels = np.random.default_rng(2).integers(0, 256, (4, 8), np.uint8)
    whole = np.empty((30, 40), np.uint8)
    whole[:9], whole[17:], whole[9:17, :12], whole[9:17, 28:] = 20, 40, 10, 30
    whole[9:17, 12:28] = cv2.resize(levels, (16, 8), interpolation=cv2.INTER_LINEAR)
    mask = SoftMask(columns, 30, (12, 9, 16, 8), levels, (10, 20, 30, 40))
    np.testing.assert_array_equal(mask.pixels(), whole[:, slice(*columns)])
    np.testing.assert_array_equal(mask.mirrored(40).pixels(), mask.pixels()[:, ::-1])


def test_colours_are_enlarged_like_levels():
    levels = np.random.default_rng(3).integers(0, 256, (5, 7), np.uint8)
    mask = SoftMask((4, 20), 30, (2, 3, 21, 15), levels)
    colours = mask.enlarged(cv2.merge([levels, levels, levels]))
    assert colours.shape == (15, 16, 3)
    for channel in range(3):
        np.testing.assert_array_equal(colours[..., channel], mask.enlarged(levels))
