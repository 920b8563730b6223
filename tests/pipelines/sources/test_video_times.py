"""When each frame is shown, how many there are, and what is said about both before they are read."""

import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pipelines.sources.decoder import Decoder
from pipelines.sources.decoding import nominal_rate
from pipelines.sources.video import VideoSource
from tests.clips import corners, greys, jpeg, play, read_all, write_clip

GAPS = [0.0, 0.04, 0.08, 0.5, 0.51, 2.25, 2.252, 9.0]
"""Times of a recording that stutters and pauses, in thousandths of a second."""
THOUSANDTH = Fraction(1, 1000)
B_FRAMES = {"crf": "5", "bf": "3", "b-adapt": "0", "preset": "fast"}


def levels(frames):
    return [int(frame.image_bgr.mean()) for frame in frames]


def times(frames):
    return [frame.timestamp_s for frame in frames]


def patched(path, name, offset, value):
    """Overwrite 32 bits, `offset` bytes behind the first `name`."""
    data = bytearray(path.read_bytes())
    at = data.index(name) + offset
    data[at : at + len(value)] = value
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "rate",
    [Fraction(24000, 1001), Fraction(25), Fraction(30000, 1001), Fraction(60000, 1001), Fraction(1), Fraction(240)],
    ids=str,
)
@pytest.mark.parametrize("options", [None, B_FRAMES], ids=["in order", "B frames"])
def test_rates_stay_fractions_and_times_follow_them(tmp_path, rate, options):
    info, frames = play(VideoSource(write_clip(tmp_path / "clip.mp4", greys(12, step=12), rate, options=options)))
    assert info.fps == rate
    assert isinstance(info.fps, Fraction)
    assert info.frame_count == 12
    assert info.duration_s == pytest.approx(12 / rate, abs=1e-3)
    assert times(frames) == pytest.approx([float(number / rate) for number in range(12)], abs=1e-9)
    assert [frame.index for frame in frames] == list(range(12))
    assert levels(frames) == pytest.approx([12 * number for number in range(12)], abs=5)


@pytest.mark.parametrize("rate", [Fraction(24000, 1001), Fraction(30000, 1001)], ids=str)
def test_matroska_rounds_times_to_thousandths_and_keeps_the_rate(tmp_path, rate):
    info, frames = play(VideoSource(write_clip(tmp_path / "clip.mkv", greys(12), rate)))
    assert float(info.fps) == pytest.approx(float(rate), rel=1e-6)
    assert times(frames) == pytest.approx([float(number / rate) for number in range(12)], abs=0.0005001)


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv"])
@pytest.mark.parametrize("options", [None, B_FRAMES], ids=["in order", "B frames"])
def test_gaps_are_kept_exactly(tmp_path, suffix, options):
    path = write_clip(tmp_path / f"clip.{suffix}", greys(8), times=GAPS, base=THOUSANDTH, options=options)
    source = VideoSource(path)
    _, frames = play(source)
    assert times(frames) == pytest.approx(GAPS, abs=1e-9)
    assert source.truncated == ""


def test_a_late_first_frame_stays_late(tmp_path):
    path = write_clip(tmp_path / "clip.mkv", greys(3), times=[1.5, 1.6, 1.7], base=THOUSANDTH)
    assert times(play(VideoSource(path))[1]) == pytest.approx([1.5, 1.6, 1.7], abs=1e-9)


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "avi", "ts", "mov"])
def test_one_frame(tmp_path, suffix):
    source = VideoSource(write_clip(tmp_path / f"clip.{suffix}", greys(1, step=0)))
    info, frames = play(source)
    assert len(frames) == 1
    assert frames[0].timestamp_s == 0.0
    assert info.frame_count in (1, None)
    assert source.truncated == ""


@pytest.mark.parametrize("count", [4, 40])
def test_broadcast_time_counts_from_its_first_moment(tmp_path, count):
    path = write_clip(tmp_path / "clip.ts", greys(count, step=5), container_options={"output_ts_offset": "7200"})
    info, frames = play(VideoSource(path))
    assert times(frames) == pytest.approx([number / 25 for number in range(count)], abs=1e-6)
    assert info.fps == 25
    assert info.frame_count is None


def test_joined_broadcast_recordings_go_on(tmp_path):
    part = write_clip(tmp_path / "part.ts", greys(20))
    both = tmp_path / "both.ts"
    both.write_bytes(part.read_bytes() * 2)
    _, frames = play(VideoSource(both))
    assert times(frames) == pytest.approx([number / 25 for number in range(40)], abs=1e-6)


