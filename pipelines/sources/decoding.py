"""From a container that PyAV opened to frames as they shall be seen: upright, square pixels, BGR, each at its time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import av
import cv2
import numpy as np
from av.container import InputContainer
from av.error import FFmpegError
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from numpy.typing import NDArray

from pipelines.errors import SourceError
from pipelines.frame import to_bgr

MAX_FPS = 1000
"""A rate above this is a container's time base, not the rate of its pictures."""
BT601, BT709, BT2020 = 5, 1, 9
UNSPECIFIED = 2
FULL_RANGE = 2
PQ, HLG = 16, 18
TS_DISCONT = 0x0200
"""AVFMT_TS_DISCONT of libavformat: a format whose times start anywhere and may jump."""
TRANSPOSED = {90: cv2.ROTATE_90_COUNTERCLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_CLOCKWISE}


def video_stream(container: InputContainer, name: str) -> VideoStream:
    """Return the stream with the moving picture (cover pictures of music files do not count).

    Raises
    ------
    SourceError
        If there is none.
    """
    for stream in container.streams.video:
        if "attached_pic" not in str(stream.disposition):
            return stream
    if container.streams.audio:
        raise SourceError(f"{name} holds sound but no video")
    raise SourceError(f"{name} holds no video")


def nominal_rate(stream: VideoStream) -> Fraction | None:
    """Return the rate that the container claims, None when it claims none or nonsense."""
    for rate in (stream.average_rate, stream.guessed_rate):
        if rate is not None and 0 < rate <= MAX_FPS:
            return Fraction(rate)
    return None


def clock_origin_s(container: InputContainer) -> float:
    """Return the time, in seconds, from which a file's times are counted.

    Broadcast formats count from an arbitrary moment, often hours; elsewhere a late first frame is meant so.
    """
    start = container.start_time if container.format.flags & TS_DISCONT else None
    return start / av.time_base if start else 0.0


def quarter_turns(rotation: float) -> int:
    """Return the counter-clockwise angle, 0, 90, 180 or 270 degrees, next to `rotation` degrees."""
    return round(rotation / 90) * 90 % 360


def square_size(width: int, height: int, aspect: Fraction | None) -> tuple[int, int]:
    """Return the size with square pixels: the longer way round, so that no detail is lost.

    Parameters
    ----------
    width, height : int
        Coded size in pixels.
    aspect : Fraction or None
        Width of a pixel divided by its height.
    """
    if aspect is None or not Fraction(1, 16) <= aspect <= 16 or aspect == 1:
        return width, height
    if aspect > 1:
        return max(1, round(width * aspect)), height
    return width, max(1, round(height / aspect))


def picture(frame: VideoFrame, aspect: Fraction | None) -> NDArray[np.uint8]:
    """Convert a decoded frame to BGR as it shall be seen.

    Colour follows the frame's own tags; where it has none, BT.709 is taken for 720 lines and more and BT.601 below, as
    players do. Transparency is composited over black.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        Turned as the file asks, with square pixels.
    """
    width, height = square_size(frame.width, frame.height, aspect)
    alpha = len(frame.format.components) == 4 or frame.format.name in ("pal8", "ya8", "ya16be", "ya16le")
    grey_or_rgb = frame.format.is_rgb or len(frame.format.components) < 3
    target = "bgra" if alpha else "bgr24"
    if grey_or_rgb:
        shown = frame.reformat(width=width, height=height, format=target)
    else:
        space = frame.colorspace
        if space in (0, UNSPECIFIED):
            space = BT709 if frame.height >= 720 else BT601
        elif space == BT2020 + 1:
            space = BT2020
        full = frame.color_range == FULL_RANGE or frame.format.name.startswith("yuvj")
        shown = frame.reformat(
            width=width,
            height=height,
            format=target,
            src_colorspace=space,
            dst_colorspace=space,
            src_color_range=FULL_RANGE if full else 1,
            dst_color_range=FULL_RANGE,
        )
    image = shown.to_ndarray()
    if alpha:
        opaque = bool((image[:, :, 3] == 255).all())
        image = np.ascontiguousarray(image[:, :, :3]) if opaque else to_bgr(image)
    turn = quarter_turns(frame.rotation)
    if turn:
        image = cv2.rotate(image, TRANSPOSED[turn])
    return np.asarray(image, np.uint8)


def notices(frame: VideoFrame, stream: VideoStream) -> tuple[str, ...]:
    """What a user should know of the first frame's form."""
    found = []
    turn = quarter_turns(frame.rotation)
    if turn:
        found.append(f"turned by {360 - turn if turn != 180 else 180} degrees as the file asks")
    aspect = stream.sample_aspect_ratio
    if aspect is not None and square_size(frame.width, frame.height, Fraction(aspect)) != (frame.width, frame.height):
        found.append("its pixels are not square; the picture was stretched to its true shape")
    if frame.color_trc in (PQ, HLG):
        found.append(
            f"HDR ({'PQ' if frame.color_trc == PQ else 'HLG'}) is shown without tone mapping: colours look flat"
        )
    if frame.interlaced_frame:
        found.append("interlaced: moving edges look like combs")
    if frame.format.name in ("yuva420p", "rgba", "bgra", "argb", "abgr") and stream.codec_context.name != "gif":
        found.append("its transparency was composited over black")
    return tuple(found)


class Decoder:
    """Frames of one video stream, in the order in which they are shown.

    Packets that cannot be decoded are skipped and counted: one bad packet does not cost the rest of a file.
    """

    def __init__(self, container: InputContainer, stream: VideoStream) -> None:
        self._container = container
        self._stream = stream
        self._rate = nominal_rate(stream)
        self._origin_s = clock_origin_s(container)
        self._last_s = -math.inf
        self.damaged_packets = 0
        self.broke_off = ""
        stream.thread_type = "AUTO"

    def __iter__(self) -> Iterator[tuple[VideoFrame, float]]:
        """Yield decoded frames with their times in seconds, which never decrease."""
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except FFmpegError as error:
                self.broke_off = str(error.strerror or error)
                return
            try:
                decoded = packet.decode()
            except FFmpegError:
                # The flushing packet at the end has no data; a failure there is no damaged packet.
                self.damaged_packets += bool(packet.size)
                continue
            for frame in decoded:
                yield frame, self._time(frame)

    def _time(self, frame: VideoFrame) -> float:
        step = float(1 / self._rate) if self._rate else 1 / 30
        if frame.pts is not None and frame.time_base is not None:
            time_s = float(frame.pts * frame.time_base) - self._origin_s
        elif self._last_s == -math.inf:
            time_s = 0.0
        else:
            time_s = self._last_s + step
        self._last_s = max(time_s, self._last_s) if self._last_s > -math.inf else max(time_s, 0.0)
        return self._last_s
