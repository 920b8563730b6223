"""Many files, one after the other: a bad one does not keep the others from being processed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from models.errors import VisionError
from pipelines.atomic import PartFile, part_path, reason_of
from pipelines.errors import ExportError
from pipelines.offline.job import JobReport, Rows, Tools, run_job
from pipelines.offline.plan import Job


class Progress(Protocol):
    """Shows how far the work is. Called by one thread."""

    def begin(self, job: Job, number: int, of: int) -> None:
        """Say that job `number` (from 1) of `of` starts."""
        ...

    def opened(self, job: Job, preflight: str) -> None:
        """Show what the input of the current job is."""
        ...

    def update(self, done: int, expected: int | None) -> None:
        """Show how many frames of the current job are done, of how many if that is known."""
        ...

    def done(self, report: JobReport) -> None:
        """Say that the current job has ended well, or with what could be read."""
        ...

    def failed(self, job: Job, error: VisionError) -> None:
        """Say that the current job has failed, leaving nothing behind."""
        ...


@dataclass(frozen=True, slots=True)
class QueueReport:
    """What became of all jobs.

    Parameters
    ----------
    jobs : tuple of Job
        All of them.
    reports : tuple of JobReport
        Jobs that left their outputs, in order.
    failures : tuple of (Job, VisionError)
        Jobs that left nothing.
    """

    jobs: tuple[Job, ...]
    reports: tuple[JobReport, ...]
    failures: tuple[tuple[Job, VisionError], ...]

    @property
    def complete(self) -> bool:
        """Whether every frame of every input is in the outputs."""
        return not self.failures and not any(report.damage for report in self.reports)


def run_queue(
    jobs: Sequence[Job], tools: Tools, progress: Progress, results: Path | None, overwrite: bool
) -> QueueReport:
    """Process files one after the other.

    Parameters
    ----------
    jobs : sequence of Job
        What to do.
    tools : Tools
        Models, drawing and the cancel event.
    progress : Progress
        Is told of every job.
    results : Path or None
        Results file for all jobs. With more than one job each row starts with the key "input".
    overwrite : bool
        Whether `results` may be replaced.

    Raises
    ------
    ExportError
        If the results file cannot be written.
    Cancelled
        If the work was called off; outputs of jobs that had ended stay, the results file does not appear.
    """
    reports: list[JobReport] = []
    failures: list[tuple[Job, VisionError]] = []
    table = PartFile(results, overwrite) if results is not None else None
    try:
        for number, job in enumerate(jobs, 1):
            progress.begin(job, number, len(jobs))
            extra: dict[str, object] = {"input": job.input.name} if len(jobs) > 1 else {}
            rows = Rows(part_path(table.final), table.final, extra) if table is not None else None
            try:
                report = run_job(job, tools, rows, progress.update, progress.opened)
                if rows is not None and table is not None:
                    _append(rows.path, table)
            except VisionError as error:
                failures.append((job, error))
                progress.failed(job, error)
            else:
                reports.append(report)
                progress.done(report)
            finally:
                if rows is not None:
                    rows.path.unlink(missing_ok=True)
        if table is not None and reports:
            table.commit()
    finally:
        if table is not None:
            table.discard()
    return QueueReport(tuple(jobs), tuple(reports), tuple(failures))


def _append(rows: Path, table: PartFile) -> None:
    """Append the rows of a job; the header of a CSV file only once."""
    try:
        with rows.open("rb") as source, table.path.open("ab") as target:
            if table.final.suffix.lower() == ".csv" and target.tell() > 0:
                source.readline()
            shutil.copyfileobj(source, target)
    except OSError as error:
        raise ExportError(f"{table.final} cannot be written: {reason_of(error)}") from error
