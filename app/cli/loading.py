"""Signals that end a command: while it is loaded, which is a good part of the first second, and afterwards."""

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


def ending_signals() -> list[signal.Signals]:
    """Return the signals that end a command in good order: Ctrl+C, and the ends of the session and of the terminal.

    Those that whoever started it has it ignore (nohup, work in the background) are left out.
    """
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        numbers.append(signal.SIGHUP)
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def ending_like_ctrl_c() -> Iterator[None]:
    """Let the other ending signals interrupt as Ctrl+C does, so that nothing half written stays behind."""
    numbers = ending_signals() if threading.current_thread() is threading.main_thread() else []
    before = {number: signal.getsignal(number) for number in numbers if number != signal.SIGINT}
    for number in before:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError, RuntimeError, AttributeError):
        sys.stderr.write(INTERRUPTED)
        sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)
