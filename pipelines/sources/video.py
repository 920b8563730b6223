"""Video files through PyAV."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from av.error import FFmpegError
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from pipelines.errors import SourceError
from pipelines.frame import Frame
from pipelines.sources.base import SOURCE_KINDS, Source, SourceInfo, SourceKind, SourceOptions
from pipelines.sources.decoding import Converter, Decoder, nominal_rate, video_stream
from pipelines.sources.paths import local_path

INDEXED = ("mov", "matroska", "avi")
"""Containers (by FFmpeg's name) whose header is written last or corrected at the end, so that a length in it counts."""


class VideoSource:
    """Frames of a video file: upright, with square pixels, each at its own time.

    Parameters
    ----------
    path : Path
        The file.
    kind : str
        Registry name to report.
    name : str, optional
        Name to report; the file's by default.
    loops : bool
        Its last frame leads to its first without a jump.

    Attributes
    ----------
    truncated : str
        After the last frame: why the file holds less than it claims, "" when it does not.
    """

    def __init__(self, path: Path, kind: str = "video", name: str | None = None, loops: bool = False) -> None:
        self._path = path
        self._kind = kind
        self._name = name or path.name
        self._loops = loops
        self._container: InputContainer | None = None
        self._frames: Iterator[tuple[VideoFrame, float]] = iter(())
        self._first: tuple[NDArray[np.uint8], float] | None = None
        self._index = 0
        self._end_s = 0.0
        self.truncated = ""

    def open(self) -> SourceInfo:
        """Open the file and decode its first frame.

        Raises
        ------
        SourceError
            If it is missing, empty, no video, holds sound only, was cut off before its index, or cannot be decoded.
        """
        self.close()
        self._check_file()
        try:
            container = av.open(f"file:{self._path.absolute()}", "r", metadata_errors="ignore")
        except FFmpegError as error:
            raise SourceError(self._why_not(error)) from error
        self._container = container
        try:
            stream = video_stream(container, str(self._path))
            self._stream = stream
            self._converter = Converter(stream)
            self._decoder = Decoder(container, stream)
            self._frames = iter(self._decoder)
            first = next(self._frames, None)
            if first is None:
                raise SourceError(f"{self._path} holds no picture that can be decoded")
            frame, time_s = first
            image = self._picture(frame)
            self._first = image, time_s
            height, width = image.shape[:2]
        except BaseException:
            self.close()
            raise
        self._index = 0
        self.truncated = ""
        self._rate = nominal_rate(stream)
        self._duration_s = container.duration / av.time_base if container.duration else None
        return SourceInfo(
            name=self._name,
            kind=self._kind,
            live=False,
            size_wh=(width, height),
            fps=self._rate,
            frame_count=stream.frames if 0 < stream.frames < 10**8 else None,
            duration_s=self._duration_s,
            loops=self._loops,
            notices=self._converter.notices(frame, stream),
        )

    def read(self) -> Frame | None:
        """Return the next frame, None at the end. Damaged packets are skipped (see `truncated`)."""
        item, self._first = self._first, None
        if item is None:
            decoded = next(self._frames, None)
            if decoded is None:
                self._judge_end()
                return None
            item = self._picture(decoded[0]), decoded[1]
        image, time_s = item
        frame = Frame(image, self._index, time_s, self._name)
        self._index += 1
        self._end_s = time_s
        return frame

    def _picture(self, frame: VideoFrame) -> NDArray[np.uint8]:
        try:
            return self._converter.picture(frame)
        except SourceError as error:
            raise SourceError(f"{self._path}: {error}") from error

    def rewind(self) -> bool:
        """Start again from the first frame."""
        self.open()
        return True

    def close(self) -> None:
        """Close the file."""
        container, self._container = self._container, None
        self._frames = iter(())
        self._first = None
        if container is not None:
            container.close()

    def _check_file(self) -> None:
        path = self._path
        try:
            if path.is_dir():
                raise SourceError(f"{path} is a folder, not a video")
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):
                # Opening a pipe would wait for a writer.
                raise SourceError(f"{path} is neither a file nor a folder")
            with path.open("rb"):
                pass
        except FileNotFoundError:
            raise SourceError(f"{path}: there is no such file or folder") from None
        except (OSError, ValueError) as error:
            raise SourceError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if status.st_size == 0:
            raise SourceError(f"{path} is empty (0 bytes)")

    def _why_not(self, error: FFmpegError) -> str:
        with self._path.open("rb") as file:
            head = file.read(12)
        if head[4:8] == b"ftyp":
            return f"{self._path} is incomplete: its index is missing, as when a recording or a download was cut off"
        if isinstance(error, OSError) and not isinstance(error, av.error.InvalidDataError):
            return f"{self._path} cannot be read: {error.strerror or error}"
        return f"{self._path} is not a video that can be read"

    def _judge_end(self) -> None:
        """Decide after the last frame whether frames are missing."""
        if self._container is None or self.truncated:
            return
        decoder = self._decoder
        if decoder.error is not None:
            self.truncated = f"the file breaks off: {decoder.error.strerror or decoder.error}"
        elif decoder.damaged:
            self.truncated = f"{decoder.damaged} damaged packets were skipped"
        elif self._is_short():
            self.truncated = "the file breaks off"

    def _is_short(self) -> bool:
        """Whether clearly fewer frames came than a header that can be believed promises."""
        container = self._container
        if container is None or not any(name in container.format.name for name in INDEXED):
            return False
        step = float(1 / self._rate) if self._rate else 1 / 30
        promised = self._stream.duration
        if promised is not None and self._stream.time_base is not None:
            length_s = float(promised * self._stream.time_base)
        elif len(container.streams) == 1 and self._duration_s is not None:
            length_s = self._duration_s
        else:
            return False
        # A doctored or unfinished header can promise hours; only a length that the file's size makes credible counts.
        credible = self._index > 0 and length_s < 20 * (self._end_s + step)
        return credible and length_s - (self._end_s + step) > max(0.5, 3 * step)


def _matches(text: str) -> bool:
    return "://" not in text and text != "demo" and not text.startswith("camera:") and text != "camera"


def _create(text: str, options: SourceOptions) -> Source:
    return VideoSource(local_path(text))


# Last in line: a file that is nothing else is tried as a video, whatever its suffix.
SOURCE_KINDS.register("video")(SourceKind(_matches, _create, priority=90))
