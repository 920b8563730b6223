"""From what the user names to jobs: which file becomes which, and everything that can be refused before any work."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pipelines.atomic import reason_of
from pipelines.errors import ConfigError, ExportError, SourceError
from pipelines.export import PICTURE_SUFFIXES
from pipelines.offline.checks import check_options, check_outputs, check_suffix
from pipelines.offline.formats import (
    DEFAULT_ALPHA_SUFFIX,
    DEFAULT_CRF,
    DEFAULT_SUFFIX,
    FORMATS,
    SEQUENCE_SUFFIX,
    is_sequence,
    numbered,
)
from pipelines.offline.jobs import Job, Request
from pipelines.sources.images import PICTURE_SUFFIXES as STILL_SUFFIXES
from pipelines.sources.images import natural_key
from pipelines.sources.paths import is_folder

MOVING_SUFFIXES: Final = frozenset(
    (
        *(".3gp", ".avi", ".flv", ".gif", ".m2ts", ".m4v", ".mjpeg", ".mjpg", ".mkv", ".mov", ".mp4", ".mpeg"),
        *(".mpg", ".mts", ".mxf", ".ogv", ".ts", ".webm", ".wmv"),
    )
)
"""Files that are taken for videos when a folder is searched. A file that is named itself may have any suffix."""
INFIX: Final = ".twinlens"
"""Marks files made here: `clip.mp4` becomes `clip.twinlens.mp4`. Folders are searched without them."""


def make_plan(request: Request) -> tuple[Job, ...]:
    """Turn a request into jobs.

    Raises
    ------
    ConfigError
        If options contradict each other: wrong usage.
    SourceError
        If a folder cannot be read or holds nothing to process. Files are not opened yet: one bad file among many must
        not keep the others from being processed.
    ExportError
        If an output exists, would replace an input, or has nowhere to go.
    """
    check_options(request)
    named = _expand(request.inputs)
    many = len(named) > 1 or is_folder(request.inputs[0])
    outputs = _outputs(request, named, many)
    jobs = tuple(
        Job(
            input=path,
            still=is_still(path),
            output=output,
            layers=request.layers,
            layers_dir=_layers_dir(request, path, many),
            # Pictures have no time: they are in a folder of videos of which a part is wanted.
            start_s=None if is_still(path) else request.start_s,
            end_s=None if is_still(path) else request.end_s,
            max_frames=None if is_still(path) else request.max_frames,
            overwrite=request.overwrite,
            sound=request.sound,
            crf=request.crf if request.crf is not None else DEFAULT_CRF,
            alpha=request.alpha,
            resume=request.resume,
        )
        for path, output in zip(named, outputs, strict=True)
    )
    check_outputs(request, jobs)
    return jobs


def is_still(path: Path) -> bool:
    """Whether a file is one picture, by its suffix."""
    return path.suffix.lower() in STILL_SUFFIXES


def _expand(inputs: Sequence[Path]) -> list[Path]:
    """Replace folders by the files in them; every file once, in the order given."""
    files: dict[Path, None] = {}
    for path in inputs:
        if is_folder(path):
            files.update(dict.fromkeys(folder_files(path)))
        elif not os.path.lexists(path) and any(mark in str(path) for mark in "*?["):
            files.update(dict.fromkeys(_matches(path)))
        else:
            files[path] = None
    return list(files)


def _matches(pattern: Path) -> list[Path]:
    """Files that a pattern stands for: some shells leave that to the program."""
    found = [Path(name) for name in sorted(glob.glob(str(pattern)))]  # noqa: PTH207 - Path.glob takes no absolute pattern
    files = [path for path in found if path.is_file() and not path.stem.endswith(INFIX)]
    if not files:
        raise SourceError(f"{pattern}: there is no such file or folder")
    return files


def folder_files(folder: Path) -> list[Path]:
    """Return the videos and pictures in a folder, in natural order; none that were made here.

    Raises
    ------
    SourceError
        If it cannot be read or holds none.
    """
    try:
        entries = sorted(folder.iterdir(), key=natural_key)
    except OSError as error:
        raise SourceError(f"{folder} cannot be read: {reason_of(error)}") from error
    suffixes = STILL_SUFFIXES | MOVING_SUFFIXES
    files = [
        entry
        for entry in entries
        if entry.suffix.lower() in suffixes
        and not entry.name.startswith(".")
        and not entry.stem.endswith(INFIX)
        and entry.is_file()
    ]
    if not files:
        raise SourceError(f"{folder} holds no video and no picture")
    return files


def _outputs(request: Request, inputs: Sequence[Path], many: bool) -> list[Path | None]:
    if not request.video:
        return [None] * len(inputs)
    out = request.out
    if many:
        if out is not None and out.suffix.lower() in (*FORMATS, *PICTURE_SUFFIXES) and not is_folder(out):
            raise ConfigError(f"{out}: several inputs need a folder to go to")
        folder = out
        if folder is None and is_folder(request.inputs[0]) and len(request.inputs) == 1:
            source = request.inputs[0].absolute()
            folder = source.with_name(source.name + INFIX)
        return list(_names_in(folder, inputs, request.alpha))
    (path,) = inputs
    if out is None or request.out_is_folder or is_folder(out):
        return list(_names_in(out, inputs, request.alpha))
    check_suffix(out, is_still(path), request)
    # A picture is frame 0 of itself.
    return [numbered(out, 0) if is_still(path) and is_sequence(out) else out]


def _names_in(folder: Path | None, inputs: Sequence[Path], alpha: bool) -> list[Path]:
    """Name the output of each input; two inputs that differ in the suffix only keep it in the name."""
    stems = Counter((folder or path.parent, path.stem) for path in inputs)
    named = []
    for path in inputs:
        parent = folder or path.parent
        stem = path.stem if stems[parent, path.stem] == 1 else path.name
        named.append(parent / f"{stem}{INFIX}{_default_suffix(path, alpha)}")
    doubled = [path for path, count in Counter(named).items() if count > 1]
    if doubled:
        raise ExportError(f"two inputs would both be written to {doubled[0]}: process them one folder at a time")
    return named


def _default_suffix(path: Path, alpha: bool) -> str:
    """Return what a file is written as where the user names no suffix."""
    if not is_still(path):
        return DEFAULT_ALPHA_SUFFIX if alpha else DEFAULT_SUFFIX
    suffix = path.suffix.lower()
    return suffix if suffix in PICTURE_SUFFIXES and not alpha else SEQUENCE_SUFFIX


def _layers_dir(request: Request, path: Path, many: bool) -> Path | None:
    if request.layers_dir is None or not many:
        return request.layers_dir
    return request.layers_dir / path.name
