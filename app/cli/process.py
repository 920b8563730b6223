"""`twinlens process`: annotate videos and pictures, and write what was found in them."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from app.cli.base import COMMANDS, DEFAULT_FACES, DEFAULT_PIPELINE, add_pipeline_options, chosen_models, whole_number
from app.cli.console import FileProgress, interruptible
from app.cli.idle_options import tell, without_output, without_task
from app.cli.process_tools import check_comparison, drawing, opened_tools, shown_tasks
from app.cli.values import file_path, layer_list, pipeline_pair, seconds, some_text
from models.errors import VisionError
from pipelines.atomic import write_file
from pipelines.config import PipelineConfig
from pipelines.errors import ConfigError
from pipelines.export import LAYERS, PICTURE_SUFFIXES
from pipelines.offline.crew import Cancelled
from pipelines.offline.formats import DEFAULT_CRF, FORMATS, WORST_CRF
from pipelines.offline.jobs import Request
from pipelines.offline.needs import needed_tasks
from pipelines.offline.parallel import run_parallel
from pipelines.offline.plan import make_plan
from pipelines.offline.queue import run_queue
from pipelines.offline.report import report_record
from pipelines.overlay.effects import HELP as EFFECTS
from pipelines.overlay.effects import picture_path
from pipelines.sources.paths import is_address, local_path, shown_name

MAX_JOBS: Final = 64
EXAMPLES = """\
examples:
  twinlens process clip.mp4                          writes clip.twinlens.mp4 beside it
  twinlens process clip.mp4 -o out.mp4 --results out.jsonl
  twinlens process clip.mp4 -o person.webm --alpha   the person alone, transparent around
  twinlens process clip.mp4 -o 'frames/%06d.png'     numbered pictures
  twinlens process *.jpg -o annotated/ --max-faces 20
  twinlens process clip.mp4 --compare cpu,gpu        both on the same frames, side by side
  twinlens process long.mp4 --resume                 starts, or goes on where it was broken off
  twinlens process clip.mp4 --no-video --layers mask,depth --layers-dir layers
