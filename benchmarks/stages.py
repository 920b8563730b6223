"""Where the time of a frame goes, stage by stage: three tasks on 1280x720 frames, drawn and made ready for the screen.

    python -m benchmarks stages

One thread does everything in turn, and what is measured is its CPU time, so that other work on the machine disturbs as
little as possible. Each figure is the mean over all frames of a round, and of the rounds the lowest. The first round,
with the thorough search for faces on its first frame, is left out. A split comparison is drawn too, a frame's results
on both sides: each half looks for the edge of its mask anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from app.pictures import scaled_bgrx
from benchmarks.live import demo_frames
from benchmarks.rows import Row, table
from pipelines import matting
from pipelines.backends import get_backend
from pipelines.config import TASKS, PipelineConfig
from pipelines.frame import Frame
from pipelines.overlay import OverlayStyle, compose, draw_results, draw_split
from pipelines.overlay import mask as overlay_mask
from pipelines.pipeline import Pipeline
from pipelines.tasks import segmentation
from pipelines.tasks.base import TASK_REGISTRY, Task, TaskContext
from pipelines.timing import STAGES, StageTimes

ROUNDS = 7
ROOM_WH = (1000, 640)
"""Room for the picture in the window at its first size."""

PARTS: tuple[tuple[ModuleType, str], ...] = (
    (segmentation, "refined"),
    (matting, "coefficients"),
    (matting, "evaluate"),
    (compose, "dimmed"),
    (compose, "draw_mask"),
    (overlay_mask, "outlines"),
    (overlay_mask, "draw_outline"),
    (compose, "draw_faces"),
    (compose, "draw_inset"),
)
"""Functions inside a stage whose share is told as well; the second and third are parts of the first."""

EDGE = "edge"
"""The mask's edge, which is looked for when somebody asks for it: the drawing or a file, not the task."""

Costs = dict[tuple[str, str], float]
"""Milliseconds of CPU time by part and stage."""


class CpuTimes(StageTimes):
    """Stage times in CPU time of the thread instead of wall time."""

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the CPU time of the block to stage `name`."""
        start = time.thread_time()
        try:
            yield
        finally:
            self.ms[name] = self.ms.get(name, 0.0) + (time.thread_time() - start) * 1e3


@contextmanager
def watched(add: Callable[[str, str, float], None]) -> Iterator[None]:
    """Note the CPU time of every call of `PARTS`."""
    originals = [getattr(module, name) for module, name in PARTS]
    for (module, name), original in zip(PARTS, originals, strict=True):

        def timed(*arguments: object, name: str = name, original: Callable[..., object] = original) -> object:
            start = time.thread_time()
            found = original(*arguments)
            add("of which", name, (time.thread_time() - start) * 1e3)
            return found

        setattr(module, name, timed)
    try:
        yield
    finally:
        for (module, name), original in zip(PARTS, originals, strict=True):
            setattr(module, name, original)


def one_round(tasks: dict[str, Task], frames: Sequence[Frame], finish: Pipeline) -> Costs:
    """Return the mean costs of a frame."""
    total: Costs = {}

    def add(part: str, stage: str, ms: float) -> None:
        total[part, stage] = total.get((part, stage), 0.0) + ms / len(frames)

    def timed(part: str, stage: str, work: Callable[[], object]) -> None:
        start = time.thread_time()
        work()
        add(part, stage, (time.thread_time() - start) * 1e3)

    for frame in frames:
        for name, task in tasks.items():
            times = CpuTimes()
            start = time.thread_time()
            task.process(frame, times)
            whole_ms = (time.thread_time() - start) * 1e3
            for stage, ms in times.ms.items():
                add(name, stage, ms)
            add(name, "other", whole_ms - times.total_ms)
        result = finish.process(frame)
        with watched(add):
            timed("segmentation", EDGE, lambda result=result: result.mask.soft(0, result.frame.width))
        picture = draw_results(result, OverlayStyle())
        with watched(add):
            draw_results(result, OverlayStyle())
        timed("drawing", "overlay", lambda result=result: draw_results(result, OverlayStyle()))
        timed("drawing", "to the screen", lambda picture=picture: scaled_bgrx(picture, ROOM_WH))
        middle = result.frame.width // 2
        timed("split", "drawn", lambda result=result, x=middle: draw_split(result, result, OverlayStyle(), x))
    return total


def measure(rounds: int = ROUNDS) -> Costs:
    """Return the costs of a frame."""
    frames = demo_frames(60)
    config = PipelineConfig(pipeline="ort-cpu", parallel=False)
    with Pipeline(config) as finish:
        backend = get_backend("ort-cpu")
        tasks = {name: TASK_REGISTRY.get(name)(TaskContext(config, backend)) for name in TASKS}
        try:
            one_round(tasks, frames, finish)
            found = [one_round(tasks, frames, finish) for _ in range(rounds)]
        finally:
            for task in tasks.values():
                task.close()
    return {key: min(costs[key] for costs in found) for key in found[0]}


def main() -> list[Row]:
    """Print the costs of every stage and their ratio."""
    costs = measure()
    columns = (*STAGES, EDGE, "other")
    print("ms of CPU time of a frame | " + " | ".join(columns))
    for name in TASKS:
        print(f"{name:25s} | " + " | ".join(f"{costs.get((name, column), 0.0):.2f}" for column in columns))
    drawing = {stage: ms for (part, stage), ms in costs.items() if part == "drawing"}
    print("drawing                   | " + ", ".join(f"{stage} {ms:.2f}" for stage, ms in drawing.items()))
    print(
        "of which                  | " + ", ".join(f"{name} {costs.pop(('of which', name)):.2f}" for _, name in PARTS)
    )
    split_ms, one_ms = costs.pop(("split", "drawn")), costs["segmentation", EDGE] + costs["drawing", "overlay"]
    inference = sum(ms for (_, stage), ms in costs.items() if stage == "inference")
    rest = sum(costs.values()) - inference
    figures = f"{rest:.1f} ms beside {inference:.1f} ms of inference"
    rows = [
        Row("everything but inference, CPU time", figures, rest / inference, 0.6, at_most=True),
        Row(
            "drawing both halves of a split, over one picture",
            f"{split_ms:.1f} ms of CPU, {one_ms:.1f} with the edge of its mask",
            split_ms / one_ms,
            1.4,
            at_most=True,
        ),
    ]
    print(table(rows))
    return rows
