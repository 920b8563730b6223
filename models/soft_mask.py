"""A mask before it is enlarged: levels of a small box, and one level for what lies on each side of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class SoftMask:
    """Where the people are in some columns of a frame, in as few pixels as tell it.

    A person's edge is found at a fraction of the frame's size, and beyond a box nothing changes any more. Whoever draws
    can enlarge colours instead of levels, and trace the edge where it was found.

    Parameters
    ----------
    columns : tuple of int
        First column of the frame that this is about, and the one after the last.
    height : int
        Height of the frame in pixels.
    box_xywh : tuple of int
        Left, top, width and height, in pixels of the frame, of what `levels` cover; it may reach beyond the columns.
        Width and height are 0 where there is no change at all.
    levels : ndarray of uint8, shape (h, w)
        0 = background, 255 = person. They share the box equally; bilinear in between.
    around : tuple of int
        The level left of the box, above, right of it, and below.
    """

    columns: tuple[int, int]
    height: int
    box_xywh: tuple[int, int, int, int]
    levels: NDArray[np.uint8]
    around: tuple[int, int, int, int] = (0, 0, 0, 0)

    @classmethod
    def of(cls, alpha: NDArray[np.uint8], columns: tuple[int, int] | None = None) -> SoftMask:
        """Wrap a mask of the frame's size, uint8 (H, W); the box holds all that is not background."""
        first, end = columns or (0, alpha.shape[1])
        part = alpha[:, first:end]
        x, y, width, height = cv2.boundingRect(part)
        box_xywh = (first + x, y, width, height)
        return cls((first, end), alpha.shape[0], box_xywh, part[y : y + height, x : x + width])

    def mirrored(self, width: int) -> SoftMask:
        """Return the mask of the frame with left and right swapped, which is `width` pixels wide."""
        (first, end), (x, y, across, down), (left, above, right, below) = self.columns, self.box_xywh, self.around
        box_xywh = (width - x - across, y, across, down)
        levels = np.asarray(cv2.flip(self.levels, 1), np.uint8) if self.levels.size else self.levels
        return SoftMask((width - end, width - first), self.height, box_xywh, levels, (right, above, left, below))

    @property
    def inside(self) -> tuple[slice, slice]:
        """Rows and columns of the box that are among `columns`, the latter counted from the first of these."""
        (first, end), (x, y, width, height) = self.columns, self.box_xywh
        return slice(y, y + height), slice(max(0, x - first), max(0, min(x + width, end) - first))

    def enlarged(self, levels: NDArray[np.uint8], out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Bring levels, or colours made of them, to the size of the box; return what of that is `inside`.

        Parameters
        ----------
        levels : ndarray of uint8, shape (h, w) or (h, w, C)
            Of the shape of `self.levels`.
        out : ndarray of uint8, shape (box height, box width) or (box height, box width, C), optional
            Where there is room for the whole box.
        """
        x, _, width, height = self.box_xywh
        if levels.shape[:2] != (height, width):
            enlarged = cv2.resize(levels, (width, height), dst=out, interpolation=cv2.INTER_LINEAR)
            levels = np.asarray(enlarged, np.uint8)
        first, end = self.columns
        return levels[:, max(0, first - x) : max(0, min(x + width, end) - x)]

    def sides(self) -> tuple[tuple[slice, slice, int], ...]:
        """Return rows, columns (counted from the first of `columns`) and level of all that is not `inside`."""
        rows, columns = self.inside
        width = self.columns[1] - self.columns[0]
        left, above, right, below = self.around
        return (
            (slice(0, rows.start), slice(0, width), above),
            (slice(rows.stop, self.height), slice(0, width), below),
            (rows, slice(0, columns.start), left),
            (rows, slice(columns.stop, width), right),
        )

    def pixels(self) -> NDArray[np.uint8]:
        """Return the mask at the size of the frame, uint8 (height, number of columns)."""
        alpha = np.empty((self.height, self.columns[1] - self.columns[0]), np.uint8)
        for rows, columns, level in self.sides():
            alpha[rows, columns] = level
        area = alpha[self.inside]
        if area.size:
            _, _, width, height = self.box_xywh
            if area.shape == (height, width) != self.levels.shape:
                cv2.resize(self.levels, (width, height), dst=area, interpolation=cv2.INTER_LINEAR)
            else:
                area[...] = self.enlarged(self.levels)
        return alpha
