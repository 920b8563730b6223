"""`twinlens process --compare A,B` on real models: both halves, the figures, and how far the two agree."""

import csv
import json

import av
import numpy as np
import pytest

from app.__main__ import main
from pipelines.backends import get_backend
from tests.app.clips import frame_times, make_clip

TIMES = [number / 25 for number in range(6)]
needs_litert = pytest.mark.skipif(
    not get_backend("litert-cpu").prerequisites().available, reason="LiteRT is not installed"
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def shared_cache(cache, monkeypatch):
    monkeypatch.setenv("TWINLENS_CACHE_DIR", str(cache))


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return make_clip(tmp_path_factory.mktemp("clip") / "clip.mp4", TIMES, size_wh=(640, 480))


def pictures(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="bgr24").astype(int) for frame in container.decode(video=0)]


@needs_litert
def test_two_runtimes_on_the_same_frames(clip, tmp_path, capsys):
    video, results = tmp_path / "out.mp4", tmp_path / "out.jsonl"
    arguments = ["process", str(clip), "-o", str(video), "--results", str(results)]
    assert main([*arguments, "--compare", "ort-cpu,litert-cpu"]) == 0
    assert "litert-cpu runs face_mesh_468 (" in capsys.readouterr().err
    assert frame_times(video) == pytest.approx(TIMES, abs=1e-3)
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["frame"] for line in lines] == list(range(len(TIMES)))
    for line in lines:
        assert set(line["pipeline"].values()) == {"ort-cpu"}
        found = line["agreement"]
        assert set(found["pipeline"].values()) == {"litert-cpu"}
        assert set(found["timing_ms"]) == {"face", "segmentation", "depth", "total"}
        assert found["faces_differ"] is False
        # LiteRT has the 468-point mesh only: another network, so not the same points.
        assert 0.01 < found["landmark_px"] < 5
        assert 0 < found["landmark_of_eyes"] < 0.06
        assert found["mask_iou"] > 0.999
        assert found["depth_rank"] > 0.9999
        assert found["overall"] == pytest.approx(1 - found["landmark_of_eyes"], abs=1e-5)
    last = pictures(video)[-1]
    assert last[240, 320].min() > 220  # the divider
    assert np.abs(last[240, 300] - 255).max() > 60


@needs_litert
def test_the_table_tells_how_far_they_agree_too(clip, tmp_path):
    table = tmp_path / "out.csv"
    options = ["--no-video", "--max-frames", "2", "--tasks", "segmentation,depth"]
    assert main(["process", str(clip), *options, "--results", str(table), "--compare", "ort-cpu,litert-cpu"]) == 0
    with table.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 2
    for row in rows:
        assert None not in row  # no value without a head
        assert None not in row.values()  # no head without a value
        assert float(row["agree_mask_iou"]) > 0.999
        assert float(row["agree_depth_rank"]) > 0.999
        assert (row["agree_landmark_px"], row["agree_faces_differ"]) == ("", "False")
        assert float(row["b_ms_total"]) > 0
        assert (row["pipeline_depth"], row["b_pipeline_depth"]) == ("ort-cpu", "litert-cpu")


def test_without_a_comparison_nobody_agrees(clip, tmp_path):
    results = tmp_path / "out.jsonl"
    assert main(["process", str(clip), "--no-video", "--max-frames", "1", "--results", str(results)]) == 0
    assert "agreement" not in json.loads(results.read_text())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--compare", "ort-cpu"], "does not name two different pipelines"),
        (["--compare", "ort-cpu,ort-cpu"], "does not name two different pipelines"),
        (["--compare", "ort-cpu,"], "does not name two different pipelines"),
        (["--compare", "face=ort-cpu,gpu"], "does not name two different pipelines"),
        (["--compare", "cpu,gpu", "--pipeline", "cpu"], "leave out --pipeline"),
        (["--compare", "cpu,gpu", "--pipeline", "auto"], "leave out --pipeline"),
        (["--compare", "cpu,gpu", "--effect", "blur"], "leave out --effect and --alpha"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(options, told, clip, capsys):
    with pytest.raises(SystemExit) as status:
        main(["process", str(clip), *options])
    assert status.value.code == 2
    assert told in capsys.readouterr().err


def test_a_backend_that_is_not_here_fails_with_its_reason(clip, tmp_path, capsys):
    video = tmp_path / "out.mp4"
    assert main(["process", str(clip), "-o", str(video), "--compare", "ort-cpu,ort-cuda"]) == 1
    assert "ort-cuda cannot be used here: not installed" in capsys.readouterr().err
    assert not video.exists()


def test_two_names_of_one_backend_are_told(clip, tmp_path, capsys):
    options = ["--compare", "ort-cpu,cpu", "--tasks", "face", "--max-frames", "1", "-o", str(tmp_path / "o.mp4")]
    assert main(["process", str(clip), *options]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "itself" in line]
    assert told == [f"{clip}: A and B both run on ort-cpu, which is compared with itself"]
