"""`twinlens bench --json` against the contract, and its profile."""

import json
from pathlib import Path

import pytest

from app.__main__ import main

TEXT, NUMBER, COUNT, TRUTH = str, (int, float), int, bool
RUN = {
    "task": TEXT, "model": TEXT, "pipeline": TEXT, "backend": TEXT, "device": TEXT, "software": TRUTH,
    "precision": TEXT, "threads": COUNT, "batch": COUNT, "warmup": COUNT, "samples": COUNT,
    "latency_ms": {"p50": NUMBER, "p90": NUMBER, "p99": NUMBER, "mean": NUMBER},
    "fps": NUMBER, "speedup_vs_cpu": NUMBER, "placement": {}, "max_abs_diff_vs_cpu": NUMBER, "load_ms": NUMBER,
}  # fmt: skip
MACHINE = {"cpu": TEXT, "cores": COUNT, "gpu": (TEXT, type(None)), "os": TEXT, "python": TEXT, "onnxruntime": TEXT,
           "litert": (TEXT, type(None))}  # fmt: skip


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The benchmark file, the folder of profiles, and what was printed."""
    folder = tmp_path_factory.mktemp("bench")
    patch = pytest.MonkeyPatch()
    patch.setenv("TWINLENS_CACHE_DIR", str(folder / "cache"))
    options = ["--tasks", "segmentation,depth", "--samples", "5", "--pipelines", "ort-cpu"]
    assert main(["bench", *options, "--json", str(folder / "b.json"), "--profile", str(folder / "profile")]) == 0
    patch.undo()
    return json.loads((folder / "b.json").read_text()), folder / "profile"


def check(found, schema):
    assert list(found) == list(schema)
    for key, kind in schema.items():
        if isinstance(kind, dict):
            if kind:
                check(found[key], kind)
            else:
                assert found[key]
                assert all(type(value) is int and value > 0 for value in found[key].values())
        else:
            assert isinstance(found[key], kind), key
            assert kind is TRUTH or not isinstance(found[key], bool), key


def test_the_file_has_the_form_of_the_contract(measured):
    found, _ = measured
    assert list(found)[:3] == ["app", "machine", "runs"]
    assert found["app"].startswith("twinlens ")
    check(found["machine"], MACHINE)
    assert {run["model"] for run in found["runs"]} == {"selfie_landscape", "depth_v2"}
    for run in found["runs"]:
        check(run, RUN)
        assert run["precision"] in ("fp32", "fp16", "int8")
        assert run["fps"] == pytest.approx(1e3 / run["latency_ms"]["p50"], rel=0.02)


def test_each_model_leaves_a_trace(measured):
    _, folder = measured
    assert {path.name for path in folder.iterdir()} == {"selfie_landscape.ort-cpu.json", "depth_v2.ort-cpu.json"}
    for path in folder.iterdir():
        events = json.loads(path.read_text())
        assert sum(event["name"] == "model_run" for event in events) > 20
        assert any(event.get("args", {}).get("op_name") == "Conv" for event in events)


def test_a_folder_with_something_in_it_is_left_alone(measured, capsys):
    _, folder = measured
    before = sorted(path.name for path in Path(folder).iterdir())
    assert main(["bench", "--pipelines", "ort-cpu", "--profile", str(folder)]) == 1
    assert "is not empty" in capsys.readouterr().err
    assert sorted(path.name for path in Path(folder).iterdir()) == before
