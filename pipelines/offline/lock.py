"""A lock that the system takes back when its holder is no more, however that ended."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_NOT_SUPPORTED = (errno.ENOLCK, errno.ENOTSUP, errno.EINVAL, errno.ENOSYS)
"""File systems without locks: two runs at a time are then the user's business."""


class Held(Exception):
    """Another process holds the lock."""


class Lock:
    """A lock on a file, which is made if missing and stays.

    Raises
    ------
    Held
        If another process has it.
    OSError
        If the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._stream: BinaryIO = path.open("ab")
        try:
            _take(self._stream.fileno())
        except OSError as error:
            if error.errno in _NOT_SUPPORTED:
                return
            self._stream.close()
            raise Held from error

    def release(self) -> None:
        """Let go of it. Safe to call twice."""
        self._stream.close()


def _take(handle: int) -> None:
    if sys.platform == "win32":
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
