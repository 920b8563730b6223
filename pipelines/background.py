"""Work beside a live picture: what is built in the background takes only what the frames leave over.

A thread that was made less important cannot be made as important again without special rights (Linux), and what it
starts, threads and processes, inherits that. So only short-lived threads are lowered, and only around work that leaves
nothing behind which has to be fast later.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Final, TypeVar

Value = TypeVar("Value")
NICE: Final = 5
"""A third of the processor time of a thread that competes for the same core. Lower still, a change would take very long
on a busy machine, and a thread that holds Python's lock could be kept from the core while the frames wait for it."""
_THREAD_PRIORITY_BELOW_NORMAL: Final = -1

_loads: Final[set[object]] = set()
"""One for each block under `loading`."""
_in_background: Final[ContextVar[bool]] = ContextVar("in_background", default=False)


@contextlib.contextmanager
def in_background() -> Iterator[None]:
    """Mark the work of the block, and of the contexts copied from it, as work that may take its time."""
    token = _in_background.set(True)
    try:
        yield
    finally:
        _in_background.reset(token)


def is_in_background() -> bool:
    """Whether the calling code works for something that is not in service yet, beside something that is."""
    return _in_background.get()


def gently(work: Callable[[], Value]) -> Value:
    """Do `work`; in the background in a thread of low priority that ends with it.

    Returns
    -------
    object
        What `work` returns. What it raises is raised here.
    """
    if not is_in_background():
        return work()
    with loading(), ThreadPoolExecutor(1, thread_name_prefix="background", initializer=_lower_priority) as pool:
        return pool.submit(work).result()


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Mark the time of the block as one in which models are being loaded, or run for the first time."""
    load = object()
    _loads.add(load)
    try:
        yield
    finally:
        _loads.remove(load)


def is_loading() -> bool:
    """Whether models are being loaded anywhere in this process.

    Python waits at its end for the threads that do it, and a GPU may take minutes.
    """
    return bool(_loads)


def _lower_priority() -> None:
    if sys.platform == "linux":
        # Linux gives each thread a nice value of its own, under the number that the kernel knows it by.
        with contextlib.suppress(OSError):  # refused by a sandbox: then it competes, and nothing else is lost
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    elif sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        kernel.SetThreadPriority(kernel.GetCurrentThread(), _THREAD_PRIORITY_BELOW_NORMAL)
