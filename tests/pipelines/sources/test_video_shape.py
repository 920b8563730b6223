"""Which way up, which size and shape: the picture as players show it.

The expected corners were checked once against `ffmpeg -i clip -frames:v 1 out.png`, which turns by itself.
"""

from fractions import Fraction

import av
import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sources.decoding import MAX_SIDE, square_size
from pipelines.sources.orientation import apply_orientation, frame_orientation, matrix_orientation, quarter_turns
from pipelines.sources.video import VideoSource
from tests.clips import corner_letters, corners, jpeg, play, write_clip

ONE = 1 << 16
MATRICES = {
    (ONE, 0, 0, ONE): ("RGBW", ""),
    (-ONE, 0, 0, ONE): ("GRWB", "mirrored left to right as the file asks"),
    (ONE, 0, 0, -ONE): ("BWRG", "mirrored top to bottom as the file asks"),
    (-ONE, 0, 0, -ONE): ("WBGR", "turned by 180 degrees as the file asks"),
    (0, ONE, -ONE, 0): ("BRWG", "turned by 90 degrees clockwise as the file asks"),
    (0, -ONE, ONE, 0): ("GWRB", "turned by 90 degrees counter-clockwise as the file asks"),
    (0, ONE, ONE, 0): ("RBGW", "mirrored and turned by 90 degrees as the file asks"),
    (0, -ONE, -ONE, 0): ("WGBR", "mirrored and turned by 90 degrees as the file asks"),
}
"""a, b, c, d of a display matrix in 16.16 fixed point: what comes of the corners RGBW, and what is said of it."""


def clip(tmp_path, setup=None, size_wh=(96, 64), name="clip.mp4", **options):
    images = [corners(size_wh)] * options.pop("count", 2)
    return write_clip(tmp_path / name, images, setup=setup, pix_fmt=options.pop("pix_fmt", "yuv444p"), **options)


@pytest.mark.parametrize(("degrees", "letters"), [(0, "RGBW"), (90, "GWRB"), (180, "WBGR"), (270, "BRWG")])
@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv"])
def test_rotation_is_applied(tmp_path, degrees, letters, suffix):
    path = clip(tmp_path, lambda stream: stream.set_display_rotation(degrees), name=f"clip.{suffix}")
    info, frames = play(VideoSource(path))
    size_wh = (64, 96) if degrees % 180 else (96, 64)
    assert info.size_wh == frames[0].size_wh == frames[1].size_wh == size_wh
    assert [corner_letters(frame.image_bgr) for frame in frames] == [letters, letters]
    assert bool(info.notices) == (degrees != 0)


@pytest.mark.parametrize("matrix", MATRICES)
def test_every_display_matrix_is_applied(tmp_path, matrix):
    letters, notice = MATRICES[matrix]
    a, b, c, d = matrix
    path = clip(tmp_path, lambda stream: stream.set_display_matrix([a, b, 0, c, d, 0, 0, 0, 1 << 30]))
    info, frames = play(VideoSource(path))
    assert corner_letters(frames[0].image_bgr) == letters
    assert info.notices == ((notice,) if notice else ())


@pytest.mark.parametrize("angle", range(0, 360, 90))
@pytest.mark.parametrize("off", [-30, 0, 30])
@pytest.mark.parametrize("scale", [0.5, 1, 3])
def test_slanted_and_scaled_matrices_count_as_the_nearest_quarter(angle, off, scale):
    cos, sin = (scale * ONE * trig(np.radians(angle + off)) for trig in (np.cos, np.sin))
    matrix = [round(cos), round(sin), 0, round(-sin), round(cos), 0, 12345, 678, 1 << 30]
    # x right, y down: (x, y) goes to (x cos - y sin, x sin + y cos), which turns clockwise.
    expected = {0: 1, 90: 6, 180: 3, 270: 8}[angle]
    assert matrix_orientation(matrix) == expected


def test_a_matrix_of_zeros_leaves_the_picture_as_it_is():
    assert matrix_orientation([0] * 9) == 1


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("shape", [(5, 7, 3), (5, 7), (1, 7, 3), (5, 1, 4)])
def test_orientations_are_those_of_exif(orientation, shape):
    image = np.random.default_rng(0).integers(0, 65536, shape).astype(np.uint16)
    # EXIF 2.3: where row 0 and column 0 of the stored picture are seen.
    row0, column0 = {
        1: ("top", "left"),
        2: ("top", "right"),
        3: ("bottom", "right"),
        4: ("bottom", "left"),
        5: ("left", "top"),
        6: ("right", "top"),
        7: ("right", "bottom"),
        8: ("left", "bottom"),
    }[orientation]
    edges = {"top": lambda a: a[0], "bottom": lambda a: a[-1], "left": lambda a: a[:, 0], "right": lambda a: a[:, -1]}
    upright = apply_orientation(image, orientation).reshape(*(shape[:2] if orientation < 5 else shape[1::-1]), -1)
    stored = image.reshape(*shape[:2], -1)
    first_row, first_column = edges[row0](upright), edges[column0](upright)
    np.testing.assert_array_equal(first_row, stored[0] if column0 in ("left", "top") else stored[0][::-1])
    np.testing.assert_array_equal(first_column, stored[:, 0] if row0 in ("left", "top") else stored[:, 0][::-1])


@given(st.floats(-100_000, 100_000))
def test_quarter_turns_is_the_next_quarter(rotation):
    turn = quarter_turns(rotation)
    assert turn in (0, 90, 180, 270)
    distance = abs((rotation - turn + 180) % 360 - 180)
    assert distance <= 45 + 1e-6
    assert quarter_turns(rotation + 360) == turn or abs(distance - 45) < 1e-6


