"""A thread that works beside another one, a piece at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Found = TypeVar("Found")


class Helper(Generic[Found]):
    """Does what one other thread hands to it, over two locks.

    A piece of work that takes as long as the other thread's own comes back 0.2 ms sooner than from a pool with its
    queue and futures (`python -m benchmarks limits`): as much as preparing a frame for a network takes.

    Parameters
    ----------
    name : str
        Name of the thread.
    """

    def __init__(self, name: str) -> None:
        self._work: Callable[[], Found] | None = None
        self._found: Found | None = None
        self._error: BaseException | None = None
        self._wanted, self._done = threading.Lock(), threading.Lock()
        self._wanted.acquire()
        self._done.acquire()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            self._wanted.acquire()
            work, self._work = self._work, None
            if work is None:
                return
            try:
                self._found = work()
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
                self._error = error
            self._done.release()

    def begin(self, work: Callable[[], Found]) -> None:
        """Start a piece of work. The one before it has been asked for (`result`)."""
        self._work = work
        self._wanted.release()

    def result(self) -> Found:
        """Wait for the piece of work, and return what it returned or raise what it raised."""
        self._done.acquire()
        found, error = self._found, self._error
        self._found = self._error = None
        if error is not None:
            raise error
        return found  # type: ignore[return-value]

    def close(self) -> None:
        """End the thread. Nothing is under way."""
        self._wanted.release()
        self._thread.join()
