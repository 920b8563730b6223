"""GIF pictures of several encoders in one file: each gets a colour table of its own.

An encoder puts the colours of its first picture in front of everything, and later pictures with the same colours lean
on that. In one file only the first such table counts. Layout of the blocks: GIF89a specification (CompuServe, 1990).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pipelines.offline.packets import StoredPacket

_SIGNATURE: Final = b"GIF8"
_SCREEN: Final = 13
"""Bytes of signature and screen descriptor."""
_EXTENSION, _IMAGE = 0x21, 0x2C
_HAS_TABLE: Final = 0x80
_INTERLACED_OR_SORTED: Final = 0x60


class OwnTables:
    """Gives pictures a table where they lean on that of an encoder other than the first."""

    def __init__(self) -> None:
        self._table = b""
        self._encoders = 0

    def adapt(self, item: StoredPacket) -> StoredPacket:
        """Return the next picture of the file, its times unchanged.

        Raises
        ------
        ValueError
            If it is no GIF picture.
        """
        data = item.data
        if data.startswith(_SIGNATURE):
            self._encoders += 1
            self._table = _table_of(data)
            if self._encoders == 1:
                return item
            data = data[_SCREEN + len(self._table) :]
        elif self._encoders < 2:
            return item
        return replace(item, data=_with_table(data, self._table))


def _table_of(data: bytes) -> bytes:
    """Return the colour table behind the screen descriptor."""
    if len(data) < _SCREEN or not data[10] & _HAS_TABLE:
        raise ValueError("a GIF encoder gave no colours")
    return data[_SCREEN : _SCREEN + 3 * (2 << (data[10] & 7))]


def _with_table(data: bytes, table: bytes) -> bytes:
    """Return the blocks of one picture with a table of its own, if it has none yet."""
    place = 0
    while place < len(data) and data[place] == _EXTENSION:
        place += 2
        while data[place]:
            place += 1 + data[place]
        place += 1
    if place + 10 > len(data) or data[place] != _IMAGE:
        raise ValueError("a GIF encoder gave no picture")
    flags = data[place + 9]
    if flags & _HAS_TABLE:
        return data
    size = (len(table) // 3).bit_length() - 2
    own = bytes([(flags & _INTERLACED_OR_SORTED) | _HAS_TABLE | size])
    return data[: place + 9] + own + table + data[place + 10 :]
