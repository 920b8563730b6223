"""A mailbox with one place: the newest thing wins, and what was overwritten is counted."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class LatestSlot(Generic[T]):
    """Hand the newest item from one thread to another.

    `put` never blocks. `take` waits for an item that has not been taken yet. After `close`, `put` does nothing and
    `take` returns None at once, so that both ends can stop in any order.
    """

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._item: T | None = None
        self._closed = False
        self._dropped = 0

    def put(self, item: T) -> bool:
        """Leave `item`, replacing one that nobody took. Return whether one was replaced."""
        with self._condition:
            if self._closed:
                return False
            replaced = self._item is not None
            self._dropped += replaced
            self._item = item
            self._condition.notify()
            return replaced

    def take(self, timeout_s: float | None = None) -> T | None:
        """Return the item and empty the place; None after `timeout_s` seconds or once closed."""
        with self._condition:
            self._condition.wait_for(lambda: self._item is not None or self._closed, timeout_s)
            item, self._item = self._item, None
            return None if self._closed else item

    def close(self) -> None:
        """Wake whoever waits; the slot is of no use afterwards."""
        with self._condition:
            self._closed = True
            self._item = None
            self._condition.notify_all()

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def dropped(self) -> int:
        """How many items were overwritten before anybody took them."""
        return self._dropped
