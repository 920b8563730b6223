"""Going to a frame of a file finds exactly that frame, whatever the container knows of its places."""

import random
from fractions import Fraction

import numpy as np
import pytest

from pipelines.errors import SourceError
from pipelines.sources.seeking import KEPT_BYTES, FrameCursor
from pipelines.sources.video import VideoSource
from tests.clips import read_all
from tests.numbered import number_of, write_numbered

COUNT = 60


def x264(**more):
    return {"crf": "12", "preset": "veryfast", "g": "12", **more}


FILES = {
    "mp4": ("a.mp4", {"options": x264(bf="0")}),
    "mp4 with pictures that look ahead": ("a.mp4", {"options": x264(bf="3")}),
    "one picture to start from": ("a.mp4", {"options": x264(bf="2", g="1000", keyint_min="1000")}),
    "in fragments": ("a.mp4", {"options": x264(bf="0"), "container_options": {"movflags": "frag_keyframe+empty_moov"}}),
    "mkv": ("a.mkv", {"options": x264(bf="2")}),
    "mkv without index or length": ("a.mkv", {"options": x264(bf="2"), "container_options": {"live": "1"}}),
    "webm": ("a.webm", {"codec": "libvpx-vp9", "options": {"g": "20", "deadline": "realtime", "cpu-used": "8"}}),
    "broadcast": ("a.ts", {"options": x264(bf="2")}),
    "open groups of pictures": ("a.mpg", {"codec": "mpeg2video", "options": {"g": "12", "bf": "2", "b": "4M"}}),
    "avi": ("a.avi", {"codec": "mpeg4", "options": {"g": "12", "q": "3"}}),
    "avi with pictures that look ahead": ("a.avi", {"codec": "mpeg4", "options": {"g": "12", "bf": "2", "b": "4M"}}),
    "pictures that stand alone": ("a.avi", {"codec": "mjpeg", "pix_fmt": "yuvj420p"}),
    "no container": ("a.h264", {"options": x264(bf="2"), "form": "h264"}),
    "gif": ("a.gif", {"codec": "gif", "pix_fmt": "rgb8", "rate": 20}),
}


def never():
    return False


@pytest.fixture(params=FILES)
def clip(request, tmp_path):
    """An open source of every kind of file, and what reading it from end to end gives: (number, time) of each frame."""
    name, how = FILES[request.param]
    path = write_numbered(tmp_path / name, COUNT, **how)
    source = VideoSource(path)
    info = source.open()
    assert info.seekable
    frames = [(number_of(frame.image_bgr), frame.timestamp_s) for frame in read_all(source)]
    assert [number for number, _ in frames] == list(range(COUNT))
    yield source, frames
    source.close()


def shown(source):
    frame = source.read()
    return number_of(frame.image_bgr), frame.timestamp_s


def test_every_frame_is_found_by_its_time_in_any_order(clip):
    source, frames = clip
    order = list(range(COUNT))
    random.Random(1).shuffle(order)
    for number in [*order[:12], 0, COUNT - 1]:
        assert source.seek(frames[number][1], never)
        assert shown(source) == frames[number]


def test_between_two_frames_the_earlier_one_is_found(clip):
    source, frames = clip
    for number in (1, 30, 44):
        middle_s = (frames[number][1] + frames[number + 1][1]) / 2
        assert source.seek(middle_s, never)
        assert shown(source) == frames[number]


def test_reading_goes_on_from_there_to_the_end(clip):
    source, frames = clip
    source.seek(frames[41][1], never)
    assert [(number_of(frame.image_bgr), frame.timestamp_s) for frame in read_all(source)] == frames[41:]
    assert source.read() is None
    source.seek(frames[7][1], never)
    assert [shown(source) for _ in range(3)] == frames[7:10]


def test_beyond_the_ends_the_first_and_the_last_are_found(clip):
    source, frames = clip
    source.seek(frames[-1][1] + 100.0, never)
    assert shown(source) == frames[-1]
    source.seek(-5.0, never)
    assert shown(source) == frames[0]


def test_back_goes_back_by_frames(clip):
    source, frames = clip
    source.seek(frames[50][1], never)
    here = 50
    assert shown(source) == frames[50]
    for steps in (1, 1, 3, 20, 1, 13, 40, 1):
        assert source.back(steps, never)
        here = max(0, here - steps)
        assert shown(source) == frames[here]


