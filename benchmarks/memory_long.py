"""Memory of a long file: `twinlens process` with all tasks, overlay and results on the demo clip over and over.

    python -m benchmarks memory_long
    python -m benchmarks.memory_long --frames 3000

A process of its own, whose resident size is looked at every half second. It takes minutes (10,000 frames), so it is
not among the benchmarks that run when none is named.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from assets import asset_path
from benchmarks.offline import loop_clip
from benchmarks.rows import Row, table

FRAMES = 10_000
GOAL_MB = 700
LOOK_S = 0.5
ROOT = Path(__file__).resolve().parent.parent


def size_mb(status: Path, field: str) -> float | None:
    """Return a size from `/proc/PID/status` in MB (2^20 bytes), None when the process has ended."""
    try:
        lines = status.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    sizes = [int(line.split()[1]) for line in lines if line.startswith(f"{field}:")]
    return sizes[0] / 1024 if sizes else None


def process(clip: Path, folder: Path) -> tuple[list[float], float, float]:
    """Process a clip and return the sizes it had on the way, the largest one, and the seconds it took."""
    command = [sys.executable, "-m", "app", "process", str(clip), "-o", str(folder / "out.mp4")]
    command += ["--results", str(folder / "out.jsonl"), "--pipeline", "ort-cpu"]
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        status = Path(f"/proc/{program.pid}/status")
        sizes: list[float] = []
        peak = 0.0
        while program.poll() is None:
            size, largest = size_mb(status, "VmRSS"), size_mb(status, "VmHWM")
            if size is not None and largest is not None:
                sizes.append(size)
                peak = largest
            time.sleep(LOOK_S)
    if program.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {program.returncode}")
    return sizes, peak, time.perf_counter() - start


def measure(frames: int) -> list[Row]:
    """Print the sizes on the way and return the row for the table."""
    if sys.platform != "linux":
        print("skipped: only Linux tells the size of a process in this way")
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loop_clip(asset_path("demo.mp4"), folder / "clip.mp4", frames)
        sizes, peak, seconds = process(folder / "clip.mp4", folder)
        lines = sum(1 for _ in (folder / "out.jsonl").open(encoding="utf-8"))
    quarters = [f"{max(sizes[: round(len(sizes) * share)]):.0f}" for share in (0.25, 0.5, 0.75, 1.0)]
    print(f"{lines} lines of results in {seconds:.0f} s; largest size up to each quarter: {', '.join(quarters)} MB")
    return [Row(f"a file of {frames} frames", "1280x720, all tasks", peak, GOAL_MB, "MB", at_most=True)]


def main() -> list[Row]:
    """Measure a file of 10,000 frames."""
    return measure(FRAMES)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Memory of a long file")
    parser.add_argument("--frames", type=int, default=FRAMES)
    print(table(measure(parser.parse_args().frames)))
