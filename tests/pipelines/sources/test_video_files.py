"""Names that break tools, things that are no video, sound, and what is left open afterwards."""

import gc
import http.server
import os
import sys
import threading
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from pipelines.errors import SourceError
from pipelines.sources.video import VideoSource
from tests.clips import greys, jpeg, play, write_clip, write_sound

NAMES = [
    "a clip.mp4",
    " a (1).v2 .mp4",
    "[brackets] {braces}.mp4",
    "100%.mp4",
    "50%d off %03d.mp4",
    "*?.mp4",
    "a:b.mp4",
    "http:clip.mp4",
    "concat:a|b.mp4",
    "-y.mp4",
    "視頻 ビデオ 영상.mp4",
    "🎬👩‍👩‍👧.mp4",
    "é-e\u0301-ß.mp4",
    "quote'\"`$(x);&.mp4",
    "back\\slash.mp4",
    "no suffix",
    ".hidden",
    "UPPER.MP4",
    "x" * 240 + ".mp4",
]


def complaint(path):
    with pytest.raises(SourceError) as caught:
        VideoSource(Path(path)).open()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture(scope="module")
def clip_bytes(tmp_path_factory):
    return write_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", greys(3)).read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not allow most of these names")
@pytest.mark.parametrize("name", NAMES)
def test_any_name(tmp_path, monkeypatch, clip_bytes, name):
    (tmp_path / name).write_bytes(clip_bytes)
    info, frames = play(VideoSource(tmp_path / name))
    assert info.name == frames[0].source == name
    assert len(frames) == 3
    monkeypatch.chdir(tmp_path)
    assert len(play(VideoSource(Path(name)))[1]) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="names are text on this system")
def test_a_name_that_is_no_text(tmp_path, clip_bytes):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.mp4"))
    path.write_bytes(clip_bytes)
    assert len(play(VideoSource(path))[1]) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not allow these names")
@pytest.mark.parametrize("name", ["50%d off.gif", "a%02d.gif", "%*.gif", "plain.gif"])
def test_a_gif_with_a_number_pattern_in_its_name_is_one_file(tmp_path, name):
    pictures = [Image.fromarray(image) for image in greys(3, step=50)]
    pictures[0].save(tmp_path / name, save_all=True, append_images=pictures[1:], duration=100)
    assert len(play(VideoSource(tmp_path / name))[1]) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not allow these names")
def test_a_picture_of_a_rare_kind_with_a_pattern_in_its_name(tmp_path):
    path = tmp_path / "a%d.tga"
    Image.fromarray(greys(2)[1]).save(path)
    assert len(play(VideoSource(path))[1]) == 1


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "is empty (0 bytes)"),
        (b"This is a text file, not a video.\n" * 50, "is not a video that can be read"),
        (b"\0" * 5000, "is not a video that can be read"),
        (np.random.default_rng(0).bytes(5000), "is not a video that can be read"),
        (b"x", "is not a video that can be read"),
        (b"#EXTM3U\n", "is not a video that can be read"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100), "is a HEIF picture, which cannot be read"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "is incomplete: its index is missing"),
    ],
    ids=["empty", "text", "zeros", "noise", "one byte", "empty playlist", "HEIF", "head only"],
)
def test_what_is_no_video(tmp_path, content, cause):
    path = tmp_path / "clip.mp4"
    path.write_bytes(content)
    assert complaint(path).startswith(f"{path} {cause}")


def test_where_there_is_no_file(tmp_path):
    path = tmp_path / "missing.mp4"
    assert complaint(path) == f"{path}: there is no such file or folder"
    assert complaint(tmp_path) == f"{tmp_path} is a folder, not a file"
    file = tmp_path / "file"
    file.write_bytes(b"x")
    assert complaint(file / "clip.mp4") == f"{file / 'clip.mp4'} cannot be read: Not a directory"
    loop = tmp_path / "loop.mp4"
    loop.symlink_to(loop)
    assert "cannot be read: Too many levels of symbolic links" in complaint(loop)
    dangling = tmp_path / "dangling.mp4"
    dangling.symlink_to(path)
    assert complaint(dangling) == f"{dangling}: there is no such file or folder"


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch, clip_bytes):
    path = tmp_path / "clip.mp4"
    path.write_bytes(clip_bytes)
    real = Path.open

    def refuse(self, *arguments, **options):
        if self == path:
            raise PermissionError(13, "Permission denied", str(self))  # root may read everything
        return real(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    assert complaint(path) == f"{path} cannot be read: Permission denied"


@pytest.mark.parametrize("suffix", ["m4a", "mp4", "mkv"])
def test_sound_alone(tmp_path, suffix):
    path = write_sound(tmp_path / f"song.{suffix}")
    assert complaint(path) == f"{path} holds sound but no video"


def test_a_song_with_a_cover_picture_is_sound(tmp_path):
    song = write_sound(tmp_path / "plain.mp3", codec="libmp3lame").read_bytes()
    # ID3v2.3: an APIC frame with the MIME type, 3 = front cover, no description, and the picture.
    body = b"\0image/jpeg\0\x03\0" + jpeg(greys(2, (200, 200))[1])
    frame = b"APIC" + len(body).to_bytes(4, "big") + b"\0\0" + body
    size = bytes((len(frame) >> shift) & 0x7F for shift in (21, 14, 7, 0))
    path = tmp_path / "song.mp3"
    path.write_bytes(b"ID3\x03\0\0" + size + frame + song)
    assert complaint(path) == f"{path} holds sound but no video"


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "ts"])
def test_sound_beside_the_video_changes_nothing(tmp_path, suffix):
    path = write_clip(tmp_path / f"clip.{suffix}", greys(10), sound_s=0.8)
    info, frames = play(VideoSource(path))
    assert [frame.timestamp_s for frame in frames] == pytest.approx([n / 25 for n in range(10)], abs=0.0011 + 0.03)
    assert np.diff([frame.timestamp_s for frame in frames]) == pytest.approx([0.04] * 9, abs=1e-6)
    assert info.fps == 25


