"""Threads that work one behind the other and stand or fall together."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

T = TypeVar("T")

POLL_S = 0.1
"""How often the waiting thread looks at the cancel event and reports progress."""


class Cancelled(Exception):
    """Raised inside the stages when the work was called off, and by `Crew.run` when the user asked for it."""


class Fifo(Generic[T]):
    """A queue of limited length that either end can shut.

    The producer closes it after its last item, and the consumer still gets what is inside. Cancelling empties it and
    wakes both ends with `Cancelled`, whichever side is blocked, so that a stage that failed cannot leave the one
    before it waiting for room or the one behind it waiting for an item.
    """

    def __init__(self, size: int) -> None:
        if size < 1:
            raise ValueError(f"a queue needs room for at least 1 item, not {size}")
        self._size = size
        self._items: deque[T] = deque()
        self._condition = threading.Condition()
        self._closed = False
        self._cancelled = False
        self._held = False

    def put(self, item: T) -> None:
        """Append `item`, waiting for room.

        Raises
        ------
        Cancelled
            If the queue was cancelled.
        """
        with self._condition:
            self._condition.wait_for(lambda: len(self._items) < self._size or self._cancelled)
            if self._cancelled:
                raise Cancelled
            self._items.append(item)
            self._condition.notify_all()

    def check(self) -> None:
        """Look whether the queue is still wanted, where there is nothing to put in for long.

        Raises
        ------
        Cancelled
            If the queue was cancelled.
        """
        with self._condition:
            if self._cancelled:
                raise Cancelled

    def close(self) -> None:
        """Say that nothing more will come."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()

    def hold(self, held: bool) -> None:
        """Give nothing out while `held`: the consumer waits, and the producer as soon as there is no more room."""
        with self._condition:
            self._held = held
            self._condition.notify_all()

    def cancel(self) -> None:
        """Throw away what is inside and wake both ends."""
        with self._condition:
            self._cancelled = True
            self._items.clear()
            self._condition.notify_all()

    def __iter__(self) -> Iterator[T]:
        """Yield the items until the queue is closed and empty.

        Raises
        ------
        Cancelled
            If the queue was cancelled.
        """
        while True:
            with self._condition:
                self._condition.wait_for(lambda: ((self._items or self._closed) and not self._held) or self._cancelled)
                if self._cancelled:
                    raise Cancelled
                if not self._items:
                    return
                item = self._items.popleft()
                self._condition.notify_all()
            yield item


class Crew:
    """Stages of one job, a thread each, connected by queues of limited length.

    Parameters
    ----------
    depth : int
        Room in each queue. Every place holds a whole picture, so this bounds the memory; two are enough to keep
        neighbouring stages busy when their times differ from frame to frame.
    """

    def __init__(self, depth: int = 2) -> None:
        self._depth = depth
        self._wakers: list[Callable[[], None]] = []
        self._stages: list[Callable[[], None]] = []

    def fifo(self) -> Fifo[T]:
        """Return a new queue that is cancelled together with the crew."""
        fifo: Fifo[T] = Fifo(self._depth)
        self._wakers.append(fifo.cancel)
        return fifo

    def add(self, work: Callable[[], None]) -> None:
        """Add a stage: a function that reads from a queue, writes to the next and closes it at its end."""
        self._stages.append(work)

    def cancel(self) -> None:
        """Wake every stage with `Cancelled` at its next step."""
        for wake in self._wakers:
            wake()

    def run(self, cancel: threading.Event, tick: Callable[[], None]) -> None:
        """Start the stages and wait until the last one has ended.

        Parameters
        ----------
        cancel : Event
            When set from outside, the work is called off.
        tick : callable
            Called a few times a second by this thread, for progress.

        Raises
        ------
        Cancelled
            If `cancel` was set, be it while the last stage was ending.
        BaseException
            What a stage raised first. No thread is left in either case.
        """
        failures: list[BaseException] = []

        def ended(future: Future[None]) -> None:
            error = future.exception()
            if error is not None:
                if not isinstance(error, Cancelled):
                    failures.append(error)
                self.cancel()

        with ThreadPoolExecutor(len(self._stages), thread_name_prefix="offline") as pool:
            try:
                futures = [pool.submit(stage) for stage in self._stages]
                for future in futures:
                    future.add_done_callback(ended)
                pending = set(futures)
                while pending and not cancel.is_set():
                    pending = wait(pending, POLL_S).not_done
                    tick()
            except BaseException:
                self.cancel()
                raise
            if pending:
                self.cancel()
        if failures:
            raise failures[0]
        if cancel.is_set():
            raise Cancelled
