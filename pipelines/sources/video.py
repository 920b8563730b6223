"""Video files through PyAV."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import av
import numpy as np
from av.container import InputContainer
from av.error import FFmpegError, InvalidDataError
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from numpy.typing import NDArray

from pipelines.errors import SourceError
from pipelines.frame import Frame
from pipelines.sources.base import SOURCE_KINDS, Source, SourceInfo, SourceKind, SourceOptions
from pipelines.sources.decoder import Decoder
from pipelines.sources.decoding import Converter, nominal_rate, video_stream
from pipelines.sources.layout import ends_in_zeros, read_layout
from pipelines.sources.marks import Mark
from pipelines.sources.paths import check_file, is_address, local_path
from pipelines.sources.seeking import FrameCursor

GIF: Final = b"GIF8"
OPTIONS: Final = {
    # A playlist is a file too; what it lists is read from this machine only.
    "protocol_whitelist": "file,crypto,data",
    # A name such as "50%d.tga" is one file, not a numbered series.
    "pattern_type": "none",
}


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
        self._cursor: FrameCursor | None = None
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
        size = check_file(self._path)
        try:
            decoder = self._begin()
            self._cursor = FrameCursor(decoder, self._begin_again)
            first = self._cursor.next()
            if first is None:
                raise SourceError(f"{self._path} holds no picture that can be decoded")
            image, time_s = self._picture(first[0]), first[1]
            container, stream = decoder.container, decoder.stream
            notices = self._converter.notices(first[0], stream)
        except BaseException:
            self.close()
            raise
        self._first = image, time_s
        self._index = 0
        self._end_s = 0.0
        self.truncated = ""
        self._duration_s = self._length(container, stream, size)
        if decoder.assumed_rate is not None:
            notices += (f"the file tells no times: {float(decoder.assumed_rate):g} frames a second are assumed",)
        height, width = image.shape[:2]
        return SourceInfo(
            name=self._name,
            kind=self._kind,
            live=False,
            size_wh=(width, height),
            fps=nominal_rate(stream) or decoder.assumed_rate,
            # A header can claim anything, but a frame takes a byte at least.
            frame_count=stream.frames if 0 < stream.frames <= size else None,
            duration_s=self._duration_s,
            loops=self._loops,
            seekable=True,
            notices=notices,
        )

    def _begin(self) -> Decoder:
        """Open the container and return a decoder at its beginning."""
        self._container = container = self._open_container()
        stream = video_stream(container, str(self._path))
        self._converter = Converter(stream)
        return Decoder(container, stream)

    def _begin_again(self) -> Decoder:
        if self._container is not None:
            self._container.close()
        return self._begin()

    def read(self) -> Frame | None:
        """Return the next frame, None at the end. Damaged packets are skipped (see `truncated`).

        Raises
        ------
        SourceError
            If the pictures change to a form that is unknown.
        """
        item, self._first = self._first, None
        if item is None:
            cursor = self._cursor
            decoded = cursor.next() if cursor is not None else None
            if cursor is None or decoded is None:
                self._judge_end()
                return None
            item = self._picture(decoded[0]), decoded[1]
            self._end_s = decoded[1] + cursor.decoder.duration_s(decoded[0])
        image, time_s = item
        frame = Frame(image, self._index, time_s, self._name)
        self._index += 1
        return frame

    def rewind(self) -> bool:
        """Start again from the first frame."""
        self.open()
        return True

    def seek(self, time_s: float, is_cancelled: Callable[[], bool]) -> bool:
        """Let the next `read` return the last frame whose time is not after `time_s` (see `SeekableSource`).

        Raises
        ------
        SourceError
            If the file cannot be read any more.
        """
        self._first = None
        return self._cursor is not None and self._cursor.seek(time_s, is_cancelled)

    def back(self, frames: int, is_cancelled: Callable[[], bool]) -> bool:
        """Let the next `read` return the frame `frames` before the last one that was read, or else the first.

        Raises
        ------
        SourceError
            If the file cannot be read any more.
        """
        self._first = None
        return self._cursor is not None and self._cursor.back(frames, is_cancelled)

    @property
    def is_intact(self) -> bool:
        """Whether nothing that was read so far was damaged."""
        return self._cursor is not None and not self._cursor.decoder.damaged

    def go_behind(self, mark: Mark, is_cancelled: Callable[[], bool]) -> bool:
        """Let the next `read` return the frame behind a mark (see `MarkedSource`).

        Raises
        ------
        SourceError
            If the file cannot be read any more.
        """
        if self._cursor is not None and self._cursor.decoder.tells_times:
            found = self.seek(mark.times_s[0], is_cancelled)
            # What was decoded from there on must be sound as well: errors are told at the end.
            if found and all(mark.fits(number, self.read()) for number in (0, 1)) and self.is_intact:
                self._cursor.forget()
                self._index = mark.read
                return True
        self.open()
        return False

    def close(self) -> None:
        """Close the file."""
        container, self._container = self._container, None
        self._cursor = None
        self._first = None
        if container is not None:
            container.close()

    def _picture(self, frame: VideoFrame) -> NDArray[np.uint8]:
        try:
            return self._converter.picture(frame)
        except SourceError as error:
            raise SourceError(f"{self._path}: {error}") from error

    def _open_container(self) -> InputContainer:
        path = self._path
        try:
            layout = read_layout(path)
            if layout.is_picture:
                raise SourceError(f"{path} is a HEIF picture, which cannot be read: save it as JPEG or PNG")
            with path.open("rb") as file:
                # FFmpeg would take a GIF with a % in its name for a numbered series of pictures.
                form = "gif" if file.read(4) == GIF else None
            return av.open(f"file:{path.absolute()}", "r", format=form, options=OPTIONS, metadata_errors="ignore")
        except FFmpegError as error:
            if layout.lacks_index:
                sentence = "is incomplete: its index is missing, as when a recording or a download was cut off"
            elif layout.is_cut:
                sentence = "is incomplete: the file breaks off"
            elif isinstance(error, InvalidDataError):
                sentence = "is not a video that can be read"
            else:
                sentence = f"cannot be read: {error.strerror or error}"
            raise SourceError(f"{path} {sentence}") from error
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror or error}") from error

    @staticmethod
    def _length(container: InputContainer, stream: VideoStream, size: int) -> float | None:
        """Return the length that the container claims, None where it claims none or more than the file can hold."""
        if not container.duration or container.duration < 0:
            return None
        length_s = container.duration / av.time_base
        rate = nominal_rate(stream)
        return length_s if rate is None or length_s * rate <= size else None

    def _judge_end(self) -> None:
        """Decide after the last frame whether frames are missing."""
        if self._cursor is None or self.truncated:
            return
        damaged, error = self._cursor.decoder.damaged, self._cursor.decoder.error
        try:
            layout = read_layout(self._path)
            if layout.is_cut:
                self.truncated = f"the file breaks off: {layout.size} of its {layout.end} bytes are there"
            elif error is not None:
                self.truncated = f"the file breaks off: {error.strerror or error}"
            elif self._is_short() and ends_in_zeros(self._path):
                self.truncated = "the file breaks off: its end was never written"
            elif damaged:
                self.truncated = f"about {damaged} damaged frame{'s' * (damaged > 1)}"
        except OSError as reason:
            self.truncated = f"the file cannot be read any more: {reason.strerror or reason}"

    def _is_short(self) -> bool:
        """Whether clearly fewer seconds came than the file claims to hold."""
        return self._duration_s is not None and self._duration_s - self._end_s > 0.5


def _matches(text: str) -> bool:
    return not is_address(text) and text not in ("demo", "camera") and not text.startswith("camera:")


def _create(text: str, options: SourceOptions) -> Source:
    return VideoSource(local_path(text))


# Last in line: a file that is nothing else is tried as a video, whatever its suffix.
SOURCE_KINDS.register("video")(SourceKind(_matches, _create, priority=90))
