"""`twinlens demo`: what the machine can do, without a camera and without a screen."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.cli.base import COMMANDS
from app.cli.console import interruptible
from app.cli.values import file_path
from pipelines.atomic import check_writable, part_path, publish, reason_of
from pipelines.errors import ExportError
from pipelines.offline.crew import Cancelled
from pipelines.offline.layers import make_folders, remove_empty
from pipelines.offline.showcase import FILES, Showcase, make_showcase
from pipelines.sources.paths import is_folder

DEFAULT_FOLDER = "twinlens-demo"


@COMMANDS.register("demo")
class DemoCommand:
    """Process the embedded clip on every available pipeline."""

    help = "process the embedded clip on every available pipeline; write a video, a screenshot and a report"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "-o",
            "--output",
            type=file_path,
            metavar="DIR",
            help=f"folder for the files (default: {DEFAULT_FOLDER}, or the next free number)",
        )
        parser.add_argument("--overwrite", action="store_true", help="replace the files of an earlier demo in DIR")

    def run(self, args: argparse.Namespace) -> int:
        folder = args.output if args.output is not None else free_folder(Path(DEFAULT_FOLDER))
        for name in FILES:
            if is_folder(folder):
                check_writable(folder / name, args.overwrite)
        with interruptible() as cancel, workplace(folder) as place:
            try:
                showcase = make_showcase(place, say, cancel)
            except Cancelled:
                raise KeyboardInterrupt from None
            except ExportError as error:
                # The user knows the folder, not the one in it where everything is made.
                raise ExportError(str(error).replace(str(place), str(folder))) from error
            for name in showcase.files:
                publish(place / name, folder / name, args.overwrite)
            if args.overwrite and "comparison.mp4" not in showcase.files:
                (folder / "comparison.mp4").unlink(missing_ok=True)  # of an earlier run: no longer true
        show(folder, showcase)
        return 0


def free_folder(wanted: Path) -> Path:
    """Return `wanted`, or the first of wanted-2, wanted-3, ... that does not exist."""
    folder, number = wanted, 2
    while os.path.lexists(folder):
        folder = wanted.with_name(f"{wanted.name}-{number}")
        number += 1
    return folder


@contextmanager
def workplace(folder: Path) -> Iterator[Path]:
    """Make `folder` and yield a temporary folder in it; leave nothing behind that was not published.

    Raises
    ------
    ExportError
        If nothing can be written there.
    """
    made = make_folders(folder)
    place = part_path(folder / "files")
    try:
        place.mkdir()
    except OSError as error:
        remove_empty(made)
        raise ExportError(f"{folder} cannot be written: {reason_of(error)}") from error
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        remove_empty(made)


def say(sentence: str) -> None:
    """Show a step on stderr."""
    print(sentence, file=sys.stderr, flush=True)


def show(folder: Path, showcase: Showcase) -> None:
    """Print what was measured and where the files are."""
    for run in showcase.benchmark.end_to_end:
        tasks = ", ".join(f"{name} {stats.p50:.1f}" for name, stats in run.tasks.items())
        backends = "/".join(dict.fromkeys(run.backends.values()))
        print(
            f"{run.pipeline} ({backends}): {1e3 / run.frame.p50:.1f} frames/s at {run.size_wh[0]}x{run.size_wh[1]}, "
            f"{run.frame.p50:.1f} ms a frame (p95 {run.frame.p95:.1f}); {tasks}, drawing {run.draw.p50:.1f} ms"
        )
    for sentence in (*showcase.benchmark.failures, *showcase.notes):
        print(sentence)
    for name in showcase.files:
        print(folder / name)
