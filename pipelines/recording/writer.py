"""H.264 in MP4 that can be played from the first second on, whenever the writing ends.

The muxer closes a fragment about every second (`hybrid_fragmented` of FFmpeg's MP4 muxer): what was written until then
is a valid file at any moment. At the end it writes one index for everything, and what is left is a plain MP4 file.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import av
import numpy as np
from av.error import FFmpegError
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc
from numpy.typing import NDArray

from pipelines.atomic import reason_of
from pipelines.errors import ExportError
from pipelines.machine import cores
from pipelines.recording.fit import fitted_into
from pipelines.recording.part import RecordingPart
from pipelines.yuv import Yuv420

TIME_BASE: Final = Fraction(1, 90_000)
FRAGMENT_S: Final = 0.9
"""A fragment is on the disk when the first picture of the next one is coded: a second after its own first."""
LONGEST_GAP: Final = 1 << 31
"""Ticks between two pictures that a fragment can hold."""
ENCODER: Final = {
    "preset": "superfast",
    "crf": "23",  # x264's own; 20 takes a third more of the processor's time
    "bf": "0",
    # Looking ahead would keep pictures in the encoder, and a crash would cost them.
    "x264-params": "rc-lookahead=0:sync-lookahead=0",
    "g": "100000",  # pictures to start from come by time, not by number
}
SLICED_FROM: Final = 1920 * 1080
"""Pixels from which one thread does not keep up with 30 pictures a second."""


class RecordingWriter:
    """Encodes pictures into a part file.

    Parameters
    ----------
    part : RecordingPart
        Where it goes.
    size_wh : tuple of int
        Size of the recording. Pictures of another size are scaled to fit.
    metadata : mapping of str to str
        "title", "comment" and "date" are understood by players.

    Raises
    ------
    ExportError
        If the file cannot be written.

    Attributes
    ----------
    frames : int
        Pictures in the file.
    duration_s : float
        Time of the last one.
    """

    def __init__(self, part: RecordingPart, size_wh: tuple[int, int], metadata: Mapping[str, str]) -> None:
        self._part = part
        self._size_wh = size_wh[0] + size_wh[0] % 2, size_wh[1] + size_wh[1] % 2  # 4:2:0
        self.frames = 0
        self.duration_s = 0.0
        self._last_pts: int | None = None
        self._step = round(1 / (30 * TIME_BASE))
        self._key_s: float | None = None
        self._held: av.Packet | None = None
        self._convert = Yuv420(self._size_wh)
        try:
            self._container = av.open(
                part,
                "w",
                format="mp4",
                # Without flushing, a fragment would wait in a buffer until the next ones fill it.
                container_options={"movflags": "hybrid_fragmented+frag_keyframe", "flush_packets": "1"},
            )
            stream = self._container.add_stream("libx264", rate=30, options=dict(ENCODER))
        except (FFmpegError, OSError) as error:
            raise self._failure(error) from error
        self._stream = stream
        stream.width, stream.height = self._size_wh
        stream.pix_fmt = "yuv420p"
        stream.time_base = TIME_BASE
        context = stream.codec_context
        context.time_base = TIME_BASE
        # Slices, not pictures, are shared among threads: those would wait in the encoder.
        context.thread_type = "SLICE"
        context.thread_count = 1 if size_wh[0] * size_wh[1] < SLICED_FROM else min(4, cores())
        context.colorspace = Colorspace.ITU709
        context.color_primaries = ColorPrimaries.BT709
        context.color_trc = ColorTrc.BT709
        context.color_range = ColorRange.MPEG
        for key, value in metadata.items():
            self._container.metadata[key] = value

    def write(self, image: NDArray[np.uint8], time_s: float) -> None:
        """Add a picture.

        Parameters
        ----------
        image : ndarray of uint8, shape (H, W, 3)
            BGR.
        time_s : float
            When it is shown, after the one before.

        Raises
        ------
        ExportError
            If it cannot be encoded or written.
        """
        frame = self._convert.frame(fitted_into(image, self._size_wh))
        pts = round(time_s / TIME_BASE)
        if self._last_pts is not None:
            pts = min(max(pts, self._last_pts + 1), self._last_pts + LONGEST_GAP)
            self._step = pts - self._last_pts
        frame.pts, frame.time_base = pts, TIME_BASE
        if self._key_s is None or time_s - self._key_s >= FRAGMENT_S:
            frame.pict_type, self._key_s = PictureType.I, time_s
        self._encode(frame)
        self._last_pts = pts
        self.duration_s = float(pts * TIME_BASE)
        self.frames += 1

    def finish(self) -> None:
        """Complete the file.

        Raises
        ------
        ExportError
            If it cannot be written.
        """
        self._encode(None)
        try:
            if self._held is not None:
                # The last picture stays for as long as the one before it.
                self._held.duration = min(self._step, round(1 / TIME_BASE))
                self._container.mux_one(self._held)
                self._held = None
            self._container.close()
        except (FFmpegError, OSError) as error:
            raise self._failure(error) from error

    def abandon(self) -> None:
        """Stop at once: the file keeps the fragments that it has."""
        self._part.seal()
        self._held = None
        try:
            self._container.close()
        except (FFmpegError, OSError):
            return  # why it broke was told before

    def _encode(self, frame: av.VideoFrame | None) -> None:
        try:
            for packet in self._stream.encode(frame):
                if self._held is not None:
                    # The encoder tells no durations, and the muxer would guess that of a fragment's last picture.
                    if packet.pts is not None and self._held.pts is not None:
                        self._held.duration = packet.pts - self._held.pts
                    self._container.mux_one(self._held)
                self._held = packet
        except (FFmpegError, OSError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> ExportError:
        return ExportError(f"{self._part.final} cannot be written: {reason_of(error)}")
