"""Files as people have them, from the file to the written video; expected values from arithmetic or ffprobe.

Clips are made with ffmpeg. A white square marks the top left corner of the picture as it shall be seen.
"""

import json
import shutil
import subprocess
import threading

import av
import numpy as np
import pytest

from pipelines.config import PipelineConfig
from pipelines.errors import ExportError, SourceError
from pipelines.frame import Frame
from pipelines.offline.job import Tools, run_job
from pipelines.offline.jobs import Job
from tests.clips import plain_frames, write_clip
from tests.pipelines.offline.helpers import make_result

pytestmark = pytest.mark.skipif(
    shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None, reason="makes its clips with ffmpeg"
)
MARKED = "color=c=0x406080:s={size}:r={rate}:d={seconds},format=rgb24,drawbox=x=0:y=0:w=24:h=16:c=white:t=fill"


class FakePool:
    """A pool whose pipeline finds nothing: what is tested here is the way from file to file."""

    config = PipelineConfig()
    notes = ()

    def get(self, mode):
        return self

    def process(self, frame: Frame):
        found = make_result(frame.index, frame.timestamp_s, frame.size_wh)
        return type(found)(frame, found.results, found.times, found.total_ms, found.backends)


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def make(path, *options, size="128x96", rate="25", seconds=0.4):
    ffmpeg("-f", "lavfi", "-i", MARKED.format(size=size, rate=rate, seconds=seconds), *options, path)
    return path


def rotate(source, target, turn):
    """Copy an MP4 file and set the matrix in its track header (ISO/IEC 14496-12, 8.3.2) to a turn in degrees."""
    data = bytearray(source.read_bytes())
    at = data.index(b"tkhd") + 4 + 40  # version and flags, times, ids, duration, layer, volume: 40 bytes in version 0
    cos, sin = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
    for offset, value in ((0, cos), (4, -sin), (12, sin), (16, cos)):
        data[at + offset : at + offset + 4] = (value * 0x10000).to_bytes(4, "big", signed=True)
    target.write_bytes(bytes(data))


def process(path, output="out.mp4", **options):
    target = path.with_name(output)
    tools = Tools(FakePool(), lambda result: result.frame.image_bgr, threading.Event())
    report = run_job(Job(path, output=target, **options), tools, None, lambda done, expected: None)
    return report, target


def probe(path):
    command = ["ffprobe", "-v", "error", "-show_streams", "-show_frames", "-show_format", "-select_streams", "v", "-of"]
    found = json.loads(subprocess.run([*command, "json", path], capture_output=True, check=True).stdout)
    times = [float(frame.get("pts_time") or frame["best_effort_timestamp_time"]) for frame in found["frames"]]
    return found["streams"][0], times, float(found["format"]["duration"])


def first_picture(path):
    with av.open(str(path)) as container:
        return next(container.decode(video=0)).to_ndarray(format="bgr24")


def corner_of_marker(image):
    height, width = image.shape[:2]
    corners = {
        "top left": image[3:8, 3:8],
        "top right": image[3:8, width - 8 : width - 3],
        "bottom left": image[height - 8 : height - 3, 3:8],
        "bottom right": image[height - 8 : height - 3, width - 8 : width - 3],
    }
    return [name for name, pixels in corners.items() if pixels.min() > 200]


@pytest.mark.parametrize("rate", ["24000/1001", "30000/1001", "60000/1001", "25", "12"])
def test_rates_are_kept_to_the_last_frame(tmp_path, rate):
    source = make(tmp_path / "in.mp4", rate=rate, seconds=1.0)
    _, output = process(source)
    expected, found = probe(source), probe(output)
    assert found[1] == pytest.approx(expected[1], abs=2e-5)
    assert found[2] == pytest.approx(expected[2], abs=0.002)


def test_a_variable_rate_stays_variable(tmp_path):
    source = make(
        tmp_path / "in.mkv",
        "-vf",
        "select='not(mod(n,3))+lt(n,7)',setpts='PTS+0.011*mod(N,2)/TB'",
        "-vsync",
        "vfr",
        seconds=1.0,
    )
    _, output = process(source)
    expected, found = probe(source), probe(output)
    assert len({round(b - a, 3) for a, b in zip(expected[1], expected[1][1:], strict=False)}) > 1
    assert found[1] == pytest.approx(expected[1], abs=1e-4)


