"""`twinlens process` with the real models: files in, files out, and what happens when that is impossible."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from rich.console import Console

from app.__main__ import main
from app.cli.console import Bar, FileProgress, progress_line, summary
from app.cli.values import seconds
from pipelines.offline.job import JobReport
from pipelines.offline.jobs import Job
from tests.app.clips import frame_times, make_clip, portrait

MEDIA = Path(__file__).parents[2].parent / "shared" / "media"
VARIABLE = [0.0, 0.04, 0.08, 0.15, 0.31, 0.35, 0.5, 0.54]
EVEN = [number / 25 for number in range(12)]


@pytest.fixture(scope="session")
def clip(tmp_path_factory):
    """A clip with a variable rate."""
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", VARIABLE)


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """Run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_video_with_results_and_layers(clip, inside):
    layers = "overlay,mask,depth,landmarks"
    options = ["-o", "out.mp4", "--results", "out.jsonl", "--layers", layers, "--layers-dir", "L"]
    assert main(["process", str(clip), *options]) == 0
    assert frame_times("out.mp4") == pytest.approx(VARIABLE, abs=1e-4)
    rows = rows_of("out.jsonl")
    assert [row["frame"] for row in rows] == list(range(8))
    assert [row["time_s"] for row in rows] == pytest.approx(VARIABLE, abs=1e-4)
    for row in rows:
        assert (row["width"], row["height"]) == (320, 240)
        assert len(row["faces"]) == 1
        assert len(row["faces"][0]["landmarks"]) == 478
        assert 0.2 < row["segmentation"]["coverage"] < 0.8
        assert row["depth"]["p05"] < row["depth"]["p50"] < row["depth"]["p95"]
        assert row["pipeline"] == dict.fromkeys(("face", "segmentation", "depth"), "ort-cpu")
        assert row["timing_ms"]["total"] > 0
    # The nose of the portrait is near (225, 110) of 512; the clip is 320 wide.
    nose = np.array(rows[0]["faces"][0]["landmarks"][1][:2])
    assert nose == pytest.approx(np.array([225, 125]) * 320 / 512, abs=12)
    assert {path.name for path in Path("L").iterdir()} == set(layers.split(","))
    assert len(list(Path("L/mask").iterdir())) == 8
    depth = cv2.imread("L/depth/000003.png", cv2.IMREAD_UNCHANGED)
    assert (depth.dtype, depth.shape) == (np.uint16, (240, 320))
    mask = cv2.imread("L/mask/000003.png", cv2.IMREAD_UNCHANGED)
    assert mask[200, 160] > 200
    assert mask[20, 10] < 50
    assert sorted(path.name for path in inside.iterdir()) == ["L", "out.jsonl", "out.mp4"]


def test_the_annotation_is_on_the_picture(clip, inside):
    assert main(["process", str(clip), "-o", "out.mp4", "--tasks", "face"]) == 0
    with av.open("out.mp4") as container:
        image = next(container.decode(video=0)).to_ndarray(format="bgr24")
    difference = np.abs(image.astype(int) - portrait()).max(axis=2)
    face = difference[30:120, 90:200]
    assert (face > 60).sum() > 100
    assert np.median(difference) < 12


