"""What PyAV's containers and frames mean: rates, clocks, and pictures as they shall be seen (upright, square, BGR)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import av
import numpy as np
from av.container import Container, InputContainer
from av.error import FFmpegError
from av.stream import Disposition
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

from pipelines.errors import SourceError
from pipelines.frame import to_bgr
from pipelines.sources.orientation import WORDS, apply_orientation, frame_orientation
from pipelines.sources.tone_mapping import Transfer, tone_mapped

MAX_FPS: Final = 1000
"""A rate above this is a container's time base, not the rate of its pictures."""
MAX_SIDE: Final = 16_384
"""Longest side that a picture is stretched to: a nonsensical pixel shape must not cost gigabytes."""
BT601, BT709, BT2020, BT2020_CONSTANT = 5, 1, 9, 10
CONVERTIBLE: Final = frozenset({BT709, 4, BT601, 6, 7, BT2020})
"""Colour spaces (H.273 numbers) that FFmpeg converts; 4 and 7 are old television, 6 is BT.601 again."""
RGB, UNSPECIFIED = 0, 2
LIMITED_RANGE, FULL_RANGE = 1, 2
TRANSFERS: Final = {transfer.value: transfer for transfer in Transfer}
"""High dynamic range by FFmpeg's number."""
TIMELESS: Final = frozenset({"av1", "h264", "hevc", "m4v", "mjpeg", "mpegvideo", "mpjpeg", "obu", "vvc"})
"""Formats (by FFmpeg's name) without times of their own. Some codings tell their rate; FFmpeg makes up 25 for all."""
ASSUMED_RATE: Final = Fraction(25)
STARTS_ANYWHERE: Final = 0x0200
"""AVFMT_TS_DISCONT of libavformat: broadcast formats, whose clocks count from an arbitrary moment, often hours."""


def video_stream(container: InputContainer, name: str) -> VideoStream:
    """Return the stream with the moving picture (cover pictures of music files do not count).

    Raises
    ------
    SourceError
        If there is none, or none that can be decoded.
    """
    streams = [stream for stream in container.streams.video if not stream.disposition & Disposition.attached_pic]
    for stream in streams:
        # None where this FFmpeg has no decoder for it; its attributes must not be touched then.
        if stream.codec_context is not None:
            return stream
    if streams:
        raise SourceError(f"{name} holds video in a coding that cannot be decoded")
    if container.streams.audio:
        raise SourceError(f"{name} holds sound but no video")
    raise SourceError(f"{name} holds no video")


def is_timeless(container: Container) -> bool:
    """Whether the container is a bare sequence of pictures, without times."""
    return container.format.name in TIMELESS


def nominal_rate(stream: VideoStream) -> Fraction | None:
    """Return the rate that the file claims, None when it claims none or nonsense."""
    coded = stream.codec_context.framerate
    claims: tuple[Fraction | None, ...] = (stream.average_rate, stream.guessed_rate, coded)
    if is_timeless(stream.container):
        claims = (coded,)
    elif stream.container.format.name == "gif" and stream.frames and stream.duration and stream.time_base:
        # FFmpeg's average is that of the first delays, which alternate (6, 7, 7 hundredths for 15 a second).
        average = stream.frames / (stream.duration * stream.time_base)
        guess = stream.guessed_rate
        claims = (guess if guess is not None and abs(guess / average - 1) < 0.01 else average,)
    for rate in claims:
        if rate is not None and 0 < rate <= MAX_FPS:
            return Fraction(rate)
    return None


def clock_origin_s(container: InputContainer) -> float:
    """Return the time, in seconds of the container's own clock, that counts as 0.

    That is the first moment of a broadcast format, and 0 elsewhere, where a late first frame is meant so. Pictures from
    before 0 count from the first of them.
    """
    start = container.start_time
    if start is not None and container.format.flags & STARTS_ANYWHERE:
        return start / av.time_base
    starts = [
        float(stream.start_time * stream.time_base)
        for stream in container.streams.video
        if stream.start_time is not None and stream.time_base is not None
    ]
    return min(0.0, *starts) if starts else 0.0


def square_size(width: int, height: int, aspect: Fraction | None) -> tuple[int, int]:
    """Return the size with square pixels: the longer way round, so that no detail is lost.

    Parameters
    ----------
    width, height : int
        Coded size in pixels.
    aspect : Fraction or None
        Width of a pixel divided by its height. None, nonsense, and what would make a side longer than `MAX_SIDE` count
        as square.
    """
    if aspect is None or not Fraction(1, 16) <= aspect <= 16:
        return width, height
    if aspect > 1:
        wide = round(width * aspect)
        return (wide, height) if wide <= MAX_SIDE else (width, height)
    tall = round(height / aspect)
    return (width, tall) if tall <= MAX_SIDE else (width, height)


