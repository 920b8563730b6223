"""`twinlens process` on a backend that fails in mid-run: the job ends well, every frame is there, and it is told."""

import json
from pathlib import Path

import pytest

from app.__main__ import main
from models.manifest import load_manifest
from pipelines.backends import get_backend
from pipelines.backends import host as host_module
from pipelines.qualify import try_backend

CLIP = Path(__file__).resolve().parents[3] / "assets" / "demo.mp4"
FRAMES = 12


@pytest.mark.parametrize("failure", ["raises", "nan", "hangs", "dies"])
def test_every_frame_is_in_the_output(failure, stubs, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(host_module, "RUN_SECONDS", 0.5)
    backend_id = f"stub-{failure}-in-mid-run"
    models = tuple(map(load_manifest, ("face_detection", "face_mesh")))
    assert try_backend(get_backend(backend_id), models).problem is None
    stubs.touch()
    video, results = tmp_path / "out.mp4", tmp_path / "out.jsonl"
    options = ["--tasks", "face", "--pipeline", backend_id, "--max-frames", str(FRAMES), "--results", str(results)]
    assert main(["process", str(CLIP), "-o", str(video), *options]) == 0
    told = capsys.readouterr().err
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["frame"] for line in lines] == list(range(FRAMES))
    assert all(len(line["faces"]) == 1 for line in lines)
    backends = [line["pipeline"]["face"] for line in lines]
    change = backends.index("ort-cpu")
    assert backends == [backend_id] * change + ["ort-cpu"] * (FRAMES - change)
    assert 0 < change < FRAMES
    assert video.stat().st_size > 1000
    assert f"face: {backend_id} failed, going on on ort-cpu" in told
