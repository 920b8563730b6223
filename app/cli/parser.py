"""Options before a command: `twinlens --tasks face process clip.mp4` means the tasks of `process`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, Final

_AHEAD: Final = "ahead of the command: "
"""Begins the name under which an option before the command is kept, apart from the command's own of that name."""


class CommandParser(argparse.ArgumentParser):
    """The parser of one command; knows by what names its options end up in the namespace."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.option_names: set[str] = set()
        super().__init__(*args, **options)

    def add_argument(self, *args: Any, **options: Any) -> argparse.Action:
        """Add an argument, and note what it is called if it is an option."""
        action = super().add_argument(*args, **options)
        if action.option_strings:
            self.option_names.add(action.dest)
        return action


class ProgramParser(argparse.ArgumentParser):
    """The parser of the program: options of the window, then perhaps a command.

    Options of the window that stand before a command are the command's own where it has them too, as if they stood
    behind it; the others are told of on stderr, also where their value is the usual one. What of them is not given
    needs a value in `set_defaults`. Each command sets `parser` to its own, a `CommandParser`.
    """

    def add_argument(self, *args: Any, **options: Any) -> argparse.Action:
        """Add an option of the window."""
        action = super().add_argument(*args, **options)
        if action.option_strings:
            # Not in the namespace unless it is given: its value alone would not tell.
            action.dest, action.default = _AHEAD + action.dest, argparse.SUPPRESS
        return action

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Read a command line; ends the process when it is wrong."""
        found, rest = super().parse_known_args(args, namespace)
        ahead, command = _split(found)
        if command is None:
            for name, value in ahead.items():
                setattr(found, name, value)
            return found, rest
        own = {name: value for name, value in ahead.items() if name in command.option_names}
        if own:
            command.set_defaults(**own)
            found, rest = super().parse_known_args(args, namespace)
            _split(found)
        for name in ahead:
            if name not in own:
                option, word = f"--{name.replace('_', '-')}", command.prog.split()[-1]
                sys.stderr.write(f"twinlens: {option} does nothing here: it is for the window, not for {word}\n")
        return found, rest


def _split(found: argparse.Namespace) -> tuple[dict[str, Any], CommandParser | None]:
    """Take out of what was found the options before the command, and the command's parser."""
    values = vars(found)
    ahead = {name.removeprefix(_AHEAD): values.pop(name) for name in list(values) if name.startswith(_AHEAD)}
    return ahead, values.pop("parser", None)
