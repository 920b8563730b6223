"""From a container that PyAV opened to frames in order, each at its time, whatever is damaged on the way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from av.container import InputContainer
from av.error import FFmpegError
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from pipelines.errors import SourceError
from pipelines.sources.decoding import ASSUMED_RATE, STARTS_ANYWHERE, clock_origin_s, is_timeless, nominal_rate

TELLS_TIMES: Final = frozenset({"mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"})
"""Formats (by FFmpeg's name) in which each packet has a time of its own, whatever was read before."""
RESTART_S: Final = 0.5
"""Broadcast time that jumps back by more than this was started anew, as where two recordings were joined."""


class Decoder:
    """Frames of one video stream, in the order in which they are shown.

    Packets that cannot be decoded are skipped and counted: one bad packet does not cost the rest of a file.

    Parameters
    ----------
    container, stream
        Where the frames come from.
    live : bool
        Hand out each frame as soon as it came. Otherwise several are decoded at once, and come later.

    Attributes
    ----------
    container, stream
        As given.
    damaged : int
        How many frames were damaged or lost so far, about: packets that were damaged or frames decoded with errors,
        whichever are more.
    error : FFmpegError or None
        What ended the stream before its end.
    assumed_rate : Fraction or None
        The rate that stands for times, where the file tells neither.
    """

    def __init__(self, container: InputContainer, stream: VideoStream, live: bool = False) -> None:
        self.container = container
        self.stream = stream
        rate = nominal_rate(stream)
        self.assumed_rate = ASSUMED_RATE if rate is None and is_timeless(container) else None
        self._step_s = float(1 / (rate or ASSUMED_RATE))
        self._origin_s = self._first_origin_s = clock_origin_s(container)
        self._restarts = bool(container.format.flags & STARTS_ANYWHERE)
        # AVI stores no times: FFmpeg numbers its packets, which come in another order than the pictures where those
        # refer to later ones. In the order of the pictures they count on, from one that depends on the coder; the
        # last pictures come without.
        self._counts = container.format.name == "avi"
        self._first_number: int | None = None
        self._last_s = -math.inf
        self._jumped = False
        self._damaged_packets = self._damaged_frames = 0
        self.error: FFmpegError | None = None
        stream.thread_type = "SLICE" if live else "AUTO"

    @property
    def damaged(self) -> int:
        return max(self._damaged_packets, self._damaged_frames)

    @property
    def can_jump(self) -> bool:
        """Whether frames tell their times also to a reader who did not see those before them.

        They do not where times are only counted: in bare sequences of pictures, in AVI with pictures that refer to
        later ones, between the few times of an MPEG program stream, and behind a place where the clock was started
        anew.
        """
        counted = self.container.format.name == "mpeg" or (self._counts and self.stream.codec_context.has_b_frames)
        return not (is_timeless(self.container) or counted or self._origin_s != self._first_origin_s)

    @property
    def tells_times(self) -> bool:
        """Whether a frame that was found by its time is the one that has this time, also after a jump."""
        return self.container.format.name in TELLS_TIMES

    def jump(self, time_s: float) -> Iterator[tuple[VideoFrame, float]]:
        """Yield frames from a picture at or before `time_s` that depends on no other, if the container finds one.

        A frame that does not tell its time comes with NaN. What was iterated over before is at its end.

        Raises
        ------
        FFmpegError
            If the container cannot be wound.
        """
        base = self.stream.time_base
        ticks = max(0.0, time_s) + self._origin_s + self._number_offset_s()
        if base is None:
            raise SourceError("the file tells no times")
        self.container.seek(math.floor(ticks / base), stream=self.stream, backward=True)
        self.error = None
        self._last_s = -math.inf
        self._jumped = True
        return iter(self)

    def _number_offset_s(self) -> float:
        base = self.stream.time_base
        return float(self._first_number * base) if self._first_number is not None and base is not None else 0.0

    def __iter__(self) -> Iterator[tuple[VideoFrame, float]]:
        """Yield decoded frames with their times in seconds, which never decrease."""
        packets = self.container.demux(self.stream)
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except FFmpegError as error:
                self.error = error
                break
            except IndexError:
                # PyAV at the end of a file in which streams turned up that its head does not list.
                break
            try:
                decoded = packet.decode()
            except FFmpegError:
                # The flushing packet at the end has no data; a failure there is no damaged packet.
                self._damaged_packets += bool(packet.size)
                continue
            self._damaged_packets += packet.is_corrupt
            yield from self._timed(decoded)
        # The packets broke off: what the decoder still holds.
        try:
            decoded = self.stream.decode(None)
        except FFmpegError:
            return
        yield from self._timed(decoded)

    def _timed(self, frames: list[VideoFrame]) -> Iterator[tuple[VideoFrame, float]]:
        for frame in frames:
            self._damaged_frames += frame.is_corrupt
            yield frame, self._time(frame)

    def duration_s(self, frame: VideoFrame) -> float:
        """Return how long a frame is shown, in seconds; that of a nominal step where it does not tell."""
        base = frame.time_base or self.stream.time_base
        return float(frame.duration * base) if frame.duration and base is not None else self._step_s

    def _time(self, frame: VideoFrame) -> float:
        base = frame.time_base or self.stream.time_base
        known = self._last_s > -math.inf
        stamp = frame.pts
        if self._counts:
            stamp = frame.dts
            if self._first_number is None:
                self._first_number = stamp
            if stamp is not None:
                stamp -= self._first_number or 0
        if stamp is not None and base is not None:
            time_s = float(stamp * base) - self._origin_s
            if self._restarts and known and time_s < self._last_s - RESTART_S:
                self._origin_s -= self._last_s + self._step_s - time_s
                time_s = self._last_s + self._step_s
        elif self._jumped and not known:
            return math.nan
        else:
            time_s = self._last_s + self._step_s if known else 0.0
        self._last_s = max(time_s, self._last_s if known else 0.0)
        return self._last_s
