"""`twinlens models add`: the options that describe a network, and what is said about it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

from app.cli.values import file_path, some_text
from models.adopt.presets import PRESETS
from models.adopt.request import COLORS, LAYOUTS, MEANINGS, TASKS, Request, check_file, read_request


def configure_add(parser: argparse.ArgumentParser) -> None:
    """Add the options of `models add`."""
    parser.add_argument(
        "file",
        type=file_path,
        metavar="FILE",
        help="an ONNX file, or a TOML file that describes one; FILE.toml beside FILE.onnx is read as well",
    )
    parser.add_argument("--task", choices=TASKS, help="what it is for")
    parser.add_argument("--preset", choices=tuple(PRESETS), help="a family of depth networks: sets everything below")
    parser.add_argument("--name", type=some_text, help="name to choose it by (default: that of the file)")
    parser.add_argument("--title", type=some_text, help="name shown in the window (default: that of the file)")
    parser.add_argument("--licence", metavar="SPDX", help="its licence, as an SPDX identifier")
    parser.add_argument("--input-size", type=size, metavar="WxH", help="size of its input, where the file does not say")
    parser.add_argument("--layout", choices=LAYOUTS, help="order of dimensions (default: read from the file)")
    parser.add_argument("--color", choices=COLORS, help="order of the channels (default: RGB)")
    parser.add_argument(
        "--pixel-max",
        type=float,
        metavar="N",
        help="what a pixel of 255 becomes before mean and std, 1 or 255: (pixel / 255 * N - mean) / std (default: 1)",
    )
    parser.add_argument("--mean", type=numbers, metavar="M", help="one number or three: 0.485,0.456,0.406 (default: 0)")
    parser.add_argument("--std", type=numbers, metavar="S", help="one number or three (default: 1)")
    parser.add_argument(
        "--output",
        type=names,
        metavar="NAME",
        help="output to read; for a face two: landmarks,score (default: the only one)",
    )
    meanings = "; ".join(f"{task}: {', '.join(values)}" for task, values in MEANINGS.items())
    parser.add_argument("--meaning", choices=sum(MEANINGS.values(), ()), help=f"what the output is ({meanings})")
    parser.add_argument("--person-class", type=int, metavar="K", help="number of the class 'person' of a segmentation")
    parser.add_argument("--overwrite", action="store_true", help="replace a model of this name that was added before")


def size(text: str) -> tuple[int, int]:
    """Parse "518x392"."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() and 0 < int(part) <= 8192 for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 320x192")
    return int(parts[0]), int(parts[1])


def numbers(text: str) -> tuple[float, ...]:
    """Parse "0.5" or "0.485,0.456,0.406"."""
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if len(values) not in (1, 3):
        raise argparse.ArgumentTypeError(f"{text!r} is not one number or three separated by commas")
    return values


def names(text: str) -> tuple[str, ...]:
    """Parse names separated by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def add(args: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Add a network and tell what was assumed and where it runs.

    Raises
    ------
    ModelError
        If it cannot be used; nothing was written then.
    """
    from pipelines.adding import dry_run, keep, prepare

    given: Path = args.file
    check_file(given)
    said = {item.name: getattr(args, item.name) for item in fields(Request) if item.name != "file"}
    described = given if given.suffix.lower() == ".toml" else given.with_suffix(".toml")
    request = Request(given, **said)
    if described.is_file() or described == given:
        about = read_request(described)
        if described == given:
            request = Request(about.file, **said)
        request = request.over(about)
    adopted = prepare(request)
    manifest = keep(adopted, args.overwrite)
    width, height = manifest.input.size_wh
    say(f"{manifest.name}: added for {manifest.task}, {width}x{height}, {len(adopted.data) / 1e6:.1f} MB")
    for assumption in adopted.assumed:
        say(f"  assumed   {assumption}")
    say("  ort-cpu   ok")
    unusable = []
    # The model is there already: who does not want to wait for a slow GPU may end this.
    for trial in dry_run(manifest, lambda backend: say(f"  {backend:9} is tried, which may take minutes")):
        if trial.usable:
            say(f"  {trial.backend:9} {trial.verdict}")
        else:
            unusable.append(trial.backend)
    if unusable:
        say(f"  not usable on this machine (`twinlens doctor` says why): {', '.join(unusable)}")
    say(f"choose it with --model {manifest.name}, or in the window")
