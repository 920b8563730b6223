"""One file from end to end: complete outputs or none, and work that a later run can go on with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pipelines.atomic import check_writable, publish
from pipelines.errors import ExportError
from pipelines.offline.finished import written
from pipelines.offline.formats import video_format
from pipelines.offline.identity import identify
from pipelines.offline.jobs import Job
from pipelines.offline.layers import LayerFolder, make_folders, remove_empty
from pipelines.offline.place import Place, holds_files
from pipelines.offline.preflight import sound_tracks
from pipelines.offline.sequence import PictureSequence, check_sequence
from pipelines.offline.stages import Stages
from pipelines.offline.tools import Draw, Rows, Tick, Tools
from pipelines.offline.words import counted
from pipelines.offline.work import Work
from pipelines.sources.base import SourceInfo
from pipelines.sources.paths import check_file

__all__ = ["Draw", "JobReport", "Rows", "Tick", "Tools", "already_done", "run_job"]


@dataclass(frozen=True, slots=True)
class JobReport:
    """What became of a job.

    Parameters
    ----------
    job : Job
        The job.
    frames : int or None
        Frames read, analysed and written; None where an earlier run did that and nothing tells how many they were.
    duration_s : float or None
        Length of the video written, in seconds, 0 where none was; None where an earlier run wrote it and it does not
        tell.
    work_s : float
        Time it took.
    damage : str
        One sentence where the input broke off and what could be read was kept; else "".
    notices : tuple of str
        Things the user should know, one sentence each.
    preflight : str
        What the input is.
    resumed : int or None
        How many of the frames an earlier run had done; None as for `frames`.
    was_done : bool
        An earlier run had finished it: nothing was left to do.
    rows : Path or None
        Where the rows for the results file are; the work folder that holds them stays until they are taken.
    """

    job: Job
    frames: int | None
    duration_s: float | None
    work_s: float
    damage: str = ""
    notices: tuple[str, ...] = ()
    preflight: str = ""
    resumed: int | None = 0
    was_done: bool = False
    rows: Path | None = None


def already_done(job: Job) -> JobReport:
    """Return the report of a job that an earlier run has finished, as its outputs tell it."""
    frames, duration_s = written(job)
    return JobReport(job, frames, duration_s, 0.0, resumed=frames, was_done=True)


def _no_preflight(job: Job, preflight: str) -> None:
    """Take no notice of what the input is."""


def run_job(
    job: Job, tools: Tools, rows: Rows | None, tick: Tick, opened: Callable[[Job, str], None] = _no_preflight
) -> JobReport:
    """Process one file.

    Parameters
    ----------
    job : Job
        What to do.
    tools : Tools
        Models, drawing and the cancel event.
    rows : Rows or None
        How the rows of the results file are written; where, the report tells.
    tick : callable
        Called a few times a second.
    opened : callable
        Gets the job and one line on its input, as soon as that is open.

    Raises
    ------
    VisionError
        If it failed. Nothing is left under any final name, and finished segments only if the job may be resumed.
    Cancelled
        If it was called off; likewise.
    """
    start = time.perf_counter()
    if not job.source:
        check_file(job.input)
    results = rows.final if rows is not None else None
    place = Place(job, results)
    if not place.is_begun:
        if job.resume and not job.overwrite and job.writes_files and place.is_published:
            if rows is None:
                return already_done(job)
            raise ExportError(f"{job.output or job.layers_dir} exists already, but not its results (see --overwrite)")
        _check_outputs(job)
    with ExitStack() as stack:
        for folder in _folders(job):
            stack.enter_context(_made(folder))
        form = rows.final.suffix.lower() if rows is not None else ""
        identity = identify(job, tools.pipelines.config, tools.options, form)
        work = stack.enter_context(Work(job, results, identity))
        if not work.publishing and not work.done:
            _check_outputs(job)
        resumed = work.last.frames if work.last is not None else 0
        if work.done:
            work.finish(keep_rows=rows is not None)
            read = work.last.read if work.last is not None else 0
            damage = _damage(job, work.damage or "", read)
            done = replace(already_done(job), frames=resumed, resumed=resumed, damage=damage)
            return replace(done, rows=place.rows if rows is not None else None)
        pictures = layers = None
        if job.is_sequence and job.output is not None:
            pictures = PictureSequence(job.output, job.overwrite, place.pictures)
        if job.layers_dir is not None and place.layers is not None:
            layers = LayerFolder(job.layers_dir, job.layers, job.overwrite, place.layers)
        stages = Stages(job, tools, work, rows, pictures, layers)
        try:
            if work.damage is None:
                stages.run(tick, opened)
            else:
                stages.look_again(opened)
            stages.finish()
        finally:
            stages.abandon()
        _publish(job, work, pictures, layers)
        work.finish(keep_rows=rows is not None)
        return JobReport(
            job,
            stages.state.frames,
            stages.writer.duration_s if stages.writer is not None else 0.0,
            time.perf_counter() - start,
            _damage(job, stages.state.damage, stages.state.read, _frame_count(stages.state.info)),
            _notices(job, work, stages),
            stages.preflight,
            resumed,
            rows=place.rows if rows is not None else None,
        )


def _publish(job: Job, work: Work, pictures: PictureSequence | None, layers: LayerFolder | None) -> None:
    """Give the outputs their names. From here on there is only renaming."""
    again = work.publishing
    if not again:
        work.note_publishing()
    last = work.last
    moved = range(last.first, last.first + last.frames) if again and last is not None else range(0)
    if layers is not None:
        layers.commit(moved)
    if pictures is not None:
        pictures.commit(moved)
    elif job.output is not None:
        publish(work.place.video, job.output, job.overwrite)


def _check_outputs(job: Job) -> None:
    """Refuse to replace an output unasked, before any work is done for it."""
    if job.is_sequence and job.output is not None:
        check_sequence(job.output, job.overwrite)
    elif job.output is not None and job.output.parent.is_dir():
        check_writable(job.output, job.overwrite)
    if job.layers_dir is not None and not job.overwrite:
        for layer in job.layers:
            if holds_files(job.layers_dir / layer):
                raise ExportError(f"{job.layers_dir / layer} holds files already (--overwrite replaces them)")


def _folders(job: Job) -> Iterator[Path]:
    if job.output is not None:
        yield job.output.parent
    if job.layers_dir is not None and job.layers:
        yield job.layers_dir


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make the folder of an output; take it away again when the job fails and it stayed empty."""
    made = make_folders(folder)
    try:
        yield
    finally:
        remove_empty(made)


