"""Time in tests: how long to wait for what must come, and how to tell that something was quick on a busy machine.

A stopwatch lies where other programs want the processor too. What counts is the time that something took less the time
for which threads of this process were ready to run but had no processor, as the Linux kernel counts it
(`/proc/<pid>/task/<tid>/schedstat`, second number). Where there is no such file, the stopwatch alone: stricter, never
more lenient. On a machine with processors to spare both are the same.
"""

import contextlib
import os
import time

PATIENCE_S = 120.0
"""To wait for something that comes at once on a quiet machine: on a busy one everything takes many times as long."""
PATIENCE_MS = int(1e3 * PATIENCE_S)
HANG_S = 60.0
"""For what hangs on purpose, and may be waited for by nobody."""


class RunQueues:
    """Time for which threads of this process were ready but not running, in milliseconds by thread."""

    def __init__(self):
        self._files = {}
        self.apart = set()
        """Threads that hold nothing up: the one that samples stacks."""
        self.refresh()

    def refresh(self):
        """Look for threads that have come or gone."""
        try:
            # Not with `Path`, which a scenario of the watchdog makes slow.
            tasks = os.listdir("/proc/self/task")  # noqa: PTH208
        except OSError:
            return
        for gone in set(self._files) - set(tasks):
            os.close(self._files.pop(gone))
        for task in tasks:
            if task not in self._files:
                with contextlib.suppress(OSError):  # it may end at this moment
                    self._files[task] = os.open(f"/proc/self/task/{task}/schedstat", os.O_RDONLY)

    def read(self):
        """Return the milliseconds by thread."""
        waited = {}
        for task, file in self._files.items():
            with contextlib.suppress(OSError):
                waited[task] = int(os.pread(file, 80, 0).split()[1]) / 1e6
        return waited

    def since(self, before):
        """Return for how long all threads together have waited since `before`."""
        self.refresh()
        return sum(total - before.get(task, 0.0) for task, total in self.read().items() if task not in self.apart)

    def close(self):
        """Close the files."""
        while self._files:
            os.close(self._files.popitem()[1])


class Stopped:
    """A stopwatch for a block of code, as a context manager.

    `seconds` is what the block took, less the seconds for which threads of this process had no processor.
    """

    def __enter__(self):
        self._queues = RunQueues()
        self._before = self._queues.read()
        self._start = time.monotonic()
        return self

    def __exit__(self, *_):
        wall_s = time.monotonic() - self._start
        self.seconds = max(0.0, wall_s - self._queues.since(self._before) / 1e3)
        self._queues.close()


@contextlib.contextmanager
def within(limit_s):
    """Fail where the block takes longer than that on a machine with processors to spare."""
    with Stopped() as watch:
        yield
    assert watch.seconds < limit_s, f"took {watch.seconds:.2f} s"
