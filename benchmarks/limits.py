"""How far each model is from what one core can do: its multiplications over the measured peak, against its real time.

    python -m benchmarks limits

The peak is that of a large float32 matrix product in NumPy, on one thread, by CPU time. It also tells how much two
models side by side slow each other down (two cores may be two halves of one), which of a model's files is faster here,
and what it costs to copy a frame and to have the system clear a fresh page of memory: the two prices that everything
around the models pays.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.rows import Row, in_turn, median_ratio
from models.manifest import Manifest, load_manifest, manifests
from pipelines.backends import Session, get_backend
from pipelines.backends.ort import CPU_PROVIDER, open_model
from pipelines.helper import Helper

SIZE = 1024
RUNS = 60
FILES = ("plain", "cpu")


def cpu_seconds(work: Callable[[], object], runs: int) -> list[float]:
    """Return the CPU seconds of the thread for each of `runs` runs, after three that do not count."""
    found = []
    for number in range(3 + runs):
        start = time.thread_time()
        work()
        if number >= 3:
            found.append(time.thread_time() - start)
    return found


def peak_macs() -> float:
    """Multiplications with addition a second of one core, at best."""
    # In a process of its own: how many threads NumPy's library takes is settled when it is loaded.
    program = (
        "import time, numpy as np\n"
        f"a, b = (np.random.default_rng(seed).random(({SIZE}, {SIZE}), np.float32) for seed in (1, 2))\n"
        "best = 1e9\n"
        "for _ in range(20):\n"
        "    start = time.thread_time(); a @ b; best = min(best, time.thread_time() - start)\n"
        "print(best)"
    )
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env={**os.environ, **one_thread}, capture_output=True, text=True, check=True)
    return SIZE**3 / float(done.stdout)


def side_by_side() -> float:
    """Time of a model while another core runs it too, over its time alone; medians of the ratios of the rounds."""
    manifest = load_manifest("depth_v2")
    sessions = [get_backend("ort-cpu").open(manifest, threads=1) for _ in range(2)]
    image = np.random.default_rng(1).integers(0, 256, manifest.input.shape, np.uint8)

    def mean_s(session: Session) -> float:
        start = time.thread_time()
        for _ in range(20):
            session.run(image)
        return (time.thread_time() - start) / 20

    def both() -> float:
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(mean_s, sessions[1])
            return (mean_s(sessions[0]) + other.result()) / 2

    found = in_turn({"alone": lambda: mean_s(sessions[0]), "both": both}, rounds=9)
    for session in sessions:
        session.close()
    return median_ratio(found["both"], found["alone"])


def hand_over_ms() -> dict[str, float]:
    """Milliseconds that half of some work in another thread takes beyond the half itself, by how it gets there."""
    data = bytes(3_000_000)

    def half() -> None:
        hashlib.sha256(data).digest()

    with ThreadPoolExecutor(1) as pool:
        helper: Helper[None] = Helper("helper")

        def by_pool() -> None:
            other = pool.submit(half)
            half()
            other.result()

        def by_locks() -> None:
            helper.begin(half)
            half()
            helper.result()

        def wall_ms(work: Callable[[], None]) -> float:
            start = time.perf_counter()
            work()
            return (time.perf_counter() - start) * 1e3

        works = {"alone": half, "pool": by_pool, "locks": by_locks}
        found = in_turn({name: lambda work=work: wall_ms(work) for name, work in works.items()}, rounds=200)
        helper.close()
    alone = statistics.median(found.pop("alone"))
    return {name: statistics.median(values) - alone for name, values in found.items()}


def variants(manifest: Manifest) -> str:
    """How long the literal graph takes over the one made for the blocked layout, by name of the file."""
    opened = {
        name: open_model(manifest, name, "ort-cpu", CPU_PROVIDER, lambda _: [CPU_PROVIDER], "", 1) for name in FILES
    }
    image = np.random.default_rng(1).integers(0, 256, manifest.input.shape, np.uint8)

    def seconds(session: Session) -> float:
        start = time.thread_time()
        for _ in range(8):
            session.run(image)
        return (time.thread_time() - start) / 8

    found = in_turn({name: lambda session=session: seconds(session) for name, session in opened.items()}, rounds=15)
    for session in opened.values():
        session.close()
    return f"{median_ratio(found['plain'], found['cpu']):.2f}"


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
    print(f"a model while the other core runs it too: {side_by_side():.2f} times as long as alone")
    print("a hand-over to another thread and back: {locks:.2f} ms, by a pool {pool:.2f}".format(**hand_over_ms()))
    print("| model | M multiply-adds | least possible, ms | lowest, ms | median, ms | lowest / least | plain / cpu |")
    print("|---|---|---|---|---|---|---|")
    for manifest in manifests():
        session = get_backend("ort-cpu").open(manifest, threads=1)
        image = np.random.default_rng(1).integers(0, 256, manifest.input.shape, np.uint8)
        times = cpu_seconds(lambda session=session, image=image: session.run(image), RUNS)
        session.close()
        least, lowest, middle = (value * 1e3 for value in (manifest.macs / peak, min(times), statistics.median(times)))
        print(
            f"| {manifest.name} | {manifest.macs / 1e6:.1f} | {least:.2f} | {lowest:.2f} | {middle:.2f} "
            f"| {lowest / least:.1f} | {variants(manifest)} |"
        )
    return []
