"""What videos are written as: checked with ffprobe and ffmpeg, which share nothing with the writer."""

import json
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pipelines.errors import ConfigError, ExportError
from pipelines.offline.cutout import cut_out
from pipelines.offline.formats import FORMATS, H264, VP9, is_sequence, numbered
from pipelines.offline.sequence import PictureSequence, earlier_pictures
from pipelines.offline.verify import check_alpha, check_video, first_coverage
from pipelines.offline.writer import VideoWriter
from tests.pipelines.offline.helpers import make_result

VARIABLE = [0.04, 0.08, 0.12, 0.2, 0.35, 0.4, 0.43, 0.6]
needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")


def halves(size_wh=(96, 64), alpha=False):
    """Left half orange (BGR 20, 120, 240), right half grey; with alpha the right half is 0 and a strip is 128."""
    width, height = size_wh
    image = np.full((height, width, 4 if alpha else 3), 90, np.uint8)
    image[:, : width // 2, :3] = (20, 120, 240)
    if alpha:
        image[:, :, 3] = 0
        image[:, : width // 2, 3] = 255
        image[:16, :, 3] = 128
    return image


def write(path, times, image=None, alpha=False, crf=20):
    image = halves(alpha=alpha) if image is None else image
    writer = VideoWriter(
        path, path.name, path.suffix, (image.shape[1], image.shape[0]), Fraction(25), crf=crf, transparent=alpha
    )
    for time_s in times:
        writer.write(image, time_s)
    writer.finish()
    check_video(path, path.name, writer.timeline.frames, writer.timeline.first_s, writer.timeline.last_s)
    return writer


def probe(path):
    command = ["ffprobe", "-v", "error", "-show_streams", "-show_packets", "-show_format", "-of", "json"]
    return json.loads(subprocess.run([*command, f"file:{path}"], capture_output=True, check=True).stdout)


def pixels(path, pix_fmt="bgra", decoder=()):
    """All pictures as ffmpeg shows them, uint8 (n, H, W, 4)."""
    command = ["ffmpeg", "-v", "error", *decoder, "-i", f"file:{path}", "-vsync", "passthrough", "-f", "rawvideo"]
    raw = subprocess.run([*command, "-pix_fmt", pix_fmt, "-"], capture_output=True, check=True).stdout
    stream = probe(path)["streams"][0]
    return np.frombuffer(raw, np.uint8).reshape(-1, stream["height"], stream["width"], 4)


@needs_ffmpeg
@pytest.mark.parametrize(
    ("suffix", "codec", "pix_fmt"), [(".webm", "vp9", "yuv420p"), (".mov", "h264", "yuv420p"), (".gif", "gif", "bgra")]
)
def test_coding_times_and_colours(tmp_path, suffix, codec, pix_fmt):
    path = tmp_path / f"out{suffix}"
    writer = write(path, VARIABLE)
    found = probe(path)
    stream = found["streams"][0]
    assert (stream["codec_name"], stream["pix_fmt"]) == (codec, pix_fmt)
    first = VARIABLE[0] if suffix != ".gif" else 0.0  # a GIF knows delays only
    expected = [time_s - VARIABLE[0] + first for time_s in VARIABLE]
    assert [float(packet["pts_time"]) for packet in found["packets"]] == pytest.approx(expected, abs=6e-4)
    assert writer.duration_s == pytest.approx(0.6 - 0.04 + 0.04, abs=1e-4)
    assert float(found["format"]["duration"]) == pytest.approx(expected[-1] + 0.04, abs=2e-3)
    if suffix != ".gif":
        assert {stream["color_space"], stream["color_primaries"], stream["color_transfer"]} == {"bt709"}
    shown = pixels(path).astype(int)
    assert len(shown) == len(VARIABLE)
    assert np.abs(shown[:, 8:56, 8:40, :3] - (20, 120, 240)).max() < 14
    assert np.abs(shown[:, 8:56, 56:88, :3] - 90).max() < 14


@needs_ffmpeg
@pytest.mark.parametrize(
    ("suffix", "pix_fmt", "decoder"), [(".webm", "yuv420p", ("-c:v", "libvpx-vp9")), (".mov", "yuva444p12le", ())]
)
def test_transparency(tmp_path, suffix, pix_fmt, decoder):
    path = tmp_path / f"out{suffix}"
    writer = write(path, VARIABLE, alpha=True)
    stream = probe(path)["streams"][0]
    assert stream["pix_fmt"] in (pix_fmt, "yuva444p10le")
    shown = pixels(path, decoder=decoder).astype(int)
    assert len(shown) == len(VARIABLE)
    assert np.abs(shown[:, 24:56, 8:40] - (20, 120, 240, 255)).max() < 14
    assert shown[:, 24:56, 56:88, 3].max() < 4
    assert np.abs(shown[:, 4:12, 8:88, 3] - 128).max() < 6
    # A quarter at 128 / 255, and half of the other three.
    assert writer.coverage == pytest.approx(0.25 * 128 / 255 + 0.75 * 0.5, abs=1e-6)
    check_alpha(path, path.name, writer.coverage)


class TestAlphaCheck:
    def test_an_opaque_file(self, tmp_path):
        write(tmp_path / "a.webm", [0.0])
        assert first_coverage(tmp_path / "a.webm") is None
        with pytest.raises(ExportError, match=r"a\.webm holds no transparency"):
            check_alpha(tmp_path / "a.webm", "a.webm", 0.5)

    def test_another_transparency(self, tmp_path):
        write(tmp_path / "a.mov", [0.0], alpha=True)
        with pytest.raises(ExportError, match="50% of its first picture where 20%"):
            check_alpha(tmp_path / "a.mov", "a.mov", 0.2)

    def test_a_broken_file(self, tmp_path):
        (tmp_path / "a.webm").write_bytes(b"no video")
        with pytest.raises(ExportError, match="does not open again"):
            check_alpha(tmp_path / "a.webm", "a.webm", 0.2)

    @pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".gif"])
    def test_formats_without(self, tmp_path, suffix):
        with pytest.raises(ConfigError, match="holds no transparency"):
            write(tmp_path / f"a{suffix}", [0.0], alpha=True)


