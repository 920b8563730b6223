"""How the tasks share the cores: several arrangements of threads on the same frames, in turn.

    python -m benchmarks schedule

Results only, 1280x720, the frames decoded beforehand. Every arrangement analyses each frame with all tasks, and every
task sees the frames in their order, as tracking needs it. "Two frames at a time" lets a task begin the next frame while
another one is still busy with this one, which costs latency. Rates need an idle machine; where others are at work, only
the CPU time a frame says something.
"""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from benchmarks.live import demo_frames
from benchmarks.rows import Row, in_turn
from pipelines.backends import get_backend
from pipelines.config import TASKS, PipelineConfig
from pipelines.frame import Frame
from pipelines.memory import keep_freed_memory
from pipelines.tasks.base import TASK_REGISTRY, Task, TaskContext
from pipelines.timing import StageTimes

ROUNDS = 7
FRAMES = 60

Group = Sequence[str]
"""Tasks that one thread does one after the other."""

ARRANGEMENTS: dict[str, tuple[tuple[Group, ...], int]] = {
    "one thread": ((TASKS,), 1),
    "a thread a task": ((("face",), ("segmentation",), ("depth",)), 1),
    "two threads: face, segmentation | depth": ((("face", "segmentation"), ("depth",)), 1),
    "two threads: face | segmentation, depth": ((("face",), ("segmentation", "depth")), 1),
    "a thread a task, two frames at a time": ((("face",), ("segmentation",), ("depth",)), 2),
    "two threads, two frames at a time": ((("face", "segmentation"), ("depth",)), 2),
}
"""Threads with their tasks, and how many frames may be on their way."""


def analyse(tasks: dict[str, Task], frames: Sequence[Frame], groups: Sequence[Group], ahead: int) -> list[float]:
    """Analyse all frames; return the seconds from the beginning of each frame to its last result."""

    def work(group: Group, frame: Frame) -> None:
        for name in group:
            tasks[name].process(frame, StageTimes())

    # The calling thread takes a group itself where it has nothing else to do, as `Pipeline` does.
    own = groups[-1] if ahead == 1 else None
    pools = [ThreadPoolExecutor(1) for group in groups if group is not own]
    latencies: list[float] = []
    under_way: deque[tuple[float, list[Future[None]]]] = deque()

    def finish() -> None:
        start, futures = under_way.popleft()
        for future in futures:
            future.result()
        latencies.append(time.perf_counter() - start)

    for frame in frames:
        futures = [pool.submit(work, group, frame) for pool, group in zip(pools, groups, strict=False)]
        under_way.append((time.perf_counter(), futures))
        if own is not None:
            work(own, frame)
        if len(under_way) == ahead:
            finish()
    while under_way:
        finish()
    for pool in pools:
        pool.shutdown()
    return latencies


def main() -> list[Row]:
    """Print the table; the arrangement that is built in has its goals in `live`."""
    keep_freed_memory()
    frames = demo_frames(FRAMES)
    config, backend = PipelineConfig(pipeline="ort-cpu"), get_backend("ort-cpu")
    tasks = {name: TASK_REGISTRY.get(name)(TaskContext(config, backend)) for name in TASKS}
    cpu_ms: dict[str, list[float]] = {name: [] for name in ARRANGEMENTS}
    latency_ms: dict[str, list[float]] = {name: [] for name in ARRANGEMENTS}

    def measured(name: str) -> Callable[[], float]:
        def work() -> float:
            for task in tasks.values():
                task.reset()
            start, start_cpu = time.perf_counter(), time.process_time()
            latencies = analyse(tasks, frames, *ARRANGEMENTS[name])
            passed = time.perf_counter() - start
            cpu_ms[name].append((time.process_time() - start_cpu) / len(frames) * 1e3)
            latency_ms[name].append(statistics.median(latencies) * 1e3)
            return len(frames) / passed

        return work

    found = in_turn({name: measured(name) for name in ARRANGEMENTS}, ROUNDS)
    for task in tasks.values():
        task.close()
    print("| arrangement | frames/s, median | best round | latency, ms | CPU a frame, ms |\n|---|---|---|---|---|")
    for name, rates in found.items():
        print(
            f"| {name} | {statistics.median(rates):.0f} | {max(rates):.0f} | {statistics.median(latency_ms[name]):.1f} "
            f"| {statistics.median(cpu_ms[name]):.1f} |"
        )
    return []
