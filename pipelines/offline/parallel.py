"""Several files at a time, each in a process of its own: one that crashes costs its file, not the others."""

from __future__ import annotations

import multiprocessing
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Final

from models.errors import VisionError
from pipelines.errors import ExportError
from pipelines.offline.crew import POLL_S, Cancelled
from pipelines.offline.job import JobReport, Rows, Tools, run_job
from pipelines.offline.jobs import Job
from pipelines.offline.layers import make_folders, remove_empty
from pipelines.offline.place import Place
from pipelines.offline.queue import Progress, QueueReport, all_done
from pipelines.offline.table import ResultsTable, is_finished

OpenTools = Callable[[threading.Event], AbstractContextManager[Tools]]
"""Loads what jobs share, given the event that calls them off. Is sent to other processes, hence no local function."""

STOP_S: Final = 20.0
"""A process that has not cleared up this long after it was called off is killed."""
_OF_THE_TERMINAL: Final = frozenset({signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)})
_CANCEL: Final = "cancel"


def _work(connection: Connection, open_tools: OpenTools) -> None:
    """Do jobs until there are no more. Runs in a process of its own."""
    cancel = threading.Event()
    # Ctrl+C and the end of a terminal reach all of its processes: it is for the first one to decide what ends.
    for number in _OF_THE_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: cancel.set())
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*_OF_THE_TERMINAL, signal.SIGTERM})
    inbox: queue.SimpleQueue[tuple[int, Job, Rows | None] | None] = queue.SimpleQueue()

    def listen() -> None:
        while True:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                message = _CANCEL  # the first process is no more
            if message == _CANCEL:
                cancel.set()
                inbox.put(None)
                return
            inbox.put(message)

    threading.Thread(target=listen, name="orders", daemon=True).start()
    with suppress(BrokenPipeError, Cancelled):
        try:
            with open_tools(cancel) as tools:
                while (order := inbox.get()) is not None and not cancel.is_set():
                    _do(connection, tools, *order)
        except VisionError as error:
            connection.send(("unable", str(error)))


def _do(connection: Connection, tools: Tools, number: int, job: Job, rows: Rows | None) -> None:
    def tick(done: int, expected: int | None) -> None:
        connection.send(("update", number, done, expected))

    def opened(job: Job, preflight: str) -> None:
        connection.send(("opened", number, preflight))

    try:
        report = run_job(job, tools, rows, tick, opened)
    except VisionError as error:
        connection.send(("failed", number, str(error)))
    else:
        connection.send(("done", number, report))


class _Worker:
    """A process and the job that it has."""

    def __init__(self, open_tools: OpenTools) -> None:
        # Forking would copy locks that other threads hold.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, open_tools), name="twinlens-job", daemon=True)
        self.number: int | None = None
        with _signals_later():
            self.process.start()
        theirs.close()

    def send(self, message: object) -> None:
        """Send an order; a process that is no more is found out elsewhere."""
        with suppress(OSError):
            self.connection.send(message)

    def end(self, timeout_s: float) -> None:
        """Wait for the end of the process, which was told to end; kill it when it does not."""
        self.process.join(timeout_s)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.connection.close()


