"""How a stored picture has to be turned and mirrored to stand upright.

Numbers are those of EXIF 2.3, tag 0x0112, carried by PNG in an "eXIf" chunk and by WebP in an "EXIF" chunk; needed for
pictures with transparency or 16 bits, to which OpenCV does not apply it. Video files carry a display matrix instead
(ISO/IEC 14496-12, track header), of which the nearest of the eight orientations is taken.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import cv2
from av.sidedata.sidedata import Type
from av.video.frame import VideoFrame
from numpy.typing import NDArray

ORIENTATION = 0x0112
UPRIGHT: Final = 1
TURNED: Final = {0: UPRIGHT, 90: 8, 180: 3, 270: 6}
"""Orientation by the counter-clockwise angle that a file asks for."""
WORDS: Final = {
    2: "mirrored left to right",
    3: "turned by 180 degrees",
    4: "mirrored top to bottom",
    5: "mirrored and turned by 90 degrees",
    6: "turned by 90 degrees clockwise",
    7: "mirrored and turned by 90 degrees",
    8: "turned by 90 degrees counter-clockwise",
}


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


def quarter_turns(rotation: float) -> int:
    """Return the counter-clockwise angle, 0, 90, 180 or 270 degrees, next to `rotation` degrees."""
    return round(rotation / 90) * 90 % 360


def matrix_orientation(matrix: Sequence[int]) -> int:
    """Return the orientation next to a display matrix.

    Parameters
    ----------
    matrix : sequence of nine int
        Row by row a, b, u, c, d, v, x, y, w. A point (x, y) of the stored picture is shown at (ax + cy, bx + dy); where
        it is moved and how much it is scaled does not matter here.
    """
    a, b, _, c, d = matrix[:5]
    if abs(a) + abs(d) >= abs(b) + abs(c):
        return (UPRIGHT, 4, 2, 3)[2 * (a < 0) + (d < 0)]
    return (5, 8, 6, 7)[2 * (c < 0) + (b < 0)]


def frame_orientation(frame: VideoFrame) -> int:
    """Return the orientation that a video file asks for."""
    try:
        # PyAV's stub knows one kind of side data only.
        kinds = cast("Mapping[Type, bytes]", frame.side_data)
        matrix = kinds[Type.DISPLAYMATRIX]
    except KeyError:
        return UPRIGHT
    except ValueError:
        # PyAV lists side data by kind and stumbles over kinds that it does not know. Rotation is read without the list.
        return TURNED[quarter_turns(frame.rotation)]
    return matrix_orientation(struct.unpack("=9i", bytes(matrix)))


def apply_orientation(image: NDArray[Any], orientation: int) -> NDArray[Any]:
    """Turn and mirror a picture (H, W) or (H, W, C), C at most 4, so that it stands upright."""
    if orientation in (5, 7):
        image = cv2.transpose(image)
    if orientation in (6, 8):
        return cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE if orientation == 6 else cv2.ROTATE_90_COUNTERCLOCKWISE)
    if orientation in (2, 3, 4, 7):
        return cv2.flip(image, {2: 1, 3: -1, 4: 0, 7: -1}[orientation])
    return image


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
