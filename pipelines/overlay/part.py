"""Some columns of a frame: the half of a comparison that is seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Part:
    """The columns that are drawn, from `first` to the one before `end`. Line widths and places are the frame's.

    Parameters
    ----------
    size_wh : tuple of int
        Width and height of the frame.
    first, end : int
        0 <= first < end <= width.
    """

    size_wh: tuple[int, int]
    first: int
    end: int

    @classmethod
    def whole(cls, size_wh: tuple[int, int]) -> Part:
        """All columns."""
        return cls(size_wh, 0, size_wh[0])

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return (self.first, self.end) == (0, self.size_wh[0])

    @property
    def columns(self) -> slice:
        """The columns of the frame."""
        return slice(self.first, self.end)

    @contextmanager
    def area(
        self, image: NDArray[np.uint8], x: int, y: int, width: int, height: int
    ) -> Iterator[NDArray[np.uint8] | None]:
        """Give a rectangle of the frame to draw into; what falls outside of the part is lost.

        Parameters
        ----------
        image : ndarray of uint8, shape (H, end - first, 3)
            The part of the picture.
        x, y, width, height : int
            The rectangle, in pixels of the frame and within it.

        Yields
        ------
        ndarray of uint8, shape (height, width, 3), or None
            None where the rectangle lies outside of the part.
        """
        start, stop = max(x, self.first), min(x + width, self.end)
        if start >= stop:
            yield None
            return
        seen = image[y : y + height, start - self.first : stop - self.first]
        if stop - start == width:
            yield seen
            return
        canvas = np.zeros((height, width, 3), np.uint8)
        canvas[:, start - x : stop - x] = seen
        yield canvas
        seen[...] = canvas[:, start - x : stop - x]
