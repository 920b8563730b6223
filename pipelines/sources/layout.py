"""Where a video file should end, read from the outermost elements of its container.

FFmpeg reads what is there and ends without a word where a file was cut off. The elements tell: each begins with its
length. ISO base media (MP4, QuickTime: ISO/IEC 14496-12), Matroska (RFC 9559) and AVI (RIFF) are understood.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

ISO_BOXES: Final = frozenset(
    b"ftyp styp moov moof mdat free skip wide uuid sidx ssix mfra meta udta pdin emsg prft pnot".split()
)
MOST_BOXES: Final = 100_000
"""A fragmented file has a few a second; ends the walk through a file that is made to last."""
PICTURE_BRANDS: Final = frozenset(b"heic heix heim heis mif1 miaf".split())
"""ISO files that hold still pictures (HEIF, ISO/IEC 23008-12)."""
EBML, SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"


@dataclass(frozen=True, slots=True)
class Layout:
    """Outline of a video file.

    Parameters
    ----------
    size : int
        Length of the file in bytes.
    end : int or None
        Where its last element says that it ends; None where it does not tell.
    lacks_index : bool
        ISO base media without a complete "moov" box, which only comes last in a recording.
    is_picture : bool
        ISO base media with a still picture.
    """

    size: int
    end: int | None = None
    lacks_index: bool = False
    is_picture: bool = False

    @property
    def is_cut(self) -> bool:
        """Whether the file is shorter than it should be."""
        return self.end is not None and self.end > self.size


def read_layout(path: Path) -> Layout:
    """Read the outline of a file; of one in another format only the size.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        head = file.read(12)
        if head[4:8] in ISO_BOXES:
            return _iso(file, size, is_picture=head[4:8] == b"ftyp" and head[8:12] in PICTURE_BRANDS)
        if head.startswith(EBML):
            return Layout(size, _matroska_end(file))
        if head.startswith(b"RIFF") and head[8:] == b"AVI ":
            return Layout(size, _riff_end(file, size))
        return Layout(size)


def ends_in_zeros(path: Path, length: int = 4096) -> bool:
    """Whether the last `length` bytes are all 0: room that was reserved and never written.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - length))
        return not any(file.read(length))


def _iso(file: BinaryIO, size: int, is_picture: bool) -> Layout:
    at, has_index = 0, False
    for _ in range(MOST_BOXES):
        file.seek(at)
        head = file.read(16)
        if len(head) < 8 or head[4:8] not in ISO_BOXES:
            break  # the end, or something that an application appended
        length = int.from_bytes(head[:4], "big")
        if length == 1 and len(head) == 16:
            length = int.from_bytes(head[8:], "big")
        elif length == 0:
            length = size - at  # "to the end of the file"
        if length < 8:
            break
        at += length
        has_index |= head[4:8] == b"moov" and at <= size
    return Layout(size, at, not has_index, is_picture)


def _matroska_end(file: BinaryIO) -> int | None:
    file.seek(0)
    head = file.read(4096)
    header = _vint(head, 4)
    if header is None:
        return None
    length, at = header
    at += length
    if head[at : at + 4] != SEGMENT:
        return None
    segment = _vint(head, at + 4)
    return None if segment is None else segment[1] + segment[0]


def _vint(data: bytes, at: int) -> tuple[int, int] | None:
    """Return an EBML length and where it ends; None for "unknown", as live recordings have, and where it is cut off."""
    if at >= len(data) or data[at] == 0:
        return None
    width = 9 - data[at].bit_length()
    value = int.from_bytes(data[at : at + width], "big") & ((1 << 7 * width) - 1)
    if at + width > len(data) or value == (1 << 7 * width) - 1:
        return None
    return value, at + width


def _riff_end(file: BinaryIO, size: int) -> int | None:
    at = 0
    while at + 8 <= size:
        file.seek(at)
        name, length = struct.unpack("<4sI", file.read(8))
        if name != b"RIFF":
            break  # appended
        if length in (0, 0xFFFFFFFF):
            return None  # never corrected after the recording
        at += 8 + length + length % 2
    return at