def test_a_part_of_a_video_into_csv_only(clip, inside):
    arguments = ["--no-video", "--results", "r.csv", "--start", "0.04", "--end", "0.5", "--tasks", "face,depth"]
    assert main(["process", str(clip), *arguments]) == 0
    rows = list(csv.DictReader(io.StringIO(Path("r.csv").read_text())))
    assert [row["frame"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert "coverage" not in rows[0]
    assert float(rows[0]["x_1"]) == pytest.approx(225 * 320 / 512, abs=12)


def test_output_of_a_part_begins_at_zero(clip, inside):
    assert main(["process", str(clip), "-o", "o.mkv", "--start", "0.15", "--max-frames", "3", "--tasks", "depth"]) == 0
    assert frame_times("o.mkv") == pytest.approx([0.0, 0.16, 0.2], abs=1e-3)


@pytest.mark.parametrize("name", ["photo.png", "photo.jpg", " a (1).v2 [x] 映画.png"])
def test_pictures(inside, name):
    Path(name).write_bytes(cv2.imencode(Path(name).suffix, portrait((201, 151)))[1].tobytes())
    assert main(["process", name, "--results", "r.jsonl"]) == 0
    (output,) = (path for path in inside.iterdir() if ".twinlens." in path.name)
    image = cv2.imdecode(np.frombuffer(output.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert image.shape == (151, 201, 3)
    (row,) = rows_of("r.jsonl")
    assert (row["frame"], row["width"], row["height"], len(row["faces"])) == (0, 201, 151, 1)


def test_a_folder_of_both(clip, inside, capsys):
    Path("in").mkdir()
    Path("in/a.mp4").write_bytes(clip.read_bytes())
    Path("in/b.png").write_bytes(cv2.imencode(".png", portrait())[1].tobytes())
    Path("in/broken.mp4").write_text("this is no video")
    assert main(["process", "in", "-o", "out", "--results", "r.jsonl", "--tasks", "face"]) == 1
    captured = capsys.readouterr()
    assert "broken.mp4" in captured.err
    assert "1 of 3 files could not be processed" in captured.err
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.twinlens.mp4", "b.twinlens.png"]
    assert [row["input"] for row in rows_of("r.jsonl")] == ["a.mp4"] * 8 + ["b.png"]


def bad_inputs():
    good = cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1].tobytes()
    return {
        "missing.mp4": None,
        "missing.png": None,
        "empty.mp4": b"",
        "empty.jpg": b"",
        "text.mp4": b"this is no video\n" * 100,
        "text.png": b"this is no picture\n" * 100,
        "one.png": good,
        "folder/": None,
        "nothing*.mp4": None,
    }


@pytest.mark.parametrize("name", bad_inputs())
def test_bad_inputs_are_one_sentence_and_leave_nothing(inside, capfd, name):
    content = bad_inputs()[name]
    if name.endswith("/"):
        Path(name).mkdir()
    elif content is not None:
        Path(name).write_bytes(content)
    before = sorted(inside.rglob("*"))
    extra = ["--layers", "mask", "--layers-dir", "L"]
    out = "o.png" if name.endswith(("png", "jpg")) else "o.mp4"
    output = [] if name.endswith("/") else ["-o", out]
    assert main(["process", name, *output, "--results", "r.jsonl", *extra]) == 1
    captured = capfd.readouterr()
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("twinlens: ")
    assert name.rstrip("/") in lines[0]
    assert captured.out == ""
    assert sorted(inside.rglob("*")) == before


def test_a_video_cut_before_its_index_leaves_nothing(clip, inside, capfd):
    Path("cut.mp4").write_bytes(clip.read_bytes()[: clip.stat().st_size // 2])  # written without faststart
    assert main(["process", "cut.mp4", "-o", "o.mp4"]) == 1
    (line,) = capfd.readouterr().err.strip().splitlines()
    assert "cut.mp4" in line
    assert [path.name for path in inside.iterdir()] == ["cut.mp4"]


def test_a_video_cut_in_the_middle_keeps_what_could_be_read(inside, capfd):
    make_clip(inside / "whole.mkv", [number / 25 for number in range(50)])
    data = Path("whole.mkv").read_bytes()
    Path("cut.mkv").write_bytes(data[: len(data) * 6 // 10])
    assert main(["process", "cut.mkv", "-o", "o.mp4", "--results", "r.jsonl", "--tasks", "depth"]) == 1
    error = capfd.readouterr().err
    assert "cut.mkv: read " in error
    frames = len(frame_times("o.mp4"))
    assert 5 < frames < 50
    assert len(rows_of("r.jsonl")) == frames


WRONG_USAGE = [
    ["-o", "x.txt"],
    ["--no-video"],
    ["--layers", "mask"],
    ["--layers", "halo", "--layers-dir", "L"],
    ["--start", "2", "--end", "1"],
    ["--start", "-1"],
    ["--max-frames", "0"],
    ["--tasks", "smell"],
    ["--max-faces", "0"],
    ["--effect", "halo"],
    ["--crf", "0"],
    ["--pipeline", "face="],
    [""],
    ["-o", ""],
    ["--results", " "],
    ["--report", ""],
    ["--layers", "mask", "--layers-dir", ""],
    ["rtsp://user:secret@127.0.0.1/stream"],
    ["camera:0"],
    ["demo"],
    ["--effect", "blur", "--tasks", "face"],
    ["--alpha", "-o", "o.mp4"],
    ["--alpha", "--tasks", "face"],
    ["--alpha", "--effect", "blur"],
    ["-o", "o.gif", "--crf", "20"],
    ["--jobs", "0"],
    ["--jobs", "65"],
]


@pytest.mark.parametrize("options", WRONG_USAGE, ids=" ".join)
def test_wrong_usage_exits_with_2(clip, inside, capsys, options):
    with pytest.raises(SystemExit) as caught:
        main(["process", str(clip), *options])
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert "usage: twinlens process" in told
    assert "secret" not in told
    assert list(inside.iterdir()) == []


def test_nothing_is_overwritten_unasked(clip, inside, capsys):
    Path("out.mp4").write_bytes(b"old")
    assert main(["process", str(clip), "-o", "out.mp4"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert Path("out.mp4").read_bytes() == b"old"
    assert main(["process", str(clip), "-o", "out.mp4", "--tasks", "depth", "--overwrite"]) == 0
    assert len(frame_times("out.mp4")) == 8


def test_the_input_is_never_the_output(clip, inside, capsys):
    Path("in.mp4").write_bytes(clip.read_bytes())
    Path("link.mp4").symlink_to("in.mp4")
    assert main(["process", "in.mp4", "-o", "link.mp4", "--overwrite"]) == 1
    assert "is the input itself" in capsys.readouterr().err
    assert Path("in.mp4").read_bytes() == clip.read_bytes()


def test_the_report_says_what_became_of_each_file(clip, inside, capfd):
    Path("broken.mp4").write_text("this is no video")
    arguments = ["--no-video", "--results", "r.jsonl", "--tasks", "depth", "--max-frames", "3", "--report", "rep.json"]
    assert main(["process", str(clip), "broken.mp4", *arguments]) == 1
    report = json.loads(Path("rep.json").read_text())
    assert report["complete"] is False
    good, bad = report["jobs"]
    assert (good["input"], good["status"], good["frames"], good["message"]) == (str(clip), "done", 3, "")
    assert good["preflight"].startswith("320x240, ")
    assert "variable rate" in good["preflight"]
    assert (bad["input"], bad["status"], bad["output"]) == ("broken.mp4", "failed", None)
    assert "broken.mp4" in bad["message"]
    assert f"{clip}: {good['preflight']}" in capfd.readouterr().err


def test_quality_decides_the_size(inside):
    make_clip(inside / "in.mp4", EVEN, size_wh=(640, 360))
    sizes = []
    for crf in ("10", "40"):
        assert (
            main(["process", "in.mp4", "-o", f"{crf}.mp4", "--crf", crf, "--tasks", "depth", "--effect", "none"]) == 0
        )
        sizes.append(Path(f"{crf}.mp4").stat().st_size)
    assert sizes[0] > 3 * sizes[1]


def test_an_effect_changes_the_background_and_leaves_the_person(inside):
    picture = portrait((320, 240))
    Path("in.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    assert main(["process", "in.png", "-o", "out.png", "--effect", "color:#00ff00"]) == 0
    image = cv2.imread("out.png")
    assert np.abs(image[5:20, 5:20].astype(int) - (0, 255, 0)).max() < 40
    assert np.abs(image[70:90, 130:150].astype(int) - picture[70:90, 130:150]).max() < 4


def test_the_person_alone_in_numbered_pictures(clip, inside):
    assert (
        main(["process", str(clip), "-o", "new/%03d.png", "--alpha", "--start", "0.1", "--tasks", "segmentation"]) == 0
    )
    assert sorted(path.name for path in Path("new").iterdir()) == [f"{number:03d}.png" for number in range(3, 8)]
    image = cv2.imread("new/005.png", cv2.IMREAD_UNCHANGED)
    assert image.shape == (240, 320, 4)
    shown = portrait(shift=4 * np.sin(5 / 5))
    assert image[200, 160, 3] > 200
    assert (image[5:20, 5:15, 3] < 50).all()
    assert np.abs(image[70:90, 130:150, :3].astype(int) - shown[70:90, 130:150]).mean() < 8
    assert [path.name for path in inside.iterdir()] == ["new"]


@pytest.mark.parametrize("name", ["o.webm", "o.mov", "o.gif"])
def test_other_kinds_of_video(clip, inside, name):
    extra = [] if name.endswith("gif") else ["--alpha"]
    assert main(["process", str(clip), "-o", name, "--tasks", "segmentation", *extra]) == 0
    assert frame_times(name) == pytest.approx(VARIABLE, abs=6e-4)
    assert [path.name for path in inside.iterdir()] == [name]


def test_sound_that_has_no_place_is_said(inside, capfd):
    make_clip(inside / "silent.mp4", EVEN[:3], size_wh=(64, 48))
    with av.open("silent.mp4") as source, av.open("in.mkv", "w") as target:
        video = target.add_stream_from_template(source.streams.video[0])
        sound = target.add_stream("pcm_s16le", rate=8000)
        sound.codec_context.layout = "mono"
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = video
                target.mux(packet)
        tone = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), "s16", "mono")
        tone.sample_rate, tone.pts = 8000, 0
        target.mux(sound.encode(tone))
    for options, said in ([], True), (["--no-audio", "--overwrite"], False):
        assert main(["process", "in.mkv", "-o", "o.gif", "--tasks", "depth", *options]) == 0
        assert ("its sound was left out" in capfd.readouterr().err) is said


def test_smoothing_can_be_switched_off(clip, inside):
    assert main(["process", str(clip), "--no-video", "--results", "a.jsonl", "--tasks", "face"]) == 0
    assert main(["process", str(clip), "--no-video", "--results", "b.jsonl", "--tasks", "face", "--no-smooth"]) == 0
    a, b = (np.array([row["faces"][0]["landmarks"] for row in rows_of(name)]) for name in ("a.jsonl", "b.jsonl"))
    assert np.abs(a[0] - b[0]).max() < 0.02
    assert np.abs(a[1:] - b[1:]).max() > 0.02


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_interrupted_work_exits_with_130_and_leaves_nothing(inside, number):
    clip = make_clip(inside / "long.mp4", [n / 25 for n in range(400)], size_wh=(64, 48))
    command = [sys.executable, "-u", "-m", "app", "process", str(clip), "-o", "o.mp4", "--results", "r.jsonl"]
    command += ["--layers", "mask", "--layers-dir", "L"]
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}) as process:
        while not list(inside.glob("L/.twinlens-*/mask/000003.png")):  # really at work
            assert process.poll() is None
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.decode().strip().splitlines()[-1] == "twinlens: interrupted"
    assert [path.name for path in inside.iterdir()] == ["long.mp4"]


def test_several_at_a_time_give_what_one_after_the_other_does(clip, inside):
    Path("in").mkdir()
    for name in "abc":
        Path(f"in/{name}.mp4").write_bytes(clip.read_bytes())
    options = ["--tasks", "face,depth", "--effect", "none", "--pipeline", "cpu"]
    assert main(["process", "in", "-o", "one", "--results", "one.jsonl", *options]) == 0
    arguments = ["-o", "two", "--results", "two.jsonl", "--report", "two.json", "--jobs", "2"]
    assert main(["process", "in", *arguments, *options]) == 0
    one, two = ([{**row, "timing_ms": None} for row in rows_of(name)] for name in ("one.jsonl", "two.jsonl"))
    assert one == two
    assert len(one) == 3 * 8
    for name in "abc":
        assert Path(f"one/{name}.twinlens.mp4").read_bytes() == Path(f"two/{name}.twinlens.mp4").read_bytes()
    report = json.loads(Path("two.json").read_text())
    assert [(job["input"], job["status"]) for job in report["jobs"]] == [(f"in/{name}.mp4", "done") for name in "abc"]


@pytest.mark.skipif(os.name != "posix", reason="sends Ctrl+C to a group of processes")
def test_ctrl_c_ends_all_processes(inside):
    for name in "ab":
        make_clip(inside / f"{name}.mp4", [n / 25 for n in range(400)], size_wh=(64, 48))
    command = [sys.executable, "-u", "-m", "app", "process", "a.mp4", "b.mp4", "-o", "out", "--jobs", "2"]
    command += ["--layers", "mask", "--layers-dir", "L", "--results", "r.jsonl"]
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root}
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, start_new_session=True) as process:
        while not all(list(inside.glob(f"L/{name}.mp4/.twinlens-*/mask/000003.png")) for name in "ab"):
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, error = process.communicate(timeout=60)  # ends when no process holds the pipe any more
    assert process.returncode == 130
    assert error.decode().strip().splitlines()[-1] == "twinlens: interrupted"
    assert "Traceback" not in error.decode()
    assert sorted(path.name for path in inside.iterdir()) == ["a.mp4", "b.mp4"]


@pytest.mark.media
@pytest.mark.skipif(not MEDIA.is_dir(), reason="the recordings in ../shared/media are not here")
def test_a_real_recording_whose_container_holds_no_count(inside):
    recording = MEDIA / "video" / "again.mkv"
    assert main(["process", str(recording), "-o", "out.mp4", "--results", "out.jsonl"]) == 0
    expected = frame_times(recording)
    assert frame_times("out.mp4") == pytest.approx(expected, abs=1e-4)
    rows = rows_of("out.jsonl")
    assert [row["time_s"] for row in rows] == pytest.approx(expected, abs=1e-4)
    assert sum(bool(row["faces"]) for row in rows) > 0.95 * len(rows)
    assert all(0.1 < row["segmentation"]["coverage"] < 0.6 for row in rows)


class TestProgress:
    @pytest.mark.parametrize(
        ("done", "expected", "seconds_", "line"),
        [
            (120, 300, 4.0, "120 of about 300 frames, 30.0 frames/s, 6 s left"),
            (120, None, 4.0, "120 frames, 30.0 frames/s"),
            (120, 31, 4.0, "120 frames, 30.0 frames/s"),
            (0, 300, 0.0, "0 of about 300 frames, 0.0 frames/s"),
        ],
    )
    def test_lines(self, done, expected, seconds_, line):
        assert progress_line(done, expected, seconds_) == line

    def test_a_line_every_few_seconds_without_a_terminal(self):
        now = [0.0]
        out, err = io.StringIO(), io.StringIO()
        with FileProgress(out, err, lambda: now[0]) as progress:
            job = Job(Path("clip.mp4"), output=Path("o.mp4"))
            progress.begin(job, 1, 1)
            progress.opened(job, "320x240")
            for second in range(12):
                now[0] = float(second)
                progress.update(job, second * 10, 200)
            progress.done(JobReport(job, 200, 8.0, 20.0, notices=("it was turned",)))
        lines = err.getvalue().splitlines()
        assert lines == [
            "clip.mp4: 320x240",
            "clip.mp4: 50 of about 200 frames, 10.0 frames/s, 15 s left",
            "clip.mp4: 100 of about 200 frames, 10.0 frames/s, 10 s left",
            "clip.mp4: it was turned",
        ]
        assert out.getvalue() == "o.mp4: 200 frames, 8.00 s, 20.0 s of work (10.0 frames/s)\n"

    def test_a_bar_on_a_terminal(self, monkeypatch):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        err = Terminal()
        monkeypatch.setenv("TERM", "xterm")
        with FileProgress(io.StringIO(), err) as progress:
            job = Job(Path("a [1].mp4"), output=Path("o.mp4"))
            progress.begin(job, 1, 2)
            progress.update(job, 10, None)
            progress.update(job, 50, 31)
            progress.update(job, 60, 100)
            progress.done(JobReport(job, 100, 4.0, 2.0))
        assert "[1/2] a [1].mp4" in err.getvalue()
        assert "60/100" in err.getvalue()
        err = Terminal()
        monkeypatch.setenv("TERM", "dumb")  # of an editor, or of a machine that builds: no line can be drawn anew
        with FileProgress(io.StringIO(), err) as progress:
            progress.begin(job, 1, 2)
            progress.opened(job, "320x240")
            progress.done(JobReport(job, 100, 4.0, 2.0))
        assert err.getvalue() == "a [1].mp4: 320x240\n"

    @pytest.mark.parametrize("width", [10, 20, 44, 45, 69, 70, 200])
    def test_a_line_for_each_file_on_a_terminal_of_any_width(self, width):
        bar = Bar(
            Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, legacy_windows=False)
        )
        now = [0.0]
        bar.get_time = lambda: now[0]
        for name in ("[1/2] a film with a long name.mp4", "[2/2] another.mp4"):
            task = bar.add_task(name, total=5000)
            for second in range(3):
                now[0] += second
                bar.update(task, completed=400 * second)
        bar.console.print(bar.get_renderable())
        lines = bar.console.file.getvalue().splitlines()
        assert len(lines) == 2
        for line in lines:
            assert len(line) <= width
            assert " 800/5000" in line
            assert ("frames/s" in line) == (width >= 45)
            assert ("0:" in line) == (width >= 70)

    @pytest.mark.parametrize(
        ("report", "line"),
        [
            ((1, 0.04, 0.5), "o.mp4: 1 frame, 0.04 s, 0.5 s of work (2.0 frames/s)"),
            ((9, 0.75, 0.1, "", (), "", 9), "o.mp4: 9 frames (9 of them by an earlier run), 0.75 s, 0.1 s of work"),
        ],
    )
    def test_what_was_done(self, report, line):
        assert summary(JobReport(Job(Path("a.mp4"), output=Path("o.mp4")), *report)) == line


@pytest.mark.parametrize(("text", "value"), [("0", 0.0), ("1.5", 1.5), ("1:30", 90.0), ("1:02:03.5", 3723.5)])
def test_times(text, value):
    assert seconds(text) == value
