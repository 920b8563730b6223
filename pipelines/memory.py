"""Keeping freed memory for the next frame.

Every frame allocates and frees some megabytes: the picture, the mask, the drawing, working arrays. The C library of
Linux hands such blocks back to the system and asks for them again, and the system clears every page anew. On a virtual
machine this was 435 page faults and 3.6 ms of 36.6 a frame (three tasks with overlay at 1280x720, other programs
running); with the settings below it is one page, and the process is no larger (`python -m benchmarks memory`).
"""

from __future__ import annotations

import ctypes
import functools
import platform
import sys
from typing import Final

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
"""Names and values from glibc's malloc.h."""
LARGEST_KEPT: Final = 32 << 20
"""Bytes. Blocks up to this size come from memory that is kept; glibc allows no more. A 4K picture has 25 million."""
MOST_KEPT: Final = 256 << 20
"""Bytes that may lie unused at the end of the heap before they are handed back."""

ARENAS: Final = 2
"""Heaps that the process's threads share; glibc would make 8 a core. A pipeline is built by threads of its own, and
what a heap keeps after a model is released is of use to that heap's threads only: after 50 changes of backend, model
and tasks the process was 250 MB large with two and 350 MB with sixteen."""


@functools.cache
def keep_freed_memory() -> bool:
    """Tell the C library to keep freed memory, for the whole process; a second call does nothing.

    Returns
    -------
    bool
        False where the C library is not glibc: nothing was changed.
    """
    if sys.platform != "linux" or platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    # Both thresholds, for setting either one also ends glibc's own adapting of them.
    settings = ((_M_MMAP_THRESHOLD, LARGEST_KEPT), (_M_TRIM_THRESHOLD, MOST_KEPT), (_M_ARENA_MAX, ARENAS))
    return all(mallopt(name, value) for name, value in settings)


def return_freed_memory() -> None:
    """Hand memory that lies unused back to the system: after a model was released, of use to nobody here."""
    if keep_freed_memory():
        ctypes.CDLL(None).malloc_trim(0)
