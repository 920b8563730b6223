"""`twinlens process` with the real models: files in, files out."""

import csv
import io
import json
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from app.__main__ import main
from pipelines.config import TASKS
from tests.app.clips import VARIABLE, frame_times, make_clip, portrait

MEDIA = Path(__file__).parents[2].parent / "shared" / "media"
EVEN = [number / 25 for number in range(12)]


@pytest.fixture(scope="session")
def clip(tmp_path_factory):
    """A clip with a variable rate."""
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", VARIABLE)


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


def test_tasks_that_nothing_shows_do_not_run(clip, inside, capfd):
    """With results all of them run: the pictures are the same."""
    options = ["process", str(clip), "--effect", "blur", "--max-frames", "4", "--max-faces", "1"]
    assert main([*options, "-o", "a.mp4", "--report", "a.json"]) == 0
    told = capfd.readouterr().err
    assert "tasks that run: segmentation (what is written shows no other)\n" in told
    assert "--max-faces does nothing here: nothing that is written needs the task face\n" in told
    assert main([*options, "-o", "b.mp4", "--report", "b.json", "--results", "b.jsonl"]) == 0
    assert "tasks" not in capfd.readouterr().err
    assert Path("a.mp4").read_bytes() == Path("b.mp4").read_bytes()
    assert [json.loads(Path(name).read_text())["tasks"] for name in ("a.json", "b.json")] == [
        ["segmentation"],
        [*TASKS],
    ]
    assert rows_of("b.jsonl")[0]["pipeline"].keys() == set(TASKS)


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
