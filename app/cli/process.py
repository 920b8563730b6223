"""`twinlens process`: annotate videos and pictures, and write what was found in them."""

from __future__ import annotations

import argparse
import json
import math
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from app.cli.base import COMMANDS, add_pipeline_options, chosen_models
from app.cli.console import FileProgress, interruptible
from models.errors import VisionError
from pipelines.atomic import check_writable, write_file
from pipelines.config import PipelineConfig
from pipelines.errors import ConfigError
from pipelines.export import LAYERS, PICTURE_SUFFIXES
from pipelines.offline.comparison import Comparison
from pipelines.offline.crew import Cancelled
from pipelines.offline.cutout import cut_out
from pipelines.offline.formats import DEFAULT_CRF, FORMATS, WORST_CRF
from pipelines.offline.job import Draw, Tools
from pipelines.offline.jobs import Request
from pipelines.offline.parallel import run_parallel
from pipelines.offline.plan import make_plan
from pipelines.offline.pool import PipelinePool
from pipelines.offline.queue import run_queue
from pipelines.offline.report import report_record
from pipelines.overlay import EffectKind, OverlayStyle, apply_effect, draw_results, parse_effect
from pipelines.overlay.effects import HELP as EFFECTS

MAX_JOBS = 64

EXAMPLES = """\
examples:
  twinlens process clip.mp4                          writes clip.twinlens.mp4 beside it
  twinlens process clip.mp4 -o out.mp4 --results out.jsonl
  twinlens process clip.mp4 -o person.webm --alpha   the person alone, transparent around
  twinlens process clip.mp4 -o 'frames/%06d.png'     numbered pictures
  twinlens process *.jpg -o annotated/ --max-faces 20
  twinlens process clip.mp4 --compare cpu,gpu        both on the same frames, side by side
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
        parser.add_argument("inputs", nargs="+", metavar="INPUT", help="a video, a picture, or a folder of either")
        parser.add_argument(
            "-o",
            "--output",
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
            "figures of both; the results (A's, .jsonl) tell how far they agree",
        )
        parser.add_argument("--results", type=Path, metavar="FILE", help="write what was found to FILE.jsonl or .csv")
        parser.add_argument(
            "--layers", type=layer_list, default=(), metavar="LIST", help=f"also write layers: {', '.join(LAYERS)}"
        )
        parser.add_argument("--layers-dir", type=Path, metavar="DIR", help="folder that gets one folder a layer")
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
        parser.add_argument("--start", type=seconds, metavar="S", help="skip frames before S seconds")
        parser.add_argument("--end", type=seconds, metavar="S", help="stop at the first frame at S seconds or later")
        parser.add_argument("--max-frames", type=positive, metavar="N", help="stop after N frames")
        parser.add_argument("--no-video", action="store_true", help="write no annotated video or picture")
        parser.add_argument(
            "--crf",
            type=quality,
            metavar="Q",
            help=f"quality of the video, 1 = best and largest, {WORST_CRF} = worst (default: {DEFAULT_CRF})",
        )
        parser.add_argument(
            "--jobs",
            type=process_count,
            default=1,
            metavar="N",
            help=f"work on N files at a time, each in a process with models of its own, 1 to {MAX_JOBS} (default: 1)",
        )
        parser.add_argument("--report", type=Path, metavar="FILE.json", help="write what became of each input")
        parser.add_argument("--no-audio", action="store_true", help="leave out sound and subtitles")
        parser.add_argument("--no-smooth", action="store_true", help="do not steady the results over time")
        parser.add_argument("--overwrite", action="store_true", help="replace existing outputs")

    def run(self, args: argparse.Namespace) -> int:
        try:
            config = PipelineConfig(
                tasks=args.tasks,
                pipeline=args.pipeline,
                models=chosen_models(args.model),
                max_faces=args.max_faces,
                smooth=not args.no_smooth,
            )
            jobs = make_plan(request_from(args))
            drawing(args.effect, args.tasks, args.alpha)
            if args.compare is not None:
                check_comparison(args)
        except ConfigError as error:
            if self._parser is None:
                raise
            self._parser.error(str(error))
        if args.report is not None:
            check_writable(args.report, args.overwrite)
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
                raise KeyboardInterrupt from None
        if args.report is not None:
            record = json.dumps(report_record(report), indent=1, ensure_ascii=False) + "\n"
            write_file(args.report, record.encode(), args.overwrite)
        if len(jobs) == 1 and report.failures:
            raise report.failures[0][1]
        if report.failures:
            raise VisionError(f"{len(report.failures)} of {len(jobs)} files could not be processed")
        return 0 if report.complete else 1


@contextmanager
def opened_tools(
    config: PipelineConfig, effect: str, alpha: bool, compare: tuple[str, str] | None, cancel: threading.Event
) -> Iterator[Tools]:
    """Yield what the jobs of a process share, and release it after them. Made of values that another process can get.

    Parameters
    ----------
    config : PipelineConfig
        What to compute.
    effect : str
        As given on the command line.
    alpha : bool
        The background is transparent.
    compare : tuple of str or None
        The two pipelines to run instead of one.
    cancel : Event
        Calls the work off.

    Raises
    ------
    VisionError
        If a pipeline of a comparison cannot run it.
    """
    if compare is not None:
        with Comparison(config, *compare) as pair:
            yield Tools(pair, pair.draw, cancel)
    else:
        with PipelinePool(config) as pool:
            yield Tools(pool, drawing(effect, config.tasks, alpha), cancel)


def check_comparison(args: argparse.Namespace) -> None:
    """Refuse what a comparison cannot be combined with.

    Raises
    ------
    ConfigError
        If there is such an option.
    """
    if args.pipeline != "auto":
        raise ConfigError("--compare names both pipelines: leave out --pipeline")
    if args.effect != "none" or args.alpha:
        raise ConfigError("--compare shows the results of both pipelines: leave out --effect and --alpha")
    if args.results is not None and args.results.suffix.lower() != ".jsonl":
        raise ConfigError(f"{args.results}: how far two pipelines agree is written as .jsonl only")


def drawing(effect_text: str, tasks: Sequence[str], alpha: bool = False) -> Draw:
    """Return what makes the picture: the results drawn on the frame, the frame with an effect, or the person alone.

    Parameters
    ----------
    effect_text : str
        The effect as given on the command line.
    tasks : sequence of str
        Tasks that run.
    alpha : bool
        The background is transparent.

    Raises
    ------
    ConfigError
        If there is no such effect, it needs a task that is off, or there is no background for it.
    """
    effect = parse_effect(effect_text)
    if alpha:
        if effect.kind is not EffectKind.NONE:
            raise ConfigError(f"--alpha leaves no background for the effect {effect.kind.value}")
        return cut_out
    missing = [task for task in effect.tasks if task not in tasks]
    if missing:
        raise ConfigError(f"the effect {effect.kind.value} needs the task {missing[0]}")
    if effect.kind is EffectKind.NONE:
        style = OverlayStyle()
        return lambda result: draw_results(result, style)
    return lambda result: apply_effect(result, effect)


def request_from(args: argparse.Namespace) -> Request:
    """Return what the parsed options ask for."""
    out = args.output
    return Request(
        inputs=tuple(Path(name) for name in args.inputs),
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
    )


def pipeline_pair(text: str) -> tuple[str, str]:
    """Parse "ort-cpu,gpu" into the names of two pipelines.

    Raises
    ------
    argparse.ArgumentTypeError
        If there are not two different ones.
    """
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 2 or not all(names) or names[0] == names[1] or "=" in text:
        raise argparse.ArgumentTypeError(f"{text!r} does not name two different pipelines, as in ort-cpu,gpu")
    return names[0], names[1]


def layer_list(text: str) -> tuple[str, ...]:
    """Parse "mask,depth" into layer names, in the order of `LAYERS`.

    Raises
    ------
    argparse.ArgumentTypeError
        If a name is unknown or none is given.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in LAYERS]
    if unknown or not names:
        wrong = f"unknown layer {unknown[0]!r}" if unknown else "no layer named"
        raise argparse.ArgumentTypeError(f"{wrong} (choose from {', '.join(LAYERS)})")
    return tuple(name for name in LAYERS if name in names)


def seconds(text: str) -> float:
    """Parse a time: seconds, or minutes and hours as in 1:02:03.5.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none, or negative.
    """
    try:
        value = 0.0
        for part in text.split(":"):
            value = value * 60 + float(part)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf or text.count(":") > 2 or "-" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time: give seconds, or 1:02:03.5")
    return value


def quality(text: str) -> int:
    """Parse a quality, 1 to 51.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none.
    """
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= WORST_CRF:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {WORST_CRF}")
    return int(text)


def process_count(text: str) -> int:
    """Parse a number of processes.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none, or more than `MAX_JOBS`.
    """
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MAX_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_JOBS}")
    return int(text)


def positive(text: str) -> int:
    """Parse a number of frames, at least 1.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none.
    """
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)
