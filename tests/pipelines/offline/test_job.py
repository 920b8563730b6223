"""Jobs from end to end with a source and a pipeline that fail on demand: complete outputs or none, never a hang."""

import json
import threading
from fractions import Fraction
from typing import ClassVar

import av
import cv2
import numpy as np
import pytest

from pipelines.config import PipelineConfig, RunningMode
from pipelines.errors import BackendError, ExportError, SourceError
from pipelines.frame import Frame
from pipelines.offline import stages as stages_module
from pipelines.offline.crew import Cancelled
from pipelines.offline.encoder import Encoder
from pipelines.offline.job import Rows, Tools, run_job
from pipelines.offline.jobs import Job
from pipelines.offline.queue import run_queue
from pipelines.offline.writer import VideoWriter
from pipelines.sources import SourceInfo
from tests.pipelines.offline.helpers import make_result


class FakeSource:
    """Frames with the times given; each is grey with its index as value."""

    def __init__(self, times, size_wh=(64, 48), info=None, truncated=False, break_at=None, open_error=None):
        self.times, self.size_wh = list(times), size_wh
        self.info = info or SourceInfo("fake", "video", False, size_wh, Fraction(25))
        self.truncated_file, self.break_at, self.open_error = truncated, break_at, open_error
        self.truncated = ""
        self.given = self.closed = 0

    def open(self):
        if self.open_error:
            raise SourceError(self.open_error)
        return self.info

    def read(self):
        if self.given == self.break_at:
            raise SourceError("packet 3 is damaged")
        if self.given >= len(self.times):
            self.truncated = "the file breaks off" if self.truncated_file else ""
            return None
        width, height = self.size_wh
        image = np.full((height, width, 3), self.given, np.uint8)
        frame = Frame(image, self.given, self.times[self.given], "fake")
        self.given += 1
        return frame

    def rewind(self):
        return False

    def close(self):
        self.closed += 1


class FakePool:
    """A pool whose pipeline finds nothing, or fails at a frame."""

    def __init__(self, fail_at=None):
        self.config = PipelineConfig()
        self.fail_at = fail_at
        self.modes = []
        self.notes = ("another model stands in",)

    def get(self, mode):
        self.modes.append(mode)
        return self

    def process(self, frame):
        if frame.index == self.fail_at:
            raise BackendError("the GPU is gone")
        result = make_result(frame.index, frame.timestamp_s, frame.size_wh)
        return type(result)(frame, result.results, result.times, result.total_ms, result.backends)


