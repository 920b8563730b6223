"""From what the user names to jobs: which file becomes which, and everything that can be refused before any work."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pipelines.atomic import check_writable, reason_of
from pipelines.config import TASKS
from pipelines.errors import ConfigError, ExportError, SourceError
from pipelines.export import LAYER_TASK, LAYERS, PICTURE_SUFFIXES
from pipelines.offline.formats import (
    DEFAULT_ALPHA_SUFFIX,
    DEFAULT_CRF,
    DEFAULT_SUFFIX,
    FORMATS,
    SEQUENCE_SUFFIX,
    is_sequence,
    video_format,
)
from pipelines.offline.results_file import SUFFIXES as RESULTS_SUFFIXES
from pipelines.offline.sequence import check_sequence
from pipelines.sources.images import PICTURE_SUFFIXES as STILL_SUFFIXES
from pipelines.sources.images import natural_key

MOVING_SUFFIXES: Final = frozenset(
    (
        *(".3gp", ".avi", ".flv", ".gif", ".m2ts", ".m4v", ".mjpeg", ".mjpg", ".mkv", ".mov", ".mp4", ".mpeg"),
        *(".mpg", ".mts", ".mxf", ".ogv", ".ts", ".webm", ".wmv"),
    )
)
"""Files that are taken for videos when a folder is searched. A file that is named itself may have any suffix."""
INFIX: Final = ".twinlens"
"""Marks files made here: `clip.mp4` becomes `clip.twinlens.mp4`. Folders are searched without them."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for.

    Parameters
    ----------
    inputs : tuple of Path
        Files and folders.
    out : Path or None
        Output file or folder; None to write beside the input.
    out_is_folder : bool
        The user wrote a separator at its end.
    video : bool
        Write annotated videos and pictures.
    results : Path or None
        Results file.
    layers : tuple of str
        Layers to write, of `LAYERS`.
    layers_dir : Path or None
        Where they go.
    tasks : tuple of str
        Tasks that run.
    start_s, end_s : float or None
        Only frames with start_s <= time < end_s.
    max_frames : int or None
        At most so many frames.
    overwrite : bool
        Existing outputs may be replaced.
    sound : bool
        Bring over sound and subtitles.
    crf : int or None
        Quality of videos, 1 (best) to 51; None for the usual one.
    alpha : bool
        The background is transparent.
    """

    inputs: tuple[Path, ...]
    out: Path | None = None
    out_is_folder: bool = False
    video: bool = True
    results: Path | None = None
    layers: tuple[str, ...] = ()
    layers_dir: Path | None = None
    tasks: tuple[str, ...] = TASKS
    start_s: float | None = None
    end_s: float | None = None
    max_frames: int | None = None
    overwrite: bool = False
    sound: bool = True
    crf: int | None = None
    alpha: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """One input and what becomes of it.

    Parameters
    ----------
    input : Path
        File to read.
    still : bool
        It is one picture.
    output : Path or None
        Annotated video or picture; for a video also a pattern such as `out/%06d.png` for numbered pictures.
    layers : tuple of str
        Layers to write.
    layers_dir : Path or None
        Folder that gets one folder for each layer.
    start_s, end_s, max_frames
        As in `Request`.
    overwrite : bool
        Existing outputs may be replaced.
    sound : bool
        Bring over sound and subtitles.
    crf : int
        Quality of videos, 1 (best) to 51.
    alpha : bool
        The pictures are transparent.
    source : str
        What to read where it is no file, such as "demo"; `input` is then its name only.
    """

    input: Path
    still: bool = False
    output: Path | None = None
    layers: tuple[str, ...] = ()
    layers_dir: Path | None = None
    start_s: float | None = None
    end_s: float | None = None
    max_frames: int | None = None
    overwrite: bool = False
    sound: bool = True
    crf: int = DEFAULT_CRF
    alpha: bool = False
    source: str = ""


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
    _check_options(request)
    named = _expand(request.inputs)
    many = len(named) > 1 or request.inputs[0].is_dir()
    outputs = _outputs(request, named, many)
    jobs = tuple(
        Job(
            input=path,
            still=is_still(path),
            output=output,
            layers=request.layers,
            layers_dir=_layers_dir(request, path, many),
            start_s=request.start_s,
            end_s=request.end_s,
            max_frames=request.max_frames,
            overwrite=request.overwrite,
            sound=request.sound,
            crf=request.crf if request.crf is not None else DEFAULT_CRF,
            alpha=request.alpha,
        )
        for path, output in zip(named, outputs, strict=True)
    )
    _check_outputs(request, jobs)
    return jobs


def is_still(path: Path) -> bool:
    """Whether a file is one picture, by its suffix."""
    return path.suffix.lower() in STILL_SUFFIXES


def _check_options(request: Request) -> None:
    if not request.video and request.out is not None:
        raise ConfigError("--no-video writes no video: -o has no meaning with it")
    if not request.video and request.results is None and not request.layers:
        raise ConfigError("nothing to write: --no-video needs --results or --layers")
    if bool(request.layers) != (request.layers_dir is not None):
        raise ConfigError("--layers and --layers-dir belong together")
    for layer in request.layers:
        if layer not in LAYERS:
            raise ConfigError(f"unknown layer {layer!r} (choose from {', '.join(LAYERS)})")
        task = LAYER_TASK.get(layer)
        if task is not None and task not in request.tasks:
            raise ConfigError(f"the layer {layer} needs the task {task}")
    if request.results is not None and request.results.suffix.lower() not in RESULTS_SUFFIXES:
        raise ConfigError(f"{request.results}: results are written as {' or '.join(RESULTS_SUFFIXES)}")
    if request.alpha and not request.video:
        raise ConfigError("--no-video writes no picture that --alpha could make transparent")
    if request.alpha and "segmentation" not in request.tasks:
        raise ConfigError("--alpha needs the task segmentation")
    start, end = request.start_s or 0.0, request.end_s
    if end is not None and end <= start:
        raise ConfigError(f"--end ({end:g} s) must come after --start ({start:g} s)")


def _expand(inputs: Sequence[Path]) -> list[Path]:
    """Replace folders by the files in them; every file once, in the order given."""
    files: dict[Path, None] = {}
    for path in inputs:
        if path.is_dir():
            files.update(dict.fromkeys(_folder_files(path)))
        elif not path.exists() and any(mark in str(path) for mark in "*?["):
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


def _folder_files(folder: Path) -> list[Path]:
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
        if out is not None and out.suffix.lower() in (*FORMATS, *PICTURE_SUFFIXES) and not out.is_dir():
            raise ConfigError(f"{out}: several inputs need a folder to go to")
        folder = out
        if folder is None and request.inputs[0].is_dir() and len(request.inputs) == 1:
            source = request.inputs[0].absolute()
            folder = source.with_name(source.name + INFIX)
        return list(_names_in(folder, inputs, request.alpha))
    (path,) = inputs
    if out is None or request.out_is_folder or out.is_dir():
        return list(_names_in(out, inputs, request.alpha))
    _check_suffix(out, is_still(path), request)
    return [out]


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


def _check_suffix(out: Path, still: bool, request: Request) -> None:
    """Refuse a suffix that stands for nothing, and wishes that what it stands for cannot fulfil."""
    suffix = out.suffix.lower()
    if still:
        if suffix not in PICTURE_SUFFIXES:
            raise ConfigError(f"{out}: a picture is written as {', '.join(PICTURE_SUFFIXES)}, or into a folder")
        if request.alpha and suffix != SEQUENCE_SUFFIX:
            raise ConfigError(f"{out}: JPEG holds no transparency (write .png)")
        return
    kind = video_format(out)
    if kind is None and not is_sequence(out):
        choices = f"{', '.join(FORMATS)}, numbered pictures (%06d.png), or into a folder"
        raise ConfigError(f"{out}: a video is written as {choices}")
    try:
        coding = kind.coding_for(request.alpha) if kind is not None else None
    except ConfigError as error:
        raise ConfigError(f"{out}: {error}") from None
    if request.crf is not None and (coding is None or not coding.worst):
        raise ConfigError(f"{out}: --crf has no meaning for what it is written as, which has no such scale")


def _layers_dir(request: Request, path: Path, many: bool) -> Path | None:
    if request.layers_dir is None or not many:
        return request.layers_dir
    return request.layers_dir / path.name


def _check_outputs(request: Request, jobs: Sequence[Job]) -> None:
    # Folders that this run makes itself are not missing.
    made = {job.output.parent for job in jobs if job.output is not None and job.output != request.out}
    for job in jobs:
        if job.output is not None:
            _check_not_input(job.output, jobs)
            if not job.still and is_sequence(job.output):
                check_sequence(job.output, request.overwrite)  # its folder is made
            elif job.output.parent.is_dir() or job.output.parent not in made:
                check_writable(job.output, request.overwrite)
        for layer in job.layers:
            _check_layer(job, layer)
    if request.results is not None:
        _check_not_input(request.results, jobs)
        check_writable(request.results, request.overwrite)


def _check_not_input(output: Path, jobs: Sequence[Job]) -> None:
    """Refuse to write over an input, under whatever name: links are followed, `--overwrite` does not help."""
    for job in jobs:
        if output.exists() and job.input.exists() and output.samefile(job.input):
            raise ExportError(f"{output} is the input itself: choose another name for the output")


def _check_layer(job: Job, layer: str) -> None:
    if job.layers_dir is None or job.overwrite:
        return
    folder = job.layers_dir / layer
    if folder.is_dir() and any(folder.iterdir()):
        raise ExportError(f"{folder} holds files already (--overwrite replaces them)")
