"""`twinlens bench`: table, file and chart."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from app.__main__ import main
from pipelines.backends import SessionReport
from pipelines.bench import Benchmark, ModelRun
from pipelines.bench.plot import lines, plot
from pipelines.overlay.colours import COLOUR_A, COLOUR_B, bgr
from pipelines.timing import LatencyStats


def make_run(model, pipeline, ms, speedup):
    report = SessionReport(model, f"ort-{pipeline}", "cpu", "device", "fp32", 1, {"SomeProvider": 9}, 12.0)
    return ModelRun("face", model, pipeline, report, 10, 3, LatencyStats.of([ms, ms, ms]), speedup, 1e-5)


def test_table_file_and_chart(inside, capsys):
    arguments = ["bench", "--pipelines", "cpu", "--tasks", "segmentation", "--samples", "5", "--threads", "2"]
    assert main([*arguments, "--json", "b.json", "--plot", "b.png"]) == 0
    report = json.loads(Path("b.json").read_text())
    (run,) = report["runs"]
    assert (run["task"], run["model"], run["pipeline"]) == ("segmentation", "selfie_landscape", "cpu")
    assert (run["threads"], run["samples"]) == (2, 5)
    assert report["end_to_end"][0]["tasks"].keys() == {"segmentation"}
    out = capsys.readouterr().out
    assert "selfie_landscape" in out
    row = next(line for line in out.splitlines() if line.startswith("segmentation")).split()
    # Both are rounded, the file to thousandths and the table to hundredths.
    assert float(row[4]) == pytest.approx(run["latency_ms"]["p50"], abs=0.0056)
    assert cv2.imread("b.png").shape[1] == 1600
    assert main([*arguments, "--json", "b.json"]) == 1
    assert "exists already" in capsys.readouterr().err


def test_bars_are_as_long_as_the_latency():
    runs = (make_run("a", "cpu", 8.0, 1.0), make_run("a", "gpu", 2.0, 4.0))
    image = plot(Benchmark(runs, ()))
    lengths = [int((image == bgr(colour)).all(axis=2).sum(axis=1).max()) for colour in (COLOUR_A, COLOUR_B)]
    assert lengths[0] / lengths[1] == pytest.approx(4.0, rel=0.05)


def test_an_empty_benchmark_can_be_drawn():
    assert plot(Benchmark((), ())).dtype == np.uint8


def test_the_table_is_aligned_and_complete():
    header, first, second = lines(Benchmark((make_run("a", "cpu", 8.0, None), make_run("longer", "gpu", 2.0, 4.0)), ()))
    assert first.index("ort-cpu") == second.index("ort-gpu") == header.index("BACKEND")
    assert "4.00x" in second
    assert "500" in second
    assert "SomeProvider 9" in first


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--plot", "b.jpg"], 2, "written as .png"),
        (["--pipelines", ""], 2, "no pipeline named"),
        (["--samples", "0"], 2, "not a number from 1"),
        (["--pipelines", "ort-imaginary"], 1, "ort-imaginary"),
        (["--pipelines", "cpu,ort-cpu"], 1, "named twice"),
        (["--json", "no/b.json"], 1, "does not exist"),
        (["--json", "b.png", "--plot", "b.png"], 2, "two outputs"),
    ],
)
def test_what_cannot_be_measured(inside, capsys, options, status, message):
    try:
        found = main(["bench", *options])
    except SystemExit as error:
        found = error.code
    assert found == status
    assert message in capsys.readouterr().err
    assert list(inside.iterdir()) == []
