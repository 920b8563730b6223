"""One choke point turns every decoded picture into BGR uint8."""

import numpy as np
import pytest

from pipelines.frame import Frame, to_bgr


def test_bgr_passes_through_without_a_copy():
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    assert np.shares_memory(to_bgr(image), image)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 1)])
def test_grey_is_repeated(shape):
    grey = np.arange(6, dtype=np.uint8).reshape(shape)
    out = to_bgr(grey)
    assert out.shape == (2, 3, 3)
    assert (out == grey.reshape(2, 3, 1)).all()


def test_sixteen_bits_keep_black_and_white():
    out = to_bgr(np.array([[0, 257, 32896, 65535]], np.uint16))
    assert out[0, :, 0].tolist() == [0, 1, 128, 255]


def test_alpha_is_composited_over_black():
    image = np.zeros((1, 3, 4), np.uint8)
    image[0, :, :3] = (10, 100, 200)
    image[0, :, 3] = (0, 128, 255)
    out = to_bgr(image)
    assert out[0].tolist() == [[0, 0, 0], [5, 50, 100], [10, 100, 200]]


def test_grey_with_alpha():
    out = to_bgr(np.array([[[200, 128]]], np.uint8))
    assert out.tolist() == [[[100, 100, 100]]]


def test_floats_are_scaled_and_clipped():
    out = to_bgr(np.array([[-1.0, 0.5, 2.0, np.nan]], np.float32))
    assert out[0, :, 0].tolist() == [0, 128, 255, 0]


def test_booleans_become_black_and_white():
    assert to_bgr(np.array([[True, False]]))[0, :, 2].tolist() == [255, 0]


@pytest.mark.parametrize(
    "array",
    [np.zeros((2, 2, 5), np.uint8), np.zeros((0, 4, 3), np.uint8), np.zeros(4, np.uint8), np.zeros((2, 2), np.int64)],
)
def test_what_is_no_picture_is_refused(array):
    with pytest.raises(ValueError, match="not a picture"):
        to_bgr(array)


def test_a_frame_is_read_only_and_knows_its_size():
    frame = Frame(np.zeros((48, 64, 3), np.uint8), 3, 0.1, "x")
    assert frame.size_wh == (64, 48)
    with pytest.raises(ValueError, match="read-only"):
        frame.image_bgr[0, 0, 0] = 1


def test_a_frame_refuses_other_arrays():
    with pytest.raises(ValueError, match="uint8"):
        Frame(np.zeros((4, 4), np.uint8))
