"""Annotated video: H.264 in MP4 or Matroska, every frame at its own time.

OpenCV's VideoWriter is not used: it drops frames of another size or channel count without a word, knows one constant
rate only, and its wheels have no H.264 encoder.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import av.error
import cv2
import numpy as np
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc
from numpy.typing import NDArray

from pipelines.atomic import reason_of
from pipelines.errors import ExportError
from pipelines.offline.tracks import Tracks

CONTAINERS: Final = {".mp4": "mp4", ".mkv": "matroska"}
"""Muxer by file suffix."""

TIME_BASE: Final = Fraction(1, 90_000)
"""Holds the frame times of every usual rate exactly (24, 25, 30, 50, 60 and their 1000/1001) and milliseconds too."""

FALLBACK_RATE: Final = Fraction(30)
"""Assumed where the source does not know its rate; decides the last frame's duration only."""

DEFAULT_CRF: Final = 20
"""Hard to tell from the source."""

ENCODER_OPTIONS: Final = {"preset": "veryfast", "bf": "0"}
"""A speed that does not hold up the tasks on two cores. No B-frames: with them the decoding times of a variable rate
run behind, and players read a wrong duration from MP4."""


def even_size(size_wh: tuple[int, int]) -> tuple[int, int]:
    """Return the size rounded up to even numbers, as 4:2:0 chroma needs it."""
    width, height = size_wh
    return width + width % 2, height + height % 2


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
        ".mp4" or ".mkv".
    size_wh : tuple of int
        Size of the pictures. Odd sizes are padded to even ones by repeating the last column or row.
    rate : Fraction or None
        Nominal rate of the source; the true times are those given to `write`.
    tracks_from : Path or None
        File whose sound and subtitles are brought over.
    start_s : float
        Time in that file that is time 0 here.
    crf : int
        Quality: 1 = best, 51 = worst.

    Raises
    ------
    ExportError
        If the suffix is unknown or the file cannot be written.
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
    ) -> None:
        container = CONTAINERS.get(suffix.lower())
        if container is None:
            raise ExportError(f"no video format has the suffix {suffix!r} (known: {', '.join(CONTAINERS)})")
        self.size_wh = size_wh
        self.frames = 0
        self._name = name
        self._padded_wh = even_size(size_wh)
        self._frame_ticks = max(1, round(1 / ((rate or FALLBACK_RATE) * TIME_BASE)))
        self._first_pts: int | None = None
        self._last_pts: int | None = None
        self._held: av.Packet | None = None
        # "file:" keeps libav from reading a colon in the name as a protocol.
        options = {"movflags": "+faststart"} if container == "mp4" else {}
        encoder = {"crf": str(crf), **ENCODER_OPTIONS}
        try:
            self._container = av.open(f"file:{path}", "w", format=container, container_options=options)
            self._stream = self._container.add_stream("libx264", rate=rate or FALLBACK_RATE, options=encoder)
        except av.error.FFmpegError as error:
            raise ExportError(f"{self._name} cannot be written: {reason_of(error)}") from error
        stream = self._stream
        stream.width, stream.height = self._padded_wh
        stream.pix_fmt = "yuv420p"
        stream.time_base = TIME_BASE
        context = stream.codec_context
        context.time_base = TIME_BASE
        context.colorspace = Colorspace.ITU709
        context.color_primaries = ColorPrimaries.BT709
        context.color_trc = ColorTrc.BT709
        context.color_range = ColorRange.MPEG
        self.tracks: Tracks | None = None
        if tracks_from is not None:
            self.tracks = Tracks(tracks_from, self._container, suffix.lower(), start_s)

    @property
    def first_s(self) -> float:
        """Time of the first picture, in seconds; 0 before there is one."""
        return float((self._first_pts or 0) * TIME_BASE)

    @property
    def last_s(self) -> float:
        """Time of the last picture, in seconds; 0 before there is one."""
        return float((self._last_pts or 0) * TIME_BASE)

    @property
    def duration_s(self) -> float:
        """From the start of the first picture to the end of the last one, in seconds; 0 before there is one."""
        if self._first_pts is None or self._last_pts is None:
            return 0.0
        return float((self._last_pts + self._frame_ticks - self._first_pts) * TIME_BASE)

    def write(self, image_bgr: NDArray[np.uint8], time_s: float) -> None:
        """Append a picture.

        Parameters
        ----------
        image_bgr : ndarray of uint8, shape (H, W, 3)
            Of the size given at the start; another size is scaled to it, never dropped.
        time_s : float
            Presentation time, not negative. One that does not come after the last frame's is moved behind it by the
            smallest step, so that no frame is lost.

        Raises
        ------
        ExportError
            If it cannot be encoded or written.
        """
        if (image_bgr.shape[1], image_bgr.shape[0]) != self.size_wh:
            image_bgr = np.asarray(cv2.resize(image_bgr, self.size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        pts = max(0, round(time_s / TIME_BASE))
        if self._first_pts is None or self._last_pts is None:
            self._first_pts = pts
        else:
            pts = max(pts, self._last_pts + 1)
        frame = av.VideoFrame.from_numpy_buffer(pad_to(image_bgr, self._padded_wh), format="bgr24").reformat(
            format="yuv420p",
            dst_colorspace=Colorspace.ITU709,
            src_color_range=ColorRange.JPEG,
            dst_color_range=ColorRange.MPEG,
        )
        frame.pts, frame.time_base = pts, TIME_BASE
        self._last_pts = pts
        self._encode(frame)
        self.frames += 1
        if self.tracks is not None:
            self.tracks.advance(float(pts * TIME_BASE))

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
            self.tracks.finish(self.last_s + float(self._frame_ticks * TIME_BASE) if cut_tracks else None)
            self.tracks.close()
        try:
            if self._held is not None:
                # The encoder gives no durations; a muxer takes them from the next frame, which the last one lacks.
                self._held.duration = self._frame_ticks
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
