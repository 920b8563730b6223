"""Many files, one after the other (at a time: `parallel`): a bad one does not keep the others from being processed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Protocol

from models.errors import VisionError
from pipelines.atomic import PartFile, part_path, reason_of
from pipelines.errors import ExportError
from pipelines.offline.job import JobReport, Rows, Tools, run_job
from pipelines.offline.jobs import Job


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


class ResultsTable:
    """The results file of a run, made of the rows of its jobs in their order.

    Parameters
    ----------
    final : Path or None
        The file; None when none is wanted.
    many : bool
        There is more than one job: each row starts with the key "input".
    overwrite : bool
        Whether the file may be replaced.

    Raises
    ------
    ExportError
        If it cannot be written.
    """

    def __init__(self, final: Path | None, many: bool, overwrite: bool) -> None:
        self._many = many
        self._table = PartFile(final, overwrite) if final is not None else None
        self._parts: set[Path] = set()

    def rows(self, job: Job) -> Rows | None:
        """Return where a job shall write its rows."""
        if self._table is None:
            return None
        rows = Rows(part_path(self._table.final), self._table.final, {"input": job.input.name} if self._many else {})
        self._parts.add(rows.path)
        return rows

    def add(self, rows: Rows | None) -> None:
        """Append the rows of a job that is done; the header of a CSV file only once.

        Raises
        ------
        ExportError
            If that fails.
        """
        if rows is None or self._table is None:
            return
        table = self._table
        try:
            with rows.path.open("rb") as source, table.path.open("ab") as target:
                if table.final.suffix.lower() == ".csv" and target.tell() > 0:
                    source.readline()
                shutil.copyfileobj(source, target)
        except OSError as error:
            raise ExportError(f"{table.final} cannot be written: {reason_of(error)}") from error

    def drop(self, rows: Rows | None) -> None:
        """Remove the rows of a job, which were added or are not wanted."""
        if rows is not None:
            rows.path.unlink(missing_ok=True)
            self._parts.discard(rows.path)

    def commit(self) -> None:
        """Publish the file.

        Raises
        ------
        ExportError
            If that fails.
        """
        if self._table is not None:
            self._table.commit()

    def __enter__(self) -> ResultsTable:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for path in self._parts:
            path.unlink(missing_ok=True)
        if self._table is not None:
            self._table.discard()


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
    with ResultsTable(results, len(jobs) > 1, overwrite) as table:
        for number, job in enumerate(jobs, 1):
            progress.begin(job, number, len(jobs))
            rows = table.rows(job)
            try:
                report = run_job(job, tools, rows, partial(progress.update, job), progress.opened)
                table.add(rows)
            except VisionError as error:
                failures.append((job, error))
                progress.failed(job, error)
            else:
                reports.append(report)
                progress.done(report)
            finally:
                table.drop(rows)
        if reports:
            table.commit()
    return QueueReport(tuple(jobs), tuple(reports), tuple(failures))
