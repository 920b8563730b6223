"""Outputs that would take the place of a file that the run reads, or of one another: `--overwrite` means neither."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import ConfigError, ExportError


@dataclass(frozen=True, slots=True)
class Series:
    """Numbered files in a folder. A run replaces those of an earlier one, also where it writes fewer.

    Parameters
    ----------
    folder : Path
        Where they are.
    name : re.Pattern
        Matches their names.
    first : str
        Name of one of them.
    """

    folder: Path
    name: re.Pattern[str]
    first: str

    def takes(self, path: Path) -> bool:
        """Whether a file is one of them, by its name."""
        return self.name.fullmatch(path.name) is not None and _same_folder(path.parent, self.folder)

    def meets(self, other: Series) -> bool:
        """Whether both stand for the same files."""
        return self.takes(other.folder / other.first) or other.takes(self.folder / self.first)


def check_apart(
    inputs: Sequence[Path], outputs: Sequence[Path], series: Sequence[Series] = (), also_read: Sequence[Path] = ()
) -> None:
    """Refuse outputs that would replace what is read, or each other.

    Parameters
    ----------
    inputs : sequence of Path
        Files that are processed.
    outputs : sequence of Path
        Files that are written.
    series : sequence of Series
        Numbered files that are written.
    also_read : sequence of Path
        What else is read, such as a picture for the background.

    Raises
    ------
    ExportError
        If an output is a file that is read, under whatever name: links are followed.
    ConfigError
        If two outputs have the same place.
    """
    own, others = _identities(inputs), _identities(also_read)
    for output in outputs:
        identity = _identity(output)
        if identity in own:
            raise ExportError(f"{output} is the input itself: choose another name for the output")
        if identity in others:
            raise ExportError(f"{output} is read by this run: choose another name for the output")
    for numbered in series:
        for path in (*inputs, *also_read):
            if numbered.takes(path):
                raise ExportError(f"{path} is read by this run and named like what it writes: choose another folder")
    places: set[tuple[str, str]] = set()
    for output in outputs:
        place = (_folder_key(output.parent), os.path.normcase(output.name))
        if place in places or any(numbered.takes(output) for numbered in series):
            raise ConfigError(f"{output} is named for two outputs: give each a name of its own")
        places.add(place)
    for index, numbered in enumerate(series):
        for other in series[:index]:
            if numbered.meets(other):
                raise ConfigError(f"{numbered.folder} is named for two outputs: give each a folder of its own")


def _identities(paths: Iterable[Path]) -> set[object]:
    return {identity for path in paths if (identity := _identity(path)) is not None}


def _identity(path: Path) -> object:
    """Return what two names of the same file have in common, None where there is no such file."""
    try:
        facts = path.stat()
    except (OSError, ValueError):
        return None
    return (facts.st_dev, facts.st_ino) if facts.st_ino else _folder_key(path)


def _folder_key(folder: Path) -> str:
    return os.path.normcase(os.path.realpath(folder))


def _same_folder(one: Path, other: Path) -> bool:
    return one == other or _folder_key(one) == _folder_key(other)
