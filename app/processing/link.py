"""The child process as the window sees it: orders out, news in, never waiting for it."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject

from app.workers import UpdateGate
from pipelines.atomic import reason_of
from pipelines.backends.child import how_it_ended, spawn

log = logging.getLogger(__name__)

CHILD: Final = "app.processing.child"
News = dict[str, Any]


class Link(Protocol):
    """A process that does orders (see `app.processing.child`). Used in the GUI thread only."""

    def send(self, order: dict[str, Any]) -> None:
        """Give it an order."""
        ...

    def finish(self) -> None:
        """Let it end: nothing more will be asked. What it is doing is called off."""
        ...

    def wait(self, timeout_s: float) -> int | None:
        """Wait for its end after `finish`, kill it if it takes longer; return its number if it was killed."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        ...


Listen = Callable[[News], None]
Ended = Callable[[str, int], None]
LinkFactory = Callable[[Listen, Ended], Link]
"""Makes a link from what is to be called with news, and with the reason and the number of the process when it ended
without being asked to."""


class ChildLink(QObject):
    """A child process with a thread that reads from it.

    Parameters
    ----------
    listen : callable
        Called in the GUI thread with every news, in order; of several about the progress of a file only with the last.
    ended : callable
        Called in the GUI thread with the reason and its number if the process ends without having been asked to.
    module : str
        What the process runs.
    gently : bool
        With a low priority, so that a live picture beside it stays smooth.
    """

    def __init__(self, listen: Listen, ended: Ended, module: str = CHILD, gently: bool = True) -> None:
        super().__init__()
        self._listen = listen
        self._ended = ended
        self._module = module
        self._gently = gently
        self._lock = threading.Lock()
        self._inbox: deque[News] = deque()
        self._orders: deque[bytes] = deque()
        self._wake = threading.Condition(self._lock)
        self._finishing = False
        self._is_heard = True
        self._process: Any = None
        self._gate = UpdateGate(self)
        self._gate.opened.connect(self._deliver)
        # Daemons: a disk that hangs must not keep the program alive.
        self._reader = threading.Thread(target=self._read, name="processing", daemon=True)
        self._reader.start()

    def send(self, order: dict[str, Any]) -> None:
        """Give it an order; returns at once."""
        with self._wake:
            self._orders.append(json.dumps(order).encode() + b"\n")
            self._wake.notify()

    def finish(self) -> None:
        """Let it end; returns at once. Nothing more is heard of it."""
        self._is_heard = False
        self._gate.close()
        with self._wake:
            self._finishing = True
            self._wake.notify()

    def wait(self, timeout_s: float) -> int | None:
        """Wait for its end after `finish`, kill it if it takes longer; return its number if it was killed."""
        self._reader.join(timeout_s)
        if not self._reader.is_alive() or self._process is None:
            return None
        number = int(self._process.pid)
        log.warning("the process %d did not end in time and is killed", number)
        self._process.kill()
        self._reader.join(timeout_s)
        return number

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return not self._reader.is_alive()

    # -- in the threads

    def _read(self) -> None:
        # Its tracebacks belong where ours are; a program without a console has no such place.
        errors = sys.__stderr__.fileno() if sys.__stderr__ is not None else subprocess.DEVNULL
        try:
            self._process = process = spawn(self._module, subprocess.PIPE, errors, self._gently)
        except OSError as error:
            with self._lock:
                reason = f"it cannot be started: {reason_of(error)}"
                self._inbox.append({"news": "ended", "reason": reason, "process": 0})
            self._gate.knock()
            return
        writer = threading.Thread(target=self._write, name="orders", daemon=True)
        writer.start()
        for line in process.stdout:
            news = json.loads(line)
            with self._lock:
                last = self._inbox[-1] if self._inbox else None
                if last is not None and _is_overtaken(last, news):
                    self._inbox.pop()
                self._inbox.append(news)
            self._gate.knock()
        process.stdout.close()
        process.wait()
        with self._wake:
            asked, self._finishing = self._finishing, True
            self._wake.notify()
        writer.join()
        if not asked:
            with self._lock:
                self._inbox.append({"news": "ended", "reason": how_it_ended(process.wait()), "process": process.pid})
            self._gate.knock()

    def _write(self) -> None:
        stdin = self._process.stdin
        try:
            while True:
                with self._wake:
                    self._wake.wait_for(lambda: self._orders or self._finishing)
                    if self._finishing:
                        break
                    line = self._orders.popleft()
                stdin.write(line)
                stdin.flush()
            stdin.close()
        except OSError as error:
            # It is gone; the reading thread finds out, and why.
            log.debug("no order can be given any more: %s", error)

    # -- in the GUI thread

    def _deliver(self) -> None:
        with self._lock:
            inbox, self._inbox = self._inbox, deque()
        for news in inbox:
            if not self._is_heard:
                break  # who listens has had enough: one that told its result and ended has not broken off
            if news["news"] == "ended":
                self._ended(news["reason"], news["process"])
            else:
                self._listen(news)


def _is_overtaken(before: News, news: News) -> bool:
    return before["news"] == news["news"] == "progress" and before.get("id") == news.get("id")
