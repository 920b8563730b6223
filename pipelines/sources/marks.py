"""A place in a file that another run can find again, and be sure of."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from pipelines.frame import Frame
from pipelines.sources.base import Source


@dataclass(frozen=True, slots=True)
class Mark:
    """A place between two frames, told by the two before it.

    Two, because several frames may have the same time: those before and behind the place cannot be mistaken for each
    other where one time follows the other.

    Parameters
    ----------
    read : int
        Number of frames before it.
    times_s : tuple of float
        Times of the last two of these, in seconds, the second one later.
    sums : tuple of int
        Checksums (CRC-32) of their pixels.
    """

    read: int
    times_s: tuple[float, float]
    sums: tuple[int, int]

    @classmethod
    def behind(cls, before: Frame, last: Frame) -> Mark | None:
        """Return the place behind two frames, None where these do not tell it."""
        if last.index != before.index + 1 or not before.timestamp_s < last.timestamp_s:
            return None
        return cls(last.index + 1, (before.timestamp_s, last.timestamp_s), (checksum(before), checksum(last)))

    def fits(self, number: int, frame: Frame | None) -> bool:
        """Whether a frame is the first (0) or second (1) of the two."""
        return frame is not None and frame.timestamp_s == self.times_s[number] and checksum(frame) == self.sums[number]


def checksum(frame: Frame) -> int:
    """Return the checksum of a frame's pixels."""
    return zlib.crc32(np.ascontiguousarray(frame.image_bgr).data)


@runtime_checkable
class MarkedSource(Source, Protocol):
    """A source that can go to a mark."""

    @property
    def is_intact(self) -> bool:
        """Whether nothing that was read so far was damaged."""
        ...

    def go_behind(self, mark: Mark, is_cancelled: Callable[[], bool]) -> bool:
        """Let the next `read` return the frame behind a mark, as if those before it had been read.

        Parameters
        ----------
        mark : Mark
            Made from frames of the same file while it was intact.
        is_cancelled : callable
            Asked often; what it raises is passed on. Once it says yes, the place is undefined.

        Returns
        -------
        bool
            False if the place cannot be found for sure. The next frame is the first one then.

        Raises
        ------
        SourceError
            If the source cannot be read any more.
        """
        ...
