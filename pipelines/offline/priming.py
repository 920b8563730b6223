"""Samples before the beginning that a decoder needs and does not give out, brought from MP4 and QuickTime to Matroska.

AAC and MP3 begin with such samples (AAC of FFmpeg 1024, of Apple 2112): decoded without them, what follows comes out
wrong for the length of a packet. MP4 cuts them off with an edit list, Matroska with the element CodecDelay of a track.
The muxer writes that element, and makes room for what begins before 0, where the parameters of a stream tell it to.
PyAV cannot set them, but reads them from a file: hence the detour over a header of Matroska in memory.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import av.error
from av.audio.stream import AudioStream

_TRACKS: Final = bytes.fromhex("1654ae6b")
_TRACK_UID: Final = bytes.fromhex("73c588")
_CODEC_DELAY: Final = bytes.fromhex("56aa88")
"""Elements of Matroska (RFC 9559) by their numbers, the latter two with a value of 8 bytes behind."""


def priming_s(path: Path) -> dict[int, float]:
    """Return how long before 0 each track with sound begins, in seconds by the index of its stream; no other tracks.

    Raises
    ------
    FFmpegError
        If the file cannot be opened.
    """
    found: dict[int, float] = {}
    with av.open(f"file:{path}", metadata_errors="ignore") as container:
        if "mp4" not in container.format.name.split(","):
            return found
        for stream in container.streams.audio:
            packet = next(container.demux(stream), None)
            if packet is not None and packet.pts is not None and packet.pts < 0:
                found[stream.index] = float(-packet.pts * packet.time_base)
            container.seek(0)
    return found


@contextmanager
def with_delay(stream: AudioStream, delay_s: float) -> Iterator[AudioStream]:
    """Yield a stream like another one, of whose sound the first `delay_s` seconds are not to be heard.

    It is good as a template: its packets mean nothing.

    Raises
    ------
    FFmpegError
        If Matroska does not hold such a stream.
    """
    header = io.BytesIO()
    with av.open(header, "w", format="matroska", container_options={"write_crc32": "0"}) as container:
        packet = av.Packet(bytes(8))  # no reader takes it for Matroska without any
        packet.stream = container.add_stream_from_template(stream)
        packet.pts = packet.dts = 0
        packet.time_base = Fraction(1, 1000)
        container.mux_one(packet)
    data = bytearray(header.getvalue())
    # The number that the track is known by is of the same length, and no other track is here.
    start = data.index(_TRACK_UID, data.index(_TRACKS))
    delay_ns = round(delay_s * 1e9)
    data[start : start + len(_CODEC_DELAY) + 8] = _CODEC_DELAY + delay_ns.to_bytes(8, "big")
    with av.open(io.BytesIO(bytes(data)), format="matroska") as told:
        yield told.streams.audio[0]


def room_s(delay_s: float) -> float:
    """Return how long before 0 copied sound may begin that has `delay_s` not to be heard, both in seconds.

    Opus, AAC and MP3 begin with samples that no decoder gives out (the pre-skip of Opus: 312 samples, 6.5 ms; AAC: a
    packet or two). Matroska notes their number, as rounded to its milliseconds as the times of its packets.
    """
    return (math.floor(delay_s * 1000 + 0.5) + 0.49) / 1000
