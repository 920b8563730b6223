"""One sentence a model, from figures that are known."""

import pytest

from pipelines.backends import SessionReport
from pipelines.bench import ModelRun
from pipelines.bench.profile import operator_times
from pipelines.bench.verdicts import verdicts
from pipelines.timing import LatencyStats


def run(backend, ms, base_ms=10.0, model="face_mesh", software=False):
    report = SessionReport(model, backend, "cpu", "device", "fp32", 1, {"Provider": 9}, 12.0, software)
    speedup = 1.0 if backend == "ort-cpu" else None if base_ms is None else base_ms / ms
    return ModelRun("face", model, backend, report, 10, 3, LatencyStats.of([ms, ms, ms]), speedup, 0.0)


CPU = run("ort-cpu", 10.0)


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ([CPU, run("ort-webgpu", 25.0)], "CPU is the fastest here: 2.5x as fast as ort-webgpu"),
        (
            [CPU, run("ort-webgpu", 25.0), run("litert-gpu", 20.0)],
            "CPU is the fastest here: 2.0x as fast as litert-gpu",
        ),
        ([CPU, run("litert-cpu", 11.0)], "ort-cpu is the fastest here: 1.1x as fast as litert-cpu"),
        (
            [CPU, run("ort-webgpu", 4.0), run("litert-cpu", 12.0)],
            "ort-webgpu is the fastest here: 2.5x as fast as ort-cpu",
        ),
        ([CPU, run("ort-webgpu", 9.8)], "ort-cpu and ort-webgpu are equally fast here"),
        ([CPU, run("ort-webgpu", 10.2), run("litert-cpu", 20.0)], "ort-cpu and ort-webgpu are equally fast here"),
        ([CPU, run("ort-webgpu", 10.0)], "ort-cpu and ort-webgpu are equally fast here"),
        (
            [CPU, run("ort-webgpu", 9.9), run("litert-cpu", 9.8)],
            "ort-cpu, litert-cpu and ort-webgpu are equally fast here",
        ),
        ([CPU, run("ort-webgpu", 1.0, software=True)], "nothing to choose: ort-webgpu is a software GPU"),
        (
            [CPU, run("ort-webgpu", 1.0, software=True), run("litert-gpu", 40.0)],
            "CPU is the fastest here: 4.0x as fast as litert-gpu",
        ),
        (
            [run("ort-webgpu", 4.0, base_ms=None), run("litert-gpu", 12.0, base_ms=None)],
            "ort-webgpu is the fastest here: 3.0x as fast as litert-gpu",
        ),
    ],
)  # fmt: skip
def test_each_outcome_has_its_words(runs, told):
    assert verdicts(runs) == [f"face_mesh: {told}"]


def test_a_model_on_one_backend_is_no_choice():
    assert verdicts([CPU, run("ort-cpu", 3.0, model="depth_v2")]) == []


def test_operators_are_summed_over_the_last_runs():
    """Two runs of two operators; the first run, a warm-up, does not count. Times are microseconds."""
    node = {"cat": "Node", "args": {"op_name": "Conv"}}
    events = [
        {"cat": "Session", "name": "model_run", "ts": 0, "dur": 9000},
        {**node, "name": "a", "ts": 10, "dur": 9000},
        *({"cat": "Session", "name": "model_run", "ts": ts, "dur": 900} for ts in (10_000, 20_000)),
        *({**node, "name": "a", "ts": ts, "dur": 3000} for ts in (10_010, 20_010)),
        {"cat": "Node", "name": "b", "ts": 20_100, "dur": 1000, "args": {"op_name": "Resize"}},
    ]
    assert operator_times(events, 2) == (("Conv", 3.0), ("Resize", 0.5))
    assert operator_times([], 2) == ()
