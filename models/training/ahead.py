"""Batches made ahead by a second process, so that the training need not wait for pictures."""

from __future__ import annotations

import math
import multiprocessing
import queue
from collections.abc import Callable, Iterator
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.data import Batch, Views
from models.training.teacher import LABEL_SIZE, SIZE

SLOTS: Final = 8
"""Batches that are made or wait at most."""

Rows = list[tuple[Path, int]]
Size = tuple[int, int]


class Ahead:
    """Makes batches in another process, and here whenever none is ready: that process may get little of a busy machine.

    Parameters
    ----------
    views : Views
        What decides on order and rounds, and makes the batches that are made here.
    count : int
        Views in a batch.
    """

    def __init__(self, views: Views, count: int) -> None:
        self._views, self._count = views, count
        context = multiprocessing.get_context("spawn")
        self._images: Any = RawArray("B", SLOTS * count * SIZE[0] * SIZE[1] * 3)
        self._labels: Any = RawArray("f", SLOTS * count * LABEL_SIZE[0] * LABEL_SIZE[1])
        self._jobs: Any = context.Queue()
        self._made: Any = context.Queue()
        shared = (self._images, self._labels)
        arguments = (views.twin, count, shared, self._jobs, self._made)
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()

    def close(self) -> None:
        """End the other process."""
        self._process.terminate()
        self._process.join()
        for line in (self._jobs, self._made):
            line.cancel_join_thread()
            line.close()

    def batches(self, size: Callable[[], Size]) -> Iterator[tuple[Batch, int]]:
        """Yield batches at the size (height, width) that is asked for, and the number of rounds begun, without end."""
        source = self._views.batches(self._count)
        free = list(range(SLOTS))
        round_number = 1
        while True:
            for slot in free:
                rows, round_number = next(source)
                self._jobs.put((slot, rows, size()))
            free = []
            try:
                slot, used = self._made.get_nowait()
            except queue.Empty:
                rows, round_number = next(source)
                yield self._views.load(rows, size()), round_number
                continue
            images, labels = _slot(slot, used, self._count, (self._images, self._labels))
            yield (images.copy(), labels.copy()), round_number
            free = [slot]


def _slot(slot: int, size: Size, count: int, shared: tuple[Any, Any]) -> Batch:
    """Return the arrays in a slot of the shared memory."""
    shapes = (count, *size, 3), (count, size[0] // 2, size[1] // 2)
    images, labels = np.frombuffer(shared[0], np.uint8), np.frombuffer(shared[1], np.float32)
    return _part(images, slot, shapes[0]), _part(labels, slot, shapes[1])


def _part(values: NDArray[Any], slot: int, shape: tuple[int, ...]) -> NDArray[Any]:
    start = slot * len(values) // SLOTS
    return values[start : start + math.prod(shape)].reshape(shape)


def _work(twin: tuple[Any, ...], count: int, shared: tuple[Any, Any], jobs: Any, made: Any) -> None:
    """Make what is asked for until the process that asks ends."""
    cv2.setNumThreads(1)
    views = Views(*twin)
    asking = multiprocessing.parent_process()
    while asking is not None and asking.is_alive():
        try:
            slot, rows, size = jobs.get(timeout=10)
        except queue.Empty:
            continue
        images, labels = _slot(slot, size, count, shared)
        images[:], labels[:] = views.load(rows, size)
        made.put((slot, size))
