"""Files that lack something: what is there is read, what is missing is said."""

import re
import struct
from pathlib import Path

import av
import numpy as np
import pytest

from pipelines.errors import SourceError
from pipelines.sources.decoder import Decoder
from pipelines.sources.layout import Layout, ends_in_zeros, read_layout
from pipelines.sources.video import VideoSource
from tests.clips import greys, jpeg, noise, play, read_all, write_clip

FASTSTART = {"movflags": "faststart"}
FRAGMENTED = {"movflags": "frag_keyframe+empty_moov"}
COUNT = 40
SMALL_GROUPS = {"crf": "20", "g": "5", "bf": "0", "preset": "ultrafast"}


def make(tmp_path, name, container_options=None, codec="libx264", **options):
    if codec == "libx264":
        options.setdefault("options", SMALL_GROUPS)
    if codec == "libvpx-vp9":
        options["options"] = {"deadline": "realtime", "cpu-used": "8"}
    if codec == "mpeg4":
        options.setdefault("options", {"qmin": "2", "qmax": "2", "g": "5", "b": "9M"})
    return write_clip(
        tmp_path / name, noise(COUNT), codec=codec, container_options=container_options, pix_fmt="yuv420p", **options
    )


def cut(path, share):
    data = path.read_bytes()
    path.write_bytes(data[: round(len(data) * share)])
    return path


def complaint(path):
    with pytest.raises(SourceError) as caught:
        VideoSource(path).open()
    return str(caught.value)


@pytest.mark.parametrize("share", [0.3, 0.7, 0.99])
@pytest.mark.parametrize("suffix", ["mp4", "mov"])
def test_without_its_index_a_file_is_incomplete(tmp_path, suffix, share):
    path = cut(make(tmp_path, f"clip.{suffix}"), share)
    sentence = f"{path} is incomplete: its index is missing, as when a recording or a download was cut off"
    assert complaint(path) == sentence


def test_a_quicktime_recording_that_begins_with_its_pictures_lacks_its_index_too(tmp_path):
    path = tmp_path / "clip.mov"
    path.write_bytes(b"\0\0\0\x08wide" + struct.pack(">I", 50_000) + b"mdat" + bytes(20_000))
    assert "its index is missing" in complaint(path)


def test_a_file_cut_inside_its_head_is_incomplete(tmp_path):
    path = make(tmp_path, "clip.mkv")
    path.write_bytes(path.read_bytes()[:300])
    assert complaint(path) == f"{path} is incomplete: the file breaks off"


@pytest.mark.parametrize(
    ("name", "options", "codec"),
    [
        ("clip.mp4", FASTSTART, "libx264"),
        ("clip.mov", FASTSTART, "libx264"),
        ("clip.mp4", FRAGMENTED, "libx264"),
        ("clip.mkv", None, "libx264"),
        ("clip.webm", None, "libvpx-vp9"),
        ("clip.avi", None, "mpeg4"),
    ],
    ids=["MP4", "MOV", "fragmented MP4", "Matroska", "WebM", "AVI"],
)
@pytest.mark.parametrize("share", [0.12, 0.5, 0.9, 0.99])
def test_what_is_there_of_a_cut_file_is_read_and_the_cut_is_told(tmp_path, name, options, codec, share):
    path = make(tmp_path, name, options, codec)
    whole = VideoSource(path)
    info, frames = play(whole)
    assert len(frames) == COUNT
    assert whole.truncated == ""
    size = path.stat().st_size
    cut(path, share)
    source = VideoSource(path)
    info, some = play(source)
    assert info.size_wh == (64, 48)
    assert 0 < len(some) <= COUNT * share + 2
    assert len(some) >= COUNT * share - 8 or options == FRAGMENTED
    assert source.truncated.startswith("the file breaks off: ")
    if options != FRAGMENTED:  # each fragment tells its own length only
        # The index at the end of some formats lies behind what the outermost element of the pictures tells.
        assert f"{path.stat().st_size} of its {size} bytes are there" in source.truncated
    for one, other in zip(some[:-1], frames, strict=False):
        np.testing.assert_array_equal(one.image_bgr, other.image_bgr)
        assert one.timestamp_s == other.timestamp_s


