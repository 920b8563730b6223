"""Offline throughput against a bare transcode: the same clip, decoder and encoder settings, with and without the tasks.

Usage: python -m benchmarks.offline [--frames N] [--rounds N] [--clip FILE]

Both are measured in turn in one run, so that the ratio holds on a machine that is doing other things as well; where
other programs keep it busy, the processor's time tells more. The transcode hands the decoder's frames straight to the
encoder: no conversion, no copy, nothing looked at.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import av

from assets import asset_path
from pipelines.config import PipelineConfig
from pipelines.machine import cores, cpu_name
from pipelines.offline.encoder import set_threads
from pipelines.offline.formats import DEFAULT_CRF, H264, TIME_BASE
from pipelines.offline.job import Tools, run_job
from pipelines.offline.jobs import Job
from pipelines.offline.pool import PipelinePool
from pipelines.overlay import OverlayStyle, draw_results

FRAMES = 300
ROUNDS = 3
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


def measure(clip: Path, frames: int, rounds: int) -> None:
    """Measure and print."""
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
    pairs = list(zip(ours, bare, strict=True))
    ratio = statistics.median(our.fps / base.fps for our, base in pairs)
    cpu_ratio = statistics.median(base.cpu_ms / our.cpu_ms for our, base in pairs)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{cpu_name()}, {cores()} cores, {frames} frames: ratio {ratio:.2f}, by the processor's time "
        f"{cpu_ratio:.2f} (medians of {rounds}), "
        f"peak memory of both together {peak:.0f} MB"
    )


def main() -> None:
    """Measure the demo clip."""
    measure(asset_path("demo.mp4"), FRAMES, ROUNDS)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Offline throughput against a bare transcode")
    parser.add_argument("--frames", type=int, default=FRAMES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--clip", type=Path, default=asset_path("demo.mp4"))
    args = parser.parse_args()
    measure(args.clip, args.frames, args.rounds)
