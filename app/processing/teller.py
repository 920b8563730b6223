"""News of a child process, an object of JSON a line."""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any


def own_stdout() -> IO[bytes]:
    """Return the standard output, for news alone: whatever a library prints goes to the standard error from now on."""
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return channel


class Teller:
    """Writes news, from any thread.

    Parameters
    ----------
    stream : binary file
        Where it goes.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def tell(self, news: str, **values: Any) -> None:
        """Write a line.

        Raises
        ------
        OSError
            If nobody listens any more.
        """
        line = json.dumps({"news": news, **values}, ensure_ascii=True).encode() + b"\n"
        with self._lock:
            self._stream.write(line)
            self._stream.flush()


def leave_with(work: Callable[[], None]) -> None:
    """Do the work of a child and end the process: with status 0, or with 1 and a traceback.

    Not by way of the interpreter's end, which the thread that waits for orders would break.
    """
    status = 1
    try:
        with suppress(BrokenPipeError):  # nobody listens any more
            work()
        status = 0
    finally:
        if status:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(status)