def test_sound_that_is_longer_is_no_missing_video(tmp_path):
    path = write_clip(tmp_path / "clip.mp4", greys(5), sound_s=3.0)
    source = VideoSource(path)
    _, frames = play(source)
    assert len(frames) == 5
    assert source.truncated == ""


def test_a_playlist_does_not_reach_for_the_network(tmp_path, clip_bytes):
    asked = []

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *arguments):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n"
        for name, text in (
            ("list.m3u8", f"{head}{address}/a.ts\n#EXT-X-ENDLIST\n"),
            ("list.ffconcat", f"ffconcat version 1.0\nfile '{address}/a.mp4'\n"),
            (
                "list.sdp",
                f"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video {server.server_port} RTP/AVP 96\n"
                "a=rtpmap:96 H264/90000\n",
            ),
        ):
            path = tmp_path / name
            path.write_text(text)
            assert complaint(path).startswith(str(path))
        server.shutdown()
        thread.join()
    assert asked == []


def test_a_playlist_of_local_parts_plays(tmp_path):
    for number in range(2):
        write_clip(tmp_path / f"{number}.ts", greys(5))
    parts = "".join(f"#EXTINF:0.2,\n{number}.ts\n#EXT-X-DISCONTINUITY\n" for number in range(2))
    path = tmp_path / "list.m3u8"
    path.write_text(f"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n{parts}#EXT-X-ENDLIST\n")
    _, frames = play(VideoSource(path))
    assert len(frames) == 10
    times = [frame.timestamp_s for frame in frames]
    assert times == sorted(times)


def test_closing_is_safe_at_any_time(tmp_path, clip_bytes):
    path = tmp_path / "clip.mp4"
    path.write_bytes(clip_bytes)
    source = VideoSource(path)
    source.close()
    assert source.read() is None
    source.open()
    source.read()
    source.close()
    source.close()
    assert source.read() is None
    assert source.open().size_wh == (64, 48)
    assert source.read().index == 0
    source.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files in /proc")
def test_nothing_is_left_open(tmp_path, clip_bytes):
    good, bad = tmp_path / "good.mp4", tmp_path / "bad.mp4"
    good.write_bytes(clip_bytes)
    bad.write_bytes(clip_bytes[: len(clip_bytes) // 2])

    def use():
        source = VideoSource(good)
        source.open()
        source.read()
        source.rewind()
        source.close()
        with pytest.raises(SourceError):
            VideoSource(bad).open()

    def held():
        gc.collect()
        return len(list(Path("/proc/self/fd").iterdir())), len(list(Path("/proc/self/task").iterdir()))

    for _ in range(3):
        use()
    before = held()
    for _ in range(50):
        use()
    assert held() == before


def test_names_and_kinds_can_be_given(tmp_path, clip_bytes):
    path = tmp_path / "clip.mp4"
    path.write_bytes(clip_bytes)
    info, frames = play(VideoSource(path, kind="demo", name="Demo", loops=True))
    assert (info.name, info.kind, info.loops, info.live, info.still) == ("Demo", "demo", True, False, False)
    assert frames[0].source == "Demo"
    plain, _ = play(VideoSource(path))
    assert (plain.name, plain.kind, plain.loops) == ("clip.mp4", "video", False)


def test_a_first_frame_is_converted_once(tmp_path, clip_bytes, monkeypatch):
    from pipelines.sources.decoding import Converter

    path = tmp_path / "clip.mp4"
    path.write_bytes(clip_bytes)
    converted = []
    real = Converter.picture
    monkeypatch.setattr(Converter, "picture", lambda self, frame: converted.append(1) or real(self, frame))
    assert len(play(VideoSource(path))[1]) == 3
    assert len(converted) == 3


class TestRecordings:
    """Real recordings. Counts and last times come from `ffprobe -count_frames` and `-show_frames`, run by hand."""

    FOLDER = Path(__file__).parents[4] / "shared/media/video"

    @pytest.mark.media
    @pytest.mark.parametrize(
        ("name", "count", "size_wh", "fps", "first_s", "last_s"),
        [
            ("again.mkv", 77, (640, 480), 30, 0.033, 2.567),
            ("bird.mkv", 63, (640, 480), 30, 0.033, 2.1),
            ("eat.mkv", 47, (640, 480), 30, 0.0, 1.533),
            ("walk.mkv", 89, (640, 480), 30, 0.0, 2.933),
            ("classroom.gif", 45, (480, 270), 15, 0.0, 2.93),
            ("head-pose-face-detection-female-and-male.gif", 56, (480, 270), 12, 0.0, 4.58),
        ],
    )
    def test_counts_and_times(self, name, count, size_wh, fps, first_s, last_s):
        path = self.FOLDER / name
        if not path.exists():
            pytest.skip("the recordings are not here")
        source = VideoSource(path)
        info, frames = play(source)
        assert len(frames) == count
        assert info.size_wh == size_wh
        assert info.fps == Fraction(fps)
        assert frames[0].timestamp_s == pytest.approx(first_s, abs=1e-6)
        assert frames[-1].timestamp_s == pytest.approx(last_s, abs=1e-6)
        assert source.truncated == ""
        assert cv2.cvtColor(frames[count // 2].image_bgr, cv2.COLOR_BGR2GRAY).std() > 20
