"""What a command is, and the options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from models.manifest import load_manifest
from models.registry import Registry
from pipelines.config import TASKS
from pipelines.errors import ConfigError


class Command(Protocol):
    """One subcommand of `twinlens`."""

    help: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own options."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do the work and return the exit status.

        Raises
        ------
        VisionError
            If the work failed; its sentence is shown and the exit status is 1.
        """
        ...


DEFAULT_FACES: Final = 2
DEFAULT_PIPELINE: Final = "auto"
MOST_FACES: Final = 100

COMMANDS: Registry[type[Command]] = Registry("command", "app.cli")


def task_list(text: str) -> tuple[str, ...]:
    """Parse "face,depth" into task names, in the order of `TASKS`.

    Raises
    ------
    argparse.ArgumentTypeError
        If a name is unknown or none is given.
    """
    return names_of(text, TASKS, "task")


def names_of(text: str, known: Sequence[str], what: str) -> tuple[str, ...]:
    """Parse a list of names separated by commas; return them in the order of `known`, each once.

    Raises
    ------
    argparse.ArgumentTypeError
        If one is unknown or none is given; `what` is one of them called there.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        wrong = f"unknown {what} {unknown[0]!r}" if unknown else f"no {what} named"
        raise argparse.ArgumentTypeError(f"{wrong} (choose from {', '.join(known)})")
    return tuple(name for name in known if name in names)


def whole_number(most: int | None = None) -> Callable[[str], int]:
    """Return what parses a whole number from 1 to `most`, or from 1.

    The function it returns raises `argparse.ArgumentTypeError` for any other text.
    """

    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < 1 or (most is not None and int(text) > most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1" + (f" to {most}" if most else ""))
        return int(text)

    return parse


def add_model_option(parser: argparse.ArgumentParser) -> None:
    """Add --model."""
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME",
        help="use this model instead of the usual one of its kind (`twinlens models list`); may be given several times",
    )


def chosen_models(names: Sequence[str]) -> dict[str, str]:
    """Return the models named with --model by role.

    Raises
    ------
    ModelError
        If there is no such model, or its manifest is broken.
    ConfigError
        If two are for the same role.
    """
    chosen: dict[str, str] = {}
    for name in names:
        role = load_manifest(name).role
        if chosen.setdefault(role, name) != name:
            raise ConfigError(f"the models {chosen[role]} and {name} are both for {role}: choose one")
    return chosen


def add_pipeline_options(parser: argparse.ArgumentParser) -> None:
    """Add --tasks, --pipeline, --model and --max-faces. A pipeline or number of faces that is not given is None."""
    parser.add_argument(
        "--tasks",
        type=task_list,
        default=TASKS,
        metavar="LIST",
        help="what to look for, separated by commas: " + ", ".join(TASKS) + " (default: all)",
    )
    parser.add_argument(
        "--pipeline",
        metavar="P",
        help="auto, cpu, gpu or the name of a backend; by task as in face=ort-cpu,depth=gpu. auto takes for "
        "each task what was fastest when `twinlens doctor` tried it, ort-cpu where nothing was tried (default: auto)",
    )
    add_model_option(parser)
    parser.add_argument(
        "--max-faces",
        type=whole_number(MOST_FACES),
        metavar="N",
        help=f"look for at most N faces (default: {DEFAULT_FACES})",
    )
