"""Entry point of the `twinlens` command."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn, TypeVar

from app.cli.loading import EXIT_INTERRUPTED, INTERRUPTED, ending_like_ctrl_c, leaving_at_once

with leaving_at_once():
    from app.cli.base import COMMANDS, add_pipeline_options
    from app.cli.streams import complaint, lasting_streams, one_line
    from models.errors import VisionError
    from pipelines.atomic import reason_of
    from pipelines.machine import APP

EXIT_FAILED = 1
Parser = TypeVar("Parser", bound=argparse.ArgumentParser)


class _NotForTheWindow(Exception):
    """The command line asks for more than the window."""


class _WindowParser(argparse.ArgumentParser):
    """Knows the options of the window and no command."""

    def error(self, message: str) -> NoReturn:
        raise _NotForTheWindow(message)


def parse_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line; ends the process when it is wrong, or asks for help or the version.

    Where nothing but the window is asked for, the commands are not even imported: it opens the sooner for it.
    """
    try:
        args = _with_options(_WindowParser(add_help=False)).parse_args(argv)
    except _NotForTheWindow:
        args = build_parser().parse_args(argv)
    if args.command is None and args.compare is not None and args.pipeline is not None:
        build_parser().error("--compare names both pipelines: leave out --pipeline")
    return args


def build_parser() -> argparse.ArgumentParser:
    """Return the parser for `twinlens` and all its commands."""
    from app.cli.parser import CommandParser, ProgramParser  # the window needs no commands to open

    parser = _with_options(
        ProgramParser(
            prog="twinlens",
            description="Face landmarks, person segmentation and depth on this machine, CPU against GPU. "
            "Without a command the window opens.",
        )
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=CommandParser)
    for name, command_class in COMMANDS:
        command = command_class()
        sub = commands.add_parser(name, help=command.help, description=command.help)
        sub.add_argument("--debug", action="store_true", help="show the traceback of an error")
        command.configure(sub)
        sub.set_defaults(command=command, parser=sub)
    return parser


def _with_options(parser: Parser) -> Parser:
    """Add the options of the window."""
    parser.add_argument("--version", action="version", version=APP)
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    parser.add_argument("--source", metavar="SRC", help="camera, camera:N, camera:NAME, a file, a folder, a URL, demo")
    add_pipeline_options(parser)
    parser.add_argument(
        "--compare",
        type=_pipeline_pair,
        metavar="A,B",
        help="compare two pipelines on the same pictures, A left of a divider and B right of it (key C changes how)",
    )
    # None: the window goes on with what it remembers.
    remembered = dict.fromkeys(("source", "tasks", "pipeline", "max_faces", "compare"))
    parser.set_defaults(command=None, debug=False, model=[], **remembered)
    return parser


def _pipeline_pair(text: str) -> tuple[str, str]:
    from app.cli.values import pipeline_pair  # it imports what the window does not need to open

    return pipeline_pair(text)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    with lasting_streams() as out:
        try:
            status = _run(argv)
        except SystemExit as leaving:  # help, version, or wrong usage, which has the last word
            out.flush()
            if leaving.code or not complaint(out):
                raise
            status = 0
        out.flush()
        missing = complaint(out)
        if missing:
            sys.stderr.write(f"twinlens: {missing}\n")
        return status or (EXIT_FAILED if missing else 0)


def _run(argv: Sequence[str] | None) -> int:
    debug = False
    try:
        with leaving_at_once():
            args = parse_arguments(argv)
        debug = args.debug
        if args.command is None:
            from app.window import run_window

            return run_window(args)
        with ending_like_ctrl_c():
            return int(args.command.run(args))
    except VisionError as error:
        if debug:
            traceback.print_exc()
        sys.stderr.write(f"twinlens: {one_line(str(error))}\n")
        return EXIT_FAILED
    except OSError as error:
        # Of a file or folder, whichever part of the program met it first, it tells enough: it is none of ours.
        if debug or error.filename is None:
            raise
        sys.stderr.write(f"twinlens: {one_line(f'{error.filename}: {reason_of(error)}')}\n")
        return EXIT_FAILED
    except KeyboardInterrupt:
        sys.stderr.write(INTERRUPTED)
        return EXIT_INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