class Converter:
    """Turns decoded frames of one stream into pictures as they shall be seen.

    Colour follows each frame's own tags; where it has none, BT.709 is taken for 720 lines and more and BT.601 below, as
    players do. High dynamic range is tone-mapped (`tone_mapping`). Transparency is composited over black.

    Attributes
    ----------
    transparent : bool
        Whether a frame so far had transparent parts.
    """

    def __init__(self, stream: VideoStream) -> None:
        aspect = stream.sample_aspect_ratio
        self._aspect = Fraction(aspect) if aspect else None
        # One for all frames: a frame's own would set up its tables, and its threads, again for every picture.
        self._reformatter = VideoReformatter()
        self._orientations: dict[int, int] = {}
        self.transparent = False

    def _orientation(self, frame: VideoFrame) -> int:
        """Return the orientation that a frame asks for, read once for each angle that comes up.

        A frame and its list of side data refer to each other: with the list of every frame read, hundreds of megabytes
        of pictures would wait for the collector of cycles, which sees two small objects in each.
        """
        angle = frame.rotation
        if angle not in self._orientations:
            self._orientations[angle] = frame_orientation(frame)
        return self._orientations[angle]

    def picture(self, frame: VideoFrame) -> NDArray[np.uint8]:
        """Convert a frame.

        Returns
        -------
        ndarray of uint8, shape (H, W, 3)
            BGR, turned as the file asks, with square pixels.

        Raises
        ------
        SourceError
            If its form is unknown.
        """
        width, height = square_size(frame.width, frame.height, self._aspect)
        layout = frame.format
        alpha = len(layout.components) == 4 or layout.name in ("pal8", "ya8", "ya16be", "ya16le")
        colour: dict[str, int] = {}
        if not layout.is_rgb and len(layout.components) >= 3:
            space = BT2020 if frame.colorspace == BT2020_CONSTANT else frame.colorspace
            if space not in CONVERTIBLE:
                space = BT709 if frame.height >= 720 else BT601
            full = frame.color_range == FULL_RANGE or layout.name.startswith("yuvj")
            colour = {
                "src_colorspace": space,
                "dst_colorspace": space,
                "src_color_range": FULL_RANGE if full else LIMITED_RANGE,
                "dst_color_range": FULL_RANGE,
            }
        transfer = TRANSFERS.get(frame.color_trc)
        form = "rgb48le" if transfer is not None else "bgra" if alpha else "bgr24"
        try:
            shown = self._reformatter.reformat(frame, width=width, height=height, format=form, threads=1, **colour)
            if transfer is not None:
                wide = frame.color_primaries != BT709
                image = tone_mapped(np.asarray(shown.to_ndarray(), np.uint16), transfer, wide)
                return apply_orientation(image, self._orientation(frame))
            image = np.asarray(shown.to_ndarray(), np.uint8)
        except (FFmpegError, ValueError, MemoryError) as error:
            raise SourceError(f"its pictures ({layout.name}, {width}x{height}) cannot be converted: {error}") from error
        if alpha:
            opaque = bool((image[:, :, 3] == 255).all())
            self.transparent |= not opaque
            image = np.ascontiguousarray(image[:, :, :3]) if opaque else to_bgr(image)
        return apply_orientation(image, self._orientation(frame))

    def notices(self, frame: VideoFrame, stream: VideoStream) -> tuple[str, ...]:
        """Return what a user should know of the form of the first frame, which was converted before."""
        found = []
        orientation = self._orientation(frame)
        if orientation in WORDS:
            found.append(f"{WORDS[orientation]} as the file asks")
        if square_size(frame.width, frame.height, self._aspect) != (frame.width, frame.height):
            found.append("its pixels are not square; the picture was stretched to its true shape")
        transfer = TRANSFERS.get(frame.color_trc)
        if transfer is not None:
            found.append(f"HDR ({transfer.name}) is shown tone-mapped to the range and colours of BT.709")
        if frame.colorspace not in (*CONVERTIBLE, BT2020_CONSTANT, RGB, UNSPECIFIED):
            found.append("its colour space is unknown: colours may be wrong")
        if frame.interlaced_frame:
            found.append("interlaced: moving edges look like combs")
        if self.transparent:
            found.append("its transparency was composited over black")
        elif any(key.lower() == "alpha_mode" and value == "1" for key, value in stream.metadata.items()):
            # VP8 and VP9 carry it beside the picture, where FFmpeg's own decoders do not look. Most write its name in
            # capitals.
            found.append("its transparency is ignored")
        return tuple(found)