@pytest.mark.parametrize(
    ("suffix", "alpha", "size_wh"),
    [(".webm", False, (66, 50)), (".webm", True, (66, 50)), (".mov", True, (65, 49)), (".gif", False, (65, 49))],
)
def test_odd_sizes_are_padded_where_the_coding_needs_it(tmp_path, suffix, alpha, size_wh):
    path = tmp_path / f"odd{suffix}"
    writer = write(path, [0.0, 0.1], halves((65, 49), alpha), alpha)
    assert writer.coded_wh == size_wh
    stream = probe(path)["streams"][0]
    assert (stream["width"], stream["height"]) == size_wh
    if alpha:
        check_alpha(path, path.name, writer.coverage)


def test_a_gif_leaves_out_what_it_cannot_show_in_time(tmp_path):
    """60 frames a second on a clock of 1/100 s, two steps a picture at least, lasting as long as the source."""
    path = tmp_path / "fast.gif"
    writer = write(path, [number / 60 for number in range(30)])
    ticks = [0]
    for number in range(1, 30):
        tick = round(100 * number / 60)
        if tick >= ticks[-1] + 2:
            ticks.append(tick)
    packets = probe(path)["packets"]
    assert [round(100 * float(packet["pts_time"])) for packet in packets] == ticks
    assert writer.timeline.left_out == 30 - len(ticks) > 0
    assert float(probe(path)["format"]["duration"]) == pytest.approx(29 / 60 + 0.04, abs=0.01)


def test_colours_of_a_gif_are_chosen_for_each_picture(tmp_path):
    """Two pictures with 256 colours each that have none in common: one palette could not hold both."""
    values = np.arange(256, dtype=np.uint8).reshape(16, 16).repeat(4, 0).repeat(4, 1)
    red, blue = np.zeros((64, 64, 3), np.uint8), np.zeros((64, 64, 3), np.uint8)
    red[:, :, 2], blue[:, :, 0] = values, values
    writer = VideoWriter(tmp_path / "c.gif", "c.gif", ".gif", (64, 64), Fraction(25))
    writer.write(red, 0.0)
    writer.write(blue, 0.04)
    writer.finish()
    shown = pixels(tmp_path / "c.gif")[:, :, :, :3].astype(int)
    assert np.abs(shown[0] - red).mean() < 1.0
    assert np.abs(shown[1] - blue).mean() < 1.0


