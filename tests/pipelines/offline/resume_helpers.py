"""A run that can be broken off anywhere, and what it wrote."""

import threading
import time
from dataclasses import replace

import av
import numpy as np
import pytest

from models.results import SegmentationMask
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError
from pipelines.offline.job import Tools
from pipelines.offline.jobs import Job
from pipelines.offline.journal import read_journal
from pipelines.offline.place import Place
from pipelines.offline.queue import run_queue
from pipelines.state import take_array, take_int
from tests.clips import write_clip
from tests.pipelines.offline.helpers import make_face, make_result

SEGMENT = 5
COUNT = 23
TIMES = [number / 25 + (0.01 if number % 3 == 0 else 0.0) for number in range(COUNT)]


def moving_clip(path):
    """A clip of moving noise with sound, variable in rate."""
    still = np.random.default_rng(4).integers(0, 256, (60, 90, 3), np.uint8)
    images = [np.ascontiguousarray(still[n // 4 : n // 4 + 48, n : n + 64]) for n in range(COUNT)]
    return write_clip(path, images, times=TIMES, sound_s=1.0)


class MovingPool:
    """A pipeline whose results depend on all frames so far: a mean that follows the pictures, a face that wanders."""

    def __init__(self, fail_at=None, wait=lambda: None):
        self.config = PipelineConfig()
        self.fail_at, self.wait = fail_at, wait
        self.notes = ("a note",)
        self.seen = []
        self._forget()

    def _forget(self):
        self.mean, self.count = np.zeros((48, 64), np.float32), 0

    def get(self, mode):
        self._forget()
        return self

    def process(self, frame):
        if frame.index == self.fail_at:
            self.wait()
            raise BackendError("the power is gone")
        self.seen.append(frame.index)
        grey = frame.image_bgr[:, :, 1].astype(np.float32)
        self.mean = self.mean + np.float32(0.3) * (grey - self.mean)
        self.count += 1
        result = make_result(frame.index, frame.timestamp_s, frame.size_wh, [make_face(float(self.mean[0, 0]))])
        results = {**result.results, "segmentation": SegmentationMask(self.mean.astype(np.uint8), 0.25)}
        notices = ("it grew dark",) if self.count > 7 else ()
        return replace(result, frame=frame, results=results, notices=notices)

    def state(self):
        return {"mean": self.mean, "count": self.count}

    def restore(self, state):
        self.mean, self.count = take_array(state, "mean"), take_int(state, "count")


def draw(result):
    image = result.frame.image_bgr.copy()
    image[:, :, 2] = result.mask.alpha
    return image


def draw_alpha(result):
    return np.dstack([result.frame.image_bgr, result.mask.alpha])


class Run:
    """Runs one job over and over."""

    def __init__(self, clip, folder, output="out.mp4", rows="r.jsonl", layers=("mask", "landmarks"), **options):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.job = Job(
            clip,
            output=folder / output if output else None,
            layers=layers,
            layers_dir=folder / "L" if layers else None,
            **options,
        )
        self.results = folder / rows if rows else None
        self.options = {}

    def __call__(self, pool=None, resume=True, job=None, drawing=None, cancel=None, **changes):
        pool = pool or MovingPool()
        job = replace(job or self.job, resume=resume, **changes)
        drawing = drawing or (draw_alpha if job.alpha else draw)
        tools = Tools(pool, drawing, cancel or threading.Event(), options=self.options)
        report = run_queue((job,), tools, Silent(), self.results, job.overwrite)
        if report.failures:
            raise report.failures[0][1]
        return report.reports[0]

    def broken(self, at, segments=None, **changes):
        """Break off at frame `at` of the source, when the segments before it are finished."""
        segments = at // SEGMENT if segments is None else segments
        with pytest.raises(BackendError):
            self(MovingPool(at, lambda: self.wait_for(segments)), **changes)

    def wait_for(self, segments):
        wait_for_segments(self.job, self.results, segments)

    @property
    def place(self):
        return Place(self.job, self.results)

    def files(self):
        return contents(self.folder)


def wait_for_segments(job, results, count):
    """Wait until so many segments of a job are finished."""
    deadline = time.monotonic() + 120
    while len(read_journal(Place(job, results).journal).segments) < count:
        assert time.monotonic() < deadline


class Silent:
    """Progress that says nothing."""

    def begin(self, job, number, of):
        pass

    def opened(self, job, preflight):
        pass

    def update(self, job, done, expected):
        pass

    def done(self, report):
        pass

    def failed(self, job, error):
        pass


def contents(folder):
    """Everything below a folder: videos as their packets, sound and all, with their times; other files as bytes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            video = path.suffix in (".mp4", ".mkv", ".mov", ".webm", ".gif")
            found[str(path.relative_to(folder))] = packets(path) if video else path.read_bytes()
    return found


def packets(path):
    with av.open(str(path)) as container:
        return [
            (packet.stream.type, packet.pts, packet.dts, packet.is_keyframe, bytes(packet))
            for packet in container.demux()
            if packet.size
        ]


def hidden(folder):
    return [path.name for path in folder.rglob(".twinlens*")]
