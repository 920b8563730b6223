"""The results file of a run, made of the rows of its jobs."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from pipelines.atomic import PART_PREFIX, PART_SUFFIX, check_writable, publish, reason_of
from pipelines.errors import ExportError
from pipelines.offline.job import JobReport
from pipelines.offline.jobs import Job
from pipelines.offline.lock import Held, Lock
from pipelines.offline.place import Place
from pipelines.offline.tools import Rows
from pipelines.sources.paths import is_there


def table_part(final: Path) -> Path:
    """Return where a results file comes into being: what is killed leaves it, and the next run takes it over."""
    digest = hashlib.sha256(final.name.encode("utf-8", "surrogateescape")).hexdigest()
    return final.with_name(f"{PART_PREFIX}table-{digest[:16]}{PART_SUFFIX}")


class ResultsTable:
    """The results file of a run, made of the rows of its jobs in the order in which they are added.

    Parameters
    ----------
    final : Path or None
        The file; None when none is wanted.
    jobs : sequence of Job
        All jobs. With more than one each row starts with the key "input".
    overwrite : bool
        Whether the file may be replaced.

    Raises
    ------
    ExportError
        If it cannot be written, or another run is writing it.
    """

    def __init__(self, final: Path | None, jobs: Sequence[Job], overwrite: bool) -> None:
        self._final = final
        self._many = len(jobs) > 1
        self._overwrite = overwrite
        self._committed = False
        self._taken: list[Job] = []
        self._lock: Lock | None = None
        if final is None:
            return
        check_writable(final, overwrite)
        self._part = table_part(final)
        try:
            self._lock = Lock(self._part)
            os.truncate(self._part, 0)
        except Held:
            raise ExportError(f"{final} is being written by another run") from None
        except OSError as error:
            raise ExportError(f"{final} cannot be written: {reason_of(error)}") from error

    def rows(self, job: Job) -> Rows | None:
        """Return how a job shall write its rows."""
        if self._final is None:
            return None
        return Rows(self._final, {"input": job.input.name} if self._many else {})

    def add(self, report: JobReport) -> None:
        """Append the rows of a job that is done; the header of a CSV file only once.

        Raises
        ------
        ExportError
            If that fails.
        """
        if self._final is None or report.rows is None:
            return
        self._taken.append(report.job)
        try:
            with report.rows.open("rb") as source, self._part.open("ab") as target:
                if self._final.suffix.lower() == ".csv" and target.tell() > 0:
                    source.readline()
                shutil.copyfileobj(source, target)
        except OSError as error:
            raise ExportError(f"{self._final} cannot be written: {reason_of(error)}") from error

    def commit(self) -> None:
        """Publish the file.

        Raises
        ------
        ExportError
            If that fails.
        """
        if self._final is None or self._lock is None:
            return
        self._lock.release()
        publish(self._part, self._final, self._overwrite)
        self._committed = True

    def __enter__(self) -> ResultsTable:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            self._lock.release()
        for job in self._taken:
            # Rows that are in no results file yet are kept for the run that goes on.
            if self._committed or not job.resume:
                Place(job, self._final).remove()
        if self._final is not None and not self._committed:
            self._part.unlink(missing_ok=True)


def is_finished(jobs: Sequence[Job], results: Path | None, overwrite: bool) -> bool:
    """Whether an earlier run has finished all of the jobs, their results file, which comes last, included.

    Raises
    ------
    ExportError
        If the results file is there and an output is not: it belongs to another run.
    """
    if results is None or overwrite or not all(job.resume for job in jobs) or not is_there(results):
        return False
    for job in jobs:
        if job.writes_files and not Place(job, results).is_published:
            raise ExportError(
                f"{results} exists already, but {job.output or job.layers_dir} does not (see --overwrite)"
            )
    for job in jobs:
        Place(job, results).remove()
    return True
