"""Clocks of broadcast recordings that were joined: each of them begins anew, pictures and sound with it."""

from __future__ import annotations

from pathlib import Path

import av
import av.error

from pipelines.sources.decoder import RESTART_S
from pipelines.sources.decoding import ASSUMED_RATE, STARTS_ANYWHERE, clock_origin_s, nominal_rate, video_stream


def clock_origins_s(path: Path) -> list[float]:
    """Return what counts as 0 on the clock of a file, in seconds, for each stretch of it that has a clock of its own.

    Only broadcast formats are read for that, from beginning to end; all others have one clock. The pictures decide, as
    in `pipelines.sources.decoder.Decoder`: they follow each other without a gap.

    Raises
    ------
    FFmpegError
        If the file cannot be opened.
    SourceError
        If it holds no video.
    """
    with av.open(f"file:{path}", metadata_errors="ignore") as container:
        origins = [clock_origin_s(container)]
        if not container.format.flags & STARTS_ANYWHERE:
            return origins
        stream = video_stream(container, str(path))
        step_s = float(1 / (nominal_rate(stream) or ASSUMED_RATE))
        last_s: float | None = None
        try:
            for packet in container.demux(stream):
                if packet.pts is None:
                    continue
                time_s = float(packet.pts * packet.time_base) - origins[-1]
                if last_s is not None and time_s < last_s - RESTART_S:
                    origins.append(origins[-1] - (last_s + step_s - time_s))
                    time_s = last_s + step_s
                last_s = time_s if last_s is None else max(last_s, time_s)
        except (av.error.FFmpegError, IndexError):
            return origins  # the file breaks off: the reader of the pictures reports that
    return origins


class TrackClock:
    """The clock of one track of sound or subtitles.

    Parameters
    ----------
    origins_s : list of float
        From `clock_origins_s`.
    """

    def __init__(self, origins_s: list[float]) -> None:
        self._origins_s = origins_s
        self._stretch = 0
        self._last_s: float | None = None

    def origin_s(self, raw_s: float) -> float:
        """Return what counts as 0 for the next packet, whose time is `raw_s` on the file's own clock, in seconds."""
        begins_anew = self._last_s is not None and raw_s < self._last_s - RESTART_S
        if begins_anew and self._stretch + 1 < len(self._origins_s):
            self._stretch += 1
        self._last_s = raw_s
        return self._origins_s[self._stretch]
