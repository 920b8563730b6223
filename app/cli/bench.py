"""`twinlens bench`: how fast is each model on each backend of this machine, and do they agree?"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from app.cli.base import COMMANDS, add_model_option, chosen_models, task_list, whole_number
from app.cli.idle_options import tell, without_task
from app.cli.values import file_path
from pipelines.atomic import check_writable, reason_of, write_file
from pipelines.backends import resolve
from pipelines.bench import Benchmark, contenders, record_inputs, run_benchmark
from pipelines.bench.model_runs import INPUTS_KEPT, SAMPLES
from pipelines.bench.plot import lines, plot
from pipelines.bench.profile import profile_all
from pipelines.bench.verdicts import verdicts
from pipelines.config import TASKS, PipelineConfig
from pipelines.errors import ConfigError, ExportError
from pipelines.export import save_png
from pipelines.offline.collisions import check_apart
from pipelines.offline.showcase import BENCH_FRAMES, read_frames
from pipelines.overlay import OverlayStyle, draw_results


@COMMANDS.register("bench")
class BenchCommand:
    """Measure models and pipelines on the embedded clip."""

    help = "measure each model and pipeline on this machine"

    def __init__(self) -> None:
        self._parser: argparse.ArgumentParser | None = None

    def configure(self, parser: argparse.ArgumentParser) -> None:
        self._parser = parser
        parser.add_argument(
            "--pipelines",
            type=pipeline_list,
            default=(),
            metavar="LIST",
            help="cpu, gpu and names of backends, separated by commas (default: all that are available)",
        )
        parser.add_argument("--tasks", type=task_list, default=TASKS, metavar="LIST", help=", ".join(TASKS))
        add_model_option(parser)
        parser.add_argument(
            "--samples",
            type=whole_number(),
            default=SAMPLES,
            metavar="N",
            help=f"runs of each model (default: {SAMPLES})",
        )
        parser.add_argument(
            "--threads", type=whole_number(), default=1, metavar="N", help="threads of each session (default: 1)"
        )
        parser.add_argument("--json", type=file_path, metavar="FILE", help="write the benchmark file")
        parser.add_argument("--plot", type=file_path, metavar="FILE.png", help="write a chart")
        parser.add_argument(
            "--profile",
            type=file_path,
            metavar="DIR",
            help="profile each model on the ONNX Runtime backends: traces for Perfetto in DIR, top operators printed",
        )
        parser.add_argument("--overwrite", action="store_true", help="replace existing files")

    def run(self, args: argparse.Namespace) -> int:
        assert self._parser is not None
        if args.plot is not None and args.plot.suffix.lower() != ".png":
            self._parser.error(f"{args.plot}: a chart is written as .png")
        outputs = [path for path in (args.json, args.plot) if path is not None]
        try:
            check_apart((), outputs)
        except ConfigError as error:
            self._parser.error(str(error))
        for path in outputs:
            check_writable(path, args.overwrite)
        if args.profile is not None:
            make_folder(args.profile, args.overwrite)
        try:
            models = chosen_models(args.model)
        except ConfigError as error:
            self._parser.error(str(error))
        tell(without_task(args))
        field = contenders(args.pipelines)
        names = ", ".join(f"{item.pipeline} ({item.backend.id})" for item in field)
        print(f"measuring {names}", file=sys.stderr, flush=True)
        style = OverlayStyle()
        frames = read_frames(BENCH_FRAMES)
        benchmark = run_benchmark(
            frames,
            field,
            lambda result: draw_results(result, style),
            args.tasks,
            args.threads,
            samples=args.samples,
            models=models,
        )
        show(benchmark)
        if args.json is not None:
            report = json.dumps(benchmark.record(), indent=1, ensure_ascii=False) + "\n"
            write_file(args.json, report.encode(), args.overwrite)
        if args.plot is not None:
            save_png(args.plot, plot(benchmark), overwrite=args.overwrite)
        if args.profile is not None:
            config = PipelineConfig(tasks=args.tasks, models=models, threads=args.threads)
            inputs = record_inputs(frames[:INPUTS_KEPT], config, resolve("cpu"))
            profiles, failures = profile_all(inputs, field, args.profile, args.threads)
            told = [profile.sentence() for profile in profiles]
            told += [sentence for sentence in failures if sentence not in benchmark.failures]
            for sentence in told:
                print(sentence)
        return 0


def make_folder(folder: Path, overwrite: bool) -> None:
    """Make a folder for traces.

    Raises
    ------
    ExportError
        If it cannot be made, or holds something already that is not to be replaced.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        occupied = any(folder.iterdir())
    except OSError as error:
        raise ExportError(f"{folder} cannot be made: {reason_of(error)}") from error
    if occupied and not overwrite:
        raise ExportError(f"{folder} is not empty: choose another folder or give --overwrite")


def pipeline_list(text: str) -> tuple[str, ...]:
    """Parse "cpu,ort-webgpu" into names.

    Raises
    ------
    argparse.ArgumentTypeError
        If none is given.
    """
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError("no pipeline named")
    return names


def show(benchmark: Benchmark) -> None:
    """Print what was measured."""
    for line in lines(benchmark):
        print(line)
    for run in benchmark.end_to_end:
        size = f"{run.size_wh[0]}x{run.size_wh[1]}"
        tasks = ", ".join(f"{name} {stats.p50:.2f}" for name, stats in run.tasks.items())
        print(
            f"{run.pipeline}: tasks and drawing on {size} frames {run.frame.p50:.2f} ms (p95 {run.frame.p95:.2f}), "
            f"{1e3 / run.frame.p50:.1f} frames/s; {tasks}, drawing {run.draw.p50:.2f}"
        )
    for sentence in (*verdicts(benchmark.runs), *benchmark.failures):
        print(sentence)