@pytest.mark.parametrize(("turn", "size"), [(0, (128, 96)), (90, (96, 128)), (180, (128, 96)), (270, (96, 128))])
def test_rotation_is_applied_once_and_not_written_again(tmp_path, turn, size):
    # The picture is stored turned, and the file says how to turn it back: seen upright, the marker is at the top left.
    back = {0: "null", 90: "transpose=clock", 180: "hflip,vflip", 270: "transpose=cclock"}[turn]
    make(tmp_path / "stored.mp4", "-vf", back, size="128x96" if turn % 180 == 0 else "96x128")
    rotate(tmp_path / "stored.mp4", tmp_path / "in.mp4", turn)
    with av.open(str(tmp_path / "in.mp4")) as container:
        assert next(container.decode(video=0)).rotation % 360 == turn % 360
    _, output = process(tmp_path / "in.mp4")
    image = first_picture(output)
    assert (image.shape[1], image.shape[0]) == size
    assert corner_of_marker(image) == ["top left"]
    with av.open(str(output)) as container:
        assert next(container.decode(video=0)).rotation == 0


@pytest.mark.parametrize(("size", "padded"), [("65x49", (66, 50)), ("641x359", (642, 360)), ("64x49", (64, 50))])
def test_odd_sizes(tmp_path, size, padded):
    source = make(tmp_path / "in.mkv", "-c:v", "ffv1", size=size)
    report, output = process(source)
    stream, times, _ = probe(output)
    assert (stream["width"], stream["height"]) == padded
    assert len(times) == 10
    assert any("padded" in notice for notice in report.notices)


FORMATS = {
    "one frame": ("in.mp4", ["-frames:v", "1"], 1),
    "gif": ("in.gif", ["-r", "10"], None),
    "webm": ("in.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8"], 10),
    "avi": ("in.avi", ["-c:v", "mpeg4"], 10),
    "ts": ("in.ts", ["-c:v", "libx264"], 10),
    "mov prores": ("in.mov", ["-c:v", "prores_ks"], 10),
    "10 bit": ("in.mkv", ["-c:v", "libx264", "-pix_fmt", "yuv420p10le"], 10),
    "grey": ("in.mkv", ["-c:v", "ffv1", "-pix_fmt", "gray"], 10),
    "full range": ("in.mkv", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], 10),
    "bt601": ("in.mp4", ["-colorspace", "smpte170m"], 10),
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats(tmp_path, name):
    file, options, frames = FORMATS[name]
    source = make(tmp_path / file, *options)
    report, output = process(source)
    expected, found = probe(source), probe(output)
    assert report.frames == len(found[1]) == len(expected[1])
    assert frames is None or report.frames == frames
    start = expected[1][0] if name == "ts" else 0.0  # broadcast clocks start anywhere
    assert found[1] == pytest.approx([time - start for time in expected[1]], abs=0.0011)
    assert corner_of_marker(first_picture(output)) == ["top left"]
    assert (found[0]["codec_name"], found[0]["pix_fmt"]) == ("h264", "yuv420p")
    assert report.damage == ""