"""


@COMMANDS.register("process")
class ProcessCommand:
    """Process files: every frame, in order, with its own time."""

    help = "process videos, pictures or folders of them"

    def __init__(self) -> None:
        self._parser: argparse.ArgumentParser | None = None

    def configure(self, parser: argparse.ArgumentParser) -> None:
        self._parser = parser
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.epilog = EXAMPLES
        parser.add_argument(
            "inputs", nargs="+", type=some_text, metavar="INPUT", help="a video, a picture, or a folder of either"
        )
        parser.add_argument(
            "-o",
            "--output",
            type=some_text,
            metavar="OUT",
            help=f"file ({', '.join(FORMATS)}; for a picture {', '.join(PICTURE_SUFFIXES)}), numbered pictures "
            "(DIR/%%06d.png) or folder (default: NAME.twinlens.SUFFIX beside the input)",
        )
        add_pipeline_options(parser)
        parser.add_argument(
            "--compare",
            type=pipeline_pair,
            metavar="A,B",
            help="run two pipelines on every frame instead of one: A's half of the picture left, B's right, with the "
            "figures of both; the results (A's) tell how far they agree",
        )
        parser.add_argument(
            "--results", type=file_path, metavar="FILE", help="write what was found to FILE.jsonl or .csv"
        )
        parser.add_argument(
            "--layers", type=layer_list, default=(), metavar="LIST", help=f"also write layers: {', '.join(LAYERS)}"
        )
        parser.add_argument("--layers-dir", type=file_path, metavar="DIR", help="folder that gets one folder a layer")
        parser.add_argument(
            "--effect",
            default="none",
            metavar="E",
            help=f"{EFFECTS}. The video then shows the effect alone, without the results drawn on it",
        )
        parser.add_argument(
            "--alpha",
            action="store_true",
            help="show the person alone, transparent around (.webm, .mov, .png; needs the task segmentation)",
        )
        parser.add_argument("--start", type=seconds, metavar="S", help="skip frames before S seconds, or 1:02:03.5")
        parser.add_argument("--end", type=seconds, metavar="S", help="stop at the first frame at S or later")
        parser.add_argument("--max-frames", type=whole_number(), metavar="N", help="stop after N frames")
        parser.add_argument("--no-video", action="store_true", help="write no annotated video or picture")
        parser.add_argument(
            "--crf",
            type=whole_number(WORST_CRF),
            metavar="Q",
            help=f"quality of the video, 1 = best and largest, {WORST_CRF} = worst (default: {DEFAULT_CRF})",
        )
        parser.add_argument(
            "--jobs",
            type=whole_number(MAX_JOBS),
            default=1,
            metavar="N",
            help=f"work on N files at a time, each in a process with models of its own, 1 to {MAX_JOBS} (default: 1)",
        )
        parser.add_argument("--report", type=file_path, metavar="FILE.json", help="write what became of each input")
        parser.add_argument("--no-audio", action="store_true", help="leave out sound and subtitles")
        parser.add_argument("--no-smooth", action="store_true", help="do not steady the results over time")
        parser.add_argument(
            "--resume",
            action="store_true",
            help="go on where an earlier run with the same options broke off, and keep what is done when this one does",
        )
        parser.add_argument("--overwrite", action="store_true", help="replace existing outputs")

    def run(self, args: argparse.Namespace) -> int:
        try:
            config = PipelineConfig(
                tasks=args.tasks,
                pipeline=args.pipeline or DEFAULT_PIPELINE,
                models=chosen_models(args.model),
                max_faces=args.max_faces or DEFAULT_FACES,
                smooth=not args.no_smooth,
            )
            request = request_from(args)
            jobs = make_plan(request)
            drawing(args.effect, args.tasks, args.alpha)
            if args.compare is not None:
                check_comparison(args)
        except ConfigError as error:
            if self._parser is None:
                raise
            self._parser.error(str(error))
        config = replace(config, tasks=needed_tasks(request, shown_tasks(args.effect, args.tasks, args.alpha)))
        tell((*without_task(args, config.tasks), *without_output(args, jobs)))
        if config.tasks != args.tasks:
            print(f"tasks that run: {', '.join(config.tasks)} (what is written shows no other)", file=sys.stderr)
        open_tools = partial(opened_tools, config, args.effect, args.alpha, args.compare)
        at_a_time = min(args.jobs, len(jobs))
        with interruptible() as cancel, FileProgress() as progress:
            try:
                if at_a_time > 1:
                    report = run_parallel(jobs, at_a_time, open_tools, cancel, progress, args.results, args.overwrite)
                else:
                    with open_tools(cancel) as tools:
                        report = run_queue(jobs, tools, progress, args.results, args.overwrite)
            except Cancelled:
                if args.resume:
                    print("twinlens: finished parts are kept: the same command goes on with them", file=sys.stderr)
                raise KeyboardInterrupt from None
        if args.report is not None:
            record = json.dumps(report_record(report, config.tasks), indent=1, ensure_ascii=False) + "\n"
            # As in the results: the odd bytes of a name that is no text are written as "\udcff".
            write_file(args.report, record.encode(errors="backslashreplace"), args.overwrite or args.resume)
        if len(jobs) == 1 and report.failures:
            raise report.failures[0][1]
        if report.failures:
            raise VisionError(f"{len(report.failures)} of {len(jobs)} files could not be processed")
        return 0 if report.complete else 1


def is_live(name: str) -> bool:
    """Whether an input is none of files but one of the other sources, unless there is a file of this name."""
    word = name.partition(":")[0]
    return is_address(name) or (word in ("camera", "demo") and not os.path.lexists(name))


def request_from(args: argparse.Namespace) -> Request:
    """Return what the parsed options ask for.

    Raises
    ------
    ConfigError
        If an input is no file.
    """
    out, background = args.output, picture_path(args.effect)
    for name in args.inputs:
        if is_live(name):
            raise ConfigError(f"{shown_name(name)} is no file: --source shows it, and screenshot takes a picture")
    return Request(
        inputs=tuple(local_path(name) for name in args.inputs),
        out=Path(out) if out is not None else None,
        out_is_folder=out is not None and out.endswith(("/", os.sep)),
        video=not args.no_video,
        results=args.results,
        layers=args.layers,
        layers_dir=args.layers_dir,
        tasks=args.tasks,
        start_s=args.start,
        end_s=args.end,
        max_frames=args.max_frames,
        overwrite=args.overwrite,
        sound=not args.no_audio,
        crf=args.crf,
        alpha=args.alpha,
        resume=args.resume,
        report=args.report,
        also_read=(background,) if background is not None else (),
    )
