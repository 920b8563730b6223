"""Annotated video: coded as its suffix says, every frame at its own time.

OpenCV's VideoWriter is not used: it drops frames of another size or channel count without a word, knows one constant
rate only, and its wheels have no H.264 encoder.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import av.error
import cv2
import numpy as np
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

from pipelines.atomic import reason_of
from pipelines.errors import ExportError
from pipelines.machine import cores
from pipelines.offline.formats import DEFAULT_CRF, FORMATS, GIF
from pipelines.offline.palette import Palette
from pipelines.offline.tracks import Tracks

MOST_THREADS = 8

FALLBACK_RATE = Fraction(30)
"""Assumed where the source does not know its rate; decides the last frame's duration only."""


def even_size(size_wh: tuple[int, int]) -> tuple[int, int]:
    """Return the size rounded up to even numbers, as 4:2:0 chroma needs it."""
    width, height = size_wh
    return width + width % 2, height + height % 2


def set_threads(stream: VideoStream) -> None:
    """Let an encoder work on several pictures at a time rather than on slices of one.

    H.264 takes 7 % less of the processor's time that way, and the file is 1 % smaller. Every thread holds pictures.
    """
    context = stream.codec_context
    context.thread_type = "FRAME" if context.name == "libx264" else context.thread_type
    context.thread_count = min(MOST_THREADS, cores() * 3 // 2 + 1)


def pad_to(image: NDArray[np.uint8], size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Return `image` extended to the right and downwards by repeating its edge."""
    right, below = size_wh[0] - image.shape[1], size_wh[1] - image.shape[0]
    if right == 0 and below == 0:
        return np.ascontiguousarray(image)
    return np.asarray(cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)


class VideoWriter:
    """Encode pictures into a file.

    Parameters
    ----------
    path : Path
        File to write; its name does not decide the format.
    name : str
        What to call the file in messages: the name it will have when it is complete.
    suffix : str
        Of `pipelines.offline.formats.FORMATS`, in any case.
    size_wh : tuple of int
        Size of the pictures. Odd sizes are padded to even ones by repeating the last column or row, where the coding
        needs it.
    rate : Fraction or None
        Nominal rate of the source; the true times are those given to `write`.
    tracks_from : Path or None
        File whose sound and subtitles are brought over.
    start_s : float
        Time in that file that is time 0 here.
    crf : int
        Quality: 1 = best, 51 = worst. Without effect where the coding has no such scale.
    transparent : bool
        The pictures have an alpha channel.

    Raises
    ------
    ExportError
        If the suffix is unknown or the file cannot be written.
    ConfigError
        If the format holds no transparency and the pictures have it.

    Attributes
    ----------
    size_wh, coded_wh : tuple of int
        Size of the pictures as given, and as in the file.
    frames : int
        Pictures in the file.
    left_out : int
        Pictures that followed the one before sooner than the format can show.
    coverage : float or None
        Mean of the first picture's alpha channel, in [0, 1]; None where there is none.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        suffix: str,
        size_wh: tuple[int, int],
        rate: Fraction | None,
        tracks_from: Path | None = None,
        start_s: float = 0.0,
        crf: int = DEFAULT_CRF,
        transparent: bool = False,
    ) -> None:
        kind = FORMATS.get(suffix.lower())
        if kind is None:
            raise ExportError(f"no video format has the suffix {suffix!r} (known: {', '.join(FORMATS)})")
        coding = kind.coding_for(transparent)
        self.size_wh = size_wh
        self.frames = self.left_out = 0
        self.coverage: float | None = None
        self._name = name
        self._coding = coding
        self._form = "bgra" if transparent else "bgr24"
        self._least_ticks = kind.least_ticks
        self._base = base = kind.time_base
        self.coded_wh = even_size(size_wh) if coding.even else size_wh
        self._frame_ticks = max(1, round(1 / ((rate or FALLBACK_RATE) * base)))
        self._origin = 0
        self._first_pts: int | None = None
        self._last_pts: int | None = None
        self._end_pts = 0
        self._held: av.Packet | None = None
        # One for all pictures: a frame's own would set up its tables, and its threads, again for each.
        self._reformatter = VideoReformatter()
        self._palette = Palette(size_wh, base) if coding is GIF else None
        encoder = coding.encoder_options(crf)
        try:
            # "file:" keeps libav from reading a colon in the name as a protocol.
            self._container = av.open(f"file:{path}", "w", format=kind.muxer, container_options=dict(kind.options))
            stream = self._container.add_stream(coding.encoder, rate=rate or FALLBACK_RATE, options=encoder)
        except av.error.FFmpegError as error:
            raise ExportError(f"{self._name} cannot be written: {reason_of(error)}") from error
        self._stream = stream = cast(VideoStream, stream)
        stream.width, stream.height = self.coded_wh
        stream.pix_fmt = coding.pix_fmt
        stream.time_base = base
        context = stream.codec_context
        context.time_base = base
        set_threads(stream)
        if self._palette is None:
            context.colorspace = Colorspace.ITU709
            context.color_primaries = ColorPrimaries.BT709
            context.color_trc = ColorTrc.BT709
            context.color_range = ColorRange.MPEG
        if transparent and kind.muxer == "webm":
            stream.metadata["alpha_mode"] = "1"  # without it players look for no transparency
        self.tracks: Tracks | None = None
        if tracks_from is not None and kind.sound:
            self.tracks = Tracks(tracks_from, self._container, suffix.lower(), start_s)

    @property
    def first_s(self) -> float:
        """Time of the first picture, in seconds; 0 before there is one."""
        return float((self._first_pts or 0) * self._base)

    @property
    def last_s(self) -> float:
        """Time of the last picture, in seconds; 0 before there is one."""
        return float((self._last_pts or 0) * self._base)

    @property
    def duration_s(self) -> float:
        """From the start of the first picture to the end of the last one, in seconds; 0 before there is one."""
        if self._first_pts is None or self._last_pts is None:
            return 0.0
        return float((self._end_pts - self._first_pts) * self._base)

    def write(self, image: NDArray[np.uint8], time_s: float) -> None:
        """Append a picture.

        Parameters
        ----------
        image : ndarray of uint8, shape (H, W, 3), with transparency (H, W, 4)
            BGR or BGRA, of the size given at the start; another size is scaled to it, never dropped.
        time_s : float
            Presentation time, not negative. One that does not come after the last frame's is moved behind it by the
            smallest step, so that no frame is lost (in a format with `least_ticks` it is left out and counted).

        Raises
        ------
        ExportError
            If it cannot be encoded or written.
        """
        if (image.shape[1], image.shape[0]) != self.size_wh:
            image = np.asarray(cv2.resize(image, self.size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        image = pad_to(image, self.coded_wh)
        if self.coverage is None and image.shape[2] == 4:
            self.coverage = float(image[:, :, 3].mean()) / 255
        pts = max(0, round(time_s / self._base))
        if self._first_pts is None or self._last_pts is None:
            if self._palette is not None:
                self._origin = pts  # a GIF knows delays only: its first picture is at 0
            pts -= self._origin
            self._first_pts = pts
        else:
            pts -= self._origin
            if self._least_ticks > 1 and pts < self._last_pts + self._least_ticks:
                self.left_out += 1
                self._end_pts = max(self._end_pts, pts + self._frame_ticks)
                return
            pts = max(pts, self._last_pts + 1)
        self._encode(self._frame(image, pts))
        self._last_pts = pts
        self._end_pts = pts + self._frame_ticks
        self.frames += 1
        if self.tracks is not None:
            self.tracks.advance(float(pts * self._base))

    def _frame(self, image: NDArray[np.uint8], pts: int) -> av.VideoFrame:
        """Return a picture in the form that the encoder takes."""
        frame = av.VideoFrame.from_numpy_buffer(image, format=self._form)
        if self._palette is None:
            frame = self._reformatter.reformat(
                frame,
                threads=1,
                format=self._coding.pix_fmt,
                dst_colorspace=Colorspace.ITU709,
                src_color_range=ColorRange.JPEG,
                dst_color_range=ColorRange.MPEG,
            )
        frame.pts, frame.time_base = pts, self._base
        if self._palette is None:
            return frame
        try:
            return self._palette.reduce(frame)
        except av.error.FFmpegError as error:
            raise ExportError(f"{self._name} cannot be written: {reason_of(error)}") from error

    def _encode(self, frame: av.VideoFrame | None) -> None:
        try:
            for packet in self._stream.encode(frame):
                if self._held is not None:
                    self._container.mux_one(self._held)
                self._held = packet
        except av.error.FFmpegError as error:
            raise ExportError(f"{self._name} cannot be written: {reason_of(error)}") from error

    def finish(self, cut_tracks: bool = False) -> None:
        """Encode what is left and complete the file.

        Parameters
        ----------
        cut_tracks : bool
            Sound and subtitles end with the last picture, not with their file.

        Raises
        ------
        ExportError
            If it cannot be written.
        """
        self._encode(None)
        if self.tracks is not None:
            self.tracks.finish(float(self._end_pts * self._base) if cut_tracks else None)
            self.tracks.close()
        try:
            if self._held is not None:
                # The encoder gives no durations; a muxer takes them from the next frame, which the last one lacks.
                self._held.duration = self._end_pts - (self._last_pts or 0)
                self._container.mux_one(self._held)
                self._held = None
            self._container.close()
        except av.error.FFmpegError as error:
            raise ExportError(f"{self._name} cannot be written: {reason_of(error)}") from error

    def abandon(self) -> None:
        """Close the file without caring about its contents."""
        self._held = None
        if self.tracks is not None:
            self.tracks.close()
        try:
            self._container.close()
        except av.error.FFmpegError:
            return  # the file is thrown away anyway, and the reason it broke was raised before
