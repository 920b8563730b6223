"""What became of each file, for programs that run this one."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.machine import APP
from pipelines.offline.job import JobReport
from pipelines.offline.queue import QueueReport
from pipelines.records import Json


def report_record(report: QueueReport, tasks: Sequence[str]) -> Json:
    """Return the report of a run (docs/formats.md), the jobs in the order in which they ran.

    Parameters
    ----------
    report : QueueReport
        What became of the jobs.
    tasks : sequence of str
        The tasks that ran.
    """
    entries: dict[int, Json] = {}
    for done in report.reports:
        entries[report.jobs.index(done.job)] = _done(done)
    for job, error in report.failures:
        entries[report.jobs.index(job)] = {
            "input": str(job.input),
            "status": "failed",
            "message": str(error),
            "output": None,
            "frames": 0,
        }
    jobs = [entries[index] for index in sorted(entries)]
    return {"app": APP, "complete": report.complete, "tasks": list(tasks), "jobs": jobs}


def _done(report: JobReport) -> Json:
    job = report.job
    return {
        "input": str(job.input),
        "status": "incomplete input" if report.damage else "already done" if report.was_done else "done",
        "message": report.damage,
        "output": str(job.output) if job.output is not None else None,
        "layers": [str(job.layers_dir / layer) for layer in job.layers] if job.layers_dir is not None else [],
        "frames": report.frames,
        "frames_of_earlier_run": report.resumed,
        "duration_s": None if report.duration_s is None else round(report.duration_s, 6),
        "work_s": round(report.work_s, 3),
        "preflight": report.preflight,
        "notices": list(report.notices),
    }
