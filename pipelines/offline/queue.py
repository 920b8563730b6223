"""Many files, one after the other (at a time: `parallel`): a bad one does not keep the others from being processed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from models.errors import VisionError
from pipelines.offline.job import JobReport, Tools, already_done, run_job
from pipelines.offline.jobs import Job
from pipelines.offline.table import ResultsTable, is_finished


class Progress(Protocol):
    """Shows how far the work is. Called by one thread; several jobs may be in progress at a time."""

    def begin(self, job: Job, number: int, of: int) -> None:
        """Say that job `number` (from 1) of `of` starts."""
        ...

    def opened(self, job: Job, preflight: str) -> None:
        """Show what the input of a job is."""
        ...

    def update(self, job: Job, done: int, expected: int | None) -> None:
        """Show how many frames of a job are done, of how many if that is known."""
        ...

    def done(self, report: JobReport) -> None:
        """Say that a job has ended well, or with what could be read."""
        ...

    def failed(self, job: Job, error: VisionError) -> None:
        """Say that a job has failed, leaving nothing behind."""
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
    if is_finished(jobs, results, overwrite):
        return all_done(jobs, progress)
    reports: list[JobReport] = []
    failures: list[tuple[Job, VisionError]] = []
    with ResultsTable(results, jobs, overwrite) as table:
        for number, job in enumerate(jobs, 1):
            progress.begin(job, number, len(jobs))
            try:
                report = run_job(job, tools, table.rows(job), partial(progress.update, job), progress.opened)
                table.add(report)
            except VisionError as error:
                failures.append((job, error))
                progress.failed(job, error)
            else:
                reports.append(report)
                progress.done(report)
        if reports:
            table.commit()
    return QueueReport(tuple(jobs), tuple(reports), tuple(failures))


def all_done(jobs: Sequence[Job], progress: Progress) -> QueueReport:
    """Return the report of jobs that an earlier run has finished, results file and all."""
    reports = []
    for number, job in enumerate(jobs, 1):
        progress.begin(job, number, len(jobs))
        reports.append(already_done(job))
        progress.done(reports[-1])
    return QueueReport(tuple(jobs), tuple(reports), ())
