"""One file of the queue: what it is, how far it is, what became of it. No Qt here."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final

WINDOW_S: Final = 6.0
"""The rate is that of the last seconds: files change, and so does what else the machine does."""
LEAST_S: Final = 0.5
"""Over less than this a rate says nothing."""


class State(Enum):
    """Where a file stands."""

    LOOKING = "looking"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    INCOMPLETE = "incomplete"
    """The file broke off; what could be read is in the outputs."""
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        """Whether its turn is still to come."""
        return self in (State.LOOKING, State.WAITING)

    @property
    def has_output(self) -> bool:
        """Whether there is something to show."""
        return self in (State.DONE, State.INCOMPLETE)

    @property
    def can_retry(self) -> bool:
        """Whether trying again makes sense."""
        return self in (State.FAILED, State.CANCELLED, State.INCOMPLETE)


class RateMeter:
    """Frames a second over the last seconds, and how long the rest will take.

    Parameters
    ----------
    clock : callable
        Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._points: deque[tuple[float, int]] = deque()

    def add(self, done: int) -> None:
        """Note how many frames are done."""
        now = self._clock()
        self._points.append((now, done))
        while now - self._points[0][0] > WINDOW_S and len(self._points) > 2:
            self._points.popleft()

    def reset(self) -> None:
        """Forget: what comes after a pause is no slow frame."""
        self._points.clear()

    @property
    def rate(self) -> float | None:
        """Frames a second, None while too little is known."""
        if len(self._points) < 2:
            return None
        (start, before), (end, after) = self._points[0], self._points[-1]
        return (after - before) / (end - start) if end - start >= LEAST_S and after > before else None

    def left_s(self, done: int, expected: int | None) -> float | None:
        """Return how long the rest takes at this rate, None while that is not known."""
        rate = self.rate
        if rate is None or expected is None or done > expected:
            return None
        return (expected - done) / rate


@dataclass(eq=False, slots=True)
class Item:
    """One file.

    Parameters
    ----------
    id : int
        Its number in this window; never used twice.
    path : Path
        The file.
    """

    id: int
    path: Path
    state: State = State.LOOKING
    facts: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    """What is special about the input, and what was done to it."""
    thumbnail: bytes = b""
    done: int = 0
    expected: int | None = None
    message: str = ""
    """Why it failed, or what is missing."""
    planned: dict[str, str | None] | None = None
    """Where the child writes, while it does."""
    outputs: tuple[Path, ...] = ()
    work_s: float = 0.0
    paused_s: float = 0.0
    started: bool = False
    """The first frame is through: models are loaded."""
    kept: tuple[int, str] | None = None
    """Frames that a run that broke off has left, and why they cannot be used with the options as they are (or "")."""
    broken_off: bool = False
    """The window was closed over it: what was done is kept."""
    resumed: int = 0
    """How many of the frames an earlier run had done."""
    meter: RateMeter = field(default_factory=RateMeter)

    @property
    def kept_frames(self) -> int:
        """Frames that it goes on behind when its turn comes."""
        return self.kept[0] if self.kept is not None and not self.kept[1] else 0

    @property
    def is_count_known(self) -> bool:
        """Whether the number of frames is known. One that turns out too low is not a promise."""
        return self.expected is not None and self.done <= self.expected

    @property
    def part(self) -> float | None:
        """How much is done, in [0, 1]; None where that is not known."""
        if not self.is_count_known or not self.expected:
            return None
        return self.done / self.expected

    def look_found(self, news: dict[str, Any], thumbnail: bytes) -> None:
        """Take in what the file is."""
        self.facts = tuple(news["facts"])
        self.notices = tuple(news["notices"])
        self.thumbnail = thumbnail
        if self.state is State.LOOKING:
            self.state = State.WAITING
            self.expected = news["expected"]
        self.take_kept(news)

    def take_kept(self, news: dict[str, Any]) -> None:
        """Take in what a run that broke off has left."""
        kept = news.get("kept")
        self.kept = (kept["frames"], kept["difference"]) if kept is not None else None

    def begin(self) -> None:
        """Its turn has come."""
        self.state = State.RUNNING
        self.done, self.message, self.outputs, self.planned = 0, "", (), None
        self.work_s = self.paused_s = 0.0
        self.started, self.kept, self.broken_off, self.resumed = False, None, False, 0
        self.meter.reset()

    def progress(self, done: int, expected: int | None) -> None:
        """Take in how far it is."""
        if done != self.done or not self.started:
            self.meter.add(done)
        self.done, self.expected = done, expected if expected is not None else self.expected
        self.started = self.started or done > 0

    def finish(self, news: dict[str, Any]) -> None:
        """Take in what was written."""
        self.state = State.INCOMPLETE if news["damage"] else State.DONE
        self.message = news["damage"]
        self.notices = tuple(news["notices"])
        self.outputs = tuple(Path(name) for name in news["outputs"])
        self.done = self.expected = news["frames"]
        self.work_s = max(0.0, news["work_s"] - self.paused_s)
        self.resumed = news.get("resumed", 0)

    def fail(self, sentence: str) -> None:
        """It cannot be done."""
        self.state = State.FAILED
        self.message = sentence

    def call_off(self) -> None:
        """It shall not be done."""
        self.state = State.CANCELLED
        self.message, self.kept = "", None

    def break_off(self) -> None:
        """It cannot be done any further now."""
        self.call_off()
        self.broken_off = True

    def wait_again(self) -> None:
        """Put it back into the queue."""
        self.state = State.WAITING if self.facts else State.LOOKING
        self.message, self.done = "", 0