def _is_silent(job: Job) -> bool:
    """Whether sound was wanted where the output can hold none."""
    if job.still or job.source or not job.sound or job.output is None:
        return False
    kind = video_format(job.output)
    return kind is None or not kind.sound


def _frame_count(info: SourceInfo | None) -> int | None:
    """Return about how many frames a source has, None where it does not tell."""
    if info is None or info.frame_count is not None or info.duration_s is None or info.fps is None:
        return None if info is None else info.frame_count
    return round(info.duration_s * info.fps)


def _damage(job: Job, reason: str, read: int, expected: int | None = None) -> str:
    """Say what is missing of the input; "" when nothing is."""
    if not reason:
        return ""
    of = f"{read} of about " if expected is not None and expected > read else ""
    frames = counted(expected if of and expected is not None else read, "frame")
    return f"{job.input}: read {of}{frames} ({reason}); what could be read is kept"


def _notices(job: Job, work: Work, stages: Stages) -> tuple[str, ...]:
    """What the user should know about the input and what was done to it."""
    info, writer = stages.state.info, stages.writer
    notices = [work.notice] if work.notice else []
    notices += info.notices if info is not None else ()
    if writer is not None and writer.size_wh != writer.coded_wh:
        notices.append("its odd size was padded to an even one by repeating the edge, as 4:2:0 colour needs it")
    if writer is not None and writer.timeline.left_out:
        left_out = writer.timeline.left_out
        were = "was" if left_out == 1 else "were"
        notices.append(f"{counted(left_out, 'frame')} {were} left out: GIF shows a picture for 0.02 s at least")
    if _is_silent(job) and sound_tracks(job.input):
        notices.append("its sound was left out, as pictures and GIF hold none")
    if stages.resized:
        were = "was" if stages.resized == 1 else "were"
        notices.append(f"{counted(stages.resized, 'frame')} of another size {were} scaled to that of the first")
    tracks = writer.tracks.notices if writer is not None and writer.tracks is not None else []
    return (*notices, *tracks, *stages.pipeline_notices)
