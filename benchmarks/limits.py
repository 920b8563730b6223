"""How far each model is from what one core can do: its multiplications over the measured peak, against its real time.

    python -m benchmarks limits

The peak is that of a large float32 matrix product in NumPy, by CPU time. It also tells what it costs here to copy a
frame and to have the system clear a fresh page of memory, the two prices that everything around the models pays.
"""

from __future__ import annotations

import mmap
import statistics
import time
from collections.abc import Callable

import numpy as np

from benchmarks.rows import Row
from models.manifest import manifests
from pipelines.backends import get_backend

SIZE = 1024
RUNS = 60


def cpu_seconds(work: Callable[[], object], runs: int) -> list[float]:
    """Return the CPU seconds of the process for each of `runs` runs, after three that do not count."""
    found = []
    for number in range(3 + runs):
        start = time.process_time()
        work()
        if number >= 3:
            found.append(time.process_time() - start)
    return found


def peak_macs() -> float:
    """Multiplications with addition a second of one core, at best."""
    left, right = (np.random.default_rng(seed).random((SIZE, SIZE), np.float32) for seed in (1, 2))
    return SIZE**3 / min(cpu_seconds(lambda: left @ right, 20))


def page_us() -> float:
    """Microseconds until a fresh page of memory can be written, at best."""
    pages = 1000

    def touch() -> None:
        with mmap.mmap(-1, pages * mmap.PAGESIZE) as memory:
            for offset in range(0, pages * mmap.PAGESIZE, mmap.PAGESIZE):
                memory[offset] = 1

    def idle() -> None:
        with mmap.mmap(-1, mmap.PAGESIZE) as memory:
            for _ in range(0, pages * mmap.PAGESIZE, mmap.PAGESIZE):
                memory[0] = 1

    return (min(cpu_seconds(touch, 20)) - min(cpu_seconds(idle, 20))) / pages * 1e6


def main() -> list[Row]:
    """Print the limits and the distance of every model from them."""
    peak = peak_macs()
    frame = np.zeros((720, 1280, 3), np.uint8)
    copy = np.empty_like(frame)
    print(f"one core: {peak / 1e9:.1f} G multiply-adds a second in float32")
    print(f"copying a frame of 1280x720: {min(cpu_seconds(lambda: np.copyto(copy, frame), 50)) * 1e3:.2f} ms")
    print(f"a fresh page of memory: {page_us():.2f} us, a frame has {frame.nbytes // mmap.PAGESIZE} pages")
    print("| model | M multiply-adds | least possible, ms | lowest, ms | median, ms | lowest over least |")
    print("|---|---|---|---|---|---|")
    for manifest in manifests():
        session = get_backend("ort-cpu").open(manifest, threads=1)
        image = np.random.default_rng(1).integers(0, 256, manifest.input.shape, np.uint8)
        times = cpu_seconds(lambda session=session, image=image: session.run(image), RUNS)
        session.close()
        least, lowest, middle = (value * 1e3 for value in (manifest.macs / peak, min(times), statistics.median(times)))
        print(
            f"| {manifest.name} | {manifest.macs / 1e6:.1f} | {least:.2f} | {lowest:.2f} | {middle:.2f} "
            f"| {lowest / least:.1f} |"
        )
    return []
