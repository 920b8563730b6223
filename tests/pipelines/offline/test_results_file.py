"""The results file: exactly the documented keys, values as read back by the standard parsers."""

import csv
import json
import math
from pathlib import Path

import pytest

from pipelines.config import PipelineConfig
from pipelines.errors import ExportError
from pipelines.offline.results_file import open_results
from tests.pipelines.offline.helpers import make_face, make_result


def write(tmp_path, name, results, config=None, extra=None):
    path = tmp_path / name
    writer = open_results(path, path, config or PipelineConfig(), extra)
    for result in results:
        writer.write(result)
    writer.close()
    return path


def test_one_line_a_frame_with_the_documented_keys(tmp_path):
    results = [make_result(7, 1 / 3, faces=[make_face()]), make_result(8, 0.4)]
    lines = write(tmp_path, "r.jsonl", results).read_text().splitlines()
    first, second = map(json.loads, lines)
    assert list(first) == [
        *("frame", "time_s", "width", "height", "faces", "segmentation", "depth", "timing_ms", "pipeline"),
    ]
    assert (first["frame"], first["time_s"], first["width"], first["height"]) == (7, 0.333333, 64, 48)
    assert first["segmentation"] == {"coverage": 0.25}
    assert list(first["depth"]) == ["p05", "p50", "p95"]
    assert first["depth"]["p50"] == pytest.approx(0.45, abs=0.06)
    assert first["timing_ms"] == {"face": 1.123, "segmentation": 2.123, "depth": 3.123, "total": 6.5}
    assert first["pipeline"] == dict.fromkeys(("face", "segmentation", "depth"), "ort-cpu")
    (face,) = first["faces"]
    assert list(face) == ["score", "box", "landmarks"]
    assert face["score"] == 0.9877
    assert face["box"] == [10.0, 1.0, 110.12, 50.0]
    assert len(face["landmarks"]) == 478
    assert face["landmarks"][5] == [15.0, 20.13, -3.5]
    assert second["faces"] == []


@pytest.mark.parametrize("tasks", [("face",), ("segmentation",), ("depth", "face")])
def test_a_task_that_is_off_has_no_key(tmp_path, tasks):
    line = json.loads(write(tmp_path, "r.jsonl", [make_result(tasks=tasks)]).read_text())
    found = {key for key in ("faces", "segmentation", "depth") if key in line}
    assert found == {"faces" if task == "face" else task for task in tasks}
    assert set(line["pipeline"]) == set(tasks)
    assert set(line["timing_ms"]) == {*tasks, "total"}


def test_extra_keys_come_first(tmp_path):
    line = json.loads(write(tmp_path, "r.jsonl", [make_result()], extra={"input": "映画.mp4"}).read_text("utf-8"))
    assert next(iter(line.items())) == ("input", "映画.mp4")


def test_csv_has_a_row_for_each_face_and_one_for_a_frame_without(tmp_path):
    results = [make_result(0, 0.0, faces=[make_face(1.0), make_face(300.0)]), make_result(1, 0.04)]
    with write(tmp_path, "r.csv", results).open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["frame"], row["faces"], row["face"]) for row in rows] == [
        ("0", "2", "0"),
        ("0", "2", "1"),
        ("1", "0", ""),
    ]
    assert float(rows[1]["x0"]) == 300.0
    assert float(rows[1]["x_477"]) == 777.0
    assert float(rows[1]["y_477"]) == 20.13
    assert rows[2]["x_0"] == rows[2]["z_477"] == rows[2]["score"] == ""
    assert rows[2]["coverage"] == "0.25"
    assert rows[0]["ms_total"] == "6.5"
    assert rows[0]["pipeline_depth"] == "ort-cpu"
    assert all(None not in row and None not in row.values() for row in rows)
    assert all(math.isfinite(float(row["depth_p95"])) for row in rows)


@pytest.mark.parametrize(
    ("tasks", "models", "columns"),
    [
        (("face",), {}, 4 + 7 + 2 + 1 + 478 * 3),
        (("face",), {"landmarks": "face_mesh_468"}, 4 + 7 + 2 + 1 + 468 * 3),
        (("segmentation",), {}, 4 + 1 + 2 + 1),
        (("face", "segmentation", "depth"), {}, 4 + 7 + 1 + 3 + 4 + 3 + 478 * 3),
    ],
)
def test_csv_columns_follow_the_tasks_and_the_landmark_model(tmp_path, tasks, models, columns):
    points = 468 if models else 478
    result = make_result(tasks=tasks, faces=[make_face(points=points)] if "face" in tasks else ())
    path = write(tmp_path, "r.csv", [result], PipelineConfig(tasks=tasks, models=models))
    header, row = csv.reader(path.read_text().splitlines())
    assert len(header) == len(row) == columns
    assert len(set(header)) == columns
    assert columns < 16_384


def test_csv_can_say_which_input(tmp_path):
    path = write(tmp_path, "r.csv", [make_result()], extra={"input": "кино.mp4"})
    with path.open(newline="", encoding="utf-8-sig") as stream:
        (row,) = csv.DictReader(stream)
    assert row["input"] == "кино.mp4"


def test_other_suffixes_are_refused(tmp_path):
    with pytest.raises(ExportError, match=r"\.jsonl or \.csv"):
        open_results(tmp_path / "x", tmp_path / "r.xlsx", PipelineConfig())


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(ExportError, match="cannot be written: no such file"):
        open_results(tmp_path / "no" / "part", tmp_path / "no" / "r.csv", PipelineConfig())


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_a_system_that_refuses_is_quoted_with_the_name(tmp_path, suffix):
    """Linux's device for a full disk: nothing is refused before the buffer is written out."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    final = tmp_path / f"r{suffix}"
    writer = open_results(full, final, PipelineConfig(tasks=("depth",)))
    writer.write(make_result(0, 0.0))
    for bring_out in (writer.sync, writer.close):
        with pytest.raises(ExportError, match=r"^.*r\.(jsonl|csv) cannot be written: no space left on device$"):
            bring_out()
    writer.close()


def test_what_is_on_the_disk_is_counted(tmp_path):
    path = tmp_path / "r.jsonl"
    writer = open_results(path, path, PipelineConfig())
    writer.write(make_result(0, 0.0))
    assert writer.sync() == path.stat().st_size > 0
    writer.close()
