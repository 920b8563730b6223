"""The stages of a job: read, analyse, draw and encode at the same time, in order, every frame."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipelines.atomic import reason_of
from pipelines.config import RunningMode
from pipelines.errors import ConfigError, ExportError
from pipelines.export import encode_layer, encode_picture
from pipelines.frame import Frame
from pipelines.offline.crew import Crew, Fifo
from pipelines.offline.jobs import Job
from pipelines.offline.journal import Segment
from pipelines.offline.layers import LayerFolder
from pipelines.offline.pool import Analyser
from pipelines.offline.preflight import preflight
from pipelines.offline.results_file import open_results
from pipelines.offline.selection import ReadState, selected_frames
from pipelines.offline.sequence import PictureSequence
from pipelines.offline.tools import Rows, Tick, Tools
from pipelines.offline.verify import check_alpha, check_video
from pipelines.offline.work import CannotGoOn, Work
from pipelines.offline.writer import VideoWriter
from pipelines.pipeline import FrameResult
from pipelines.sources import make_source
from pipelines.sources.marks import Mark, MarkedSource
from pipelines.state import dump_state, take_size

SEGMENT_FRAMES: Final = 250
"""So much is lost at most when a run is killed. As long as the longest stretch that H.264 encodes without a picture
that stands alone, so that segments make a file no larger."""


@dataclass(slots=True)
class Cut:
    """The end of a segment, on its way through the stages behind the last frame of it; each adds what it knows."""

    frames: int
    read: int
    mark: Mark | None = None
    state: bytes = b""
    notices: tuple[str, ...] = ()
    rows: int = 0
    layers_crc: int = 0


class Stages:
    """The stages of a job and what they share. Each attribute is written by one stage only.

    Parameters
    ----------
    job : Job
        What to do.
    tools : Tools
        Models, drawing and the cancel event.
    work : Work
        Where everything goes, and how far it is.
    rows : Rows or None
        How the rows of the results are written.
    pictures : PictureSequence or None
        Gets numbered pictures.
    layers : LayerFolder or None
        Gets the layers.
    """

    def __init__(
        self,
        job: Job,
        tools: Tools,
        work: Work,
        rows: Rows | None,
        pictures: PictureSequence | None,
        layers: LayerFolder | None,
    ) -> None:
        last = work.last or Segment(0, 0, 0)
        self.state = ReadState(frames=last.frames, read=last.read, mark=last.mark)
        self.done = last.frames
        self.writer: VideoWriter | None = None
        self.resized = last.resized
        self.pipeline_notices: dict[str, None] = dict.fromkeys(last.notices)
        self.preflight = ""
        self._job = job
        self._tools = tools
        self._work = work
        self._rows = rows
        self._pictures = pictures
        self._layers = layers
        self._first = last.first
        self._rows_end = last.rows

    def run(self, tick: Tick, opened: Callable[[Job, str], None]) -> None:
        """Run the stages until the last frame is through, and note that in the journal.

        Raises
        ------
        VisionError
            If one fails.
        Cancelled
            If the work was called off.
        """
        crew = Crew()
        frames: Fifo[tuple[Frame, Cut | None]] = crew.fifo()
        frames.hold(self._tools.pause.is_set())
        found: Fifo[tuple[FrameResult, Cut | None]] = crew.fifo()
        pictures: Fifo[tuple[NDArray[np.uint8], Frame, Cut | None]] = crew.fifo()
        crew.add(lambda: self._decode(frames))
        crew.add(lambda: self._analyse(frames, found))
        crew.add(lambda: self._draw(found, pictures))
        crew.add(lambda: self._encode(pictures))

        def report() -> None:
            frames.hold(self._tools.pause.is_set())
            self.look(opened)
            tick(self.done, self.state.expected(self._job))

        crew.run(self._tools.cancel, report)
        report()
        if self.done != self.state.frames:
            raise ExportError(f"{self._job.input}: {self.state.frames} frames were read but {self.done} written")
        tail = Cut(self.state.frames, self.state.read, rows=self._rows_end, notices=tuple(self.pipeline_notices))
        tail.layers_crc = self._layers.take_crc() if self._layers is not None else 0
        self._end_segment(tail)
        self._work.note_end(self.state.damage)

    def look(self, opened: Callable[[Job, str], None]) -> None:
        """Tell `opened` what the input is, once, as soon as it is open."""
        if not self.preflight and self.state.info is not None:
            self.preflight = preflight(self._job, self.state.info)
            opened(self._job, self.preflight)

    def look_again(self, opened: Callable[[Job, str], None]) -> None:
        """Open the input for what is known of it only: all of its frames are through.

        Raises
        ------
        SourceError
            If it cannot be opened any more.
        """
        source = make_source(self._job.source or str(self._job.input.absolute()))
        try:
            self.state.info = source.open()
        finally:
            source.close()
        self.state.damage = self._work.damage or ""
        self.look(opened)

    def _decode(self, frames: Fifo[tuple[Frame, Cut | None]]) -> None:
        source = make_source(self._job.source or str(self._job.input.absolute()))
        state, before = self.state, None
        for frame in selected_frames(source, self._job, state, frames.check):
            if state.frames == 1:
                self._first = frame.index
            cut = None
            if state.frames % SEGMENT_FRAMES == 0 and not self._job.still:
                cut = Cut(state.frames, state.read)
                if before is not None and isinstance(source, MarkedSource) and source.is_intact:
                    cut.mark = Mark.behind(before, frame)
            frames.put((frame, cut))
            before = frame
        frames.close()

    def _analyse(self, frames: Fifo[tuple[Frame, Cut | None]], found: Fifo[tuple[FrameResult, Cut | None]]) -> None:
        pipeline: Analyser | None = None
        for frame, cut in frames:
            if pipeline is None:
                # Not before there is a frame: a file that cannot be read is refused without loading models for it.
                pipeline = self._load()
            result = pipeline.process(frame)
            self.pipeline_notices.update(dict.fromkeys(result.notices))
            if cut is not None:
                cut.state, cut.notices = dump_state(pipeline.state()), tuple(self.pipeline_notices)
            found.put((result, cut))
        found.close()

    def _load(self) -> Analyser:
        pipeline = self._tools.pipelines.get(RunningMode.IMAGE if self._job.still else RunningMode.VIDEO)
        self.pipeline_notices.update(dict.fromkeys(pipeline.notes))
        if self._work.last is not None:
            try:
                pipeline.restore(self._work.state())
            except ConfigError as error:
                raise CannotGoOn(
                    f"{self._job.input}: the earlier run cannot be gone on with: {error} (without --resume it is "
                    "started anew)"
                ) from error
        return pipeline

    def _draw(
        self,
        found: Fifo[tuple[FrameResult, Cut | None]],
        pictures: Fifo[tuple[NDArray[np.uint8], Frame, Cut | None]],
    ) -> None:
        with ExitStack() as stack:
            table = None
            if self._rows is not None:
                config, go_on = self._tools.pipelines.config, self._work.last is not None
                table = open_results(self._work.place.rows, self._rows.final, config, self._rows.extra, go_on)
                stack.callback(table.close)
            wants_picture = self._job.output is not None or "overlay" in self._job.layers
            for result, cut in found:
                if table is not None:
                    table.write(result)
                picture = self._tools.draw(result) if wants_picture else result.frame.image_bgr
                if self._layers is not None:
                    for layer in self._layers.layers:
                        self._layers.write(layer, result.frame.index, encode_layer(layer, result, picture))
                if cut is not None:
                    cut.rows = table.sync() if table is not None else 0
                    cut.layers_crc = self._layers.take_crc() if self._layers is not None else 0
                pictures.put((picture, result.frame, cut))
            if table is not None:
                self._rows_end = table.sync()
        pictures.close()

    def _encode(self, pictures: Fifo[tuple[NDArray[np.uint8], Frame, Cut | None]]) -> None:
        for picture, frame, cut in pictures:
            if self._pictures is not None:
                self._pictures.write(frame.index, encode_picture(picture, ".png"))
            elif self._job.output is not None:
                self._write(picture, frame.timestamp_s - (self._job.start_s or 0.0), self._job.output)
            self.done += 1
            if cut is not None:
                self._end_segment(cut)

    def _write(self, picture: NDArray[np.uint8], time_s: float, output: Path) -> None:
        if self._job.still:
            data = encode_picture(picture, output.suffix)
            try:
                self._work.place.video.write_bytes(data)
            except OSError as error:
                raise ExportError(f"{output} cannot be written: {reason_of(error)}") from error
            return
        size_wh = (picture.shape[1], picture.shape[0])
        if self.writer is None:
            self.open_writer(output, size_wh)
        assert self.writer is not None
        self.resized += size_wh != self.writer.size_wh
        self.writer.write(picture, time_s)

    def open_writer(self, output: Path, size_wh: tuple[int, int] | None = None) -> None:
        """Open the video writer: where the work stands, or for pictures of a size."""
        job, last = self._job, self._work.last
        state = last.writer if last is not None else None
        size_wh = take_size(state, "size_wh") if state is not None else size_wh
        if size_wh is None:
            raise ExportError(f"{output} cannot be written: no picture tells its size")
        rate = self.state.info.fps if self.state.info is not None else None
        tracks_from = job.input if job.sound and not job.source else None
        start_s = job.start_s or 0.0
        video = self._work.place.video
        self.writer = VideoWriter(
            video, str(output), output.suffix, size_wh, rate, tracks_from, start_s, job.crf, job.alpha
        )
        if state is not None:
            self.writer.restore(state)

    def _end_segment(self, cut: Cut) -> None:
        segment = Segment(
            frames=cut.frames,
            read=cut.read,
            first=self._first,
            rows=cut.rows,
            packets=self.writer.end_segment() if self.writer is not None else 0,
            pictures_crc=self._pictures.take_crc() if self._pictures is not None else 0,
            layers_crc=cut.layers_crc,
            writer=self.writer.state() if self.writer is not None else None,
            resized=self.resized,
            notices=cut.notices,
            mark=cut.mark,
        )
        self._work.commit(segment, cut.state or None)

    def finish(self) -> None:
        """Complete the video and check what came out of it.

        Raises
        ------
        ExportError
            If it cannot be written, or does not hold what was put in.
        Cancelled
            If the work was called off.
        """
        job = self._job
        if job.output is None or job.still or self._pictures is not None:
            return
        if self.writer is None:
            self.open_writer(job.output)
        writer, video, name = self.writer, self._work.place.video, str(job.output)
        assert writer is not None
        partial = job.end_s is not None or job.max_frames is not None or bool(self.state.damage)
        writer.finish(partial, self._tools.cancel)
        sound_ends_s = writer.tracks.sound_ends_s if writer.tracks is not None else []
        times = writer.timeline
        check_video(video, name, times.frames, times.first_s, times.last_s, sound_ends_s)
        if writer.coverage is not None:
            check_alpha(video, name, writer.coverage)

    def abandon(self) -> None:
        """Let go of the video; does nothing after `finish`."""
        if self.writer is not None:
            self.writer.abandon()