@contextmanager
def _signals_later() -> Iterator[None]:
    """Hold signals back: a process that is just starting would inherit the usual reaction, a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Starting it lets the signals through again, in the middle of the start of the first process.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*_OF_THE_TERMINAL, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_parallel(
    jobs: Sequence[Job],
    at_a_time: int,
    open_tools: OpenTools,
    cancel: threading.Event,
    progress: Progress,
    results: Path | None,
    overwrite: bool,
) -> QueueReport:
    """Process files, several at a time.

    Parameters
    ----------
    jobs : sequence of Job
        What to do.
    at_a_time : int
        Number of processes.
    open_tools : callable
        Loads models and drawing, once in each process.
    cancel : Event
        Calls the work off when set.
    progress, results, overwrite
        As for `run_queue`. The results file has the order of the jobs, in whichever order they end.

    Raises
    ------
    VisionError
        If a process could not load what jobs share, or the results file cannot be written.
    Cancelled
        If the work was called off; outputs of jobs that had ended stay, the results file does not appear.
    """
    if is_finished(jobs, results, overwrite):
        return all_done(jobs, progress)
    with ExitStack() as stack:
        table = stack.enter_context(ResultsTable(results, jobs, overwrite))
        for folder in dict.fromkeys(_folders(jobs)):
            # Made before the jobs, which would take away one that another is about to use.
            stack.callback(remove_empty, make_folders(folder))
        crowd = _Crowd(jobs, open_tools, progress, table, results)
        stack.callback(crowd.end)
        for _ in range(min(at_a_time, len(jobs))):
            crowd.hire()
        while crowd.is_busy:
            if cancel.is_set():
                raise Cancelled
            crowd.look()
        if crowd.reports:
            table.commit()

    return QueueReport(
        tuple(jobs),
        tuple(crowd.reports[number] for number in sorted(crowd.reports)),
        tuple((jobs[number], crowd.failures[number]) for number in sorted(crowd.failures)),
    )


def _folders(jobs: Sequence[Job]) -> Iterator[Path]:
    for job in jobs:
        if job.output is not None:
            yield job.output.parent
        if job.layers_dir is not None and job.layers:
            yield job.layers_dir.parent


class _Crowd:
    """The processes of a run, seen from the first one."""

    def __init__(
        self,
        jobs: Sequence[Job],
        open_tools: OpenTools,
        progress: Progress,
        table: ResultsTable,
        results: Path | None,
    ) -> None:
        self._results = results
        self._jobs = jobs
        self._open_tools = open_tools
        self._progress = progress
        self._table = table
        self._rows = [table.rows(job) for job in jobs]
        self._workers: list[_Worker] = []
        self._next = 0
        self._added = 0
        self.reports: dict[int, JobReport] = {}
        self.failures: dict[int, VisionError] = {}

    @property
    def is_busy(self) -> bool:
        return len(self.reports) + len(self.failures) < len(self._jobs)

    def hire(self) -> None:
        """Start a process and give it a job."""
        worker = _Worker(self._open_tools)
        self._workers.append(worker)
        self._give(worker)

    def _give(self, worker: _Worker) -> None:
        if self._next == len(self._jobs):
            worker.number = None
            worker.send(None)
            return
        worker.number, self._next = self._next, self._next + 1
        job = self._jobs[worker.number]
        self._progress.begin(job, worker.number + 1, len(self._jobs))
        worker.send((worker.number, job, self._rows[worker.number]))

    def look(self) -> None:
        """Take what the processes have to say, waiting for a moment."""
        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(by_connection), POLL_S):
            worker = by_connection[connection]  # type: ignore[index]
            try:
                self._hear(worker, *worker.connection.recv())
            except (EOFError, OSError):
                self._lose(worker)

    def _hear(self, worker: _Worker, word: str, *rest: object) -> None:
        if word == "unable":
            raise VisionError(str(rest[0]))
        number, *values = rest
        assert isinstance(number, int)
        job = self._jobs[number]
        match word, values:
            case "update", [int(done), expected]:
                self._progress.update(job, done, expected if isinstance(expected, int) else None)
            case "opened", [str(text)]:
                self._progress.opened(job, text)
            case "failed", [str(sentence)]:
                self._fail(number, VisionError(sentence))
                self._give(worker)
            case "done", [JobReport() as report]:
                self._give(worker)  # before the rows are copied: it shall not wait for that
                self.reports[number] = report
                self._progress.done(report)
                self._add_rows()

    def _fail(self, number: int, error: VisionError) -> None:
        self.failures[number] = error
        self._progress.failed(self._jobs[number], error)
        self._add_rows()

    def _add_rows(self) -> None:
        """Add the rows of the jobs that ended and have no unfinished one before them."""
        while self._added in self.reports or self._added in self.failures:
            if self._added in self.reports:
                self._table.add(self.reports[self._added])
            self._added += 1

    def _lose(self, worker: _Worker) -> None:
        """Count what a process that is no more was working on as failed, and put another in its place."""
        self._workers.remove(worker)
        worker.end(STOP_S)
        if worker.number is None:
            return
        job = self._jobs[worker.number]
        self._clear_up(job)
        status = worker.process.exitcode
        how = f"signal {-status}" if status is not None and status < 0 else f"exit status {status}"
        self._fail(worker.number, ExportError(f"{job.input}: the process that worked on it broke off ({how})"))
        if self._next < len(self._jobs):
            self.hire()

    def end(self) -> None:
        """End every process; those with a job clear up first."""
        for worker in self._workers:
            worker.send(_CANCEL)
        for worker in self._workers:
            worker.end(STOP_S)
            if worker.number is not None:
                self._clear_up(self._jobs[worker.number])
        for number in self.reports:
            if number >= self._added:
                self._clear_up(self._jobs[number])  # done, but its rows will be in no results file
        self._workers = []

    def _clear_up(self, job: Job) -> None:
        """Remove what a killed process had under construction."""
        if not job.resume:
            Place(job, self._results).remove()