def test_colours_of_a_large_gif_are_as_near_as_those_of_a_small_one(tmp_path):
    """Smooth, so that every shade is wide enough to be among the pixels that the colours are chosen from."""
    down, across = np.mgrid[0:360, 0:640].astype(np.float32)
    image = np.dstack([across / 640 * 200, down / 360 * 200, 200 - across / 640 * 200]).astype(np.uint8)
    write(tmp_path / "large.gif", [0.0], image)
    write(tmp_path / "small.gif", [0.0], np.ascontiguousarray(image[::2, ::2]))
    large, small = (pixels(tmp_path / f"{name}.gif")[0, :, :, :3].astype(int) for name in ("large", "small"))
    far = np.abs(small - image[::2, ::2]).mean()
    assert far < 8
    assert np.abs(large - image).mean() < 1.1 * far


def test_quality_scales():
    assert H264.encoder_options(20)["crf"] == "20"
    assert VP9.encoder_options(51)["crf"] == "63"  # the worst of both scales
    assert "crf" not in FORMATS[".gif"].coding.encoder_options(20)


def test_quality_of_webm(tmp_path):
    noise = np.random.default_rng(5).integers(0, 255, (64, 96, 3), np.uint8)
    for crf in (5, 50):
        write(tmp_path / f"{crf}.webm", [0.0, 0.04], noise, crf=crf)
    assert (tmp_path / "5.webm").stat().st_size > 2 * (tmp_path / "50.webm").stat().st_size


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("%06d.png", True),
        ("frame %04d x.PNG", True),
        ("%d.png", False),
        ("50%.png", False),
        ("%04d-%04d.png", False),
        ("%04d.jpg", False),
        ("a.png", False),
    ],
)
def test_patterns(name, pattern):
    assert is_sequence(Path("out") / name) is pattern


def test_numbers():
    assert numbered(Path("a%02d/f%04d.png"), 12) == Path("a%02d/f0012.png")
    assert numbered(Path("%02d.png"), 1234) == Path("1234.png")


class TestSequence:
    def run(self, pattern, numbers, overwrite=False):
        with PictureSequence(pattern, overwrite) as pictures:
            for number in numbers:
                pictures.write(number, b"x%d" % number)
            pictures.commit()

    def test_they_appear_together(self, tmp_path):
        pattern = tmp_path / "a [1] %03d.png"
        with PictureSequence(pattern, False) as pictures:
            pictures.write(3, b"three")
            pictures.write(4, b"four")
            assert earlier_pictures(pattern) == []
            pictures.commit()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a [1] 003.png", "a [1] 004.png"]
        assert (tmp_path / "a [1] 004.png").read_bytes() == b"four"

    def test_nothing_is_left_without_commit(self, tmp_path):
        with PictureSequence(tmp_path / "%03d.png", False) as pictures:
            pictures.write(3, b"three")
        assert list(tmp_path.iterdir()) == []

    def test_earlier_ones_stay_or_are_replaced_all(self, tmp_path):
        pattern = tmp_path / "%03d.png"
        (tmp_path / "notes.png").write_bytes(b"mine")
        self.run(pattern, range(5))
        with pytest.raises(ExportError, match=r"000\.png exists already"):
            self.run(pattern, range(2))
        self.run(pattern, range(1, 3), overwrite=True)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["001.png", "002.png", "notes.png"]

    def test_one_that_came_in_the_meantime_is_not_replaced(self, tmp_path):
        with PictureSequence(tmp_path / "%03d.png", False) as pictures:
            pictures.write(1, b"x")
            (tmp_path / "001.png").write_bytes(b"other")
            with pytest.raises(ExportError, match="exists already"):
                pictures.commit()
        assert (tmp_path / "001.png").read_bytes() == b"other"
        assert len(list(tmp_path.iterdir())) == 1


def test_the_cutout_holds_the_person_and_nothing_of_the_room():
    image = cut_out(make_result(size_wh=(64, 48), fill=77))
    assert image.shape == (48, 64, 4)
    assert (image[:, :16] == (77, 77, 77, 255)).all()
    assert (image[:, 16:] == 0).all()
    with pytest.raises(ConfigError, match="segmentation"):
        cut_out(make_result(tasks=("face",)))
