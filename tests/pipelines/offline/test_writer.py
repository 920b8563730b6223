"""The video writer, checked with ffprobe where it is installed and with PyAV's decoder everywhere."""

import json
import shutil
import subprocess
from fractions import Fraction

import av
import numpy as np
import pytest

from pipelines.errors import ExportError
from pipelines.offline import encoder as encoder_module
from pipelines.offline.encoder import even_size, pad_to
from pipelines.offline.verify import check_video
from pipelines.offline.writer import LOG_SUFFIX, VideoWriter

NTSC = Fraction(30000, 1001)


def write(path, times, size_wh=(64, 48), color=(30, 200, 90), rate=NTSC):
    image = np.empty((size_wh[1], size_wh[0], 3), np.uint8)
    image[:] = color
    writer = VideoWriter(path, path.name, path.suffix, size_wh, rate)
    for time_s in times:
        writer.write(image, time_s)
    writer.finish()
    return writer


def probe(path):
    if shutil.which("ffprobe") is None:
        pytest.skip("ffprobe is not installed")
    command = ["ffprobe", "-v", "error", "-show_streams", "-show_packets", "-show_format", "-of", "json"]
    command.append(f"file:{path}")
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def decoded(path):
    with av.open(f"file:{path}") as container:
        return list(container.decode(video=0))


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".MP4"])
def test_the_stream_is_what_players_expect(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    write(path, [number / NTSC for number in range(5)])
    stream = probe(path)["streams"][0]
    assert (stream["codec_name"], stream["pix_fmt"]) == ("h264", "yuv420p")
    assert (stream["color_space"], stream["color_primaries"], stream["color_transfer"]) == ("bt709",) * 3
    assert stream["color_range"] == "tv"
    assert stream["r_frame_rate"] == "30000/1001"


def test_mp4_has_its_index_in_front(tmp_path):
    path = tmp_path / "out.mp4"
    write(path, [0.0, 0.1])
    data = path.read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
@pytest.mark.parametrize(
    "times",
    [
        [0.0, 0.04, 0.08, 0.12],
        [0.033, 0.067, 0.1, 0.2, 0.35, 0.4, 0.41, 0.6],
        [1.5, 1.6],
        [0.0],
    ],
    ids=["constant", "variable", "late start", "one frame"],
)
def test_every_frame_keeps_its_time(tmp_path, suffix, times):
    path = tmp_path / f"out{suffix}"
    writer = write(path, times, rate=Fraction(25))
    found = [float(packet["pts_time"]) for packet in probe(path)["packets"]]
    assert found == pytest.approx(times, abs=0.0006)
    assert writer.timeline.frames == len(times)
    assert writer.duration_s == pytest.approx(times[-1] - times[0] + 0.04, abs=1e-4)
    assert float(probe(path)["format"]["duration"]) == pytest.approx(times[-1] + 0.04, abs=0.002)


def test_ntsc_times_do_not_drift(tmp_path):
    path = tmp_path / "out.mp4"
    write(path, [float(number / NTSC) for number in range(300)], size_wh=(16, 16))
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        times = [packet.pts * stream.time_base for packet in container.demux(stream) if packet.pts is not None]
    assert times == [Fraction(number) / NTSC for number in range(300)]


def test_colours_follow_bt709(tmp_path):
    """BT.709: Y' = 16 + 219 (0.2126 R + 0.7152 G + 0.0722 B), Cb and Cr = 128 + 224 (B - Y) / 1.8556, ... / 1.5748."""
    path = tmp_path / "out.mkv"
    write(path, [0.0], color=(30, 200, 90))
    blue, green, red = 30 / 255, 200 / 255, 90 / 255
    luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    expected = (16 + 219 * luma, 128 + 224 * (blue - luma) / 1.8556, 128 + 224 * (red - luma) / 1.5748)
    planes = decoded(path)[0].planes
    for plane, value in zip(planes, expected, strict=True):
        assert np.frombuffer(plane, np.uint8)[0] == pytest.approx(value, abs=1.5)


@pytest.mark.parametrize("size_wh", [(65, 49), (64, 49), (65, 48), (641, 359)])
def test_odd_sizes_are_padded_by_the_edge(tmp_path, size_wh):
    path = tmp_path / "out.mp4"
    width, height = size_wh
    image = np.zeros((height, width, 3), np.uint8)
    image[:, width // 2 :] = 200
    writer = VideoWriter(path, "out.mp4", ".mp4", size_wh, NTSC)
    writer.write(image, 0.0)
    writer.finish()
    picture = decoded(path)[0].to_ndarray(format="bgr24")
    assert picture.shape[:2] == (height + height % 2, width + width % 2)
    assert abs(int(picture[height - 1, -1, 0]) - 200) < 6
    assert abs(int(picture[-1, width - 1, 0]) - 200) < 6


def test_padding_is_exact():
    image = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    padded = pad_to(image, even_size((3, 2)))
    assert padded.shape == (2, 4, 3)
    assert (padded[:, 3] == image[:, 2]).all()
    assert (padded[:, :3] == image).all()
    assert even_size((4, 6)) == (4, 6)


def test_frames_with_the_same_time_are_not_lost(tmp_path):
    path = tmp_path / "out.mp4"
    writer = write(path, [0.0, 0.0, 0.0, 0.1, 0.05])
    times = [frame.time for frame in decoded(path)]
    assert writer.timeline.frames == len(times) == 5
    assert times == sorted(set(times))


def test_frames_of_another_size_are_scaled_not_dropped(tmp_path):
    path = tmp_path / "out.mp4"
    writer = VideoWriter(path, "out.mp4", ".mp4", (64, 48), NTSC)
    writer.write(np.full((48, 64, 3), 255, np.uint8), 0.0)
    writer.write(np.full((96, 80, 3), 255, np.uint8), 0.1)
    writer.finish()
    frames = decoded(path)
    assert [(frame.width, frame.height) for frame in frames] == [(64, 48)] * 2
    assert frames[1].to_ndarray(format="bgr24").mean() > 250


def test_a_frame_is_not_written_to(tmp_path):
    image = np.full((48, 64, 3), 7, np.uint8)
    image.flags.writeable = False
    writer = VideoWriter(tmp_path / "out.mp4", "out.mp4", ".mp4", (64, 48), NTSC)
    writer.write(image, 0.0)
    writer.finish()
    assert (image == 7).all()


@pytest.mark.parametrize("name", [" a (1).v2 .mp4", "b:c %03d [x].mkv", "кино 映画 🎬.mp4", "file:odd.mp4"])
def test_names_of_all_kinds(tmp_path, name):
    path = tmp_path / name
    write(path, [0.0, 0.1])
    assert len(decoded(path)) == 2
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted([name, name + LOG_SUFFIX])


def test_an_unknown_suffix_is_refused(tmp_path):
    with pytest.raises(ExportError, match=r"'\.avi'"):
        VideoWriter(tmp_path / "x.avi", "x.avi", ".avi", (64, 48), None)


def test_a_missing_folder_is_an_error_with_the_name(tmp_path):
    with pytest.raises(ExportError, match=r"final name.*no such file or directory"):
        VideoWriter(tmp_path / "nowhere" / "x.mp4", "final name", ".mp4", (64, 48), None)


def test_a_folder_that_goes_is_an_error_with_the_name(tmp_path):
    folder = tmp_path / "soon gone"
    folder.mkdir()
    writer = VideoWriter(folder / "x.mp4", "final name", ".mp4", (64, 48), None)
    writer.write(np.zeros((48, 64, 3), np.uint8), 0.0)
    (folder / f"x.mp4{LOG_SUFFIX}").unlink()
    folder.rmdir()
    with pytest.raises(ExportError, match=r"final name.*no such file or directory"):
        writer.finish()
    writer.abandon()


class TestCheck:
    TIMES = (0.0, 0.1, 0.2, 0.3)

    def test_a_good_file_passes(self, tmp_path):
        for suffix in (".mp4", ".mkv"):
            path = tmp_path / f"x{suffix}"
            write(path, self.TIMES)
            check_video(path, "x", 4, 0.0, 0.3)

    @pytest.mark.parametrize(
        ("frames", "first_s", "last_s", "message"),
        [(5, 0.0, 0.3, "holds 4 frames where 5"), (4, 0.1, 0.3, "expected 0.100"), (4, 0.0, 0.4, "to 0.400")],
    )
    def test_a_wrong_one_does_not(self, tmp_path, frames, first_s, last_s, message):
        path = tmp_path / "x.mp4"
        write(path, self.TIMES)
        with pytest.raises(ExportError, match=message):
            check_video(path, "x", frames, first_s, last_s)

    def test_a_cut_file_does_not(self, tmp_path):
        path = tmp_path / "x.mp4"
        write(path, self.TIMES)
        path.write_bytes(path.read_bytes()[:200])
        with pytest.raises(ExportError, match="does not open again"):
            check_video(path, "x", 4, 0.0, 0.3)


@pytest.mark.parametrize(("found", "threads"), [(1, 2), (2, 4), (64, 8)])
def test_h264_works_on_whole_pictures_with_few_threads(tmp_path, monkeypatch, found, threads):
    """Each thread holds pictures: sixty-four of them would fill the memory at 4K."""
    monkeypatch.setattr(encoder_module, "cores", lambda: found)
    writer = VideoWriter(tmp_path / "x.mp4", "x.mp4", ".mp4", (64, 48), NTSC)
    for number in range(20):
        writer.write(np.full((48, 64, 3), 10 * number, np.uint8), number / 25)
    context = writer._encoder._context
    assert (context.thread_type.name, context.thread_count) == ("FRAME", threads)
    writer.finish()
    grey = [float(np.frombuffer(frame.planes[0], np.uint8)[0]) for frame in decoded(tmp_path / "x.mp4")]
    assert grey == pytest.approx([16 + 219 * 10 * number / 255 for number in range(20)], abs=1.5)
