"""Network streams: http(s), rtsp and their kin, with time limits and without passwords in any text."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

import av
import numpy as np
from av.container import InputContainer
from av.error import ExitError, FFmpegError
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from pipelines.errors import SourceError
from pipelines.frame import Frame
from pipelines.sources.base import SOURCE_KINDS, Source, SourceInfo, SourceKind, SourceOptions
from pipelines.sources.decoder import Decoder
from pipelines.sources.decoding import Converter, nominal_rate, video_stream
from pipelines.sources.paths import is_address, public_name
from pipelines.sources.refusals import why_not_opened

SCHEMES: Final = ("http", "https", "rtsp", "rtsps", "rtmp", "srt", "udp", "tcp")
OPEN_S: Final = 8.0
READ_S: Final = 5.0
ANALYSE_S: Final = 2.0
"""FFmpeg looks at so much of a stream to learn its form. Its own 5 s are too long to wait for a first picture."""


class StreamSource:
    """A live network stream; or a file behind an address, when the server tells its length.

    Parameters
    ----------
    url : str
        Address, with user name and password where the server wants them.
    open_s, read_s : float
        Time limits in seconds for connecting and for each read.
    """

    def __init__(self, url: str, open_s: float = OPEN_S, read_s: float = READ_S) -> None:
        self._url = url
        # FFmpeg compares it letter by letter.
        self._scheme = url.partition("://")[0].lower()
        self._timeout = (open_s, read_s)
        self._name = public_name(url)
        self._container: InputContainer | None = None
        self._frames: Iterator[tuple[VideoFrame, float]] = iter(())
        self._first: tuple[NDArray[np.uint8], float] | None = None
        self._index = 0
        self._live = True

    def open(self) -> SourceInfo:
        """Connect and decode a first frame.

        Raises
        ------
        SourceError
            If there is no such host, nobody answers in time, the server refuses, or there is no video.
        """
        self.close()
        try:
            _ = urlsplit(self._url).port
        except ValueError:
            raise SourceError(f"{self._name} cannot be opened: the address is not valid") from None
        options = {"analyzeduration": str(round(ANALYSE_S * av.time_base))}
        if self._scheme.startswith("rtsp"):
            options["rtsp_transport"] = "tcp"  # UDP loses packets, and firewalls drop it
        url = self._scheme + self._url[len(self._scheme) :]
        start_s = time.monotonic()
        try:
            self._container = av.open(url, timeout=self._timeout, options=options, metadata_errors="ignore")
        except (FFmpegError, ValueError) as error:
            # Not "from error": its text holds the address with user name and password, and would be in a log.
            waited_s = time.monotonic() - start_s
            raise SourceError(why_not_opened(url, self._name, error, waited_s, self._timeout[0])) from None
        try:
            self._live = not self._container.duration
            stream = video_stream(self._container, self._name)
            self._converter = Converter(stream)
            self._decoder = Decoder(self._container, stream, live=self._live)
            self._frames = iter(self._decoder)
            first = next(self._frames, None)
            if first is None:
                raise SourceError(self._silence())
            image = self._picture(first[0])
            notices = self._converter.notices(first[0], stream)
        except BaseException:
            self.close()
            raise
        self._first = image, first[1]
        self._index = 0
        self._start_s = time.monotonic()
        height, width = image.shape[:2]
        return SourceInfo(
            name=self._name,
            kind="stream",
            live=self._live,
            size_wh=(width, height),
            fps=nominal_rate(stream),
            duration_s=self._container.duration / av.time_base if self._container.duration else None,
            notices=notices,
        )

    def read(self) -> Frame | None:
        """Return the next frame; None at the end of a file behind an address.

        Raises
        ------
        SourceError
            If the stream stalls or breaks off.
        """
        item, self._first = self._first, None
        if item is None:
            decoded = next(self._frames, None)
            if decoded is None:
                if not self._live and self._decoder.error is None:
                    return None
                raise SourceError(f"{self._name} broke off: {self._end()}")
            item = self._picture(decoded[0]), decoded[1]
        image, time_s = item
        # The times of a live stream jump and start anywhere; what counts is when a frame came.
        stamp_s = time.monotonic() - self._start_s if self._live else time_s
        frame = Frame(image, self._index, stamp_s, self._name)
        self._index += 1
        return frame

    def _picture(self, frame: VideoFrame) -> NDArray[np.uint8]:
        try:
            return self._converter.picture(frame)
        except SourceError as error:
            raise SourceError(f"{self._name}: {error}") from error

    def _silence(self) -> str:
        """Say why there is no first picture."""
        if isinstance(self._decoder.error, TimeoutError | ExitError):
            return f"{self._name} sends no picture (waited {self._timeout[1]:g} s)"
        return f"{self._name} sends no picture that can be decoded"

    def _end(self) -> str:
        """Say why the stream ended, in words without the address, which FFmpeg's errors hold with the password."""
        error = self._decoder.error
        if error is None:
            return "the server closed it"
        if isinstance(error, TimeoutError | ExitError):
            return f"nothing came for {self._timeout[1]:g} s"
        return f"the connection was lost ({error.strerror or 'unknown error'})"

    def rewind(self) -> bool:
        """Start a file behind an address again; a live stream has no beginning."""
        if self._live:
            return False
        self.open()
        return True

    def close(self) -> None:
        """Disconnect."""
        container, self._container = self._container, None
        self._frames = iter(())
        self._first = None
        if container is not None:
            container.close()


def _matches(text: str) -> bool:
    return is_address(text) and text.partition("://")[0].lower() in SCHEMES


def _create(text: str, options: SourceOptions) -> Source:
    return StreamSource(text)


SOURCE_KINDS.register("stream")(SourceKind(_matches, _create, priority=10))