def test_a_cut_broadcast_recording_gives_what_is_there(tmp_path):
    path = cut(make(tmp_path, "clip.ts"), 0.5)
    _, frames = play(VideoSource(path))
    assert COUNT * 0.4 < len(frames) < COUNT * 0.6


@pytest.mark.parametrize(("name", "codec"), [("clip.mkv", "libx264"), ("clip.avi", "mpeg4"), ("clip.mp4", "libx264")])
def test_an_end_that_was_never_written_is_told(tmp_path, name, codec):
    """A download that reserved its room and stopped half-way."""
    path = make(tmp_path, name, FASTSTART if name.endswith("mp4") else None, codec)
    data = path.read_bytes()
    half = len(data) // 2
    path.write_bytes(data[:half] + bytes(len(data) - half))
    source = VideoSource(path)
    _, frames = play(source)
    assert 0 < len(frames) < COUNT
    assert source.truncated


def scramble(path, start, stop):
    """Overwrite a part of a file, given in shares of its length, with noise."""
    data = bytearray(path.read_bytes())
    first, last = round(start * len(data)), round(stop * len(data))
    data[first:last] = np.random.default_rng(1).integers(0, 256, last - first, np.uint8).tobytes()
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("name", "options", "codec"),
    [
        ("clip.mp4", FASTSTART, "libx264"),
        ("clip.mp4", FASTSTART, "mpeg4"),
        ("clip.mkv", None, "libx264"),
        ("clip.avi", None, "mpeg4"),
        ("clip.ts", None, "libx264"),
        ("clip.mov", FASTSTART, "mjpeg"),
    ],
    ids=["H.264 in MP4", "MPEG-4 in MP4", "H.264 in Matroska", "AVI", "TS", "Motion JPEG in MOV"],
)
def test_damage_in_the_middle_costs_no_more_than_itself(tmp_path, name, options, codec):
    setup = (lambda stream: setattr(stream.codec_context, "color_range", 2)) if codec == "mjpeg" else None
    path = make(tmp_path, name, options, codec, setup=setup)
    _, whole = play(VideoSource(path))
    source = VideoSource(scramble(path, 0.5, 0.55))
    _, frames = play(source)
    assert len(frames) >= COUNT * 0.8 - 5
    if not name.endswith("avi"):  # which stores no times
        assert frames[-1].timestamp_s == pytest.approx(whole[-1].timestamp_s, abs=1e-6)  # the length is kept
    times = [frame.timestamp_s for frame in frames]
    assert times == sorted(times)
    assert re.fullmatch("about [0-9]+ damaged frames?", source.truncated)
    np.testing.assert_array_equal(frames[-1].image_bgr, whole[-1].image_bgr)
    np.testing.assert_array_equal(frames[10].image_bgr, whole[10].image_bgr)


