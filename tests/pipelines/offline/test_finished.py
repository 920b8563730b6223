"""What is known of outputs that an earlier run has finished, and that a run without --resume is told of it."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pipelines.errors import ExportError
from pipelines.offline.finished import written
from pipelines.offline.job import already_done
from pipelines.offline.jobs import Job, Request
from pipelines.offline.place import Place
from pipelines.offline.plan import make_plan
from pipelines.offline.queue import QueueReport
from pipelines.offline.report import report_record
from pipelines.offline.writer import VideoWriter
from tests.pipelines.offline.test_tracks import make_input


@pytest.fixture(scope="module")
def with_sound(tmp_path_factory):
    """A file whose sound is longer than the pictures that are written."""
    return make_input(tmp_path_factory.mktemp("in") / "in.mkv", sound_s=2.0, frames=2)


@pytest.mark.parametrize("begin_s", [0.0, 0.5])
@pytest.mark.parametrize(
    ("suffix", "counts"), [(".mp4", True), (".mov", True), (".mkv", False), (".webm", False), (".gif", True)]
)
def test_a_video_tells_its_length(tmp_path, with_sound, suffix, counts, begin_s):
    path = tmp_path / f"o{suffix}"
    writer = VideoWriter(path, path.name, suffix, (64, 48), Fraction(25), with_sound if suffix != ".gif" else None)
    for number in range(9):
        writer.write(np.full((48, 64, 3), number, np.uint8), begin_s + number / 25 + (0.02 if number % 3 else 0))
    writer.finish()
    frames, duration_s = written(Job(Path("clip.mp4"), output=path))
    assert frames == (9 if counts else None)
    assert duration_s == pytest.approx(writer.duration_s, abs=0.0011)


def test_other_outputs_tell_how_many_they_are(tmp_path):
    for name in ("f/000003.png", "f/000004.png", "L/mask/000000.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "broken.mp4").write_bytes(b"x")
    assert written(Job(Path("clip.mp4"), output=tmp_path / "f/%06d.png")) == (2, 0.0)
    assert written(Job(Path("clip.mp4"), layers=("mask",), layers_dir=tmp_path / "L")) == (1, 0.0)
    (tmp_path / "none").mkdir()
    assert written(Job(Path("clip.mp4"), output=tmp_path / "none/%06d.png")) == (0, 0.0)
    assert written(Job(Path("a.png"), still=True, output=tmp_path / "a.twinlens.png")) == (1, 0.0)
    assert written(Job(Path("clip.mp4"), output=tmp_path / "broken.mp4")) == (None, None)
    assert written(Job(Path("clip.mp4"))) == (None, 0.0)


def test_the_report_of_a_run_says_what_is_known(tmp_path):
    still, unknown = Job(Path("a.png"), still=True), Job(Path("clip.mp4"))
    report = QueueReport((still, unknown), (already_done(still), already_done(unknown)), ())
    first, second = report_record(report, ("face",))["jobs"]
    assert (first["status"], first["frames"], first["frames_of_earlier_run"]) == ("already done", 1, 1)
    assert (second["status"], second["frames"], second["frames_of_earlier_run"]) == ("already done", None, None)


@pytest.mark.parametrize("taken", ["a.twinlens.mp4", "r.csv", "rep.json", "L/a.mp4/mask/000000.png"])
def test_without_resume_the_run_that_broke_off_is_named(tmp_path, taken):
    """One of two files was done when the run was killed: the other one's journal is there."""
    inputs = tuple(tmp_path / name for name in ("a.mp4", "b.mp4"))
    for path in (*inputs, tmp_path / taken):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    options = {"layers": ("mask",), "layers_dir": tmp_path / "L", "report": tmp_path / "rep.json"}
    request = Request(inputs, results=tmp_path / "r.csv", **options)
    with pytest.raises(ExportError, match=r"\(--overwrite replaces (it|them)\)$"):
        make_plan(request)
    jobs = make_plan(Request(inputs, results=tmp_path / "r.csv", resume=True, **options))
    journal = Place(jobs[1], request.results).journal
    journal.parent.mkdir()
    journal.touch()
    with pytest.raises(ExportError, match=r"replaces (it|them), --resume goes on with the run that broke off\)$"):
        make_plan(request)
