"""Encoded pictures on their way into a file: kept in a plain log until the last one is there.

A log holds what an encoder gave, packet after packet, as it came; it can be cut anywhere between two packets and be
continued. Containers cannot: what a killed program leaves of an MP4 is of no use.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, Final

import av
from av.packet import PacketSideData, packet_sidedata_type_from_literal

from pipelines.atomic import reason_of
from pipelines.errors import ExportError

_HEAD: Final = struct.Struct("<qqqBII")
"""Time of showing, of decoding, duration; key frame; bytes beside the picture, bytes of the picture."""
_NO_TIME: Final = -(2**63)
ALPHA: Final = "matroska_block_additional"
"""What lies beside a picture of VP9: its transparency."""
BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class StoredPacket:
    """One encoded picture.

    Parameters
    ----------
    data, beside : bytes
        The picture, and what lies beside it (its transparency), or nothing.
    pts, dts : int or None
        Time of showing and of decoding, in steps of the format's clock.
    duration : int
        In the same steps, 0 where it is not known.
    key : bool
        It can be decoded without the ones before.
    """

    data: bytes
    beside: bytes
    pts: int | None
    dts: int | None
    duration: int
    key: bool

    @classmethod
    def of(cls, packet: av.Packet) -> StoredPacket:
        """Return what a packet of an encoder holds."""
        beside = bytes(packet.get_sidedata(ALPHA)) if packet.has_sidedata(ALPHA) else b""
        return cls(bytes(packet), beside, packet.pts, packet.dts, packet.duration or 0, packet.is_keyframe)

    def packet(self, base: Fraction) -> av.Packet:
        """Return it as a packet for a muxer, its times in steps of `base` seconds."""
        packet = av.Packet(self.data)
        packet.pts, packet.dts, packet.time_base = self.pts, self.dts, base
        packet.duration, packet.is_keyframe = self.duration, self.key
        if self.beside:
            beside = PacketSideData(packet_sidedata_type_from_literal(ALPHA), len(self.beside))  # type: ignore[call-arg]
            beside.update(self.beside)
            packet.set_sidedata(beside)
        return packet


class PacketLog:
    """A log that is being written.

    Parameters
    ----------
    path : Path
        The file; made if missing, continued if not.
    name : str
        What to call it in messages.

    Raises
    ------
    ExportError
        If it cannot be opened.
    """

    def __init__(self, path: Path, name: str) -> None:
        self._name = name
        try:
            self._stream: BinaryIO = path.open("ab")
        except OSError as error:
            raise self._error(error) from error

    def _error(self, error: OSError) -> ExportError:
        return ExportError(f"{self._name} cannot be written: {reason_of(error)}")

    def add(self, item: StoredPacket) -> None:
        """Append a packet.

        Raises
        ------
        ExportError
            If the system refuses.
        """
        times = (_NO_TIME if time is None else time for time in (item.pts, item.dts))
        try:
            self._stream.write(_HEAD.pack(*times, item.duration, item.key, len(item.beside), len(item.data)))
            self._stream.write(item.beside)
            self._stream.write(item.data)
        except OSError as error:
            raise self._error(error) from error

    def sync(self) -> int:
        """Bring everything to the disk; return how many bytes the log has.

        Raises
        ------
        ExportError
            If the system refuses.
        """
        try:
            self._stream.flush()
            os.fsync(self._stream.fileno())
            return self._stream.tell()
        except OSError as error:
            raise self._error(error) from error

    def close(self) -> None:
        """Close the file.

        Raises
        ------
        ExportError
            If something was still to be written and the system refuses.
        """
        try:
            self._stream.close()
        except OSError as error:
            raise self._error(error) from error

    def abandon(self) -> None:
        """Close the file; what could not be written does not matter."""
        try:
            self._stream.close()
        except OSError:
            return


def read_packets(path: Path) -> Iterator[StoredPacket]:
    """Yield the packets of a log.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError
        If it ends within a packet.
    """
    with path.open("rb", buffering=BLOCK) as stream:
        while head := stream.read(_HEAD.size):
            if len(head) < _HEAD.size:
                raise ValueError("the log of encoded pictures breaks off")
            pts, dts, duration, key, beside_size, size = _HEAD.unpack(head)
            beside, data = stream.read(beside_size), stream.read(size)
            if len(beside) < beside_size or len(data) < size:
                raise ValueError("the log of encoded pictures breaks off")
            shown, decoded = (None if time == _NO_TIME else time for time in (pts, dts))
            yield StoredPacket(data, beside, shown, decoded, duration, bool(key))
