"""Going on with a run that broke off: the same files as without the break."""

import json
import os
import shutil
import threading
from dataclasses import replace
from fractions import Fraction

import av
import cv2
import numpy as np
import pytest

from pipelines.config import PipelineConfig
from pipelines.errors import BackendError, ConfigError, ExportError, SourceError
from pipelines.offline import stages as stages_module
from pipelines.offline.crew import Cancelled
from pipelines.offline.job import Rows, Tools, run_job
from pipelines.offline.jobs import Job
from pipelines.offline.lock import Lock
from pipelines.offline.queue import run_queue
from pipelines.sources import SourceInfo
from pipelines.sources.decoding import Converter
from tests.clips import write_clip
from tests.pipelines.offline.helpers import make_result
from tests.pipelines.offline.resume_helpers import (
    COUNT,
    SEGMENT,
    MovingPool,
    Run,
    Silent,
    draw,
    hidden,
    moving_clip,
    wait_for_segments,
)


@pytest.fixture(autouse=True)
def short_segments(monkeypatch):
    monkeypatch.setattr(stages_module, "SEGMENT_FRAMES", SEGMENT)


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return moving_clip(tmp_path_factory.mktemp("in") / "in.mp4")


OUTPUTS = [("out.mp4", False), ("out.mkv", False), ("out.webm", False), ("out.mov", False), ("out.gif", False)]
OUTPUTS += [("P/%03d.png", False), ("out.webm", True), ("out.mov", True), ("P/%03d.png", True)]


@pytest.mark.parametrize(("output", "alpha"), OUTPUTS)
def test_every_format_comes_out_as_if_nothing_had_happened(clip, tmp_path, output, alpha):
    whole, cut = (Run(clip, tmp_path / name, output, alpha=alpha) for name in ("whole", "cut"))
    expected = whole(resume=False)
    assert hidden(tmp_path) == []
    for at in (3, 12, 14, 22):  # within the first segment, in later ones, behind the last cut
        cut.broken(at)
        assert hidden(cut.folder) != [] or at < SEGMENT
    pool = MovingPool()
    report = cut(pool)
    assert pool.seen == list(range(20, COUNT))
    assert (report.frames, report.resumed) == (COUNT, 20)
    assert report.duration_s == expected.duration_s
    assert report.notices == expected.notices
    assert cut.files() == whole.files()
    assert len(whole.files()) == 1 + 2 * COUNT + (COUNT if output.startswith("P") else 1)
    assert hidden(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "frames"),
    [
        ({"output": None, "layers": ()}, 23),
        ({"output": None, "rows": "r.csv"}, 23),
        ({"rows": None, "layers": ()}, 23),
        ({"start_s": 0.2, "end_s": 0.8}, 15),
        ({"max_frames": 13}, 13),
        ({"max_frames": 15, "sound": False}, 15),
    ],
    ids=["results", "layers and csv", "video", "part", "most frames", "a multiple of a segment"],
)
def test_every_kind_of_job(clip, tmp_path, options, frames):
    whole, cut = (Run(clip, tmp_path / name, **options) for name in ("whole", "cut"))
    assert whole(resume=False).frames == frames
    cut.broken(12, segments=1 if "start_s" in options else 2)
    assert cut().resumed == (5 if "start_s" in options else 10)
    assert cut.files() == whole.files()
    assert hidden(tmp_path) == []


