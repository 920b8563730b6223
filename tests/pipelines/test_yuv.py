"""BGR to Y'CbCr 4:2:0, against the arithmetic of BT.709 in double precision."""

import numpy as np
import pytest

from pipelines.yuv import Yuv420


def expected(image):
    """BT.709: Y' = 16 + 219 Y, Cb = 128 + 224 (B - Y) / 1.8556, Cr = 128 + 224 (R - Y) / 1.5748; R, G, B in 0..1."""
    blue, green, red = (image[:, :, channel] / 255.0 for channel in range(3))
    luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    height, width = luma.shape
    planes = [16 + 219 * luma]
    for colour, scale in ((blue, 1.8556), (red, 1.5748)):
        full = 128 + 224 * (colour - luma) / scale
        planes.append(full.reshape(height // 2, 2, width // 2, 2).mean((1, 3)))
    return planes


def planes_of(frame):
    return [np.frombuffer(plane, np.uint8).reshape(plane.height, -1)[:, : plane.width] for plane in frame.planes]


def noise(width, height):
    return np.random.default_rng(5).integers(0, 256, (height, width, 3), np.uint8)


def corners(width, height):
    """Blocks of the eight corners of the colour cube: the ones that a wrong order of steps would clip."""
    picks = np.random.default_rng(6).integers(0, 2, (height // 2, width // 2, 3)).astype(np.uint8) * 255
    return np.ascontiguousarray(picks.repeat(2, 0).repeat(2, 1))


@pytest.mark.parametrize("picture", [noise, corners])
# More rows than are converted at a time, a width that FFmpeg pads, and the smallest.
@pytest.mark.parametrize("size_wh", [(66, 50), (130, 362), (2, 2)])
def test_every_plane_follows_bt709(picture, size_wh):
    image = picture(*size_wh)
    frame = Yuv420(size_wh).frame(image)
    assert (frame.width, frame.height, frame.format.name) == (*size_wh, "yuv420p")
    for found, wanted in zip(planes_of(frame), expected(image), strict=True):
        assert found.shape == wanted.shape
        # Half a level from rounding, and as much again where four rounded values are averaged and rounded.
        assert np.abs(found - wanted).max() <= 1.01
        if found.size > 1000:
            assert abs((found - wanted).mean()) < 0.2


def test_pictures_do_not_share_memory():
    convert = Yuv420((16, 16))
    first = convert.frame(np.zeros((16, 16, 3), np.uint8))
    convert.frame(np.full((16, 16, 3), 255, np.uint8))
    assert (planes_of(first)[0] == 16).all()


def test_a_part_of_a_larger_picture():
    """Rows that do not follow one another in memory."""
    image = noise(64, 48)[8:40, 4:36]
    for found, wanted in zip(planes_of(Yuv420((32, 32)).frame(image)), expected(image), strict=True):
        assert np.abs(found - wanted).max() <= 1.01


def test_other_sizes_are_refused():
    with pytest.raises(ValueError, match="even"):
        Yuv420((15, 16))
    with pytest.raises(ValueError, match="16x16"):
        Yuv420((16, 16)).frame(np.zeros((16, 18, 3), np.uint8))