@pytest.mark.parametrize("seed", range(16))
def test_scattered_damage_never_ends_in_another_exception(tmp_path, seed):
    rng = np.random.default_rng(seed)
    name, codec = [("a.mp4", "libx264"), ("a.mkv", "libvpx-vp9"), ("a.avi", "mpeg4"), ("a.ts", "libx264")][seed % 4]
    path = make(tmp_path, name, FASTSTART if name == "a.mp4" else None, codec, options={} if seed % 4 else None)
    data = bytearray(path.read_bytes())
    for at in rng.integers(0, len(data), 30):
        data[at] = rng.integers(0, 256)
    path.write_bytes(data[: rng.integers(len(data) // 2, len(data))] if seed % 2 else data)
    source = VideoSource(path)
    said, frames = "", []
    try:
        _, frames = play(source)
    except SourceError as error:
        said = str(error)
    assert said.startswith(str(path)) != bool(frames)
    assert "\n" not in said
    times = [frame.timestamp_s for frame in frames]
    assert times == sorted(times)


class Breaking:
    """A container whose packets end in an exception, in the middle or where they should be over."""

    def __init__(self, container, error, after):
        self._container, self._error, self._after = container, error, after

    def __getattr__(self, name):
        return getattr(self._container, name)

    def demux(self, stream):
        for number, packet in enumerate(self._container.demux(stream)):
            if number == self._after:
                raise self._error
            yield packet


@pytest.mark.parametrize("after", [10, 20])
@pytest.mark.parametrize(
    "error",
    [
        IndexError("list index out of range"),  # PyAV 18 where a stream turns up that the head does not list
        av.error.OSError(5, "Input/output error"),
    ],
    ids=["PyAV", "disk"],
)
def test_frames_that_the_decoder_holds_are_not_lost_where_packets_break_off(tmp_path, error, after):
    path = write_clip(tmp_path / "clip.mp4", greys(20), options={"bf": "3", "b-adapt": "0"})
    with av.open(str(path)) as container:
        decoder = Decoder(Breaking(container, error, after), container.streams.video[0])
        times = [time_s for _, time_s in decoder]
    assert len(times) == after
    assert times == sorted(times)
    assert decoder.error is (error if isinstance(error, OSError) else None)


def test_no_frame_at_all_is_one_sentence(tmp_path):
    path = make(tmp_path, "clip.mp4", FASTSTART)
    data = bytearray(path.read_bytes())
    at = data.index(b"mdat") + 4
    data[at:] = bytes(len(data) - at)
    path.write_bytes(data)
    assert complaint(path) == f"{path} holds no picture that can be decoded"


def test_a_coding_that_nobody_knows_is_one_sentence(tmp_path):
    path = make(tmp_path, "clip.mp4")
    path.write_bytes(path.read_bytes().replace(b"avc1", b"zz9z"))
    assert complaint(path) == f"{path} holds video in a coding that cannot be decoded"


def test_reading_on_after_the_end_stays_at_the_end(tmp_path):
    source = VideoSource(cut(make(tmp_path, "clip.mkv"), 0.5))
    source.open()
    read_all(source)
    said = source.truncated
    assert source.read() is None
    assert source.truncated == said
    assert source.rewind()
    assert source.truncated == ""
    source.close()


def test_a_file_that_vanishes_is_told(tmp_path):
    path = make(tmp_path, "clip.mkv")
    source = VideoSource(path)
    source.open()
    path.unlink()
    assert len(read_all(source)) == COUNT  # it is still open
    assert "cannot be read any more" in source.truncated
    with pytest.raises(SourceError, match="there is no such file or folder"):
        source.rewind()
    source.close()


class TestLayout:
    """Outlines by hand."""

    def outline(self, tmp_path, data):
        path = tmp_path / "file"
        path.write_bytes(data)
        return read_layout(path)

    @pytest.mark.parametrize(
        ("boxes", "expected"),
        [
            ([(b"ftyp", 8), (b"moov", 20), (b"mdat", 100)], Layout(152, 152)),
            ([(b"ftyp", 8), (b"mdat", 100)], Layout(124, 124, lacks_index=True)),
            ([(b"ftyp", 8), (b"mdat", 100), (b"moov", 20)], Layout(152, 152)),
        ],
    )
    def test_boxes(self, tmp_path, boxes, expected):
        data = b"".join(struct.pack(">I4s", 8 + size, name) + bytes(size) for name, size in boxes)
        assert self.outline(tmp_path, data) == expected
        assert not expected.is_cut
        shorter = self.outline(tmp_path, data[:-1])
        assert shorter.is_cut
        assert shorter.end == expected.end

    def test_long_boxes_and_boxes_to_the_end(self, tmp_path):
        head = struct.pack(">I4sI", 12, b"ftyp", 0)
        long = struct.pack(">I4sQ", 1, b"mdat", 16 + 5_000_000_000)
        found = self.outline(tmp_path, head + long)
        assert found.end == 12 + 16 + 5_000_000_000
        assert found.is_cut
        rest = struct.pack(">I4s", 0, b"mdat") + bytes(50)
        assert self.outline(tmp_path, head + rest) == Layout(70, 70, lacks_index=True)

    @pytest.mark.parametrize("rubbish", [b"\0" * 40, b"appended by a camera", b"\0\0\0\x05mdat", b"\0\0"])
    def test_what_an_application_appended_does_not_count(self, tmp_path, rubbish):
        data = struct.pack(">I4s", 8, b"ftyp") + struct.pack(">I4s", 8, b"moov")
        found = self.outline(tmp_path, data + rubbish)
        assert not found.is_cut
        assert not found.lacks_index

    @pytest.mark.parametrize(
        ("size", "end"),
        [
            (b"\x90", 25 + 16),  # one byte, 0x10
            (b"\x40\x20", 26 + 0x20),  # two bytes
            (b"\x01\0\0\0\0\x01\0\0", 32 + 0x10000),  # eight bytes
            (b"\xff", None),  # unknown
            (b"\x01\xff\xff\xff\xff\xff\xff\xff", None),  # unknown
            (b"\0", None),
            (b"", None),
            (b"\x40", None),  # cut off
        ],
    )
    def test_matroska(self, tmp_path, size, end):
        data = b"\x1a\x45\xdf\xa3\x8f" + bytes(15) + b"\x18\x53\x80\x67" + size
        assert self.outline(tmp_path, data).end == end

    @pytest.mark.parametrize(
        ("data", "end"),
        [
            (struct.pack("<4sI4s", b"RIFF", 4, b"AVI "), 12),
            (struct.pack("<4sI4s", b"RIFF", 1000, b"AVI "), 1008),
            (struct.pack("<4sI4s", b"RIFF", 1001, b"AVI "), 1010),
            (struct.pack("<4sI4s", b"RIFF", 4, b"AVI ") + struct.pack("<4sI", b"RIFF", 100), 120),
            (struct.pack("<4sI4s", b"RIFF", 0, b"AVI "), None),
            (struct.pack("<4sI4s", b"RIFF", 0xFFFFFFFF, b"AVI "), None),
            (struct.pack("<4sI4s", b"RIFF", 4, b"AVI ") + b"appended", 12),
            (struct.pack("<4sI4s", b"RIFF", 4, b"WAVE"), None),
            (b"", None),
            (b"RIFF", None),
        ],
    )
    def test_avi(self, tmp_path, data, end):
        assert self.outline(tmp_path, data).end == end

    @pytest.mark.parametrize(
        ("data", "zeros"), [(b"\1" + bytes(5000), True), (bytes(4999) + b"\1", False), (bytes(3), True), (b"", True)]
    )
    def test_zeros_at_the_end(self, tmp_path, data, zeros):
        path = tmp_path / "file"
        path.write_bytes(data)
        assert ends_in_zeros(path) == zeros

    def test_a_missing_file_is_an_os_error(self):
        with pytest.raises(FileNotFoundError):
            read_layout(Path("no such file"))


def test_a_bare_stream_with_a_broken_picture_goes_on(tmp_path):
    pictures = [jpeg(image) for image in greys(6, step=40)]
    pictures[3] = pictures[3][:200] + bytes(100) + pictures[3][-2:]
    path = tmp_path / "clip.mjpeg"
    path.write_bytes(b"".join(pictures))
    source = VideoSource(path)
    _, frames = play(source)
    assert 5 <= len(frames) <= 6
    assert frames[-1].image_bgr.mean() == pytest.approx(200, abs=2)