class TestWhatWasFinished:
    def test_nothing_to_go_on_with_just_starts(self, clip, tmp_path):
        run = Run(clip, tmp_path)
        assert run().resumed == 0
        assert hidden(tmp_path) == []

    def test_a_finished_run_is_done(self, clip, tmp_path):
        run = Run(clip, tmp_path)
        made = run(resume=False)
        before = run.files()
        pool = MovingPool()
        report = run(pool)
        assert report.was_done
        assert pool.seen == []
        assert run.files() == before
        assert (report.frames, report.resumed, report.duration_s) == (COUNT, COUNT, made.duration_s)

    def test_without_resume_a_finished_output_is_refused_as_ever(self, clip, tmp_path):
        run = Run(clip, tmp_path, rows=None)
        run()
        with pytest.raises(ExportError, match="exists already"):
            run(resume=False)

    def test_with_overwrite_it_is_made_anew(self, clip, tmp_path):
        run = Run(clip, tmp_path)
        run()
        before = run.files()
        pool = MovingPool()
        assert not run(pool, overwrite=True).was_done
        assert pool.seen == list(range(COUNT))
        assert run.files() == before

    @pytest.mark.parametrize("missing", ["out.mp4", "L/mask"])
    def test_results_without_their_output_belong_to_another_run(self, clip, tmp_path, missing):
        run = Run(clip, tmp_path)
        run()
        shutil.rmtree(tmp_path / missing) if missing == "L/mask" else (tmp_path / missing).unlink()
        with pytest.raises(ExportError, match=r"r\.jsonl exists already, but .* does not"):
            run()

    def test_an_output_without_its_results_belongs_to_another_run(self, clip, tmp_path):
        run = Run(clip, tmp_path)
        run()
        (tmp_path / "r.jsonl").unlink()
        with pytest.raises(ExportError, match=r"out\.mp4 exists already, but not its results"):
            run()


class TestWithoutResume:
    def test_what_fails_leaves_nothing(self, clip, tmp_path):
        run = Run(clip, tmp_path)
        run.broken(12, resume=False)
        assert run.files() == {}
        assert list(tmp_path.iterdir()) == []

    def test_what_an_earlier_run_left_is_thrown_away_and_that_is_said(self, clip, tmp_path):
        run = Run(clip, tmp_path)
        run.broken(12)
        pool = MovingPool()
        report = run(pool, resume=False)
        assert pool.seen == list(range(COUNT))
        assert "10 frames of a run that broke off were done again (--resume would have used them)" in report.notices
        assert hidden(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"crf": 30}, r"its --crf was 20, not 30"),
        ({"start_s": 0.1}, r"its --start was none, not 0\.1"),
        ({"sound": False}, r"its --no-audio was False, not True"),
        ({"layers": ("mask",)}, r"its --layers was mask,landmarks, not mask"),
    ],
)
def test_other_options_are_refused_in_one_sentence(clip, tmp_path, change, match):
    run = Run(clip, tmp_path)
    run.broken(12)
    before = run.files()
    with pytest.raises(ExportError, match=rf"^\S+out\.mp4 was begun differently: {match} \(--overwrite starts anew\)$"):
        run(**change)
    assert run.files() == before
    report = run(**change, overwrite=True)
    assert report.resumed == 0
    assert any("an earlier run was not gone on with" in notice for notice in report.notices)
    assert hidden(tmp_path) == []


def test_other_drawing_is_refused(clip, tmp_path):
    run = Run(clip, tmp_path)
    run.options = {"--effect": "blur"}
    run.broken(12)
    run.options = {"--effect": "bokeh"}
    with pytest.raises(ExportError, match="its --effect was blur, not bokeh"):
        run()


def test_another_configuration_is_refused(clip, tmp_path):
    run = Run(clip, tmp_path)
    run.broken(12)
    pool = MovingPool()
    pool.config = PipelineConfig(max_faces=5)
    with pytest.raises(ExportError, match="its --max-faces was 2, not 5"):
        run(pool)


def test_another_version_is_refused(clip, tmp_path, monkeypatch):
    run = Run(clip, tmp_path)
    run.broken(12)
    monkeypatch.setattr("pipelines.offline.identity.APP", "twinlens 99.0")
    with pytest.raises(ExportError, match=r"its version was twinlens \d.*, not twinlens 99\.0"):
        run()


