"""Sound and subtitles of the input, brought over into the output: copied where its container can hold them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import av.error
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.subtitles.stream import SubtitleStream

from pipelines.atomic import reason_of
from pipelines.errors import ExportError
from pipelines.offline.formats import FORMATS
from pipelines.offline.priming import priming_s, room_s, with_delay
from pipelines.offline.restarts import TrackClock, clock_origins_s

AUDIO: Final = {
    ".mp4": frozenset({"aac", "ac3", "alac", "eac3", "flac", "mp2", "mp3", "opus"}),
    ".mov": frozenset(
        (
            *("aac", "ac3", "alac", "eac3", "mp2", "mp3"),
            *("pcm_f32le", "pcm_f64le", "pcm_s16be", "pcm_s16le", "pcm_s24be", "pcm_s24le", "pcm_s32le", "pcm_u8"),
        )
    ),
    ".mkv": None,
    ".webm": frozenset({"opus", "vorbis"}),
}
"""Codecs of sound that a container holds; None where it holds all that occur."""
SUBTITLES: Final = {
    ".mp4": frozenset({"mov_text"}),
    ".mov": frozenset({"mov_text"}),
    ".webm": frozenset({"webvtt"}),
    ".mkv": frozenset({"ass", "dvb_subtitle", "dvd_subtitle", "hdmv_pgs_subtitle", "subrip", "webvtt"}),
}
BIT_RATE_A_CHANNEL: Final = 96_000
"""Of sound that has to be encoded anew; more than is needed to hear no difference."""
LAYOUTS: Final = {1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"}
"""By number of channels, for what is encoded anew: files often do not say which loudspeakers they mean."""
HIGHEST_AAC_RATE: Final = 96_000
OPUS_RATE: Final = 48_000
"""The only rate at which WebM stores Opus."""
STARTS_AT_ZERO: Final = frozenset({".mkv", ".webm"})
"""Containers that would move everything to make room for sound that begins before 0, but for `room_s`."""
PREROLL_S: Final = 0.1
"""What a decoder gets to hear before sound that is encoded anew: the first packet after a gap comes out wrong."""


@dataclass(slots=True)
class _Track:
    """One track of the input and where it goes."""

    target: AudioStream | SubtitleStream
    clock: TrackClock
    # What begins before this time of the output is left out, in seconds.
    lowest_s: float
    resampler: av.AudioResampler | None = None
    packets: int = 0
    last_dts: int | None = None
    last_s: float = 0.0


def check_tracks(path: Path, suffix: str) -> None:
    """See that sound and subtitles of a file can be brought over, long before they are.

    Raises
    ------
    ExportError
        If the input cannot be opened, or a track cannot be set up.
    """
    with av.open(io.BytesIO(), "w", format=FORMATS[suffix].muxer) as container:
        Tracks(path, container, suffix, 0.0, [0.0]).close()


class Tracks:
    """Brings sound and subtitles of a file into an output, in step with its pictures.

    Parameters
    ----------
    path : Path
        The input.
    output : OutputContainer
        Gets a track for each one; nothing may have been written to it yet.
    suffix : str
        Of a format with sound (`pipelines.offline.formats`), the kind of `output`.
    start_s : float
        What comes before this time of the input is left out; this time becomes 0.
    origins_s : list of float, optional
        Clocks of the input (`restarts.clock_origins_s`), where they are known already.

    Raises
    ------
    ExportError
        If the input cannot be opened again, or a track cannot be set up.

    Notes
    -----
    Used by one thread. `advance` follows the pictures, `finish` brings the rest, `close` releases the input.
    """

    def __init__(
        self, path: Path, output: OutputContainer, suffix: str, start_s: float, origins_s: list[float] | None = None
    ) -> None:
        self.notices: list[str] = []
        self._path = path
        self._output = output
        self._start_s = start_s
        self._suffix = suffix
        self._is_cut = start_s > 0 or suffix in STARTS_AT_ZERO
        self._name = FORMATS[suffix].name
        self._tracks: dict[int, _Track] = {}
        self._held: tuple[av.Packet, float] | None = None
        self._ended = False
        try:
            self._origins_s = clock_origins_s(path) if origins_s is None else origins_s
            self._priming_s = priming_s(path) if suffix in STARTS_AT_ZERO else {}
            self._input = av.open(f"file:{path}", metadata_errors="ignore")
        except av.error.FFmpegError as error:
            raise self._error(error) from error
        try:
            for audio in self._input.streams.audio:
                self._add_audio(audio)
            for subtitles in self._input.streams.subtitles:
                self._add_subtitles(subtitles)
        except (av.error.FFmpegError, ValueError) as error:
            self._input.close()
            raise self._error(error) from error
        self._packets = self._demux()

    @property
    def sound_ends_s(self) -> list[float]:
        """Time of the last packet of each track with sound, in seconds of the output; empty tracks are left out."""
        return [
            track.last_s for track in self._tracks.values() if track.packets and isinstance(track.target, AudioStream)
        ]

    def _error(self, error: Exception) -> ExportError:
        return ExportError(f"the sound of {self._path} cannot be brought over: {reason_of(error)} (see --no-audio)")

    def _track(self, target: AudioStream | SubtitleStream, room_s: float = 0.0) -> _Track:
        """Return a track of which, where the output is cut at 0, what begins more than `room_s` before is left out."""
        return _Track(target, TrackClock(self._origins_s), -room_s if self._is_cut else float("-inf"))

    def _add_audio(self, stream: AudioStream) -> None:
        context = stream.codec_context
        held = AUDIO[self._suffix]
        name = context.codec.canonical_name  # the decoder of mp3 is called mp3float
        if held is None or name in held:
            track = self._copied(stream)
        else:
            opus = self._suffix == ".webm"
            rate = OPUS_RATE if opus else min(context.sample_rate, HIGHEST_AAC_RATE)
            form = "flt" if opus else "fltp"
            target = self._output.add_stream("libopus" if opus else "aac", rate=rate)
            layout = LAYOUTS.get(context.layout.nb_channels, "stereo")
            target.codec_context.format = form
            target.codec_context.layout = layout
            target.codec_context.bit_rate = BIT_RATE_A_CHANNEL * target.codec_context.layout.nb_channels
            track = self._track(target, PREROLL_S)
            track.resampler = av.AudioResampler(form, layout, rate)
            coding = "Opus" if opus else "AAC"
            self.notices.append(f"its sound ({name}) was encoded anew as {coding}, which {self._name} holds")
        track.target.metadata.update(stream.metadata)
        self._tracks[stream.index] = track

    def _copied(self, stream: AudioStream) -> _Track:
        context = stream.codec_context
        noted_s = context.delay / context.sample_rate if context.sample_rate else 0.0
        delay_s = self._priming_s.get(stream.index, 0.0)
        if noted_s or not delay_s:
            return self._track(self._output.add_stream_from_template(stream), room_s(noted_s))
        with with_delay(stream, delay_s) as template:
            return self._track(self._output.add_stream_from_template(template), room_s(delay_s))

    def _add_subtitles(self, stream: SubtitleStream) -> None:
        name = stream.codec_context.codec.canonical_name
        if name not in SUBTITLES[self._suffix]:
            self.notices.append(f"its subtitles ({name}) were left out: {self._name} does not hold them")
            return
        track = self._track(self._output.add_stream_from_template(stream))
        track.target.metadata.update(stream.metadata)
        self._tracks[stream.index] = track

    def _demux(self) -> Iterator[av.Packet]:
        if self._tracks:
            yield from self._input.demux([stream for stream in self._input.streams if stream.index in self._tracks])

    def advance(self, until_s: float) -> None:
        """Bring over what begins before `until_s`, a time of the output in seconds.

        Raises
        ------
        ExportError
            If the output cannot be written.
        """
        while not self._ended:
            item = self._held if self._held is not None else self._next()
            self._held = None
            if item is None:
                self._ended = True
            elif self._time(*item) >= until_s:
                self._held = item
                return
            else:
                self._bring(*item)

    def finish(self, end_s: float | None) -> None:
        """Bring over the rest.

        Parameters
        ----------
        end_s : float or None
            Where the output ends, if it ends before the input; None for everything.

        Raises
        ------
        ExportError
            If the output cannot be written.
        """
        self.advance(float("inf") if end_s is None else end_s)
        for track in self._tracks.values():
            if track.resampler is not None and track.packets:
                self._encode(track, None)

    def close(self) -> None:
        """Release the input."""
        self._input.close()

    def _next(self) -> tuple[av.Packet, float] | None:
        """Return the next packet, and the time of the input, on its own clock, that is time 0 of the output."""
        try:
            packet = next((packet for packet in self._packets if packet.dts is not None and packet.size), None)
        except av.error.FFmpegError:
            return None  # the file breaks off: the reader of the pictures reports that
        if packet is None:
            return None
        raw_s = float((packet.dts or 0) * packet.time_base)
        return packet, self._tracks[packet.stream.index].clock.origin_s(raw_s) + self._start_s

    @staticmethod
    def _time(packet: av.Packet, zero_s: float) -> float:
        stamp = packet.pts if packet.pts is not None else packet.dts
        return float((stamp or 0) * packet.time_base) - zero_s

    def _bring(self, packet: av.Packet, zero_s: float) -> None:
        track = self._tracks[packet.stream.index]
        if self._time(packet, zero_s) < track.lowest_s:
            return
        if track.resampler is not None:
            try:
                decoded = packet.decode()
            except av.error.FFmpegError:
                return  # one damaged packet is a gap, as in the picture
            for frame in decoded:
                if isinstance(frame, av.AudioFrame):
                    self._encode(track, frame, zero_s)
            return
        shift = round(Fraction(zero_s) / packet.time_base)
        packet.dts = (packet.dts or 0) - shift
        if packet.pts is not None:
            packet.pts -= shift
        packet.stream = track.target
        self._mux(track, packet)

    def _encode(self, track: _Track, frame: av.AudioFrame | None, zero_s: float = 0.0) -> None:
        if track.resampler is None or not isinstance(track.target, AudioStream):
            return
        try:
            if frame is not None and frame.pts is not None and frame.time_base is not None:
                frame.pts -= round(Fraction(zero_s) / frame.time_base)
                if frame.pts < 0 and self._is_cut:
                    return
            for part in track.resampler.resample(frame):
                for packet in track.target.encode(part):
                    self._mux(track, packet)
            if frame is None:
                for packet in track.target.encode(None):
                    self._mux(track, packet)
        except (av.error.FFmpegError, ValueError) as error:
            raise self._error(error) from error

    def _mux(self, track: _Track, packet: av.Packet) -> None:
        # Damaged files hold times that run backwards, which no muxer accepts.
        if track.last_dts is not None and packet.dts is not None and packet.dts <= track.last_dts:
            return
        track.last_dts = packet.dts
        track.packets += 1
        if packet.pts is not None:
            track.last_s = float(packet.pts * packet.time_base)
        try:
            self._output.mux_one(packet)
        except av.error.FFmpegError as error:
            raise self._error(error) from error
