"""`twinlens demo`: every file is there, every figure was measured."""

import json
import threading
from pathlib import Path

import av
import cv2
import pytest

from app.__main__ import main
from app.cli.demo import free_folder, workplace
from models.errors import VisionError
from pipelines.bench import Benchmark
from pipelines.bench.markdown import markdown
from pipelines.config import PipelineConfig
from pipelines.errors import ExportError
from pipelines.offline import showcase
from pipelines.offline.comparison import Comparison
from pipelines.offline.crew import Cancelled
from pipelines.offline.job import Tools, run_job
from pipelines.offline.jobs import Job
from tests.app.clips import frame_times, make_clip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of one demonstration."""
    path = tmp_path_factory.mktemp("demo") / "out"
    assert main(["demo", "-o", str(path)]) == 0
    return path


def only_backend():
    return len(showcase.contenders()) == 1


def test_all_files_are_there(folder):
    expected = {"demo.mp4", "screenshot.png", "report.json", "report.md"}
    if not only_backend():
        expected.add("comparison.mp4")
    assert {path.name for path in folder.iterdir()} == expected


def test_the_video_has_every_frame_of_the_clip(folder):
    expected = [frame.timestamp_s for frame in showcase.read_frames(10**6)]
    assert frame_times(folder / "demo.mp4") == pytest.approx(expected, abs=1e-3)
    with av.open(str(folder / "demo.mp4")) as container:
        assert container.streams.video[0].codec_context.name == "h264"
    assert min(cv2.imread(str(folder / "screenshot.png")).shape[:2]) >= 360


def test_every_figure_of_the_report_was_measured(folder):
    report = json.loads((folder / "report.json").read_text())
    assert not any("ort-cpu" in sentence for sentence in report["failures"])
    assert report["machine"]["cpu"]
    runs = [run for run in report["runs"] if run["pipeline"] == "cpu"]
    assert {run["task"] for run in runs} == {"face", "segmentation", "depth"}
    assert {"face_detection", "face_mesh"} <= {run["model"] for run in runs}
    for run in report["runs"]:
        latency = run["latency_ms"]
        assert 0 < latency["p50"] <= latency["p90"] <= latency["p99"]
        assert run["fps"] == pytest.approx(1e3 / latency["p50"], rel=0.02)
        assert run["samples"] >= 3
        assert run["load_ms"] > 0
        assert sum(run["placement"].values()) > 0
    for run in runs:
        assert run["speedup_vs_cpu"] == 1.0
        assert run["max_abs_diff_vs_cpu"] == 0.0
    whole = report["end_to_end"][0]
    assert set(whole["tasks"]) == {"face", "segmentation", "depth"}
    assert whole["fps"] == pytest.approx(1e3 / whole["frame_ms"]["p50"], rel=0.02)


def test_the_readable_report_holds_the_same_figures(folder):
    text = (folder / "report.md").read_text()
    report = json.loads((folder / "report.json").read_text())
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    for run in report["runs"]:
        names = [run["task"], run["model"], run["pipeline"], run["backend"]]
        (row,) = (row for row in rows if row[:4] == names)
        assert float(row[5]) == pytest.approx(run["latency_ms"]["p50"], abs=0.006)
    if only_backend():
        assert "comparison.mp4 was not written: ort-cpu is the only backend" in text


def test_a_second_demo_into_the_same_folder_needs_overwrite(folder, capsys):
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert main(["demo", "-o", str(folder)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_the_default_folder_is_a_new_one_each_time(tmp_path):
    assert free_folder(tmp_path / "d").name == "d"
    (tmp_path / "d").mkdir()
    (tmp_path / "d-2").touch()
    assert free_folder(tmp_path / "d").name == "d-3"


def test_nothing_is_left_when_it_fails(tmp_path, monkeypatch, capsys):
    def failing(*args, **kwargs):
        raise VisionError("the model is damaged")

    monkeypatch.setattr(showcase, "run_benchmark", failing)
    assert main(["demo", "-o", str(tmp_path / "a" / "b")]) == 1
    assert "the model is damaged" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_when_it_is_called_off(tmp_path):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled), workplace(tmp_path / "a") as place:
        showcase.make_showcase(place, lambda sentence: None, cancel)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ExportError, match="cannot be made"), workplace(tmp_path / "file" / "x"):
        pytest.fail("there is no such place")


def test_a_comparison_shows_both_pipelines(tmp_path):
    """The same backend twice: both halves must then be what one pipeline draws, with a white line between them."""
    clip = make_clip(tmp_path / "clip.mp4", [number / 25 for number in range(12)], size_wh=(640, 360))
    pictures = []
    with Comparison(PipelineConfig(tasks=("segmentation",)), "ort-cpu", "ort-cpu") as pair:

        def draw(result):
            pictures.append(pair.draw(result))
            return pictures[-1]

        report = run_job(Job(clip, output=tmp_path / "o.mp4"), Tools(pair, draw, threading.Event()), None, print)
    assert report.frames == len(frame_times(tmp_path / "o.mp4")) == 12
    assert (pictures[-1][180, 320] == 255).all()
    assert not (pictures[-1][180, 300] == 255).all()


def test_what_was_not_measured_is_a_dash():
    text = markdown(Benchmark((), (), ("ort-webgpu lost its device",)), ("no comparison",))
    assert "- ort-webgpu lost its device\n- no comparison\n" in text
    assert Path(__file__).name not in text
