"""Offline throughput against a bare transcode: the same clip, decoder and encoder settings, with and without the tasks.

Usage: python -m benchmarks.offline [--frames N] [--rounds N] [--clip FILE]

Both are measured in turn in one run, so that the ratio holds on a machine that is doing other things as well; where
other programs keep it busy, the processor's time tells more: were all cores busy all the time with nothing else, the
rate would be cores over that time, and no queue or thread can make it higher. The transcode hands the decoder's frames
straight to the encoder: no conversion, no copy, nothing looked at. Each step is measured by itself as well, in the same
rounds, one frame after the other; encoding is that of the drawn pictures.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import av

from assets import asset_path
from benchmarks.peak import forget_peak, peak_words
from benchmarks.rows import Row
from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame
from pipelines.machine import cores, cpu_name
from pipelines.offline.encoder import Encoder, set_threads
from pipelines.offline.formats import DEFAULT_CRF, H264, TIME_BASE
from pipelines.offline.job import Tools, run_job
from pipelines.offline.jobs import Job
from pipelines.offline.pool import PipelinePool
from pipelines.overlay import OverlayStyle, draw_results
from pipelines.sources.decoding import Converter
from pipelines.yuv import Yuv420

FRAMES = 300
ROUNDS = 3
STEP_FRAMES = 60
"""Frames on which the steps are measured; all of them are held in memory, plain and drawn."""
GOAL = 0.6
ENCODER = H264.encoder_options(DEFAULT_CRF)


def loop_clip(clip: Path, target: Path, frames: int) -> None:
    """Write `frames` frames: the clip over and over, its packets copied."""
    with av.open(str(clip)) as source, av.open(str(target), "w") as output:
        video = source.streams.video[0]
        copy = output.add_stream_from_template(video)
        step = round(1 / (Fraction(video.average_rate) * video.time_base))
        written = 0
        while written < frames:
            source.seek(0)
            offset = written * step
            for packet in source.demux(video):
                if packet.dts is None or written >= frames:
                    continue
                packet.pts, packet.dts = packet.pts + offset, packet.dts + offset
                packet.stream = copy
                output.mux(packet)
                written += 1


@dataclass(frozen=True, slots=True)
class Cost:
    """What a clip took: frames a second, and milliseconds of all the processor's cores for a frame."""

    fps: float
    cpu_ms: float

    @property
    def busy(self) -> float:
        """Share of all cores' time that was used."""
        return self.fps * self.cpu_ms / 1e3 / cores()

    @property
    def ceiling_fps(self) -> float:
        """The rate if all cores were busy with nothing else."""
        return cores() * 1e3 / self.cpu_ms

    def __str__(self) -> str:
        return f"{self.fps:.1f} frames/s, {self.cpu_ms:.1f} ms of the processor a frame"


def timed(work: Callable[[], int]) -> Cost:
    """Run `work`, which returns how many frames it did."""
    start, cpu = time.perf_counter(), time.process_time()
    frames = work()
    return Cost(frames / (time.perf_counter() - start), 1e3 * (time.process_time() - cpu) / frames)


def transcode(clip: Path, target: Path) -> int:
    """Decode and encode the clip and return the number of frames."""
    count = 0
    with (
        av.open(str(clip)) as source,
        av.open(str(target), "w", container_options={"movflags": "+faststart"}) as output,
    ):
        video = source.streams.video[0]
        video.thread_type = "AUTO"
        stream = output.add_stream("libx264", rate=video.average_rate, options=ENCODER)
        stream.width, stream.height, stream.pix_fmt = video.width, video.height, "yuv420p"
        stream.codec_context.time_base = TIME_BASE
        set_threads(stream.codec_context)
        for frame in source.decode(video):
            frame.pict_type = 0  # or the source's key frames would be forced on the encoder
            output.mux(stream.encode(frame))
            count += 1
        output.mux(stream.encode(None))
    return count


def process(clip: Path, target: Path, pool: PipelinePool) -> int:
    """Process the clip with all tasks and the overlay and return the number of frames; models are loaded already."""
    style = OverlayStyle()
    tools = Tools(pool, lambda result: draw_results(result, style), threading.Event())
    return run_job(Job(clip, output=target), tools, None, lambda done, expected: None).frames


