"""Arrays as Qt images: no copies, odd widths, and memory that lives as long as it is looked at."""

import gc
import weakref

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from app.qimage import fitted, to_bgr, wrap_bgr, wrap_bgrx


def colours(height, width, channels=3):
    values = np.arange(height * width * channels, dtype=np.uint32)
    return (values * 7919 % 251).astype(np.uint8).reshape(height, width, channels)


@pytest.mark.parametrize("width", [1, 2, 3, 5, 7, 31, 641])
@pytest.mark.parametrize("height", [1, 2, 9])
def test_every_pixel_is_where_it_was(width, height):
    image_bgr = colours(height, width)
    image = wrap_bgr(image_bgr)
    assert (image.width(), image.height()) == (width, height)
    for row, column in ((0, 0), (height - 1, width - 1), (height // 2, width // 2)):
        blue, green, red = (int(value) for value in image_bgr[row, column])
        assert image.pixelColor(column, row) == QColor(red, green, blue)
    np.testing.assert_array_equal(to_bgr(image), image_bgr)


def test_nothing_is_copied():
    image_bgr = colours(4, 5)
    image = wrap_bgr(image_bgr)
    image_bgr[2, 3] = (1, 2, 3)
    assert image.pixelColor(3, 2) == QColor(3, 2, 1)
    image_bgrx = colours(4, 5, 4)
    image = wrap_bgrx(image_bgrx)
    image_bgrx[2, 3] = (1, 2, 3, 0)
    assert image.pixelColor(3, 2) == QColor(3, 2, 1)


def test_a_crop_is_shown_without_a_copy():
    whole = colours(12, 20)
    crop = whole[3:8, 4:11]
    image = wrap_bgr(crop)
    np.testing.assert_array_equal(to_bgr(image), crop)
    whole[5, 6] = (9, 8, 7)
    assert image.pixelColor(2, 2) == QColor(7, 8, 9)


@pytest.mark.parametrize("view", [np.s_[:, ::-1], np.s_[::-1], np.s_[:, ::2], np.s_[:, :, ::-1]])
def test_other_orders_in_memory_are_understood(view):
    image_bgr = colours(6, 8)[view]
    np.testing.assert_array_equal(to_bgr(wrap_bgr(image_bgr)), image_bgr)


def test_the_array_lives_as_long_as_the_image():
    image_bgr = colours(6, 7)
    image_bgr.flags.writeable = False
    watch = weakref.ref(image_bgr)
    expected = image_bgr.copy()
    image = wrap_bgr(image_bgr)
    del image_bgr
    gc.collect()
    assert watch() is not None
    np.testing.assert_array_equal(to_bgr(image), expected)
    del image
    gc.collect()
    assert watch() is None


@pytest.mark.parametrize(
    "wrong",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3)), np.zeros((0, 4, 3), np.uint8)],
)
def test_what_is_no_picture_is_refused(wrong):
    with pytest.raises(ValueError, match="not a picture"):
        wrap_bgr(wrong)


def test_any_format_can_be_read_back():
    image = QImage(3, 2, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(10, 20, 30))
    np.testing.assert_array_equal(to_bgr(image), np.full((2, 3, 3), (30, 20, 10), np.uint8))


@pytest.mark.parametrize(
    ("size", "room", "expected"),
    [
        ((1920, 1080), (960, 960), (960, 540)),
        ((1080, 1920), (960, 960), (540, 960)),
        ((64, 64), (640, 360), (360, 360)),
        ((4000, 1), (100, 100), (100, 1)),
        ((3, 3), (1, 1), (1, 1)),
    ],
)
def test_a_picture_fits_and_keeps_its_shape(size, room, expected):
    assert fitted(size, room) == expected
