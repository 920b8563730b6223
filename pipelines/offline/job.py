"""One file: read, analyse, draw and encode at the same time, in order, every frame."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipelines.atomic import PartFile, reason_of
from pipelines.config import RunningMode
from pipelines.errors import ExportError, SourceError
from pipelines.export import encode_layer, encode_picture
from pipelines.frame import Frame
from pipelines.offline.crew import Crew, Fifo
from pipelines.offline.formats import is_sequence, video_format
from pipelines.offline.jobs import Job
from pipelines.offline.layers import LayerFolder, make_folders, remove_empty
from pipelines.offline.pool import Analyser, Analysers
from pipelines.offline.preflight import preflight, sound_tracks
from pipelines.offline.results_file import Json, open_results
from pipelines.offline.selection import ReadState, selected_frames
from pipelines.offline.sequence import PictureSequence
from pipelines.offline.verify import check_alpha, check_video
from pipelines.offline.writer import VideoWriter
from pipelines.pipeline import FrameResult
from pipelines.sources import make_source

Draw = Callable[[FrameResult], NDArray[np.uint8]]
Picture = tuple[NDArray[np.uint8], Frame]


@dataclass(frozen=True, slots=True)
class JobReport:
    """What became of a job.

    Parameters
    ----------
    job : Job
        The job.
    frames : int
        Frames read, analysed and written.
    duration_s : float
        Length of the video written, in seconds; 0 where none was.
    work_s : float
        Time it took.
    damage : str
        One sentence where the input broke off and what could be read was kept; else "".
    notices : tuple of str
        Things the user should know, one sentence each.
    preflight : str
        What the input is.
    """

    job: Job
    frames: int
    duration_s: float
    work_s: float
    damage: str = ""
    notices: tuple[str, ...] = ()
    preflight: str = ""


@dataclass(slots=True)
class Tools:
    """What all jobs of a run share.

    Parameters
    ----------
    pipelines : Analysers
        Loaded models.
    draw : callable
        Makes the annotated picture, uint8 (H, W, 3), from a result; for a transparent job (H, W, 4).
    cancel : Event
        Calls the work off when set.
    pause : Event
        While set, no further frame is analysed; looked at a few times a second.
    """

    pipelines: Analysers
    draw: Draw
    cancel: threading.Event
    pause: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the rows of the results file go while the job runs.

    Parameters
    ----------
    path : Path
        File to write.
    final : Path
        Name of the results file; its suffix decides the format.
    extra : dict
        Keys put before those of every row.
    """

    path: Path
    final: Path
    extra: Json


