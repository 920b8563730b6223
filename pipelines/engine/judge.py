"""How far the two pipelines of a split comparison agree: judged beside the drawing, on some of the frames."""

from __future__ import annotations

import time
from typing import Final

from pipelines.compare import agreement
from pipelines.engine.board import Board
from pipelines.latest import LatestSlot
from pipelines.pipeline import FrameResult

EVERY_S: Final = 0.25
"""Seconds from one frame that is judged to the next. Both masks are brought to the size of the frame for it, which
takes longer than to draw one of them; four frames a second take a few percent of a core, and nobody reads faster."""


class Judge:
    """Work of a thread that compares the newest results of both pipelines. The last ones before a pause are judged too.

    Parameters
    ----------
    board : Board
        Gets what was found.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._pairs: LatestSlot[tuple[FrameResult, FrameResult, int]] = LatestSlot()

    def see(self, a: FrameResult, b: FrameResult) -> None:
        """Leave two results of the same frame to be compared, unless newer ones come first."""
        self._pairs.put((a, b, self._board.book.comparison))

    def close(self) -> None:
        """Let the thread end."""
        self._pairs.close()

    def run(self) -> None:
        """Compare until `close`."""
        while not self._board.stop.is_set():
            item = self._pairs.take()
            if item is None:
                continue
            start = time.monotonic()
            a, b, comparison = item
            self._board.book.compared(agreement(a, b), comparison)
            self._board.on_update()
            self._board.stop.wait(max(0.0, EVERY_S - (time.monotonic() - start)))