class Steps:
    """What is done to a frame, step by step: each returns milliseconds of the processor's time a frame.

    Parameters
    ----------
    clip : Path
        Where the frames come from.
    pool : PipelinePool
        Loaded models.
    """

    def __init__(self, clip: Path, pool: PipelinePool) -> None:
        self._clip = clip
        with av.open(str(clip)) as source:
            stream = source.streams.video[0]
            self._decoded = list(itertools.islice(source.decode(stream), STEP_FRAMES))
            self._converter = Converter(stream)
            self._rate = Fraction(stream.average_rate or 30)
        self._frames = [
            Frame(self._converter.picture(frame), number, float(number / self._rate))
            for number, frame in enumerate(self._decoded)
        ]
        self._pipeline = pool.get(RunningMode.VIDEO)
        self._style = OverlayStyle()
        self.work = {
            "decode": self.decode,
            "to BGR": self.to_bgr,
            "tasks": self.tasks,
            "drawing": self.drawing,
            "to 4:2:0": self.to_yuv,
            "encode": self.encode,
        }
        self.tasks()
        self.drawing()

    def decode(self) -> float:
        """Decode the whole clip."""
        start, count = time.process_time(), 0
        with av.open(str(self._clip)) as source:
            stream = source.streams.video[0]
            stream.thread_type = "AUTO"
            for _ in source.decode(stream):
                count += 1
        return 1e3 * (time.process_time() - start) / count

    def _timed(self, work: Callable[[], object]) -> float:
        start = time.process_time()
        work()
        return 1e3 * (time.process_time() - start) / len(self._frames)

    def to_bgr(self) -> float:
        """Turn the decoder's frames into pictures."""

        def work() -> None:
            for frame in self._decoded:
                self._converter.picture(frame)

        return self._timed(work)

    def tasks(self) -> float:
        """Run the tasks."""
        self._pipeline.reset()

        def work() -> None:
            self._results = [self._pipeline.process(frame) for frame in self._frames]

        return self._timed(work)

    def drawing(self) -> float:
        """Draw the results of the last round of `tasks`, which makes the masks that nobody has asked for before."""

        def work() -> None:
            self._drawn = [draw_results(result, self._style) for result in self._results]

        return self._timed(work)

    def to_yuv(self) -> float:
        """Turn the drawn pictures into what the encoder takes."""
        convert = Yuv420(self._frames[0].size_wh)

        def work() -> None:
            for picture in self._drawn:
                convert.frame(picture)

        return self._timed(work)

    def encode(self) -> float:
        """Encode the drawn pictures, conversion taken off."""
        encoder = Encoder(H264, self._frames[0].size_wh, self._rate, TIME_BASE, DEFAULT_CRF, transparent=False)
        step = round(1 / (self._rate * TIME_BASE))

        def work() -> None:
            for number, picture in enumerate(self._drawn):
                encoder.encode(picture, number * step)
            encoder.flush()

        return self._timed(work) - self.to_yuv()


def measure(clip: Path, frames: int, rounds: int) -> list[Row]:
    """Measure, print, and return the row for the table."""
    forget_peak()  # that of other measurements before this one
    with tempfile.TemporaryDirectory() as folder, PipelinePool(PipelineConfig()) as pool:
        place = Path(folder)
        looped = place / "clip.mp4"
        loop_clip(clip, looped, frames)
        process(looped, place / "warm.mp4", pool)  # loads the models
        bare, ours = [], []
        for number in range(rounds):
            bare.append(timed(partial(transcode, looped, place / f"bare-{number}.mp4")))
            ours.append(timed(partial(process, looped, place / f"ours-{number}.mp4", pool)))
            print(f"round {number + 1}: transcode {bare[-1]}; process {ours[-1]}", flush=True)
        # Before frames are held in memory for the steps.
        peak = peak_words()
        steps = Steps(looped, pool)
        # In the order of the dictionary every time: a step works on what the one before it left.
        found = [{name: step() for name, step in steps.work.items()} for _ in range(rounds)]
    pairs = list(zip(ours, bare, strict=True))
    ratio = statistics.median(our.fps / base.fps for our, base in pairs)
    cpu_ratio = statistics.median(base.cpu_ms / our.cpu_ms for our, base in pairs)
    print(
        f"{cpu_name()}, {cores()} cores, {frames} frames: ratio {ratio:.2f}, by the processor's time "
        f"{cpu_ratio:.2f} (medians of {rounds}), "
        f"peak memory of both together {peak}"
    )
    for name, costs in (("transcode", bare), ("process", ours)):
        ceiling = statistics.median(cost.ceiling_fps for cost in costs)
        busy = statistics.median(cost.busy for cost in costs)
        print(f"{name}: {100 * busy:.0f} % of all cores' time used; with all of it {ceiling:.1f} frames/s")
    alone = {name: min(times[name] for times in found) for name in steps.work}
    print(f"each step by itself, ms of the processor a frame (lowest of {rounds}): {_listed(alone)}")
    rest = min(cost.cpu_ms for cost in ours) - sum(alone.values())
    print(f"sum {sum(alone.values()):.1f}; process takes {rest:+.1f} beside it (queues, journal, cores shared)")
    figures = (
        f"{statistics.median(cost.fps for cost in ours):.1f} / {statistics.median(cost.fps for cost in bare):.1f} "
        f"frames/s; by the processor's time {cpu_ratio:.2f}"
    )
    return [Row("a 720p file processed / only transcoded", figures, ratio, GOAL)]


def _listed(times: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.1f}" for name, value in times.items())


def main() -> list[Row]:
    """Measure the demo clip."""
    return measure(asset_path("demo.mp4"), FRAMES, ROUNDS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Offline throughput against a bare transcode")
    parser.add_argument("--frames", type=int, default=FRAMES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--clip", type=Path, default=asset_path("demo.mp4"))
    args = parser.parse_args()
    measure(args.clip, args.frames, args.rounds)
