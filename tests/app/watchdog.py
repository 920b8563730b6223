"""Measures how long single events keep the GUI thread, in a way that a busy machine cannot spoil.

A stopwatch alone lies where other programs want the processor too, and processor time alone does not see a handler
that sleeps, waits for a lock or for a disk. What counts here is the time an event took less the time for which the
thread was ready to run but had no processor, as the Linux kernel counts it (`/proc/<pid>/task/<tid>/schedstat`, second
number). Where there is no such file, the stopwatch alone: stricter, never more lenient.

A thread of ours that has the interpreter and no processor makes the GUI thread wait too, and is no handler's fault
either: of the time an event took without a processor, what the other threads of the process stood in that queue is
taken off as well. On a machine with processors to spare that is nothing. The processor's time of the event itself is
never taken off.
"""

import sys
import threading
import time
import traceback
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QThread
from PySide6.QtWidgets import QApplication

from tests.patience import RunQueues

LIMIT_MS = 50.0


@dataclass
class Held:
    """An event that kept the thread.

    Parameters
    ----------
    event, receiver : str
        Type of the event, and class and name of who got it.
    held_ms, wall_ms, cpu_ms : float
        Time it kept the thread, on the clock, and on the processor.
    stack : str
        Where the thread was a moment after the limit was over.
    """

    event: str
    receiver: str
    held_ms: float
    wall_ms: float
    cpu_ms: float
    stack: str = ""

    def __str__(self):
        times = f"{self.held_ms:.0f} ms (clock {self.wall_ms:.0f}, processor {self.cpu_ms:.0f})"
        return f"{self.event} for {self.receiver}: {times}\n{self.stack}"


class Stopwatch:
    """Takes the time of one thing after the other in its own thread, and notes where that was when one got long."""

    def __init__(self):
        self.longest_ms = 0.0
        self.too_long = []
        self.begun = 0.0
        """When the thing began that is being timed; 0 between two."""
        self._before = ({}, 0.0)
        self._stack = ""
        self._queues = RunQueues()
        self._thread = threading.get_ident()
        self._over = threading.Event()
        self._sampler = threading.Thread(target=self._sample, name="sampler", daemon=True)
        self._sampler.start()
        self._queues.apart.add(str(self._sampler.native_id))

    def begin(self):
        """Begin; return what tells this thing from others."""
        self._stack = ""
        self._before = self._queues.read(), time.thread_time()
        self.begun = time.perf_counter()
        return self.begun

    def end(self, event, receiver):
        """End, and note it if it was too long."""
        wall_ms = 1e3 * (time.perf_counter() - self.begun)
        queued, cpu = self._before
        cpu_ms = 1e3 * (time.thread_time() - cpu)
        self.begun = 0.0
        held_ms = cpu_ms
        if wall_ms > LIMIT_MS:
            held_ms += max(0.0, wall_ms - cpu_ms - self._queues.since(queued))
        self.longest_ms = max(self.longest_ms, held_ms)
        if held_ms > LIMIT_MS:
            self.too_long.append(Held(event, receiver, held_ms, wall_ms, cpu_ms, self._stack))

    def _sample(self):
        while not self._over.wait(0.01):
            begun = self.begun
            if begun and not self._stack and time.perf_counter() - begun > LIMIT_MS / 1e3:
                self._stack = "".join(traceback.format_stack(sys._current_frames()[self._thread])[-8:])

    def finish(self):
        """Stop watching the clock."""
        self._over.set()
        self._sampler.join()


class WatchedApplication(QApplication):
    """Hands on every event and takes the time.

    An event in whose handler another event loop runs (an open menu) is not judged itself; every event of that loop is.

    Handing on costs: an event that sends two thousand others, as one does that makes a window of forty controls, takes
    two to three times as long as it does without. Where windows are made, `Turns` measures without that.
    """

    def __init__(self, arguments):
        super().__init__(arguments)
        self.watches = True
        self.count = 0
        self.with_loops = set()
        self.stopwatch = Stopwatch()
        self._level = -1  # event loops that ran when the event came that is being handled
        self._gui = threading.get_ident()

    def notify(self, receiver, event):
        level = QThread.currentThread().loopLevel()
        # What happens while the window is built, before there is a loop, is the start of the program, not an event.
        if not self.watches or level == 0 or level <= self._level or threading.get_ident() != self._gui:
            return super().notify(receiver, event)
        kind = event.type().name
        outer, self._level = self._level, level
        begun = self.stopwatch.begin()
        try:
            return super().notify(receiver, event)
        finally:
            nested, self._level = self.stopwatch.begun != begun, outer
            self.count += 1
            if nested:
                self.stopwatch.begun = 0.0
                if self.watches:
                    self.with_loops.add(f"{kind} for {name_of(receiver)}")
            elif self.watches:
                self.stopwatch.end(kind, name_of(receiver))
            else:
                self.stopwatch.begun = 0.0


class Turns:
    """Runs an event loop turn by turn and takes the time of each: of all the events that are there when it comes.

    Stricter than event by event, and the program is not slowed down by it.

    Parameters
    ----------
    application : QApplication
        A plain one.
    """

    def __init__(self, application):
        self.stopwatch = Stopwatch()
        self.count = 0
        self._application = application

    def run(self, step):
        """Go on until `step` returns None. It is timed like a turn, and returns a name for what goes on."""
        label = ""
        while label is not None:
            self.stopwatch.begin()
            label = step()
            self.stopwatch.end("step", label or "")
            for _ in range(2):
                self.stopwatch.begin()
                self._application.processEvents()
                self._application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
                self.stopwatch.end("turn", label or "")
                self.count += 1
            # Whoever waits for the interpreter gets it.
            time.sleep(0.002)


def name_of(receiver):
    """Class and name of a QObject; what is half gone has a class only."""
    try:
        return f"{type(receiver).__name__} {receiver.objectName()}".strip()
    except RuntimeError:
        return type(receiver).__name__