def test_colours_survive(tmp_path):
    """0x406080 in, 0x406080 out, whatever matrix and range the file is stored in."""
    for number, options in enumerate(
        (
            ["-c:v", "libx264", "-crf", "5"],
            ["-vf", "scale=out_color_matrix=bt709", "-colorspace", "bt709", "-crf", "5"],
            ["-vf", "scale=out_range=full", "-color_range", "pc", "-crf", "5"],
        )
    ):
        source = make(tmp_path / f"{number}.mkv", *options)
        _, output = process(source, f"{number}.out.mkv", crf=5)
        with av.open(str(output)) as container:
            frame = next(container.decode(video=0))
        row = frame.height // 2
        plane = frame.planes[0]
        luma = float(np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[row, 60])
        half = [np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[row // 2, 30] for plane in frame.planes[1:]]
        red, green, blue = 0x40 / 255, 0x60 / 255, 0x80 / 255
        wanted = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        assert luma == pytest.approx(16 + 219 * wanted, abs=3)
        assert float(half[0]) == pytest.approx(128 + 224 * (blue - wanted) / 1.8556, abs=3)
        assert float(half[1]) == pytest.approx(128 + 224 * (red - wanted) / 1.5748, abs=3)


def test_a_raw_stream_without_a_count(tmp_path):
    source = make(tmp_path / "in.mjpeg", "-c:v", "mjpeg", "-f", "mjpeg")
    report, output = process(source)
    assert report.frames == len(probe(output)[1]) == 10
    assert report.damage == ""


def test_a_count_that_lies(tmp_path):
    """An AVI whose headers claim 99,999,999 frames."""
    source = make(tmp_path / "in.avi", "-c:v", "mpeg4")
    data = bytearray(source.read_bytes())
    lie = (99_999_999).to_bytes(4, "little")
    main_header, stream_header = data.index(b"avih") + 8, data.index(b"strh") + 8
    data[main_header + 16 : main_header + 20] = lie
    data[stream_header + 32 : stream_header + 36] = lie
    source.write_bytes(bytes(data))
    report, output = process(source)
    assert report.frames == len(probe(output)[1]) == 10
    assert report.damage == ""


def test_pixels_that_are_not_square(tmp_path):
    source = make(tmp_path / "in.mp4", "-vf", "setsar=2/1")
    report, output = process(source)
    stream, _, _ = probe(output)
    assert (stream["width"], stream["height"]) == (256, 96)
    assert stream.get("sample_aspect_ratio", "1:1") in ("1:1", "N/A")
    assert any("square" in notice for notice in report.notices)


def test_pq_is_tone_mapped_once_and_tagged_as_what_it_became(tmp_path):
    """A grey of 50 cd/m2: 0.4403 by ST 2084 (450 in 10 bits), and white is 203 cd/m2, shown with exponent 2.4."""

    def tag(stream):
        context = stream.codec_context
        context.color_trc, context.color_primaries, context.colorspace = 16, 9, 9

    frames = plain_frames((450, 512, 512), "yuv420p10le", count=5)
    source = write_clip(tmp_path / "in.mkv", frames, pix_fmt="yuv420p10le", setup=tag)
    report, output = process(source)
    assert any("HDR (PQ)" in notice for notice in report.notices)
    stream, times, _ = probe(output)
    assert (stream["pix_fmt"], stream["color_transfer"], stream["color_primaries"]) == ("yuv420p", "bt709", "bt709")
    assert len(times) == 5
    with av.open(str(output)) as container:
        luma = np.frombuffer(memoryview(next(container.decode(video=0)).planes[0]), np.uint8)[0]
    assert luma == pytest.approx(16 + 219 * (50 / 203) ** (1 / 2.4), abs=1.5)


def test_transparency_is_said(tmp_path):
    red = "color=c=red@0.5:s=64x48:r=25:d=0.2,format=yuva420p"
    ffmpeg("-f", "lavfi", "-i", red, "-c:v", "libvpx-vp9", tmp_path / "in.webm")
    report, output = process(tmp_path / "in.webm")
    assert len(probe(output)[1]) == 5
    assert [notice for notice in report.notices if "transparency" in notice] == ["its transparency is ignored"]
    ffmpeg("-f", "lavfi", "-i", red, "-c:v", "prores_ks", "-pix_fmt", "yuva444p10le", tmp_path / "in.mov")
    report, output = process(tmp_path / "in.mov", "of-mov.mp4")
    assert "its transparency was composited over black" in report.notices
    assert first_picture(output)[24, 32, 2] == pytest.approx(127, abs=8)  # half of red


def test_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    """Root, as which tests run, may write everywhere: the system's answer is played."""
    source = make(tmp_path / "in.mp4")
    true_mkdir = type(tmp_path).mkdir

    def mkdir(path, *arguments, **options):
        if path.name.startswith(".twinlens"):
            raise PermissionError(13, "Permission denied", str(path))
        true_mkdir(path, *arguments, **options)

    monkeypatch.setattr(type(tmp_path), "mkdir", mkdir)
    with pytest.raises(ExportError, match=r"out\.mp4 cannot be written: permission denied"):
        process(source)
    assert [path.name for path in tmp_path.iterdir()] == ["in.mp4"]


def test_sound_without_pictures(tmp_path):
    ffmpeg("-f", "lavfi", "-i", "sine=d=1", tmp_path / "in.m4a")
    with pytest.raises(SourceError, match="no video"):
        process(tmp_path / "in.m4a")
    assert [path.name for path in tmp_path.iterdir()] == ["in.m4a"]


def test_the_input_may_be_a_link(tmp_path):
    make(tmp_path / "in.mp4")
    (tmp_path / "link.mp4").symlink_to("in.mp4")
    report, _ = process(tmp_path / "link.mp4")
    assert report.frames == 10
