"""Catch what a native library writes to the standard error stream, which Python's own redirection cannot reach."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import threading
from collections.abc import Iterator

log = logging.getLogger(__name__)

_lock = threading.Lock()


@contextlib.contextmanager
def captured_stderr() -> Iterator[list[str]]:
    """Divert file descriptor 2 into a list of lines, which is filled when the block ends.

    The lines also go to the debug log, so that what another thread wrote meanwhile is not lost. Where the process has
    no standard error stream the list stays empty.
    """
    lines: list[str] = []
    with _lock:
        try:
            saved = os.dup(2)
        except OSError:
            yield lines
            return
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), 2)
            try:
                yield lines
            finally:
                os.dup2(saved, 2)
                os.close(saved)
                file.seek(0)
                lines += file.read().decode("utf-8", "replace").splitlines()
    for line in lines:
        log.debug("%s", line)
