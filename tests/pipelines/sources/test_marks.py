"""Going on behind a mark gives the frames that reading from the beginning gives, or says that it cannot."""

from dataclasses import replace
from fractions import Fraction

import av
import pytest

from pipelines.sources.decoder import Decoder
from pipelines.sources.marks import Mark, checksum
from pipelines.sources.video import VideoSource
from tests.clips import read_all
from tests.numbered import numbered, write_numbered

COUNT = 60


def x264(**more):
    return {"crf": "12", "preset": "veryfast", "g": "12", **more}


VARIABLE = [number / 25 + (0.013 if number % 3 == 0 else 0.0) for number in range(COUNT)]
EXACT = {
    "mp4": ("a.mp4", {"options": x264(bf="0")}),
    "pictures that look ahead": ("a.mp4", {"options": x264(bf="3")}),
    "open groups": ("a.mkv", {"options": x264(bf="3", **{"x264-params": "open-gop=1"})}),
    "one picture to start from": ("a.mov", {"options": x264(bf="2", g="1000", keyint_min="1000")}),
    "fragments": ("a.mp4", {"options": x264(bf="0"), "container_options": {"movflags": "frag_keyframe+empty_moov"}}),
    "variable rate": ("a.mkv", {"options": x264(bf="2"), "times": VARIABLE}),
    "no index": ("a.mkv", {"options": x264(bf="2"), "container_options": {"live": "1"}}),
    "webm": ("a.webm", {"codec": "libvpx-vp9", "options": {"g": "20", "deadline": "realtime", "cpu-used": "8"}}),
}
COUNTED = {
    "broadcast": ("a.ts", {"options": x264()}),
    "avi": ("a.avi", {"codec": "mpeg4", "options": {"g": "12"}}),
    "bare pictures": ("a.h264", {"options": x264(), "form": "h264"}),
    "gif": ("a.gif", {"codec": "gif", "pix_fmt": "rgb8", "rate": 20}),
}


def never():
    return False


def opened(path):
    source = VideoSource(path)
    source.open()
    return source


def values(frames):
    return [(frame.index, frame.timestamp_s, checksum(frame)) for frame in frames]


@pytest.mark.parametrize("kind", EXACT)
def test_the_frames_behind_a_mark_are_those_of_a_run_without_a_break(tmp_path, kind):
    name, how = EXACT[kind]
    path = write_numbered(tmp_path / name, COUNT, **how)
    whole = opened(path)
    frames = read_all(whole)
    for number in (2, 11, 12, 13, 31, 58, COUNT):
        source = opened(path)
        assert source.go_behind(Mark.behind(*frames[number - 2 : number]), never)
        assert values(read_all(source)) == values(frames[number:])
        assert source.truncated == whole.truncated == ""
        source.close()


@pytest.mark.parametrize("kind", COUNTED)
def test_where_times_are_counted_everything_is_read_again(tmp_path, kind):
    name, how = COUNTED[kind]
    path = write_numbered(tmp_path / name, COUNT, **how)
    frames = read_all(opened(path))
    source = opened(path)
    assert not source.go_behind(Mark.behind(*frames[30:32]), never)
    assert values(read_all(source)) == values(frames)


def test_only_frames_from_the_next_picture_that_stands_alone_on_are_decoded(tmp_path, monkeypatch):
    path = write_numbered(tmp_path / "a.mp4", COUNT, options=x264(bf="0", sc_threshold="0"))
    frames = read_all(opened(path))
    source = opened(path)
    decoded = []
    true_time = Decoder._time
    monkeypatch.setattr(Decoder, "_time", lambda self, frame: decoded.append(frame.pts) or true_time(self, frame))
    assert source.go_behind(Mark.behind(*frames[48:50]), never)
    # From frame 48, which stands alone, to 49, and what the decoder gave together with it.
    assert 2 <= len(decoded) <= 8


@pytest.mark.parametrize("wrong", [{"times_s": (1.0, 1.05)}, {"sums": (1, 2)}], ids=["time", "pixels"])
def test_a_mark_of_another_file_is_not_found(tmp_path, wrong):
    path = write_numbered(tmp_path / "a.mp4", COUNT, options=x264(bf="0"))
    frames = read_all(opened(path))
    source = opened(path)
    assert not source.go_behind(replace(Mark.behind(*frames[30:32]), **wrong), never)
    assert values(read_all(source)) == values(frames)


def test_frames_of_the_same_time_and_look_are_told_apart(tmp_path):
    """Matroska counts in milliseconds: of frames that follow each other sooner, several have the same time."""
    times = [number * Fraction(1, 25) for number in range(20)] + [
        Fraction(19, 25) + Fraction(n, 3000) for n in (1, 2, 3)
    ]
    times += [1 + number * Fraction(1, 25) for number in range(10)]
    images = [numbered(number) for number in range(19)] + [numbered(19)] * 14
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options=x264(bf="0", g="1", qp="20"))
        stream.width, stream.height = images[0].shape[1::-1]
        stream.codec_context.time_base = Fraction(1, 90_000)
        for image, time in zip(images, times, strict=True):
            frame = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format="yuv420p")
            frame.pts, frame.time_base = round(time * 90_000), Fraction(1, 90_000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    frames = read_all(opened(path))
    assert len(frames) == len(times)
    assert frames[19].timestamp_s == frames[20].timestamp_s
    for number in range(2, len(frames) + 1):
        mark = Mark.behind(*frames[number - 2 : number])
        if mark is None:
            assert frames[number - 2].timestamp_s == frames[number - 1].timestamp_s
            continue
        source = opened(path)
        found = source.go_behind(mark, never)
        assert values(read_all(source)) == values(frames[number:] if found else frames)


def test_frames_that_do_not_follow_each_other_make_no_mark(tmp_path):
    frames = read_all(opened(write_numbered(tmp_path / "a.mp4", 5, options=x264(bf="0"))))
    assert Mark.behind(frames[1], frames[3]) is None
    assert Mark.behind(frames[3], frames[2]) is None
    assert Mark.behind(frames[2], frames[3]).read == 4