@pytest.mark.parametrize(
    ("change", "match"), [("content", "beginning"), ("size", "size was \\d+ bytes"), ("time", "time of change")]
)
def test_another_input_is_refused(clip, tmp_path, change, match):
    own = tmp_path / "own.mp4"
    shutil.copy2(clip, own)
    run = Run(own, tmp_path / "out")
    run.broken(12)
    data, times = own.read_bytes(), own.stat()
    own.write_bytes({"content": data[:-1] + bytes([data[-1] ^ 1]), "size": data + b"x", "time": data}[change])
    if change != "time":
        os.utime(own, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(ExportError, match=f"its input's {match}"):
        run()


def test_a_state_that_does_not_fit_is_an_error_with_a_way_out(clip, tmp_path):
    run = Run(clip, tmp_path)
    run.broken(12)

    class Other(MovingPool):
        def restore(self, state):
            raise ConfigError("face ran on ort-webgpu and would go on on ort-cpu")

    with pytest.raises(ExportError, match=r"would go on on ort-cpu.*without --resume"):
        run(Other())


def test_two_runs_at_a_time_do_not_mix(clip, tmp_path):
    run = Run(clip, tmp_path)
    place = run.place
    place.path.mkdir()
    lock = Lock(place.path / "lock")
    for resume in (False, True):
        with pytest.raises(ExportError, match=r"out\.mp4 is being written by another run"):
            run(resume=resume)
    lock.release()
    assert run().frames == COUNT


def test_calling_off_keeps_what_is_finished(clip, tmp_path):
    whole, cut = (Run(clip, tmp_path / name) for name in ("whole", "cut"))
    whole(resume=False)
    cancel = threading.Event()

    class Cancelling(MovingPool):
        def process(self, frame):
            if frame.index == 18:
                cut.wait_for(3)
                cancel.set()
            return super().process(frame)

    with pytest.raises(Cancelled):
        cut(Cancelling(), cancel=cancel)
    assert {path for path in cut.files() if not path.startswith((".twinlens", "L/.twinlens"))} == set()
    # Whether the segment with frame 18 is finished depends on what was on its way when the run was called off.
    assert cut().resumed in (15, 20)
    assert cut.files() == whole.files()


class TestQueues:
    @pytest.fixture
    def jobs(self, clip, tmp_path):
        found = []
        for name in "abc":
            shutil.copy2(clip, tmp_path / f"{name}.mp4")
            found.append(Job(tmp_path / f"{name}.mp4", output=tmp_path / f"{name}.out.mp4", resume=True))
        return found

    def test_rows_of_finished_files_wait_for_those_of_the_others(self, jobs, tmp_path):
        results = tmp_path / "r.csv"

        def run(pools):
            given = iter(pools)

            class Changing:
                config = PipelineConfig()

                def get(self, mode):
                    return next(given).get(mode)

            return run_queue(jobs, Tools(Changing(), draw, threading.Event()), Silent(), results, False)

        class Killed(MovingPool):
            def process(self, frame):
                if frame.index == 12:
                    wait_for_segments(jobs[1], results, 2)
                    raise KeyboardInterrupt  # ends the run, not the file
                return super().process(frame)

        with pytest.raises(KeyboardInterrupt):
            run([MovingPool(), Killed()])
        assert (tmp_path / "a.out.mp4").exists()
        assert not results.exists()
        pools = [MovingPool(), MovingPool()]
        report = run(pools)
        assert [item.was_done for item in report.reports] == [True, False, False]
        assert [item.resumed for item in report.reports] == [COUNT, 10, 0]
        assert [len(pool.seen) for pool in pools] == [COUNT - 10, COUNT]
        lines = results.read_text("utf-8-sig").splitlines()
        assert [line.split(",")[0] for line in lines] == ["input"] + [
            f"{name}.mp4" for name in "abc" for _ in range(COUNT)
        ]
        assert hidden(tmp_path) == []

    def test_a_damaged_file_that_was_done_is_named_with_its_reason(self, clip, jobs, tmp_path, monkeypatch):
        """Its outputs have their names, the results do not: the next run has but the journal to tell from."""
        moving = moving_clip(tmp_path / "whole.mkv").read_bytes()
        damaged = tmp_path / "a.mkv"
        damaged.write_bytes(moving[: len(moving) * 2 // 3])
        pair = [replace(jobs[0], input=damaged), jobs[1]]
        tools = Tools(MovingPool(), draw, threading.Event())

        class Killed(Silent):
            def begin(self, job, number, of):
                if number == 2:
                    raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run_queue(pair, tools, Killed(), tmp_path / "r.csv", False)
        first, second = run_queue(pair, tools, Silent(), tmp_path / "r.csv", False).reports
        assert (first.was_done, second.was_done) == (True, False)
        assert first.damage.startswith(f"{damaged}: read {first.frames} frames (the file breaks off: ")
        assert first.damage.endswith("; what could be read is kept")
        assert not second.damage

    def test_a_bad_file_is_tried_again_and_the_others_are_done(self, jobs, tmp_path):
        good = jobs[1].input.read_bytes()
        jobs[1].input.write_bytes(b"no video")
        tools = Tools(MovingPool(), draw, threading.Event())
        first = run_queue(jobs, tools, Silent(), None, False)
        assert [job.input.name for job, _ in first.failures] == ["b.mp4"]
        jobs[1].input.write_bytes(good)
        second = run_queue(jobs, tools, Silent(), None, False)
        assert [item.was_done for item in second.reports] == [True, False, True]
        assert [item.duration_s for item in second.reports] == [first.reports[0].duration_s] * 3
        assert second.complete
        assert hidden(tmp_path) == []


@pytest.fixture
def in_groups(tmp_path):
    """A clip with a picture that stands alone in front of every four, and the bytes of each picture in the file."""
    images = [np.full((48, 64, 3), 10 * number, np.uint8) for number in range(COUNT)]
    path = write_clip(tmp_path / "groups.mp4", images, options={"crf": "5", "bf": "0", "g": "4", "preset": "ultrafast"})
    with av.open(str(path)) as container:
        places = [(packet.pos, packet.size) for packet in container.demux(video=0) if packet.size]
    return path, places


def test_earlier_frames_are_not_read_again_where_the_container_finds_the_place(in_groups, tmp_path, monkeypatch):
    whole, cut = (Run(in_groups[0], tmp_path / name) for name in ("whole", "cut"))
    whole(resume=False)
    cut.broken(17)
    pictures = []
    true_picture = Converter.picture
    monkeypatch.setattr(
        Converter, "picture", lambda self, frame: pictures.append(frame.pts) or true_picture(self, frame)
    )
    assert cut().resumed == 15
    # The first one, to open the file; the two of the mark; those that are new.
    assert len(pictures) == 1 + 2 + COUNT - 15
    assert cut.files() == whole.files()


def test_damage_before_the_break_is_told_after_it(in_groups, tmp_path):
    path, places = in_groups
    data = bytearray(path.read_bytes())
    place, size = places[6]
    data[place + 5 : place + size] = bytes(size - 5)
    path.write_bytes(data)
    whole, cut = (Run(path, tmp_path / name) for name in ("whole", "cut"))
    expected = whole(resume=False)
    assert "damaged frame" in expected.damage
    cut.broken(17)
    report = cut()
    assert (report.resumed, report.damage) == (15, expected.damage)
    assert cut.files() == whole.files()


def test_a_still_picture_is_done_or_not(tmp_path):
    cv2.imwrite(str(tmp_path / "in.png"), np.full((48, 64, 3), 99, np.uint8))
    run = Run(tmp_path / "in.png", tmp_path / "out", "o.png", still=True)
    with pytest.raises(BackendError):
        run(MovingPool(fail_at=0))
    assert run().frames == 1
    assert run().was_done
    assert hidden(tmp_path) == []
    assert sorted(run.files()) == ["L/landmarks/000000.json", "L/mask/000000.png", "o.png", "r.jsonl"]
    assert json.loads((tmp_path / "out/r.jsonl").read_text())["frame"] == 0


def test_times_of_a_job_are_those_of_its_source(tmp_path, monkeypatch):
    """A source that gives no frames when it is opened again ends in an error, not in an output with a hole."""

    class Shrinking:
        opened = 0

        def open(self):
            Shrinking.opened += 1
            self.left = 12 if Shrinking.opened == 1 else 3
            self.index = 0
            return SourceInfo("x", "video", False, (64, 48), Fraction(25))

        def read(self):
            if self.index == self.left:
                return None
            self.index += 1
            return make_result(self.index - 1, self.index / 25).frame

        def close(self):
            pass

    (tmp_path / "in.mp4").write_bytes(b"x")
    monkeypatch.setattr(stages_module, "make_source", lambda text: Shrinking())
    run = Run(tmp_path / "in.mp4", tmp_path / "out", sound=False)
    run.broken(11)
    with pytest.raises(SourceError, match="10 frames were read before, now only 3"):
        run()


def test_rows_say_where_they_are(clip, tmp_path):
    job = Job(clip, output=tmp_path / "o.mp4", sound=False)
    tools = Tools(MovingPool(), draw, threading.Event())
    report = run_job(job, tools, Rows(tmp_path / "r.jsonl", {}), lambda done, expected: None)
    assert len(report.rows.read_text().splitlines()) == COUNT