def test_sound_that_begins_first_is_the_first_moment_of_a_broadcast(tmp_path):
    path = write_clip(tmp_path / "clip.ts", greys(5), times=[0.4, 0.44, 0.48, 0.52, 0.56], base=THOUSANDTH, sound_s=0.6)
    _, frames = play(VideoSource(path))
    assert np.diff(times(frames)) == pytest.approx([0.04] * 4, abs=1e-6)
    assert times(frames)[0] == pytest.approx(0.4, abs=0.05)  # the coder of the sound needs a run-up


def test_an_edit_list_drops_what_it_leaves_out(tmp_path):
    """A clip trimmed on a phone holds everything; its edit list says that playing begins 10 frames later."""
    path = write_clip(tmp_path / "clip.mp4", greys(30), 25, options={"crf": "5", "g": "30", "bf": "0"})
    data = path.read_bytes()
    scale = struct.unpack(">I", data[(at := data.index(b"mdhd") + 16) : at + 4])[0]
    at = data.index(b"elst") + 12  # version and flags, number of entries; then duration, start in the media
    patched(path, b"elst", at - data.index(b"elst"), struct.pack(">II", 800, scale * 10 // 25))
    source = VideoSource(path)
    _, frames = play(source)
    assert len(frames) == 20
    assert times(frames) == pytest.approx([number / 25 for number in range(20)], abs=1e-3)
    assert levels(frames)[0] == pytest.approx(80, abs=3.9)
    assert source.truncated == ""


def test_an_edit_list_may_end_early_or_begin_with_a_pause(tmp_path):
    path = write_clip(tmp_path / "clip.mp4", greys(30), 25)
    data = path.read_bytes()
    offset = 12
    patched(path, b"elst", offset, struct.pack(">I", 400))  # the first 0.4 s of 1.2 s
    source = VideoSource(path)
    _, frames = play(source)
    assert times(frames) == pytest.approx([number / 25 for number in range(len(frames))], abs=1e-3)
    assert len(frames) in (10, 11)
    assert source.truncated == ""
    assert data.count(b"elst") == 1


def test_frames_from_before_the_beginning_count_from_the_first(tmp_path):
    path = write_clip(tmp_path / "clip.nut", greys(6), times=[-0.2, -0.16, -0.12, -0.08, -0.04, 0.0], base=THOUSANDTH)
    _, frames = play(VideoSource(path))
    assert times(frames) == pytest.approx([0.0, 0.04, 0.08, 0.12, 0.16, 0.2], abs=1e-9)


@pytest.mark.parametrize("rate", [Fraction(30), Fraction(24000, 1001)], ids=str)
@pytest.mark.parametrize("options", [None, B_FRAMES], ids=["in order", "B frames"])
def test_a_bare_stream_that_tells_its_rate_has_times_from_it(tmp_path, rate, options):
    info, frames = play(VideoSource(write_clip(tmp_path / "clip.h264", greys(20, step=12), rate, options=options)))
    assert info.fps == rate
    assert info.frame_count is None
    assert info.duration_s is None
    assert info.notices == ()
    assert times(frames) == pytest.approx([float(number / rate) for number in range(20)], abs=1e-9)
    assert levels(frames) == pytest.approx([12 * number for number in range(20)], abs=5)


def test_a_bare_stream_without_rate_is_assumed_to_have_25(tmp_path):
    path = tmp_path / "clip.mjpeg"
    path.write_bytes(b"".join(map(jpeg, greys(6))))
    source = VideoSource(path)
    info, frames = play(source)
    assert info.fps == 25
    assert info.frame_count is None
    assert info.notices == ("the file tells no times: 25 frames a second are assumed",)
    assert times(frames) == pytest.approx([number / 25 for number in range(6)], abs=1e-9)
    assert source.truncated == ""


@pytest.mark.parametrize("count", [99_999_999, 4_294_967_295, 0])
def test_a_wrong_count_in_an_avi_is_not_believed(tmp_path, count):
    path = write_clip(tmp_path / "clip.avi", greys(10), codec="mpeg4", options={"qscale": "2"})
    patched(path, b"avih", 24, struct.pack("<I", count))
    patched(path, b"strh", 40, struct.pack("<I", count))
    source = VideoSource(path)
    info, frames = play(source)
    assert info.frame_count in (None, 10)
    assert info.duration_s is None or info.duration_s < 60
    assert info.fps == 25
    assert len(frames) == 10
    assert source.truncated == ""


@pytest.mark.parametrize("delays", [(50, 120, 30, 1000), (100, 100, 100)])
def test_gif_delays_are_kept(tmp_path, delays):
    pictures = [Image.fromarray(image) for image in greys(len(delays), step=40)]
    path = tmp_path / "clip.gif"
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=list(delays), loop=0)
    source = VideoSource(path)
    _, frames = play(source)
    starts = [sum(delays[:number]) / 1000 for number in range(len(delays))]
    assert times(frames) == pytest.approx(starts, abs=1e-9)
    assert levels(frames) == [40 * number for number in range(len(delays))]
    assert source.truncated == ""


def test_a_last_frame_that_stays_is_no_missing_end(tmp_path):
    """Slides: the last one is shown for ten seconds, of which the file holds one frame."""
    path = write_clip(tmp_path / "slides.mp4", greys(3), times=[0.0, 5.0, 6.0], base=THOUSANDTH)
    data = bytearray(path.read_bytes())
    at = data.index(b"stts") + 8
    runs = struct.unpack(">I", data[at : at + 4])[0]
    last = at + 4 + 8 * (runs - 1) + 4
    scale = struct.unpack(">I", data[(mdhd := data.index(b"mdhd") + 16) : mdhd + 4])[0]
    data[last : last + 4] = struct.pack(">I", 10 * scale)
    data[mdhd + 4 : mdhd + 8] = struct.pack(">I", 16 * scale)
    for name in (b"elst", b"mvhd", b"tkhd"):
        offset = {b"elst": 12, b"mvhd": 20, b"tkhd": 24}[name]
        at = data.index(name) + offset
        data[at : at + 4] = struct.pack(">I", 16_000)
    path.write_bytes(data)
    source = VideoSource(path)
    info, frames = play(source)
    assert info.duration_s == pytest.approx(16.0, abs=0.1)
    assert times(frames) == pytest.approx([0.0, 5.0, 6.0], abs=1e-9)
    assert source.truncated == ""


class Anything:
    """Takes any attribute and holds what it was given."""

    def __init__(self, **given):
        self.__dict__.update(given)


@pytest.mark.parametrize(
    ("average", "guessed", "coded", "form", "expected"),
    [
        (25, 50, None, "mov", 25),
        (90_000, 30, None, "mov", 30),
        (None, 90_000, None, "matroska", None),
        (0, 0, 0, "matroska", None),
        (None, None, 24, "matroska", 24),
        (25, 25, None, "mjpeg", None),  # made up by FFmpeg
        (25, 30, 30, "h264", 30),
        (Fraction(1, 10), None, None, "matroska", Fraction(1, 10)),
        (Fraction(50, 3), 15, None, "gif", 15),  # 45 frames in 2.99 s
        (Fraction(50, 3), 100, None, "gif", Fraction(4500, 299)),
        (Fraction(50, 3), None, None, "gif", Fraction(4500, 299)),
        (1000, None, None, "mov", 1000),
    ],
)
def test_a_rate_is_believed_if_it_can_be_one(average, guessed, coded, form, expected):
    container = Anything(format=Anything(name=form))
    context = Anything(framerate=coded)
    stream = Anything(
        average_rate=average,
        guessed_rate=guessed,
        codec_context=context,
        container=container,
        frames=45,
        duration=299,
        time_base=Fraction(1, 100),
    )
    assert nominal_rate(stream) == expected


@pytest.mark.parametrize("options", [None, B_FRAMES], ids=["in order", "B frames"])
def test_rewinding_gives_the_same_frames(tmp_path, options):
    path = write_clip(tmp_path / "clip.mp4", [np.roll(corners(), 3 * n, 1) for n in range(20)], options=options)
    source = VideoSource(path)
    source.open()
    first = [source.read() for _ in range(7)]
    assert source.rewind()
    second = read_all(source)
    assert source.rewind()
    third = read_all(source)
    source.close()
    assert len(second) == len(third) == 20
    for frames in (first, third):
        for one, other in zip(frames, second, strict=False):
            np.testing.assert_array_equal(one.image_bgr, other.image_bgr)
            assert (one.index, one.timestamp_s) == (other.index, other.timestamp_s)


@pytest.mark.parametrize("flags", [0, 0x0200])
@given(stamps=st.lists(st.one_of(st.none(), st.integers(-(10**6), 10**6)), min_size=1, max_size=30))
def test_time_never_runs_backwards(flags, stamps):
    context = Anything(framerate=None)
    container = Anything(
        start_time=None,
        format=Anything(flags=flags, name="any"),
        streams=Anything(video=[]),
    )
    stream = Anything(
        container=container,
        codec_context=context,
        average_rate=Fraction(25),
        guessed_rate=None,
        time_base=THOUSANDTH,
    )
    decoder = Decoder(container, stream)
    found = [decoder._time(Anything(pts=stamp, dts=stamp, time_base=THOUSANDTH)) for stamp in stamps]
    assert found == sorted(found)
    assert found[0] >= 0
