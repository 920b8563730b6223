"""Lets a child process look at files, one order after the other, and goes on with the next one when it breaks off."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from app.processing.link import Link, LinkFactory, News

Order = dict[str, Any]


class Looker:
    """Owns the child that looks at files; there is one only while there is something to look at.

    Parameters
    ----------
    make_link : callable
        Starts a child.
    hear : callable
        Gets every news.
    lost : callable
        Gets an order that was too much for the child, and the reason.
    end : callable
        Gets a child that is to end by itself.
    """

    def __init__(
        self,
        make_link: LinkFactory,
        hear: Callable[[News], None],
        lost: Callable[[Order, str], None],
        end: Callable[[Link], None],
    ) -> None:
        self._make_link = make_link
        self._hear = hear
        self._lost = lost
        self._end = end
        self._link: Link | None = None
        self._orders: deque[Order] = deque()

    @property
    def is_busy(self) -> bool:
        """Whether there is an order that was not answered yet."""
        return bool(self._orders)

    def give(self, *orders: Order) -> None:
        """Give it orders."""
        if not orders:
            return
        self._orders += orders
        if self._link is None:
            self._link = self._make_link(self._listen, self._broke_off)
        for order in orders:
            self._link.send(order)

    def stop(self) -> None:
        """Forget what was asked, and let the child end."""
        self._orders.clear()
        self._rest()

    def _rest(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            self._end(link)

    def _listen(self, news: News) -> None:
        self._orders.popleft()
        self._hear(news)
        if not self._orders:
            self._rest()

    def _broke_off(self, reason: str, process: int) -> None:
        """One order was too much for it: go on with the others."""
        self._link = None
        waiting, self._orders = self._orders, deque()
        order = waiting.popleft() if waiting else None
        self.give(*waiting)
        if order is not None:
            self._lost(order, reason)
