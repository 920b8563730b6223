"""What keeping freed memory saves (`pipelines.memory`): page faults and CPU time of a frame, with and without.

    python -m benchmarks memory

A process for each measurement, in turn: the setting holds for a whole process. Frames are copied in one thread,
analysed in a second and drawn in a third, as in the live engine.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Queue

import numpy as np

from benchmarks.live import demo_frames
from benchmarks.peak import peak_mb
from benchmarks.rows import Row, in_turn, median_ratio
from pipelines import pipeline as pipeline_module
from pipelines.config import PipelineConfig
from pipelines.frame import Frame
from pipelines.overlay import OverlayStyle, draw_results
from pipelines.pipeline import FrameResult, Pipeline

ROUNDS = 3
WARMUP, FRAMES = 40, 160


def child(keep: bool) -> dict[str, float]:
    """Run frames through and return page faults, milliseconds of CPU a frame, and the largest size in MB."""
    import resource

    if not keep:
        pipeline_module.keep_freed_memory = lambda: False  # type: ignore[assignment]
    images = [frame.image_bgr for frame in demo_frames(30)]
    captured: Queue[Frame | None] = Queue(1)
    results: Queue[FrameResult | None] = Queue(1)

    def capture() -> None:
        for index in range(WARMUP + FRAMES):
            captured.put(Frame(np.array(images[index % len(images)]), index, index / 30))
        captured.put(None)

    def draw() -> None:
        while (result := results.get()) is not None:
            draw_results(result, OverlayStyle())

    before, start_s, done = resource.getrusage(resource.RUSAGE_SELF), 0.0, 0
    with Pipeline(PipelineConfig(pipeline="ort-cpu")) as pipeline:
        threads = [threading.Thread(target=work) for work in (capture, draw)]
        for thread in threads:
            thread.start()
        while (frame := captured.get()) is not None:
            results.put(pipeline.process(frame))
            done += 1
            if done == WARMUP:
                before, start_s = resource.getrusage(resource.RUSAGE_SELF), time.process_time()
        results.put(None)
        for thread in threads:
            thread.join()
    after, cpu_s = resource.getrusage(resource.RUSAGE_SELF), time.process_time() - start_s
    return {
        "faults": (after.ru_minflt - before.ru_minflt) / FRAMES,
        "cpu_ms": cpu_s / FRAMES * 1e3,
        "size_mb": peak_mb() or 0.0,
    }


def main() -> list[Row]:
    """Print both."""
    if sys.platform != "linux":
        print("skipped: the C library's settings exist on Linux alone")
        return []
    seen: dict[str, list[dict[str, float]]] = {"keep": [], "plain": []}

    def measure(how: str) -> float:
        command = [sys.executable, "-m", "benchmarks.memory", how]
        root = Path(__file__).resolve().parent.parent
        output = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
        seen[how].append(json.loads(output))
        return seen[how][-1]["cpu_ms"]

    found = in_turn({how: lambda how=how: measure(how) for how in seen}, ROUNDS, warmup=0)
    for how, runs in seen.items():
        middle = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
        print(
            f"{how:5s}  {middle['faults']:5.0f} page faults a frame, {middle['cpu_ms']:.1f} ms of CPU a frame, "
            f"at most {middle['size_mb']:.0f} MB"
        )
    print(f"CPU time with kept memory over without: {median_ratio(found['keep'], found['plain']):.2f}")
    return []


if __name__ == "__main__":
    sys.stdout.write(json.dumps(child(sys.argv[1] == "keep")))
