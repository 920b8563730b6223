"""Working arrays that live from frame to frame.

A fresh array of a megapixel costs its page faults every time (0.3 ms for a 720p picture, as much as the arithmetic on
it), so intermediate results are written into arrays that a thread keeps. What is returned to a caller is always new.
"""

from __future__ import annotations

import math
import threading

import numpy as np
from numpy.typing import NDArray

_LOCAL = threading.local()


def scratch(name: str, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return this thread's working array called `name`, uint8 and contiguous, with undefined contents.

    The same memory is handed out at the next call with this name, whatever the shape.
    """
    buffers: dict[str, NDArray[np.uint8]] = _LOCAL.__dict__.setdefault("buffers", {})
    size = math.prod(shape)
    memory = buffers.get(name)
    if memory is None or memory.size < size:
        memory = buffers[name] = np.empty(size, np.uint8)
    return memory[:size].reshape(shape)
