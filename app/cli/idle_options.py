"""Options that have nothing to work on in a run: it tells of them, for silence would be taken for success."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence

from app.cli.base import DEFAULT_PIPELINE
from models.manifest import load_manifest
from pipelines.config import parse_pipeline
from pipelines.offline.jobs import Job

IdleOption = tuple[str, str]
"""An option as it was written, and why it does nothing."""


def tell(idle: Iterable[IdleOption]) -> None:
    """Say on stderr which options do nothing, a line each."""
    for option, reason in idle:
        print(f"twinlens: {option} does nothing here: {reason}", file=sys.stderr)


def without_task(args: argparse.Namespace, needed: Sequence[str] | None = None) -> Iterator[IdleOption]:
    """Yield options for tasks that do not run.

    Parameters
    ----------
    args : Namespace
        Valid `tasks` and `model`; `pipeline` and `max_faces`, None where they were not given.
    needed : sequence of str, optional
        Those of the tasks that run because what is written needs them; all by default.
    """
    running = args.tasks if needed is None else needed

    def reason(task: str) -> str:
        return f"nothing that is written needs the task {task}" if task in args.tasks else f"the task {task} is off"

    if args.max_faces is not None and "face" not in running:
        yield "--max-faces", reason("face")
    for name in args.model:
        task = load_manifest(name).task
        if task not in running:
            yield f"--model {name}", reason(task)
    by_task = parse_pipeline(args.pipeline or DEFAULT_PIPELINE)
    for task, backend in by_task.items():
        if task and task not in running:
            yield f"--pipeline {task}={backend}", reason(task)


def without_output(args: argparse.Namespace, jobs: Sequence[Job]) -> Iterator[IdleOption]:
    """Yield options of `twinlens process` for what is not written, or not there.

    Parameters
    ----------
    args : Namespace
        Its options.
    jobs : sequence of Job
        What came of them.
    """
    has_moving = any(not job.still for job in jobs)
    writes_video = has_moving and not args.no_video
    if args.no_video and "overlay" not in args.layers:
        if args.effect != "none":
            yield "--effect", "neither a picture nor the layer overlay is written"
        if args.compare is not None and args.results is None:
            yield "--compare", "neither a picture nor results are written"
    if not writes_video:
        if args.crf is not None:
            yield "--crf", "no video is written"
        if args.no_audio:
            yield "--no-audio", "no video is written"
    if not has_moving:
        for option, value in (("--start", args.start), ("--end", args.end), ("--max-frames", args.max_frames)):
            if value is not None:
                yield option, "pictures have no time"
        if args.no_smooth:
            yield "--no-smooth", "pictures are not steadied"
    if args.jobs > 1 and len(jobs) == 1:
        yield "--jobs", "there is one file to work on"
