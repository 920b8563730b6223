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
from pipelines.sources.paths import is_folder, local_path

PICTURE_SUFFIXES: Final = frozenset(
    (".bmp", ".jpe", ".jpeg", ".jpg", ".jp2", ".pbm", ".pgm", ".png", ".pnm", ".ppm", ".tif", ".tiff", ".webp", ".avif")
)


def natural_key(path: Path) -> tuple[tuple[int, int | str], ...]:
    """Sort key that puts `a2` before `a10`."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in parts)


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
        If it is missing, empty, too large, or no picture.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise SourceError(f"{path}: there is no such file or folder") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if not data:
        raise SourceError(f"{path} is empty (0 bytes)")
    try:
        image = _decode(np.frombuffer(data, np.uint8))
    except (cv2.error, MemoryError) as error:
        raise SourceError(f"{path} is too large or damaged: it cannot be decoded") from error
    except ValueError as error:
        raise SourceError(f"{path} cannot be shown: {error}") from error
    if image is None:
        raise SourceError(f"{path} is not a picture that can be decoded")
    return image


def _decode(data: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    is_jpeg = data[:2].tobytes() == b"\xff\xd8"
    if not is_jpeg:
        # IMREAD_COLOR would drop the transparency, IMREAD_UNCHANGED ignores the orientation.
        image = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
        if image is None:
            return None
        if (image.ndim == 3 and image.shape[2] == 4) or image.dtype != np.uint8:
            return to_bgr(apply_orientation(image, exif_orientation(data.tobytes())))
    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
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
            pictures = [path for path in entries if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file()]
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
    if "://" in text:
        return False
    path = local_path(text)
    return path.suffix.lower() in PICTURE_SUFFIXES or is_folder(path)


def _create(text: str, options: SourceOptions) -> Source:
    return ImagesSource(local_path(text))


SOURCE_KINDS.register("images")(SourceKind(_matches, _create, priority=50))
