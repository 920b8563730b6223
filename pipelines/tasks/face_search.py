"""Where and when to look for faces that are not tracked yet.

The detector sees a square of 128 pixels, in which it finds faces from about a fifth of its side. Smaller ones (37
pixels in a picture of 500) are found by showing it overlapping tiles of the picture instead of the whole.
"""

from __future__ import annotations

import functools
import math
from typing import Final

import numpy as np

from models.geometry import Square
from pipelines.state import State, take_int

DIVISIONS: Final = (2, 3, 4)
"""Tiles have the longer side of the picture divided by these."""
TILE_OVERLAP: Final = 0.25
"""Share of a tile's side by which neighbours overlap at least. Faces up to this size are whole in one of them, and
larger ones are found in the tiles of the next size."""
MIN_TILE_SIDE: Final = 64.0
"""Pixels. Smaller tiles would be magnified more than twice: faces in them have no detail to find."""
SEARCH_EVERY: Final = 2
"""With room for more faces beside the tracked ones, every so many frames are searched..."""
WHOLE_EVERY: Final = 10
"""...and this often as a whole, the other times in the next tile. Mean cost: half a detection a frame."""
URGENT_S: Final = 1.0
"""Seconds after a loss during which the whole of every frame is searched."""


@functools.lru_cache(maxsize=8)
def tiles(width: int, height: int) -> tuple[Square, ...]:
    """Return the overlapping tiles of all divisions, coarse ones first, row by row.

    Parameters
    ----------
    width, height : int
        Size of the picture in pixels.

    Returns
    -------
    tuple of Square
        Those of one division cover the picture. Empty for pictures below 128 pixels.
    """
    found: list[Square] = []
    for division in DIVISIONS:
        side = max(width, height) / division
        if side < MIN_TILE_SIDE:
            break
        found += [Square(x, y, side) for y in _centers(height, side) for x in _centers(width, side)]
    return tuple(found)


def _centers(length: int, side: float) -> list[float]:
    """Centres of the fewest overlapping intervals of this length that cover 0 to `length`."""
    if length <= side:
        return [length / 2]
    count = math.ceil((length - TILE_OVERLAP * side) / ((1 - TILE_OVERLAP) * side))
    return [float(center) for center in np.linspace(side / 2, length - side / 2, count)]


class SearchSchedule:
    """Which squares of each frame of a video are searched.

    The first frame is searched like a picture, so that whoever is there is found at once; from then on the cost of a
    frame is bounded. Nothing is searched while as many faces are tracked as wanted. With nobody in view, the whole of
    every frame and one tile in turn. With somebody in view and room for more, a square every second frame; but the
    whole of every frame for a second after a face was lost, for it may come back at once.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Treat the next frame as the first one."""
        self._is_first = True
        self._frames = 0
        self._next_tile = 0

    def state(self) -> State:
        """Return what is remembered (`pipelines.state`)."""
        return {"is_first": self._is_first, "frames": self._frames, "next_tile": self._next_tile}

    def restore(self, state: State) -> None:
        """Go on from a `state`."""
        self._is_first = bool(take_int(state, "is_first"))
        self._frames, self._next_tile = take_int(state, "frames"), take_int(state, "next_tile")

    def squares(self, size_wh: tuple[int, int], tracked: int, wanted: int, urgent: bool) -> tuple[Square, ...]:
        """Return what to search in this frame; call it once a frame.

        Parameters
        ----------
        size_wh : tuple of int
            Width and height of the frame in pixels.
        tracked, wanted : int
            Faces that were found in this frame by tracking, and how many there may be.
        urgent : bool
            A face was lost lately.
        """
        if self._is_first:
            self._is_first = False
            return (Square.letterbox(*size_wh), *tiles(*size_wh))
        if tracked >= wanted:
            self._frames = 0
            return ()
        turn = self._frames % WHOLE_EVERY
        self._frames += 1
        whole = (Square.letterbox(*size_wh),)
        if tracked == 0:
            return whole + self._tile(size_wh)
        if urgent or turn == 0:
            return whole
        return self._tile(size_wh) if turn % SEARCH_EVERY == 0 else ()

    def _tile(self, size_wh: tuple[int, int]) -> tuple[Square, ...]:
        every = tiles(*size_wh)
        if not every:
            return ()
        self._next_tile = (self._next_tile + 1) % len(every)
        return (every[self._next_tile - 1],)