def test_side_data_that_pyav_does_not_know_costs_the_mirror_only():
    class Frame:
        rotation = 90

        @property
        def side_data(self):
            raise ValueError("99 is not a valid Type")

    assert frame_orientation(Frame()) == 8


@pytest.mark.parametrize("size_wh", [(64, 48), (65, 49), (641, 359), (16, 16), (2, 2), (1280, 2), (1, 1)])
def test_any_size_is_read(tmp_path, size_wh):
    path = clip(tmp_path, size_wh=size_wh, name="clip.mkv", codec="ffv1", pix_fmt="bgr0", count=1)
    info, frames = play(VideoSource(path))
    assert info.size_wh == size_wh
    np.testing.assert_array_equal(frames[0].image_bgr, corners(size_wh))


@pytest.mark.parametrize("size_wh", [(66, 50), (642, 358)])
@pytest.mark.parametrize("turn", [0, 90])
def test_subsampled_colour_with_sizes_that_are_no_multiple_of_16(tmp_path, size_wh, turn):
    path = clip(tmp_path, lambda stream: stream.set_display_rotation(turn), size_wh, pix_fmt="yuv420p")
    info, frames = play(VideoSource(path))
    assert info.size_wh == (size_wh[::-1] if turn else size_wh)
    assert corner_letters(frames[0].image_bgr) == ("GWRB" if turn else "RGBW")


@pytest.mark.parametrize(
    ("aspect", "turn", "size_wh"),
    [
        (Fraction(4, 3), 0, (128, 72)),
        (Fraction(1, 2), 0, (96, 144)),
        (Fraction(4, 3), 90, (72, 128)),
        (Fraction(1, 1), 0, (96, 72)),
        (Fraction(16, 11), 0, (140, 72)),  # 96 * 16 / 11 = 139.6
    ],
)
@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_pixels_that_are_not_square(tmp_path, aspect, turn, size_wh, suffix):
    def setup(stream):
        stream.codec_context.sample_aspect_ratio = aspect
        stream.set_display_rotation(turn)

    info, frames = play(VideoSource(clip(tmp_path, setup, (96, 72), f"clip.{suffix}")))
    assert info.size_wh == frames[0].size_wh == size_wh
    assert corner_letters(frames[0].image_bgr) == ("GWRB" if turn else "RGBW")
    said = "its pixels are not square; the picture was stretched to its true shape" in info.notices
    assert said == (aspect != 1)


@given(st.integers(1, 8192), st.integers(1, 8192), st.fractions(Fraction(1, 64), 64, max_denominator=10_000))
def test_square_size_keeps_the_shape_and_all_detail(width, height, aspect):
    wide, tall = square_size(width, height, aspect)
    assert wide >= width
    assert tall >= height
    assert max(wide, tall) <= MAX_SIDE
    if Fraction(1, 16) <= aspect <= 16 and max(width * aspect, height / aspect) <= MAX_SIDE:
        assert (wide, tall) in ((width, tall), (wide, height))  # one side as it is
        # The other one is off by half a pixel at most.
        assert abs(wide - width * max(aspect, 1)) <= Fraction(1, 2)
        assert abs(tall - height * max(1 / aspect, 1)) <= Fraction(1, 2)
    else:
        assert (wide, tall) == (width, height)


@pytest.mark.parametrize("aspect", [None, Fraction(0), Fraction(-1), Fraction(1), Fraction(1000), Fraction(1, 1000)])
def test_square_size_ignores_nonsense(aspect):
    assert square_size(640, 480, aspect) == (640, 480)


def test_frames_may_change_their_size(tmp_path):
    path = tmp_path / "clip.mjpeg"
    sizes = [(64, 48), (64, 48), (128, 96), (32, 80), (64, 48)]
    path.write_bytes(b"".join(jpeg(corners(size_wh)) for size_wh in sizes))
    info, frames = play(VideoSource(path))
    assert info.size_wh == (64, 48)
    assert [frame.size_wh for frame in frames] == sizes
    assert {corner_letters(frame.image_bgr) for frame in frames} == {"RGBW"}


def test_frames_of_h264_may_change_their_size(tmp_path):
    first, second = (
        clip(tmp_path, size_wh=size_wh, name=f"{size_wh[0]}.ts", pix_fmt="yuv420p", count=5)
        for size_wh in ((64, 48), (128, 96))
    )
    path = tmp_path / "both.ts"
    path.write_bytes(first.read_bytes() + second.read_bytes())
    _, frames = play(VideoSource(path))
    assert [frame.size_wh for frame in frames] == [(64, 48)] * 5 + [(128, 96)] * 5


def test_a_frame_is_read_only_and_contiguous(tmp_path):
    for turn in (0, 90, 180):
        path = clip(tmp_path, lambda stream, turn=turn: stream.set_display_rotation(turn))
        _, frames = play(VideoSource(path))
        image = frames[0].image_bgr
        assert image.dtype == np.uint8
        assert image.flags.c_contiguous
        assert not image.flags.writeable


def test_orientation_inside_the_pictures_of_a_video(tmp_path):
    """Motion JPEG whose pictures carry EXIF: FFmpeg 8 passes it on as a display matrix, older ones show it as it is."""
    image = cv2.imencode(".jpg", corners())[1].tobytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    tagged = image[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + image[2:]
    path = tmp_path / "clip.mjpeg"
    path.write_bytes(tagged * 3)
    _, frames = play(VideoSource(path))
    expected = "BRWG" if av.library_versions["libavcodec"] >= (62,) else "RGBW"
    assert [corner_letters(frame.image_bgr) for frame in frames] == [expected] * 3
