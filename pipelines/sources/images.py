"""Pictures: one file, or all pictures of a folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.errors import SourceError
from pipelines.frame import Frame, to_bgr
from pipelines.sources.base import SOURCE_KINDS, Source, SourceInfo, SourceKind, SourceOptions
from pipelines.sources.orientation import apply_orientation, exif_orientation
from pipelines.sources.paths import check_file, is_address, is_folder, local_path

PICTURE_SUFFIXES: Final = frozenset(
    (".bmp", ".jpe", ".jpeg", ".jpg", ".jp2", ".pbm", ".pgm", ".png", ".pnm", ".ppm", ".tif", ".tiff", ".webp", ".avif")
)


MAX_PIXELS: Final = 1 << 28
"""16,384 squared. A few kilobytes can claim to be more, and would fill the memory when they are unpacked."""
MAX_BYTES: Final = 1 << 30
JPEG: Final = b"\xff\xd8"
PNG: Final = b"\x89PNG\r\n\x1a\n"
MAGIC: Final = (JPEG, PNG, b"BM", b"II*\0", b"MM\0*", b"RIFF")
TIFF: Final = (b"II*\0", b"MM\0*")
SIZE_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG segments that begin with the size of the picture (ITU-T T.81, table B.1)."""

# Damaged pictures are told in a sentence of our own; OpenCV would print its source file and line besides.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def natural_key(path: Path) -> tuple[tuple[tuple[int, int | str], ...], str]:
    """Sort key that puts `a2` before `a10`. Names that differ in case or leading zeros only have an order too."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts), path.name


def read_picture(path: Path) -> NDArray[np.uint8]:
    """Read a picture file in any common form.

    Orientation from EXIF is applied, 16 bits become 8, grey and palette become colour, transparency is composited
    over black. The file is read by Python and decoded from memory, so that its name may hold any character.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        BGR.

    Raises
    ------
    SourceError
        If it is missing, empty, too large, damaged, or no picture.
    """
    length = check_file(path)
    if length > MAX_BYTES:
        raise SourceError(f"{path} is too large for a picture ({length:,} bytes)")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from error
    width, height = declared_size(data)
    if width * height > MAX_PIXELS:
        raise SourceError(f"{path} is too large: {width:,} x {height:,} pixels")
    try:
        image = _decode(data)
    except (cv2.error, MemoryError) as error:
        raise SourceError(f"{path} is too large or damaged: it cannot be decoded") from error
    except ValueError as error:
        raise SourceError(f"{path} cannot be shown: {error}") from error
    if image is None:
        if data.startswith(MAGIC):
            raise SourceError(f"{path} is damaged or incomplete: it cannot be decoded")
        raise SourceError(f"{path} is not a picture that can be decoded")
    return image


def declared_size(data: bytes) -> tuple[int, int]:
    """Return the width and height that a PNG or JPEG file claims to have, (0, 0) where it claims none.

    The other forms do not pack a plain picture into next to nothing, or OpenCV's own limit is enough.
    """
    if data.startswith(PNG) and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    at = len(JPEG)
    while data.startswith(JPEG) and data[at : at + 1] == b"\xff" and at + 9 <= len(data):
        if data[at + 1] in SIZE_MARKERS:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0


def _decode(data: bytes) -> NDArray[np.uint8] | None:
    if data.startswith(PNG) and b"IEND" not in data:
        return None  # cut off; libpng would say so on the terminal
    pixels = np.frombuffer(data, np.uint8)
    if not data.startswith(JPEG):
        # IMREAD_COLOR would drop the transparency; IMREAD_UNCHANGED ignores the orientation of PNG and WebP.
        image = cv2.imdecode(pixels, cv2.IMREAD_UNCHANGED)
        if image is None:
            return None
        # A TIFF with transparency and 8 bits comes multiplied with it already.
        if not (data.startswith(TIFF) and image.ndim == 3 and image.shape[2] == 4 and image.dtype == np.uint8):
            return to_bgr(apply_orientation(image, exif_orientation(data)))
    image = cv2.imdecode(pixels, cv2.IMREAD_COLOR)
    return None if image is None else to_bgr(image)


class ImagesSource:
    """Pictures that have nothing to do with each other.

    Parameters
    ----------
    path : Path
        A picture or a folder of pictures; a folder is read in natural order (2 before 10), not below it.

    Attributes
    ----------
    problems : list of str
        Pictures of a folder that could not be read, one sentence each. They are skipped.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._paths: list[Path] = []
        self._first: tuple[Path, NDArray[np.uint8]] | None = None
        self._next = 0
        self._index = 0
        self.problems: list[str] = []

    def open(self) -> SourceInfo:
        """List the pictures and read the first one.

        Raises
        ------
        SourceError
            If there is none that can be read.
        """
        self._next = self._index = 0
        self.problems = []
        many = is_folder(self._path)
        self._paths = self._list_folder() if many else [self._path]
        self._first = self._read_next(strict=not many)
        if self._first is None:
            raise SourceError(f"{self._path}: none of its {len(self._paths)} pictures can be read")
        height, width = self._first[1].shape[:2]
        return SourceInfo(
            name=self._path.name or str(self._path.absolute().name),
            kind="images",
            live=False,
            size_wh=(width, height),
            frame_count=len(self._paths),
            still=True,
        )

    def _list_folder(self) -> list[Path]:
        try:
            entries = sorted(self._path.iterdir(), key=natural_key)
            # Names that begin with a dot are hidden; macOS leaves one beside every picture on a memory stick.
            pictures = [
                path
                for path in entries
                if path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".") and path.is_file()
            ]
        except OSError as error:
            raise SourceError(f"{self._path} cannot be read: {error.strerror or error}") from error
        if not pictures:
            raise SourceError(f"{self._path}: the folder holds no picture")
        return pictures

    def _read_next(self, strict: bool = False) -> tuple[Path, NDArray[np.uint8]] | None:
        while self._next < len(self._paths):
            path = self._paths[self._next]
            self._next += 1
            try:
                return path, read_picture(path)
            except SourceError as error:
                if strict:
                    raise
                self.problems.append(str(error))
        return None

    def read(self) -> Frame | None:
        """Return the next picture that can be read, None after the last. A picture's time is its number in seconds."""
        item, self._first = self._first, None
        if item is None:
            item = self._read_next()
        if item is None:
            return None
        path, image = item
        frame = Frame(image, self._index, float(self._index), path.name)
        self._index += 1
        return frame

    def rewind(self) -> bool:
        """Start again with the first picture."""
        self.open()
        return True

    def close(self) -> None:
        """Forget the list."""
        self._paths = []
        self._first = None


def _matches(text: str) -> bool:
    if is_address(text):
        return False
    path = local_path(text)
    return path.suffix.lower() in PICTURE_SUFFIXES or is_folder(path)


def _create(text: str, options: SourceOptions) -> Source:
    return ImagesSource(local_path(text))


SOURCE_KINDS.register("images")(SourceKind(_matches, _create, priority=50))
