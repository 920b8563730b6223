"""Which frames of a source a job takes, and how many there should be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipelines.errors import SourceError
from pipelines.frame import Frame
from pipelines.offline.jobs import Job
from pipelines.offline.words import counted
from pipelines.sources import Source, SourceInfo
from pipelines.sources.marks import Mark, MarkedSource

SMALLEST_SIDE = 8
"""Pictures narrower than this hold nothing to find."""


@dataclass(slots=True)
class ReadState:
    """What is known of the reading of a source; filled while it goes on.

    Parameters
    ----------
    info : SourceInfo or None
        None until it is open.
    frames : int
        Frames taken so far.
    read : int
        Frames read so far, those before the start included.
    damage : str
        Why reading ended before the end of the file; "" when it did not.
    mark : Mark or None
        Where the frames that were read already end; None where they have to be counted.
    """

    info: SourceInfo | None = None
    frames: int = 0
    read: int = 0
    damage: str = ""
    mark: Mark | None = None

    def expected(self, job: Job) -> int | None:
        """Return about how many frames the job takes, None where the file does not tell."""
        info = self.info
        if info is None:
            return None
        total = info.frame_count
        if total is None and info.duration_s is not None and info.fps is not None:
            total = round(info.duration_s * info.fps)
        if (job.start_s is not None or job.end_s is not None) and info.fps is not None:
            start, end = job.start_s or 0.0, job.end_s if job.end_s is not None else math.inf
            first = math.ceil(start * info.fps)
            if total is not None:
                total = max(0, min(total, math.ceil(end * info.fps) if end < math.inf else total) - first)
            elif end < math.inf:
                total = math.ceil(end * info.fps) - first
        if job.max_frames is not None:
            total = job.max_frames if total is None else min(total, job.max_frames)
        return total


def selected_frames(
    source: Source, job: Job, state: ReadState, passed_over: Callable[[], None] = lambda: None
) -> Iterator[Frame]:
    """Open `source`, yield the frames that the job takes, and close it.

    A file that breaks off after its first frame ends the iteration with `state.damage` set, for what could be read is
    worth keeping.

    Parameters
    ----------
    source : Source
        Where the frames come from.
    job : Job
        Which of them it takes.
    state : ReadState
        Is kept up to date. Frames that it counts as read already are passed over: the source goes behind its mark,
        or, where that cannot be found for sure, they are read again.
    passed_over : callable
        Called after each frame that is read and not yielded; what it raises ends the iteration.

    Raises
    ------
    SourceError
        If it cannot be opened, its picture is too small, or not one frame can be read.
    """
    try:
        info = source.open()
        if min(info.size_wh) < SMALLEST_SIDE:
            width, height = info.size_wh
            side = SMALLEST_SIDE
            raise SourceError(f"{job.input}: {width}x{height} pixels are too few (at least {side}x{side})")
        state.info = info
        skip = state.read
        state.read = skip if skip and _goes_behind(source, state.mark, passed_over) else 0
        while state.read < skip and source.read() is not None:
            state.read += 1
            passed_over()
        if state.read < skip:
            raise SourceError(f"{job.input}: {skip} frames were read before, now only {state.read}")
        frame: Frame | None = None
        while job.max_frames is None or state.frames < job.max_frames:
            frame = _read(source, state)
            if frame is None or (job.end_s is not None and frame.timestamp_s >= job.end_s):
                break
            state.read += 1
            if job.start_s is None or frame.timestamp_s >= job.start_s:
                state.frames += 1
                yield frame
            else:
                passed_over()
        if state.frames == 0:
            raise SourceError(_nothing(job, state, ended=frame is None))
    finally:
        source.close()


def _goes_behind(source: Source, mark: Mark | None, passed_over: Callable[[], None]) -> bool:
    def is_cancelled() -> bool:
        passed_over()
        return False

    return mark is not None and isinstance(source, MarkedSource) and source.go_behind(mark, is_cancelled)


def _read(source: Source, state: ReadState) -> Frame | None:
    try:
        frame = source.read()
    except SourceError as error:
        if state.read == 0:
            raise
        state.damage = str(error)
        return None
    if frame is None:
        # Not part of `Source`: only files can be shorter than they claim.
        state.damage = getattr(source, "truncated", "")
    return frame


def _nothing(job: Job, state: ReadState, ended: bool) -> str:
    if ended and state.read == 0:
        return f"{job.input} holds no picture that can be decoded" + (f" ({state.damage})" if state.damage else "")
    if ended:
        return f"{job.input}: none of its {counted(state.read, 'frame')} lies in the chosen time"
    return f"{job.input}: no frame lies between {job.start_s or 0.0:g} s and {job.end_s or 0.0:g} s"
