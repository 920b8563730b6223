"""Batches made ahead by other processes, so that the training need not wait for pictures."""

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

from models.errors import ModelError
from models.training.data import Batch, Views
from models.training.teacher import LABEL_SIZE, SIZE

SLOTS: Final = 8
"""Batches that are made or wait at most, for each process."""

PATIENCE_S: Final = 10.0
"""After so long it is looked whether the processes live."""

Rows = list[tuple[Path, int]]
Size = tuple[int, int]


class Ahead:
    """Makes batches in other processes.

    One such process may get little of a busy machine: whenever it has none ready, one is made here. Several are waited
    for: together they are faster than this one, which has a device to feed.

    Parameters
    ----------
    views : Views
        What decides on order and rounds, and makes the batches that are made here.
    count : int
        Views in a batch.
    processes : int
        How many processes make them; with 0 they are made here.
    """

    def __init__(self, views: Views, count: int, processes: int = 1) -> None:
        self._views, self._count = views, count
        context = multiprocessing.get_context("spawn")
        slots = self._slots = SLOTS * processes
        self._images: Any = RawArray("B", slots * count * SIZE[0] * SIZE[1] * 3)
        self._labels: Any = RawArray("f", slots * count * LABEL_SIZE[0] * LABEL_SIZE[1])
        self._jobs: Any = context.Queue()
        self._made: Any = context.Queue()
        rest = (count, slots, (self._images, self._labels), self._jobs, self._made)
        self._processes = [
            context.Process(target=_work, args=(views.twin(number), *rest), daemon=True) for number in range(processes)
        ]
        for process in self._processes:
            process.start()

    def close(self) -> None:
        """End the other processes."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        for line in (self._jobs, self._made):
            line.cancel_join_thread()
            line.close()

    def batches(self, size: Callable[[], Size]) -> Iterator[tuple[Batch, int]]:
        """Yield batches at the size (height, width) that is asked for, and the number of rounds begun, without end.

        Raises
        ------
        ModelError
            If one of several processes has ended.
        """
        source = self._views.batches(self._count)
        free = list(range(self._slots))
        round_number = 1
        while True:
            for slot in free:
                rows, round_number = next(source)
                self._jobs.put((slot, rows, size()))
            free = []
            try:
                slot, used = self._next()
            except queue.Empty:
                rows, round_number = next(source)
                yield self._views.load(rows, size()), round_number
                continue
            images, labels = _slot(slot, used, self._count, (self._images, self._labels), self._slots)
            yield (images.copy(), labels.copy()), round_number
            free = [slot]

    def _next(self) -> tuple[int, Size]:
        """Return slot and size of a batch that is ready; with several processes wait for one.

        Raises
        ------
        queue.Empty
            If none is ready and one can be made here.
        ModelError
            If one of several processes has ended.
        """
        made: tuple[int, Size]
        if len(self._processes) <= 1:
            made = self._made.get_nowait()
            return made
        while True:
            try:
                made = self._made.get(timeout=PATIENCE_S)
            except queue.Empty:
                if not all(process.is_alive() for process in self._processes):
                    raise ModelError("a process that makes batches has ended") from None
            else:
                return made


def _slot(slot: int, size: Size, count: int, shared: tuple[Any, Any], slots: int) -> Batch:
    """Return the arrays in a slot of the shared memory."""
    shapes = (count, *size, 3), (count, size[0] // 2, size[1] // 2)
    images, labels = np.frombuffer(shared[0], np.uint8), np.frombuffer(shared[1], np.float32)
    return _part(images, slot, slots, shapes[0]), _part(labels, slot, slots, shapes[1])


def _part(values: NDArray[Any], slot: int, slots: int, shape: tuple[int, ...]) -> NDArray[Any]:
    start = slot * len(values) // slots
    return values[start : start + math.prod(shape)].reshape(shape)


def _work(twin: tuple[Any, ...], count: int, slots: int, shared: tuple[Any, Any], jobs: Any, made: Any) -> None:
    """Make what is asked for until the process that asks ends."""
    cv2.setNumThreads(1)
    views = Views(*twin)
    asking = multiprocessing.parent_process()
    while asking is not None and asking.is_alive():
        try:
            slot, rows, size = jobs.get(timeout=10)
        except queue.Empty:
            continue
        images, labels = _slot(slot, size, count, shared, slots)
        images[:], labels[:] = views.load(rows, size)
        made.put((slot, size))
