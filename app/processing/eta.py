"""How long the whole queue takes, told from what was done so far. No Qt here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.processing.items import Item, State

PIXELS: Final = 1280 * 720
FIXED: Final = 0.4
"""Share of the time of a 1280x720 frame that does not depend on its size: the networks see pictures of one size."""


def effort(item: Item) -> float:
    """Return about how much work a frame of a file is; one of 1280x720 is 1."""
    width, _, height = item.facts[0].partition("x") if item.facts else ("", "", "")
    if not (width.isdigit() and height.isdigit()):
        return 1.0
    return FIXED + (1 - FIXED) * int(width) * int(height) / PIXELS


class Pace:
    """Effort a second: that of the file in progress, or of the one before while too little is known of it."""

    def __init__(self) -> None:
        self._pace: float | None = None

    def note(self, item: Item) -> None:
        """Look how fast a file goes."""
        rate = item.meter.rate
        if rate is not None:
            self._pace = rate * effort(item)

    def left_s(self, items: Iterable[Item]) -> tuple[float | None, bool]:
        """Return how long everything that is not done takes.

        Returns
        -------
        float or None
            Seconds; None while that is not known.
        bool
            Every file tells how many frames it has. Otherwise it takes longer.
        """
        left, is_all = 0.0, True
        for item in items:
            if item.state is not State.RUNNING and not item.state.is_open:
                continue
            if not item.is_count_known:
                is_all = False
            elif item.expected is not None:
                there = item.done if item.state is State.RUNNING else item.kept_frames
                left += effort(item) * max(0, item.expected - there)
        return (left / self._pace if self._pace and left > 0 else None), is_all
