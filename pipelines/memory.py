"""Keeping freed memory for the next frame.

Every frame allocates and frees some megabytes: the picture, the mask, the drawing, working arrays. The C library of
Linux hands such blocks back to the system and asks for them again, and the system clears every page anew. On a virtual
machine this was 420 to 540 page faults and 2.5 ms of 31 a frame (three tasks with overlay at 1280x720); with the
settings below it is none, and the process is no larger (`python -m benchmarks memory`).
"""

from __future__ import annotations

import ctypes
import functools
import platform
import sys
from typing import Final

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
"""Names and values from glibc's malloc.h."""
LARGEST_KEPT: Final = 32 << 20
"""Bytes. Blocks up to this size come from memory that is kept; glibc allows no more. A 4K picture has 25 million."""
MOST_KEPT: Final = 256 << 20
"""Bytes that may lie unused at the end of the heap before they are handed back."""


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
    # Both, for setting either one also ends glibc's own adapting of them.
    return bool(mallopt(_M_MMAP_THRESHOLD, LARGEST_KEPT)) and bool(mallopt(_M_TRIM_THRESHOLD, MOST_KEPT))