def test_back_from_plain_reading_and_from_the_end(clip):
    source, frames = clip
    source.rewind()
    for number in range(9):
        assert shown(source) == frames[number]
    source.back(2, never)
    assert shown(source) == frames[6]
    assert shown(source) == frames[7]
    read_all(source)
    source.back(1, never)
    assert shown(source) == frames[-2]


def test_a_variable_rate_is_no_hindrance(tmp_path):
    times = [0.0, 0.04, 0.05, 0.5, 0.51, 2.0, 2.001, 2.5, 7.0, 7.25]
    path = write_numbered(tmp_path / "vfr.mp4", len(times), times=times, options=x264(bf="0", g="3"))
    source = VideoSource(path)
    source.open()
    for number in (9, 5, 8, 6, 3, 0, 2):
        source.seek(times[number], never)
        frame = source.read()
        assert number_of(frame.image_bgr) == number
        assert frame.timestamp_s == pytest.approx(times[number], abs=1e-5)
    source.seek(6.9, never)
    assert number_of(source.read().image_bgr) == 7
    source.close()


def test_what_was_called_off_can_be_asked_again(tmp_path):
    path = write_numbered(tmp_path / "a.mp4", COUNT, options=x264(g="1000"))
    source = VideoSource(path)
    source.open()
    asked = iter(range(COUNT))
    assert source.seek(2.0, lambda: next(asked) >= 10) is False
    assert source.seek(1.0, never)
    assert number_of(source.read().image_bgr) == 25
    source.close()


def test_reading_once_keeps_no_frames_and_moving_about_keeps_few(tmp_path):
    path = write_numbered(tmp_path / "a.mp4", 200, options=x264())
    source = VideoSource(path)
    source.open()
    read_all(source)
    cursor = source._cursor
    assert isinstance(cursor, FrameCursor)
    assert len(cursor._behind) == 0
    source.seek(0.0, never)
    read_all(source)
    kept = sum(plane.buffer_size for frame, _ in cursor._behind for plane in frame.planes)
    assert 0 < kept <= KEPT_BYTES
    assert len(cursor._behind) <= 120
    source.close()


def test_a_stream_that_starts_late_keeps_its_times(tmp_path):
    times = [Fraction(3 + number, 1) for number in range(8)]
    path = write_numbered(tmp_path / "late.mkv", 8, times=times, options=x264(g="2"))
    source = VideoSource(path)
    source.open()
    source.seek(7.0, never)
    assert number_of(source.read().image_bgr) == 4
    source.seek(0.0, never)
    assert number_of(source.read().image_bgr) == 0
    source.close()


def test_a_turned_file_is_wound_like_any_other(tmp_path):
    path = write_numbered(
        tmp_path / "turned.mp4", 30, options=x264(bf="2"), setup=lambda stream: stream.set_display_rotation(90)
    )
    source = VideoSource(path)
    assert source.open().size_wh == (64, 96)
    for number in (21, 4, 29):
        source.seek(number / 25, never)
        frame = source.read()
        assert number_of(np.rot90(frame.image_bgr, -1)) == number or number_of(np.rot90(frame.image_bgr)) == number
        source.back(1, never)
        assert source.read().timestamp_s == pytest.approx((number - 1) / 25, abs=1e-5)
    source.close()


def test_a_file_that_is_gone_is_one_sentence(tmp_path):
    path = write_numbered(tmp_path / "a.h264", 30, options=x264(bf="2"), form="h264")
    source = VideoSource(path)
    source.open()
    path.unlink()
    with pytest.raises(SourceError, match=r"a\.h264"):
        source.seek(0.5, never)
    source.close()


def test_recordings_joined_with_clocks_of_their_own_are_wound_by_what_was_read(tmp_path):
    """Each part of a joined broadcast file begins at its own time; places are those of reading it from end to end."""
    parts = [
        write_numbered(tmp_path / f"{index}.ts", 30, options=x264(bf="0", g="10")).read_bytes() for index in range(2)
    ]
    path = tmp_path / "joined.ts"
    path.write_bytes(b"".join(parts))
    source = VideoSource(path)
    source.open()
    frames = [(number_of(frame.image_bgr), frame.timestamp_s) for frame in read_all(source)]
    assert [number for number, _ in frames] == [*range(30), *range(30)]
    for place in (45, 10, 59, 31):
        source.seek(frames[place][1], never)
        assert shown(source) == frames[place]
    source.close()