Tick = Callable[[int, int | None], None]
"""Gets the number of frames done and the number expected, None when unknown."""


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
        Where the rows of the results file go.
    tick : callable
        Called a few times a second.
    opened : callable
        Gets the job and one line on its input, as soon as that is open.

    Raises
    ------
    VisionError
        If it failed. Nothing is left under any final name.
    Cancelled
        If it was called off; likewise.
    """
    start = time.perf_counter()
    if not job.source:
        _check_input(job.input)
    with ExitStack() as stack:
        part = pictures = None
        if job.output is not None:
            stack.enter_context(_folders_for(job.output))
            if sequence_job(job):
                pictures = stack.enter_context(PictureSequence(job.output, job.overwrite))
            else:
                part = stack.enter_context(PartFile(job.output, job.overwrite))
        layers = None
        if job.layers_dir is not None and job.layers:
            layers = stack.enter_context(LayerFolder(job.layers_dir, job.layers, job.overwrite))
        run = _Run(job, tools, part.path if part else None, pictures, layers)
        try:
            run.work(rows, tick, opened)
            run.finish()
        finally:
            run.abandon()
        # From here on there is only renaming.
        if layers is not None:
            layers.commit()
        if pictures is not None:
            pictures.commit()
        if part is not None:
            part.commit()
    return JobReport(
        job,
        run.state.frames,
        run.duration_s,
        time.perf_counter() - start,
        run.damage(),
        run.notices(),
        run.preflight,
    )


def sequence_job(job: Job) -> bool:
    """Whether a job turns a video into numbered pictures."""
    return not job.still and job.output is not None and is_sequence(job.output)


def _check_input(path: Path) -> None:
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        raise SourceError(f"{path}: there is no such file or folder") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read: {reason_of(error)}") from error
    if size == 0:
        raise SourceError(f"{path} is empty (0 bytes)")


@contextmanager
def _folders_for(output: Path) -> Iterator[None]:
    """Make the folder of an output; take it away again when the job fails and it stayed empty."""
    made = make_folders(output.parent)
    try:
        yield
    finally:
        remove_empty(made)


class _Run:
    """The stages of a job and what they share. Each attribute is written by one stage only."""

    def __init__(
        self,
        job: Job,
        tools: Tools,
        part: Path | None,
        pictures: PictureSequence | None,
        layers: LayerFolder | None,
    ) -> None:
        self.job = job
        self.state = ReadState()
        self.done = 0
        self.duration_s = 0.0
        self.preflight = ""
        self._tools = tools
        self._part = part
        self._pictures = pictures
        self._layers = layers
        self._writer: VideoWriter | None = None
        self._first_wh: tuple[int, int] | None = None
        self._resized = 0
        self._left_out = 0
        self._padded = False
        self._pipeline_notices: dict[str, None] = {}
        self._track_notices: list[str] = []

    def work(self, rows: Rows | None, tick: Tick, opened: Callable[[Job, str], None]) -> None:
        """Run the stages until the last frame is through."""
        crew = Crew()
        frames: Fifo[Frame] = crew.fifo()
        frames.hold(self._tools.pause.is_set())
        found: Fifo[FrameResult] = crew.fifo()
        pictures: Fifo[Picture] = crew.fifo()
        crew.add(lambda: self._decode(frames))
        crew.add(lambda: self._analyse(frames, found))
        crew.add(lambda: self._draw(found, pictures, rows))
        crew.add(lambda: self._encode(pictures))

        def report() -> None:
            frames.hold(self._tools.pause.is_set())
            if not self.preflight and self.state.info is not None:
                self.preflight = preflight(self.job, self.state.info)
                opened(self.job, self.preflight)
            tick(self.done, self.state.expected(self.job))

        crew.run(self._tools.cancel, report)
        report()

    def _decode(self, frames: Fifo[Frame]) -> None:
        source = make_source(self.job.source or str(self.job.input.absolute()))
        for frame in selected_frames(source, self.job, self.state):
            frames.put(frame)
        frames.close()

    def _analyse(self, frames: Fifo[Frame], found: Fifo[FrameResult]) -> None:
        pipeline: Analyser | None = None
        for frame in frames:
            if pipeline is None:
                # Not before there is a frame: a file that cannot be read is refused without loading models for it.
                pipeline = self._tools.pipelines.get(RunningMode.IMAGE if self.job.still else RunningMode.VIDEO)
                self._pipeline_notices.update(dict.fromkeys(pipeline.notes))
            result = pipeline.process(frame)
            self._pipeline_notices.update(dict.fromkeys(result.notices))
            found.put(result)
        found.close()

    def _draw(self, found: Fifo[FrameResult], pictures: Fifo[Picture], rows: Rows | None) -> None:
        with ExitStack() as stack:
            table = None
            if rows is not None:
                table = open_results(rows.path, rows.final, self._tools.pipelines.config, rows.extra)
                stack.callback(table.close)
            wants_picture = self.job.output is not None or "overlay" in self.job.layers
            for result in found:
                if table is not None:
                    table.write(result)
                picture = self._tools.draw(result) if wants_picture else result.frame.image_bgr
                if self._layers is not None:
                    for layer in self._layers.layers:
                        self._layers.write(layer, result.frame.index, encode_layer(layer, result, picture))
                pictures.put((picture, result.frame))
        pictures.close()

    def _encode(self, pictures: Fifo[Picture]) -> None:
        for picture, frame in pictures:
            if self._pictures is not None:
                self._pictures.write(frame.index, encode_picture(picture, ".png"))
            elif self._part is not None and self.job.output is not None:
                time_s = frame.timestamp_s - (self.job.start_s or 0.0)
                self._write(picture, time_s, self._part, self.job.output)
            self.done += 1

    def _write(self, picture: NDArray[np.uint8], time_s: float, part: Path, output: Path) -> None:
        if self.job.still:
            data = encode_picture(picture, output.suffix)
            try:
                part.write_bytes(data)
            except OSError as error:
                raise ExportError(f"{output} cannot be written: {reason_of(error)}") from error
            return
        size_wh = (picture.shape[1], picture.shape[0])
        if self._writer is None:
            rate = self.state.info.fps if self.state.info is not None else None
            self._first_wh = size_wh
            tracks_from = self.job.input if self.job.sound and not self.job.source else None
            start_s = self.job.start_s or 0.0
            self._writer = VideoWriter(
                part, str(output), output.suffix, size_wh, rate, tracks_from, start_s, self.job.crf, self.job.alpha
            )
        self._resized += size_wh != self._first_wh
        self._writer.write(picture, time_s)

    def finish(self) -> None:
        """Complete the video and check what came out of it."""
        if self.done != self.state.frames:
            raise ExportError(f"{self.job.input}: {self.state.frames} frames were read but {self.done} written")
        writer = self._writer
        if writer is None or self._part is None:
            return
        partial = self.job.end_s is not None or self.job.max_frames is not None or bool(self.state.damage)
        writer.finish(cut_tracks=partial)
        sound_ends_s = writer.tracks.sound_ends_s if writer.tracks is not None else []
        check_video(self._part, str(self.job.output), writer.frames, writer.first_s, writer.last_s, sound_ends_s)
        if writer.coverage is not None:
            check_alpha(self._part, str(self.job.output), writer.coverage)
        self.duration_s = writer.duration_s
        self._left_out = writer.left_out
        self._padded = writer.size_wh != writer.coded_wh
        self._track_notices = writer.tracks.notices if writer.tracks is not None else []
        self._writer = None

    def abandon(self) -> None:
        """Let go of the video; does nothing after `finish`."""
        if self._writer is not None:
            if self._part is not None and os.name == "posix":
                # With its name gone, completing a long MP4 does not move gigabytes that nobody wants.
                self._part.unlink(missing_ok=True)
            self._writer.abandon()
            self._writer = None

    def _is_silent(self) -> bool:
        """Whether sound was wanted where the output can hold none."""
        job = self.job
        if job.still or job.source or not job.sound or job.output is None:
            return False
        kind = video_format(job.output)
        return kind is None or not kind.sound

    def damage(self) -> str:
        """Say what is missing of the input; "" when nothing is."""
        if not self.state.damage:
            return ""
        info = self.state.info
        expected = info.frame_count if info is not None else None
        if expected is None and info is not None and info.duration_s is not None and info.fps is not None:
            expected = round(info.duration_s * info.fps)
        of = f" of about {expected}" if expected is not None and expected > self.state.read else ""
        return f"{self.job.input}: read {self.state.read}{of} frames ({self.state.damage}); what could be read is kept"

    def notices(self) -> tuple[str, ...]:
        """What the user should know about the input and what was done to it."""
        notices = list(self.state.info.notices) if self.state.info is not None else []
        if self._padded:
            notices.append("its odd size was padded to an even one by repeating the edge, as 4:2:0 colour needs it")
        if self._left_out:
            notices.append(f"{self._left_out} frames were left out: GIF shows a picture for 0.02 s at least")
        if self._is_silent() and sound_tracks(self.job.input):
            notices.append("its sound was left out, as pictures and GIF hold none")
        if self._resized:
            notices.append(f"{self._resized} frames of another size were scaled to that of the first")
        return (*notices, *self._track_notices, *self._pipeline_notices)
