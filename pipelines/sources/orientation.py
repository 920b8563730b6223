"""Orientation of pictures with transparency or 16 bits, to which OpenCV does not apply it.

EXIF 2.3, tag 0x0112, carried by PNG in an "eXIf" chunk and by WebP in an "EXIF" chunk.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

ORIENTATION = 0x0112
UPRIGHT = 1


def exif_orientation(data: bytes) -> int:
    """Return the orientation that a PNG or WebP file asks for: 1 (as it is) to 8, 1 where it asks for none."""
    if data.startswith(b"\x89PNG"):
        chunks = _chunks(data, start=8, layout=">I4s", tail=4)
        wanted = b"eXIf"
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        chunks = _chunks(data, start=12, layout="<4sI", tail=0)
        wanted = b"EXIF"
    else:
        return UPRIGHT
    for name, body in chunks:
        if name == wanted:
            return _read_orientation(body.removeprefix(b"Exif\0\0"))
    return UPRIGHT


def apply_orientation(image: NDArray[Any], orientation: int) -> NDArray[Any]:
    """Turn and mirror a picture (H, W) or (H, W, C) so that it stands upright."""
    if orientation in (5, 6, 7, 8):
        image = np.swapaxes(image, 0, 1)
    if orientation in (2, 3, 6, 7):
        image = image[:, ::-1]
    if orientation in (3, 4, 7, 8):
        image = image[::-1]
    return np.ascontiguousarray(image)


def _chunks(data: bytes, start: int, layout: str, tail: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield name and body of each chunk. RIFF pads bodies to even lengths, PNG ends each with a checksum."""
    at = start
    while at + 8 <= len(data):
        first, second = struct.unpack_from(layout, data, at)
        name, length = (first, second) if isinstance(first, bytes) else (second, first)
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + (tail or length % 2)


def _read_orientation(tiff: bytes) -> int:
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 8:
        return UPRIGHT
    at = struct.unpack_from(order + "I", tiff, 4)[0]
    try:
        for entry in range(struct.unpack_from(order + "H", tiff, at)[0]):
            tag, _, _, value = struct.unpack_from(order + "HHIH", tiff, at + 2 + 12 * entry)
            if tag == ORIENTATION:
                return value if 1 <= value <= 8 else UPRIGHT
    except struct.error:
        pass  # cut off or damaged: shown as it is
    return UPRIGHT
