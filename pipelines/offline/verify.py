"""A file counts as written only after it was opened again and holds what was put in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import av
import av.error
import numpy as np

from pipelines.atomic import reason_of
from pipelines.errors import ExportError

TOLERANCE_S = 0.002
"""Containers round times to milliseconds."""


SOUND_TOLERANCE_S = 0.25
"""Sound comes in packets of up to a tenth of a second, and containers may join short ones."""


ALPHA_TOLERANCE = 3 / 255
"""By how much the mean of a mask may change in coding."""


def check_video(
    path: Path, name: str, frames: int, first_s: float, last_s: float, sound_ends_s: Sequence[float] = ()
) -> None:
    """Reopen a video and compare it with what was written.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What to call it in messages.
    frames : int
        Number of pictures written.
    first_s, last_s : float
        Time of the first and of the last picture, in seconds.
    sound_ends_s : sequence of float
        Time of the last packet of each track with sound, in seconds.

    Raises
    ------
    ExportError
        If it does not open, holds another number of pictures, or other times.
    """
    try:
        with av.open(f"file:{path}") as container:
            streams = [container.streams.video[0], *container.streams.audio]
            found: dict[int, list[float]] = {stream.index: [] for stream in streams}
            for packet in container.demux(streams):
                if packet.pts is not None:
                    found[packet.stream.index].append(float(packet.pts * packet.time_base))
            times, *sounds = (found[stream.index] for stream in streams)
    except (av.error.FFmpegError, IndexError) as error:
        raise ExportError(f"{name} was written but does not open again: {reason_of(error)}") from error
    if len(times) != frames:
        raise ExportError(f"{name} holds {len(times)} frames where {frames} were written")
    if abs(min(times) - first_s) > TOLERANCE_S or abs(max(times) - last_s) > TOLERANCE_S:
        raise ExportError(
            f"{name} shows frames from {min(times):.3f} to {max(times):.3f} s, expected {first_s:.3f} to {last_s:.3f} s"
        )
    heard = sorted(max(track) for track in sounds if track)
    expected = sorted(sound_ends_s)
    if len(heard) != len(expected) or any(abs(a - b) > SOUND_TOLERANCE_S for a, b in zip(heard, expected, strict=True)):
        raise ExportError(f"{name} has sound up to {heard} s, expected {expected} s")


def check_alpha(path: Path, name: str, coverage: float) -> None:
    """Reopen a video and see that its first picture is as transparent as it was written.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What to call it in messages.
    coverage : float
        Mean of the alpha channel of the first picture, in [0, 1].

    Raises
    ------
    ExportError
        If it does not open, or its transparency is missing or another one.
    """
    try:
        found = first_coverage(path)
    except (av.error.FFmpegError, IndexError) as error:
        raise ExportError(f"{name} was written but does not open again: {reason_of(error)}") from error
    if found is None:
        raise ExportError(f"{name} holds no transparency, although it was written")
    if abs(found - coverage) > ALPHA_TOLERANCE:
        raise ExportError(f"{name} shows {found:.0%} of its first picture where {coverage:.0%} were written")


def first_coverage(path: Path) -> float | None:
    """Return the mean of the alpha channel of a video's first picture, in [0, 1]; None where it has none.

    Raises
    ------
    FFmpegError
        If it cannot be decoded.
    """
    with av.open(f"file:{path}") as container:
        stream = container.streams.video[0]
        decoder: av.VideoCodecContext = stream.codec_context
        if decoder.name == "vp9":
            # FFmpeg's own decoder does not look at the transparency, which lies beside the picture.
            decoder = av.VideoCodecContext.create("libvpx-vp9", "r")
        for packet in container.demux(stream):
            for frame in decoder.decode(packet):
                component = next((item for item in frame.format.components if item.is_alpha), None)
                if component is None:
                    return None
                plane = frame.planes[component.plane]
                values = np.frombuffer(memoryview(plane), np.uint16 if component.bits > 8 else np.uint8)
                shown = values.reshape(frame.height, -1)[:, : frame.width]
                return float(shown.mean()) / ((1 << component.bits) - 1)
    return None
