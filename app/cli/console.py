"""What long commands share: progress on a terminal or in a log, and signals that call the work off cleanly."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from app.cli.loading import ending_signals
from app.cli.streams import one_line
from models.errors import VisionError
from pipelines.offline.job import JobReport
from pipelines.offline.jobs import Job
from pipelines.offline.words import counted

PLAIN_INTERVAL_S = 5.0
"""Pause between two lines of progress where there is no terminal."""
WIDTH_OF_ALL, WIDTH_OF_RATE = 70, 45
"""Columns that a terminal needs for the bar and the time that is left, and for the rate."""


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal on which a line can be drawn anew."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Yield an event that the ending signals set (`loading.ending_signals`), instead of breaking off wherever it is.

    The work looks at the event, stops its threads, removes what is half written and ends; then the interrupt is
    raised as usual. A third signal ends the program at once.
    """
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel  # only the main thread may handle signals
        return
    received = 0

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal received
        received += 1
        cancel.set()
        if received > 2:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    before = {number: signal.signal(number, handle) for number in ending_signals()}
    try:
        yield cancel
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if cancel.is_set():
        raise KeyboardInterrupt


class _NameColumn(ProgressColumn):
    """What a file is called; gives way to the figures where there is little room."""

    def render(self, task: Task) -> Text:
        return Text(task.description, no_wrap=True, overflow="ellipsis")


class _FigureColumn(ProgressColumn):
    """A figure, as a whole."""

    def __init__(self) -> None:
        super().__init__(Column(no_wrap=True))


class _RateColumn(_FigureColumn):
    """Frames a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:.1f} frames/s")


class _CountColumn(_FigureColumn):
    """Frames done, of how many if that is known. A count that turns out too low is not a promise."""

    def render(self, task: Task) -> Text:
        done = int(task.completed)
        known = task.total is not None and done <= task.total
        return Text(f"{done}/{int(task.total or 0)}" if known else f"{done} frames")


class Bar(Progress):
    """A line for each file, as much of it as the terminal is wide.

    Parameters
    ----------
    screen : Console
        The terminal.
    """

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        super().__init__(console=screen, transient=True)

    def make_tasks_table(self, tasks: Iterable[Task]) -> Table:
        """Return the lines."""
        width = self._screen.width
        columns: list[ProgressColumn] = [_NameColumn()]
        columns += [BarColumn()] if width >= WIDTH_OF_ALL else []
        columns += [_CountColumn()]
        columns += [_RateColumn()] if width >= WIDTH_OF_RATE else []
        columns += [TimeRemainingColumn(table_column=Column(no_wrap=True))] if width >= WIDTH_OF_ALL else []
        self.columns = tuple(columns)
        return super().make_tasks_table(tasks)


@dataclass(slots=True)
class _Shown:
    """A file in progress: its name, when it began, when it was last shown, its bar, and what was done before."""

    name: str
    started: float
    last: float
    task: TaskID | None
    before: int | None = None


class FileProgress:
    """Progress of the files of a run (see `pipelines.offline.queue.Progress`): a bar on a terminal, else lines.

    Parameters
    ----------
    out, err : TextIO
        What was done goes to `out`; progress and failures go to `err`.
    clock : callable
        Monotonic seconds.
    """

    def __init__(
        self,
        out: TextIO | None = None,
        err: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        self._clock = clock
        self._many = False
        self._shown: dict[Job, _Shown] = {}
        self._bar: Progress | None = None
        if is_terminal(self._err):
            self._bar = Bar(Console(file=self._err))

    def __enter__(self) -> FileProgress:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, job: Job, number: int, of: int) -> None:
        """Say that a file starts."""
        self._many = of > 1
        name = one_line(f"[{number}/{of}] {job.input.name}" if of > 1 else job.input.name)
        now = self._clock()
        task = self._bar.add_task(name, total=None) if self._bar is not None else None
        self._shown[job] = _Shown(name, now, now, task)

    def opened(self, job: Job, preflight: str) -> None:
        """Say what the file is."""
        self._line(self._err, f"{job.input}: {preflight}")

    def update(self, job: Job, done: int, expected: int | None) -> None:
        """Show how far a file is."""
        shown = self._shown[job]
        if shown.before is None:
            shown.before = done  # by an earlier run: no part of this one's rate
            if self._bar is not None and shown.task is not None:
                self._bar.reset(shown.task, completed=done)
        if self._bar is not None and shown.task is not None:
            total = expected if expected is not None and done <= expected else None
            self._bar.update(shown.task, completed=done, total=total)
            return
        now = self._clock()
        if now - shown.last >= PLAIN_INTERVAL_S:
            shown.last = now
            text = f"{shown.name}: {progress_line(done, expected, now - shown.started, shown.before)}"
            self._err.write(one_line(text) + "\n")
            self._err.flush()

    def done(self, report: JobReport) -> None:
        """Say what was written."""
        for notice in report.notices:
            self._line(self._err, f"{report.job.input}: {notice}")
        if report.damage:
            self._line(self._err, f"twinlens: {report.damage}")
        self._line(self._out, summary(report))
        self._end(report.job)

    def failed(self, job: Job, error: VisionError) -> None:
        """Say why a file failed. With a single file that is said at the end, as for every command."""
        if self._many:
            self._line(self._err, f"twinlens: {error}")
        self._end(job)

    def _end(self, job: Job) -> None:
        shown = self._shown.pop(job)
        if self._bar is not None and shown.task is not None:
            self._bar.remove_task(shown.task)

    def _line(self, stream: TextIO, text: str) -> None:
        if self._bar is not None:
            self._bar.stop()  # the bar must not be drawn through the line
        stream.write(one_line(text) + "\n")
        stream.flush()
        if self._bar is not None:
            self._bar.start()


def progress_line(done: int, expected: int | None, seconds: float, before: int = 0) -> str:
    """Return "120 of about 300 frames, 45.2 frames/s, 4 s left", as far as these are known.

    `before` of the frames were there when the seconds began.
    """
    rate = (done - before) / seconds if seconds > 0 else 0.0
    if expected is None or done > expected:
        return f"{done} frames, {rate:.1f} frames/s"
    left = f", {(expected - done) / rate:.0f} s left" if rate > 0 else ""
    return f"{done} of about {expected} frames, {rate:.1f} frames/s{left}"


def summary(report: JobReport) -> str:
    """Return one line that says what a job wrote and how fast."""
    job = report.job
    what = str(job.output) if job.output is not None else str(job.input)
    if report.was_done or report.frames is None or report.resumed is None:
        return f"{what}: already done"
    if job.still:
        return f"{what}: 1 picture, {report.work_s:.1f} s of work"
    new = report.frames - report.resumed
    rate = f" ({new / report.work_s:.1f} frames/s)" if new > 0 and report.work_s > 0 else ""
    length = f", {report.duration_s:.2f} s" if report.duration_s else ""
    earlier = f" ({report.resumed} of them by an earlier run)" if report.resumed else ""
    return f"{what}: {counted(report.frames, 'frame')}{earlier}{length}, {report.work_s:.1f} s of work{rate}"
