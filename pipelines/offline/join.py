"""Encoded pictures, sound and subtitles put together in a container."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import av.error
from av.video.stream import VideoStream

from pipelines.atomic import reason_of
from pipelines.errors import ExportError
from pipelines.offline.crew import Cancelled
from pipelines.offline.encoder import configure
from pipelines.offline.formats import GIF, Coding, VideoFormat
from pipelines.offline.gif_tables import OwnTables
from pipelines.offline.packets import StoredPacket
from pipelines.offline.tracks import Tracks


@dataclass(frozen=True, slots=True)
class Target:
    """The file to be put together.

    Parameters
    ----------
    path : Path
        File to write; its name does not decide the format.
    name : str
        What to call it in messages.
    kind : VideoFormat
        Container.
    coding : Coding
        How its pictures are coded.
    size_wh : tuple of int
        Size of the coded pictures.
    rate : Fraction
        Nominal rate.
    crf : int
        Quality with which they were encoded.
    transparent : bool
        The pictures have an alpha channel.
    """

    path: Path
    name: str
    kind: VideoFormat
    coding: Coding
    size_wh: tuple[int, int]
    rate: Fraction
    crf: int
    transparent: bool

    def error(self, error: Exception) -> ExportError:
        """Return the sentence for a failure."""
        return ExportError(f"{self.name} cannot be written: {reason_of(error)}")


@dataclass(frozen=True, slots=True)
class Sound:
    """Sound and subtitles to be brought over.

    Parameters
    ----------
    path : Path
        Their file.
    suffix : str
        Of the output, in lower case.
    start_s : float
        Time in that file that is time 0 of the output.
    end_s : float or None
        Where the output ends, if it ends before that file; None for everything.
    """

    path: Path
    suffix: str
    start_s: float
    end_s: float | None


def join(
    target: Target,
    packets: Iterable[StoredPacket],
    last_ticks: int,
    sound: Sound | None,
    cancel: threading.Event | None = None,
) -> Tracks | None:
    """Write pictures and sound into a file.

    Parameters
    ----------
    target : Target
        The file.
    packets : iterable of StoredPacket
        Its pictures, in the order of decoding.
    last_ticks : int
        How long the last picture is shown, in steps of the format's clock: encoders give no durations, muxers take them
        from the next picture, and the last one has none.
    sound : Sound or None
        What else goes in.
    cancel : Event, optional
        Calls it off when set.

    Returns
    -------
    Tracks or None
        What became of the sound; closed.

    Raises
    ------
    ExportError
        If it cannot be written.
    Cancelled
        If it was called off.
    """
    try:
        # "file:" keeps libav from reading a colon in the name as a protocol.
        container = av.open(
            f"file:{target.path}", "w", format=target.kind.muxer, container_options=dict(target.kind.options)
        )
    except av.error.FFmpegError as error:
        raise target.error(error) from error
    tracks = None
    try:
        stream = _add_stream(container, target)
        if sound is not None:
            tracks = Tracks(sound.path, container, sound.suffix, sound.start_s)
        _mux(container, stream, packets, target, last_ticks, tracks, cancel)
        if tracks is not None and sound is not None:
            tracks.finish(sound.end_s)
        container.close()
    except BaseException as error:
        _abandon(container, target.path)
        if isinstance(error, (av.error.FFmpegError, OSError, ValueError)):
            raise target.error(error) from error
        raise
    finally:
        if tracks is not None:
            tracks.close()
    return tracks


def _abandon(container: av.container.OutputContainer, path: Path) -> None:
    """Close a container that nobody wants."""
    if os.name == "posix":
        # With its name gone, completing a long MP4 does not move gigabytes.
        path.unlink(missing_ok=True)
    try:
        container.close()
    except av.error.FFmpegError:
        return  # the reason it broke is on its way already


def _add_stream(container: av.container.OutputContainer, target: Target) -> VideoStream:
    """Add the track of the pictures: set up as the encoder was, whose parameters the container holds."""
    stream = cast(VideoStream, container.add_stream(target.coding.encoder, rate=target.rate))
    base: Fraction = target.kind.time_base
    configure(stream.codec_context, target.coding, target.size_wh, target.rate, base, target.crf)
    stream.time_base = base
    if target.transparent and target.kind.muxer == "webm":
        stream.metadata["alpha_mode"] = "1"  # without it players look for no transparency
    return stream


def _mux(
    container: av.container.OutputContainer,
    stream: VideoStream,
    packets: Iterable[StoredPacket],
    target: Target,
    last_ticks: int,
    tracks: Tracks | None,
    cancel: threading.Event | None,
) -> None:
    base = target.kind.time_base
    tables = OwnTables() if target.coding is GIF else None
    held: av.Packet | None = None
    for stored in packets:
        if cancel is not None and cancel.is_set():
            raise Cancelled
        item = stored if tables is None else tables.adapt(stored)
        packet = item.packet(base)
        packet.stream = stream
        if held is not None:
            container.mux_one(held)
        held = packet
        if tracks is not None and item.pts is not None:
            tracks.advance(float(item.pts * base))
    if held is not None:
        held.duration = last_ticks
        container.mux_one(held)
