"""Ctrl+C while the program is loaded, which is a good part of the first second."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

INTERRUPTED: Final = "twinlens: interrupted\n"
EXIT_INTERRUPTED: Final = 130


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Let Ctrl+C end the process there and then: nothing is begun that would have to be cleared up.

    An exception would not do: libraries that are being loaded make an `ImportError` of it. Where Ctrl+C is ignored, as
    for work in the background, it stays so.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError, RuntimeError, AttributeError):
        sys.stderr.write(INTERRUPTED)
        sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)
