"""What can be refused before any work: wishes that contradict each other, and outputs that have nowhere to go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pipelines.atomic import check_writable
from pipelines.errors import ConfigError, ExportError
from pipelines.export import LAYER_TASK, LAYERS, PICTURE_SUFFIXES
from pipelines.offline.collisions import Series, check_apart
from pipelines.offline.formats import FORMATS, SEQUENCE_SUFFIX, is_sequence, numbered, video_format
from pipelines.offline.jobs import Job, Request
from pipelines.offline.layers import FRAME_FILE, layer_file
from pipelines.offline.place import Place
from pipelines.offline.results_file import SUFFIXES as RESULTS_SUFFIXES
from pipelines.offline.sequence import check_sequence, picture_names
from pipelines.sources.paths import is_folder


def check_options(request: Request) -> None:
    """Refuse options that contradict each other.

    Raises
    ------
    ConfigError
        If some do: wrong usage.
    """
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


def check_suffix(out: Path, still: bool, request: Request) -> None:
    """Refuse a suffix that stands for nothing, and wishes that what it stands for cannot fulfil.

    Raises
    ------
    ConfigError
        If there is something to refuse.
    """
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


def check_outputs(request: Request, jobs: Sequence[Job]) -> None:
    """Refuse outputs that exist (unless they may be replaced, or are those of a run to be resumed) or have no place.

    Raises
    ------
    ExportError
        If there is such an output, or one is a file that the run reads.
    ConfigError
        If two outputs have the same place.
    """
    taken = request.overwrite or request.resume
    way_out = ", --resume goes on with the run that broke off" if not taken and _broke_off(request, jobs) else ""
    single = [job.output for job in jobs if job.output is not None and not job.is_sequence]
    single += [path for path in (request.results, request.report) if path is not None]
    series = [numbered_files for job in jobs for numbered_files in _series(job)]
    check_apart([job.input for job in jobs], single, series, request.also_read)
    # Folders that this run makes itself are not missing.
    made = {job.output.parent for job in jobs if job.output is not None and job.output != request.out}
    for job in jobs:
        if job.output is not None:
            if job.is_sequence:
                check_sequence(job.output, taken, way_out)  # its folder is made
            elif is_folder(job.output.parent) or job.output.parent not in made:
                check_writable(job.output, taken, way_out)
        for layer in job.layers:
            _check_layer(job, layer, way_out)
    if request.results is not None:
        check_writable(request.results, taken, way_out)
    if request.report is not None:
        check_writable(request.report, taken, way_out)


def _broke_off(request: Request, jobs: Sequence[Job]) -> bool:
    """Whether an earlier run has left unfinished work of any of the jobs."""
    return any(Place(job, request.results).is_begun for job in jobs if job.writes_files or request.results is not None)


def _series(job: Job) -> Iterator[Series]:
    """Yield the numbered files that a job writes."""
    if job.is_sequence and job.output is not None:
        yield Series(job.output.parent, picture_names(job.output), numbered(job.output, 0).name)
    if job.layers_dir is not None:
        for layer in job.layers:
            yield Series(job.layers_dir / layer, FRAME_FILE, layer_file(layer, 0))


def _check_layer(job: Job, layer: str, way_out: str) -> None:
    if job.layers_dir is None or job.overwrite or job.resume:
        return
    folder = job.layers_dir / layer
    if is_folder(folder) and any(folder.iterdir()):
        raise ExportError(f"{folder} holds files already (--overwrite replaces them{way_out})")
