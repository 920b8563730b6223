"""A place in the frames of a file that can be moved: exact, however the file is made.

A container finds a picture that depends on no other near a wanted time, if it finds anything; from there frames are
decoded until the wanted one is reached. Where the first of them turns out to lie behind the wanted time (no index,
broadcast streams, pictures that are decoded in another order than they are shown), an earlier place is tried, and in
the end the file is decoded from its beginning.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from av.error import FFmpegError
from av.video.frame import VideoFrame

from pipelines.sources.decoder import Decoder

Timed = tuple[VideoFrame, float]

EARLIER_S: Final = (0.0, 1.0, 5.0, 20.0)
"""How far before the wanted time the container is asked for a picture to start from, one try after the other."""
TOLERANCE_S: Final = 1e-6
"""Times are multiples of the container's clock, which ticks in steps of 11 microseconds or more; ours are rounded."""
KEPT_BYTES: Final = 48 << 20
"""Decoded frames that are kept behind the place: 34 at 720p, so that stepping back is instant, 4 at 2160p."""
LEAST_KEPT: Final = 3
MOST_KEPT: Final = 120


class FrameCursor:
    """Decoded frames of a file, and a place among them.

    Parameters
    ----------
    decoder : Decoder
        Of the file, at its beginning.
    reopen : callable
        Opens the file again and returns a decoder at its beginning.

    Attributes
    ----------
    decoder : Decoder
        The one that is in use.
    """

    def __init__(self, decoder: Decoder, reopen: Callable[[], Decoder]) -> None:
        self.decoder = decoder
        self._reopen = reopen
        self._frames: Iterator[Timed] = iter(decoder)
        self._ahead: deque[Timed] = deque()
        self._behind: deque[Timed] = deque()
        self._last_s: float | None = None
        # Frames are kept only for those who move about: whoever reads a file once needs no memory for it.
        self._keeps = False

    def next(self) -> Timed | None:
        """Return the next frame and its time, None at the end."""
        found = self._ahead.popleft() if self._ahead else next(self._frames, None)
        if found is not None:
            self._last_s = found[1]
            if self._keeps:
                self._keep(found)
        return found

    def seek(self, time_s: float, is_cancelled: Callable[[], bool]) -> bool:
        """Let the next frame be the last one not after `time_s`, or else the first. Return False when cancelled."""
        self._keeps = True
        limit_s = max(0.0, time_s) + TOLERANCE_S
        return self._near(limit_s) or self._land(limit_s, is_cancelled)

    def forget(self) -> None:
        """Keep no more frames: from here on they are read one after the other."""
        self._keeps = False
        self._behind.clear()

    def back(self, frames: int, is_cancelled: Callable[[], bool]) -> bool:
        """Let the next frame be the one `frames` before the last one, or the first. Return False when cancelled."""
        self._keeps = True
        if not self._behind:
            if self._last_s is None:
                return True
            if not self._land(self._last_s + TOLERANCE_S, is_cancelled):
                return False
        else:
            self._ahead.appendleft(self._behind.pop())
        for _ in range(frames):
            if not self._behind:
                oldest_s = self._ahead[0][1]
                if not self._land(oldest_s - TOLERANCE_S, is_cancelled):
                    return False
                if self._ahead[0][1] >= oldest_s:
                    return True  # there is nothing before it
            else:
                self._ahead.appendleft(self._behind.pop())
        return True

    def _near(self, limit_s: float) -> bool:
        """Move to a frame that is still in memory; return whether it is there for sure."""
        kept = [*self._behind, *self._ahead]
        if not kept or not kept[0][1] <= limit_s < kept[-1][1]:
            return False
        place = max(number for number, (_, time_s) in enumerate(kept) if time_s <= limit_s)
        self._behind, self._ahead = deque(kept[:place]), deque(kept[place:])
        return True

    def _land(self, limit_s: float, is_cancelled: Callable[[], bool]) -> bool:
        for earlier_s in EARLIER_S:
            if not self.decoder.can_jump or limit_s - earlier_s <= 0:
                break
            try:
                frames = self.decoder.jump(limit_s - earlier_s)
                first = _first_whole(frames, limit_s, is_cancelled)
            except FFmpegError:
                break
            if is_cancelled():
                return self._lost()
            if first is not None:
                return self._walk(first, frames, limit_s, is_cancelled)
        self.decoder = self._reopen()
        frames = iter(self.decoder)
        first = next(frames, None)
        if first is None:
            return self._lost()
        return self._walk(first, frames, limit_s, is_cancelled)

    def _walk(self, first: Timed, frames: Iterator[Timed], limit_s: float, is_cancelled: Callable[[], bool]) -> bool:
        """Decode from `first` on until the next frame is after `limit_s`."""
        self._frames = frames
        self._ahead.clear()
        self._behind.clear()
        current = first
        while True:
            following = next(frames, None)
            if following is None or following[1] > limit_s:
                break
            if is_cancelled():
                return self._lost()
            self._keep(current)
            current = following
        self._ahead.append(current)
        if following is not None:
            self._ahead.append(following)
        return True

    def _keep(self, found: Timed) -> None:
        self._behind.append(found)
        size = sum(plane.buffer_size for plane in found[0].planes)
        most = min(MOST_KEPT, max(LEAST_KEPT, KEPT_BYTES // max(1, size)))
        while len(self._behind) > most:
            self._behind.popleft()

    def _lost(self) -> bool:
        self._ahead.clear()
        self._behind.clear()
        return False


def _first_whole(frames: Iterator[Timed], limit_s: float, is_cancelled: Callable[[], bool]) -> Timed | None:
    """Return the first frame that depends on no other, None if it lies behind `limit_s` or tells no time."""
    for frame, time_s in frames:
        if is_cancelled() or not time_s <= limit_s:
            return None
        if frame.key_frame and not frame.is_corrupt:
            return frame, time_s
    return None
