"""What an earlier run has left, as far as its outputs tell it: nothing is decoded, and no file is read to its end."""

from __future__ import annotations

from pathlib import Path

import av
import av.error

from pipelines.offline.jobs import Job
from pipelines.offline.sequence import earlier_pictures


def written(job: Job) -> tuple[int | None, float | None]:
    """Return what the outputs of a job hold that an earlier run has finished.

    Returns
    -------
    tuple of (int or None, float or None)
        Number of frames, and length of the video in seconds, 0 where there is none. Each is None where nothing tells
        it: Matroska and WebM do not count their frames, and a file may have been damaged since.
    """
    if job.still:
        return 1, 0.0
    if job.is_sequence and job.output is not None:
        return len(earlier_pictures(job.output)), 0.0
    if job.output is not None:
        return _video(job.output)
    if job.layers_dir is not None and job.layers:
        return sum(1 for path in (job.layers_dir / job.layers[0]).iterdir() if path.is_file()), 0.0
    return None, 0.0  # results alone, in a file that may hold those of others


def _video(path: Path) -> tuple[int | None, float | None]:
    try:
        with av.open(f"file:{path}", metadata_errors="ignore") as container:
            stream = container.streams.video[0]
            frames = stream.frames or None  # libav says 0 where the container does not count them
            if stream.time_base is None:
                return frames, None
            if stream.duration is not None:
                return frames, float(stream.duration * stream.time_base)
            # Matroska notes where each track ends; the whole file ends with its sound.
            start_s = float((stream.start_time or 0) * stream.time_base)
            end_s = _seconds(stream.metadata.get("DURATION", ""))
            return frames, None if end_s is None else max(0.0, end_s - start_s)
    except (av.error.FFmpegError, IndexError):
        return None, None  # it has its name: what it holds now is not this run's affair


def _seconds(text: str) -> float | None:
    """Return the value of "00:01:02.500000000", None for any other text."""
    try:
        hours, minutes, seconds = (float(part) for part in text.split(":"))
    except ValueError:
        return None
    return hours * 3600 + minutes * 60 + seconds
