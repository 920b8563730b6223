"""Checksums that tell whether files are still what a run wrote."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_BLOCK: Final = 1 << 20


def range_crc(path: Path, start: int, end: int) -> int:
    """Return the CRC-32 of the bytes of a file from `start` to `end`; 0, without looking, if that is none.

    Raises
    ------
    OSError
        If the file cannot be read, or is shorter.
    """
    total, left = 0, end - start
    if left == 0:
        return 0
    with path.open("rb") as stream:
        stream.seek(start)
        while left:
            block = stream.read(min(_BLOCK, left))
            if not block:
                raise OSError(f"{path} is shorter than it was")
            total = zlib.crc32(block, total)
            left -= len(block)
    return total


def files_crc(paths: Iterable[Path]) -> int:
    """Return the CRC-32 of files, one behind the other.

    Raises
    ------
    OSError
        If one cannot be read.
    """
    total = 0
    for path in paths:
        total = zlib.crc32(path.read_bytes(), total)
    return total
