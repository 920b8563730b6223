"""What was taken off the queue, to be put back in its place."""

from __future__ import annotations

from collections.abc import Sequence

from app.processing.items import Item
from app.processing.model import QueueModel

Places = Sequence[tuple[int, Item]]
"""Rows from the top down, and what was in them."""


class Removed:
    """Remembers removals, the last one on top.

    Parameters
    ----------
    model : QueueModel
        The queue.
    """

    def __init__(self, model: QueueModel) -> None:
        self._model = model
        self._stack: list[Places] = []

    def __bool__(self) -> bool:
        return bool(self._stack)

    def take(self, items: Sequence[Item]) -> None:
        """Take files off the list."""
        gone = {item.id for item in items}
        places = [(row, item) for row, item in enumerate(self._model.items) if item.id in gone]
        if places:
            self._model.remove([item for _, item in places])
            self._stack.append(places)

    def put_back(self) -> list[Item]:
        """Put back what was taken off last, but for files that were added again; return what is there again."""
        if not self._stack:
            return []
        there = {item.path for item in self._model}
        gone = self._stack.pop()
        back = [(row, item) for row, item in gone if item.path not in there]
        left_out = [row for row, item in gone if item.path in there]
        self._model.insert([(row - sum(other < row for other in left_out), item) for row, item in back])
        return [item for _, item in back]
