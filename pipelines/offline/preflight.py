"""What a file is, in one line, before the work on it starts."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import av
import av.error

from pipelines.offline.jobs import Job
from pipelines.offline.words import counted
from pipelines.sources import SourceInfo
from pipelines.sources.paths import is_folder


def preflight(job: Job, info: SourceInfo) -> str:
    """Describe the input of a job and the room for its output.

    Parameters
    ----------
    job : Job
        The job.
    info : SourceInfo
        Its open source.

    Returns
    -------
    str
        "1280x720, 29.97 frames/s, 300 frames, 10.01 s, sound aac stereo, 512.3 GB free"; what is not known is said to
        be unknown.
    """
    parts = [f"{info.size_wh[0]}x{info.size_wh[1]}"]
    if not job.still:
        parts.append(f"{rate_text(info.fps)} frames/s" if info.fps is not None else "rate unknown")
        if not job.source:
            parts += _variable(job.input)
        parts.append(counted(info.frame_count, "frame") if info.frame_count is not None else "number of frames unknown")
        if info.duration_s is not None:
            parts.append(f"{info.duration_s:.2f} s")
        if not job.source:
            parts += _tracks(job.input)
    folder = job.output.parent if job.output is not None else job.layers_dir
    free = free_bytes(folder) if folder is not None else None
    if free is not None:
        parts.append(f"{free / 1e9:.1f} GB free")
    return ", ".join(parts)


def rate_text(rate: Fraction) -> str:
    """Return a rate as people write it: 25, 29.97, 23.976."""
    return f"{float(rate):.3f}".rstrip("0").rstrip(".")


def free_bytes(folder: Path) -> int | None:
    """Return the free space where `folder` is or will be, None if the system does not tell."""
    existing = next((path for path in (folder, *folder.absolute().parents) if is_folder(path)), None)
    if existing is None:
        return None
    try:
        return shutil.disk_usage(existing).free
    except OSError:
        return None


def _variable(path: Path) -> list[str]:
    """Say that the rate varies where the container's two rates, mean and smallest step, differ."""
    try:
        with av.open(f"file:{path}", metadata_errors="ignore") as container:
            stream = container.streams.video[0]
            mean, step = stream.average_rate, stream.base_rate
    except (av.error.FFmpegError, IndexError):
        return []
    varies = mean is not None and step is not None and step < 1000 and abs(float(step / mean) - 1) > 0.02
    return ["variable rate"] if varies else []


def sound_tracks(path: Path) -> int:
    """Return how many tracks with sound a file has; 0 where it does not open."""
    try:
        with av.open(f"file:{path}", metadata_errors="ignore") as container:
            return len(container.streams.audio)
    except av.error.FFmpegError:
        return 0


def _tracks(path: Path) -> list[str]:
    try:
        with av.open(f"file:{path}", metadata_errors="ignore") as container:
            sound = [
                f"{stream.codec_context.codec.canonical_name} {stream.codec_context.layout.name}"
                for stream in container.streams.audio
            ]
            subtitles = len(container.streams.subtitles)
    except av.error.FFmpegError:
        return []
    found = [f"sound {' and '.join(sound)}" if sound else "no sound"]
    return [*found, f"{subtitles} subtitles"] if subtitles else found
