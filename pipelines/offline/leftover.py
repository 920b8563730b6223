"""What a run that broke off has left of a job, for those who want to know before they start it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from models.errors import VisionError
from pipelines.config import PipelineConfig
from pipelines.offline.identity import difference, identify
from pipelines.offline.jobs import Job
from pipelines.offline.journal import read_journal
from pipelines.offline.lock import Held, Lock
from pipelines.offline.place import Place
from pipelines.sources.paths import is_folder


@dataclass(frozen=True, slots=True)
class Leftover:
    """Finished segments of an earlier run.

    Parameters
    ----------
    frames : int
        How many frames they hold.
    difference : str
        Why the job cannot go on with them, as in "its --crf was 20, not 23"; "" where it can.
    """

    frames: int
    difference: str = ""


def leftover(job: Job, results: Path | None, config: PipelineConfig, options: Mapping[str, str]) -> Leftover | None:
    """Return what an earlier run has left of a job, None where that is nothing of use, or not to be found out.

    Models and backends are not compared: that takes loading them.

    Parameters
    ----------
    job : Job
        The job.
    results : Path or None
        Its results file.
    config : PipelineConfig
        What is computed.
    options : mapping of str to str
        As in `Tools`.
    """
    if not job.writes_files and results is None:
        return None
    try:
        journal = read_journal(Place(job, results).journal)
        if journal is None or journal.done or not journal.segments:
            return None
        now = identify(job, config, options, results.suffix.lower() if results is not None else "")
    except (OSError, VisionError):
        return None
    return Leftover(journal.segments[-1].frames, difference(journal.identity, now))


def discard(job: Job, results: Path | None) -> None:
    """Remove what an earlier run has left of a job, unless a run is at work on it."""
    place = Place(job, results)
    if not is_folder(place.path):
        return
    try:
        lock = Lock(place.path / "lock")
    except (Held, OSError):
        return  # the job itself finds out, and says so
    lock.release()
    place.remove()