@pytest.fixture
def source(monkeypatch, tmp_path):
    """Return a function that makes every job read from a fake source."""
    (tmp_path / "in.mp4").write_bytes(b"x")

    def use(*args, **kwargs):
        fake = FakeSource(*args, **kwargs)
        monkeypatch.setattr(stages_module, "make_source", lambda text: fake)
        return fake

    return use


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a job on in.mp4 and returns its report."""

    def start(output="out.mp4", rows=False, pool=None, draw=None, cancel=None, **options):
        job = Job(tmp_path / "in.mp4", output=tmp_path / output if output else None, sound=False, **options)
        draw = draw or (lambda result: result.frame.image_bgr)
        tools = Tools(pool or FakePool(), draw, cancel or threading.Event())
        target = Rows(tmp_path / "r.jsonl", {}) if rows else None
        return run_job(job, tools, target, lambda done, expected: None)

    return start


def times_of(path):
    with av.open(str(path)) as container:
        return [frame.time for frame in container.decode(video=0)]


def leftovers(tmp_path):
    return sorted(path.name for path in tmp_path.iterdir() if path.name != "in.mp4")


TIMES = [0.033, 0.067, 0.1, 0.2, 0.35, 0.4, 0.41, 0.6]


@pytest.mark.parametrize("output", ["out.mp4", "out.mkv"])
def test_as_many_frames_out_as_in_at_their_own_times(source, run, tmp_path, output):
    fake = source(TIMES)
    report = run(output, rows=True)
    assert report.frames == 8
    assert times_of(tmp_path / output) == pytest.approx(TIMES, abs=6e-4)
    rows = [json.loads(line) for line in report.rows.read_text().splitlines()]
    assert [row["time_s"] for row in rows] == TIMES
    assert [row["frame"] for row in rows] == list(range(8))
    assert fake.closed == 1
    assert report.damage == ""
    assert report.duration_s == pytest.approx(0.6 - 0.033 + 0.04, abs=1e-4)


def test_many_frames_keep_their_order(source, run, tmp_path):
    source([number / 25 for number in range(120)])
    run()
    with av.open(str(tmp_path / "out.mp4")) as container:
        grey = [frame.to_ndarray()[20, 20] for frame in container.decode(video=0)]
    # Luma of a grey value v is 16 + 219 v / 255.
    assert grey == pytest.approx([16 + 219 * number / 255 for number in range(120)], abs=2)


def test_start_end_and_count(source, run, tmp_path):
    source([number / 25 for number in range(100)])
    report = run(rows=True, start_s=1.0, end_s=2.0)
    assert report.frames == 25
    rows = [json.loads(line) for line in report.rows.read_text().splitlines()]
    assert (rows[0]["frame"], rows[0]["time_s"], rows[-1]["time_s"]) == (25, 1.0, 1.96)
    assert times_of(tmp_path / "out.mp4")[:2] == pytest.approx([0.0, 0.04])
    assert source([number / 25 for number in range(100)])
    assert run("b.mp4", start_s=1.0, max_frames=7).frames == 7


def test_reading_stops_at_the_end_time(source, run):
    fake = source([number / 25 for number in range(100)])
    run(end_s=0.4)
    assert fake.given == 11


def test_a_time_without_frames(source, run, tmp_path):
    source(TIMES)
    with pytest.raises(SourceError, match="none of its 8 frames"):
        run(start_s=5.0)
    assert leftovers(tmp_path) == []


def test_a_time_between_two_frames(source, run, tmp_path):
    """Reading stops behind it: how many frames there are is not known then."""
    source([number / 25 for number in range(100)])
    with pytest.raises(SourceError, match=r": no frame lies between 1\.01 s and 1\.03 s"):
        run(start_s=1.01, end_s=1.03)
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_a_picture_runs_in_image_mode(source, run, tmp_path, suffix):
    source([0.0], size_wh=(65, 49))
    pool = FakePool()
    run("out" + suffix, still=True, pool=pool, draw=lambda result: np.full((49, 65, 3), 99, np.uint8))
    assert pool.modes == [RunningMode.IMAGE]
    image = cv2.imread(str(tmp_path / ("out" + suffix)))
    assert image.shape == (49, 65, 3)
    assert abs(int(image[10, 10, 0]) - 99) <= 1


def test_only_rows_and_layers(source, run, tmp_path):
    source(TIMES)
    drawn = []
    report = run(None, rows=True, layers=("mask",), layers_dir=tmp_path / "L", draw=drawn.append)
    assert report.frames == 8
    assert report.duration_s == 0.0
    assert len(list((tmp_path / "L/mask").iterdir())) == 8
    assert drawn == []


def test_layers_take_the_frame_numbers_of_the_source(source, run, tmp_path):
    source([number / 25 for number in range(10)])
    run(None, layers=("depth", "landmarks"), layers_dir=tmp_path / "L", start_s=0.3)
    assert sorted(path.name for path in (tmp_path / "L/depth").iterdir()) == ["000008.png", "000009.png"]
    assert json.loads((tmp_path / "L/landmarks/000008.json").read_text())["time_s"] == 0.32


@pytest.mark.parametrize("size_wh", [(1, 1), (7, 100), (100, 7)])
def test_pictures_without_room_for_anything_are_refused(source, run, tmp_path, size_wh):
    source([0.0], size_wh=size_wh)
    with pytest.raises(SourceError, match=f"{size_wh[0]}x{size_wh[1]} pixels are too few"):
        run("out.png", still=True)
    assert leftovers(tmp_path) == []


class TestFailures:
    """Whatever fails, wherever: one error, nothing left behind, no thread left over."""

    @pytest.fixture(autouse=True)
    def _no_threads_left(self):
        yield
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("offline")]

    ALL: ClassVar = {"rows": True, "layers": ("mask",)}

    def fails(self, run, tmp_path, error, match, **options):
        with pytest.raises(error, match=match):
            run("new/out.mp4", layers_dir=tmp_path / "L", **self.ALL, **options)
        assert leftovers(tmp_path) == []

    def test_opening(self, source, run, tmp_path):
        source(TIMES, open_error="in.mp4 has no index")
        self.fails(run, tmp_path, SourceError, "has no index")

    def test_reading_the_first_frame(self, source, run, tmp_path):
        source(TIMES, break_at=0)
        self.fails(run, tmp_path, SourceError, "packet 3 is damaged")

    def test_no_frame_at_all(self, source, run, tmp_path):
        source([])
        self.fails(run, tmp_path, SourceError, "holds no picture")

    @pytest.mark.parametrize("at", [0, 3, 99])
    def test_analysing(self, source, run, tmp_path, at):
        source([number / 25 for number in range(100)])
        self.fails(run, tmp_path, BackendError, "GPU is gone", pool=FakePool(fail_at=at))

    @pytest.mark.parametrize("at", [0, 3, 99])
    def test_drawing(self, source, run, tmp_path, at):
        source([number / 25 for number in range(100)])

        def draw(result):
            if result.frame.index == at:
                raise ZeroDivisionError("a bug")
            return result.frame.image_bgr

        self.fails(run, tmp_path, ZeroDivisionError, "a bug", draw=draw)

    @pytest.mark.parametrize("at", [0, 3, 99])
    def test_encoding(self, source, run, tmp_path, monkeypatch, at):
        source([number / 25 for number in range(100)])
        write = VideoWriter.write

        def failing(self, image, time_s):
            if self.timeline.frames == at:
                raise ExportError("no space left on device")
            write(self, image, time_s)

        monkeypatch.setattr(VideoWriter, "write", failing)
        self.fails(run, tmp_path, ExportError, "no space left")

    def test_completing(self, source, run, tmp_path, monkeypatch):
        source(TIMES)

        def failing(self, cut_tracks, cancel):
            raise ExportError("no space left on device")

        monkeypatch.setattr(VideoWriter, "finish", failing)
        self.fails(run, tmp_path, ExportError, "no space left")

    def test_an_output_that_does_not_hold_what_was_written(self, source, run, tmp_path, monkeypatch):
        source(TIMES)
        encode, lost = Encoder.encode, round(TIMES[5] * 90_000)
        monkeypatch.setattr(Encoder, "encode", lambda self, image, pts: [] if pts == lost else encode(self, image, pts))
        self.fails(run, tmp_path, ExportError, "holds 7 frames where 8 were written")

    @pytest.mark.parametrize("after", [0, 50])
    def test_cancelling(self, source, run, tmp_path, after):
        cancel = threading.Event()
        source(number / 25 for number in range(100))

        def draw(result):
            if result.frame.index == after:
                cancel.set()
            return result.frame.image_bgr

        with pytest.raises(Cancelled):
            run(draw=draw, cancel=cancel, layers_dir=tmp_path / "L", **self.ALL)
        assert leftovers(tmp_path) == []

    def test_the_earlier_output_is_untouched(self, source, run, tmp_path):
        (tmp_path / "out.mp4").write_bytes(b"old")
        source(TIMES)
        with pytest.raises(BackendError):
            run(pool=FakePool(fail_at=5), overwrite=True)
        assert (tmp_path / "out.mp4").read_bytes() == b"old"
        source(TIMES)
        run(overwrite=True)
        assert len(times_of(tmp_path / "out.mp4")) == 8


class TestDamagedInput:
    def test_a_cut_file_keeps_what_could_be_read(self, source, run, tmp_path):
        source(TIMES, truncated=True, info=SourceInfo("fake", "video", False, (64, 48), Fraction(25), frame_count=30))
        report = run()
        assert len(times_of(tmp_path / "out.mp4")) == 8
        assert "read 8 of about 30 frames" in report.damage

    def test_a_file_that_breaks_in_the_middle(self, source, run, tmp_path):
        source(TIMES, break_at=3, info=SourceInfo("fake", "video", False, (64, 48), Fraction(25), duration_s=4.0))
        report = run()
        assert len(times_of(tmp_path / "out.mp4")) == 3
        assert "read 3 of about 100 frames (packet 3 is damaged)" in report.damage

    def test_a_count_that_is_too_low_is_not_repeated(self, source, run):
        source(TIMES, truncated=True, info=SourceInfo("fake", "video", False, (64, 48), Fraction(25), frame_count=2))
        assert "read 8 frames" in run().damage

    def test_a_wrong_count_is_no_damage(self, source, run):
        source(TIMES, info=SourceInfo("fake", "video", False, (64, 48), Fraction(25), frame_count=99_999_999))
        report = run()
        assert (report.frames, report.damage) == (8, "")


def test_odd_sizes_are_said(source, run):
    source(TIMES, size_wh=(65, 49), info=SourceInfo("f", "video", False, (65, 49), Fraction(25), notices=("turned",)))
    report = run()
    assert report.notices[0] == "turned"
    assert "padded to an even one" in report.notices[1]
    assert "another model stands in" in report.notices


@pytest.mark.parametrize(("content", "message"), [(None, "no such file"), (b"", "is empty")], ids=["missing", "empty"])
def test_inputs_that_are_none(run, tmp_path, content, message):
    if content is not None:
        (tmp_path / "in.mp4").write_bytes(content)
    with pytest.raises(SourceError, match=message):
        run()
    assert leftovers(tmp_path) == []


class Recorder:
    """Progress that remembers."""

    def __init__(self):
        self.events = []

    def begin(self, job, number, of):
        self.events.append(("begin", job.input.name, number, of))

    def opened(self, job, preflight):
        pass

    def update(self, job, done, expected):
        pass

    def done(self, report):
        self.events.append(("done", report.job.input.name))

    def failed(self, job, error):
        self.events.append(("failed", job.input.name))


class TestQueue:
    @pytest.fixture
    def jobs(self, tmp_path, monkeypatch):
        for name in "abc":
            (tmp_path / f"{name}.mp4").write_bytes(b"x")

        def make(text):
            return FakeSource(TIMES, open_error="b.mp4 is broken" if text.endswith("b.mp4") else None)

        monkeypatch.setattr(stages_module, "make_source", make)
        return [Job(tmp_path / f"{name}.mp4", output=tmp_path / f"{name}.out.mp4", sound=False) for name in "abc"]

    def run(self, jobs, results, overwrite=False):
        tools = Tools(FakePool(), lambda result: result.frame.image_bgr, threading.Event())
        recorder = Recorder()
        return run_queue(jobs, tools, recorder, results, overwrite), recorder

    def test_it_goes_on_past_a_bad_file(self, jobs, tmp_path):
        report, recorder = self.run(jobs, tmp_path / "r.jsonl")
        assert [item.job.input.name for item in report.reports] == ["a.mp4", "c.mp4"]
        assert [(job.input.name, str(error)) for job, error in report.failures] == [("b.mp4", "b.mp4 is broken")]
        assert not report.complete
        assert [event[0] for event in recorder.events] == ["begin", "done", "begin", "failed", "begin", "done"]
        rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
        assert [(row["input"], row["frame"]) for row in rows] == [
            (name, number) for name in ("a.mp4", "c.mp4") for number in range(8)
        ]
        assert not list(tmp_path.glob(".twinlens*"))

    def test_csv_has_one_header(self, jobs, tmp_path):
        self.run(jobs, tmp_path / "r.csv")
        lines = (tmp_path / "r.csv").read_text("utf-8-sig").splitlines()
        assert len(lines) == 1 + 16
        assert [line.split(",")[0] for line in lines] == ["input"] + ["a.mp4"] * 8 + ["c.mp4"] * 8

    def test_one_file_has_no_input_column(self, jobs, tmp_path):
        report, _ = self.run(jobs[:1], tmp_path / "r.jsonl")
        assert report.complete
        assert "input" not in json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])

    def test_nothing_worked_nothing_is_left(self, jobs, tmp_path):
        report, _ = self.run(jobs[1:2], tmp_path / "r.jsonl")
        assert report.failures
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mp4", "b.mp4", "c.mp4"]

    def test_cancelled_results_do_not_appear(self, jobs, tmp_path):
        cancel = threading.Event()

        def draw(result):
            cancel.set()
            return result.frame.image_bgr

        with pytest.raises(Cancelled):
            run_queue(jobs, Tools(FakePool(), draw, cancel), Recorder(), tmp_path / "r.jsonl", False)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mp4", "b.mp4", "c.mp4"]
