"""What the live engine tells: its state, and the newest picture."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from pipelines.figures import Side
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult
from pipelines.sources import SourceInfo


class EngineState(Enum):
    """What a live run is doing."""

    IDLE = "idle"
    OPENING = "opening"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """State of a live run.

    Parameters
    ----------
    state : EngineState
        What it is doing.
    message : str
        A sentence for the user, "" when there is nothing to say.
    source_info : SourceInfo or None
        The open source.
    loading : bool
        A pipeline is being built in the background.
    starting : bool
        The source is open, and the first results are on their way: all there is to see is a `View.is_preview`.
    """

    state: EngineState
    message: str = ""
    source_info: SourceInfo | None = None
    loading: bool = False
    starting: bool = False


class Drawing:
    """A picture that is drawn when somebody wants it, once.

    Parameters
    ----------
    draw : callable
        Returns it, uint8 (H, W, 3); called by whichever thread asks first, and never again.
    """

    __slots__ = ("_draw", "_image", "_lock")

    def __init__(self, draw: Callable[[], NDArray[np.uint8]]) -> None:
        self._draw: Callable[[], NDArray[np.uint8]] | None = draw
        self._image: NDArray[np.uint8] | None = None
        self._lock = threading.Lock()

    def image(self) -> NDArray[np.uint8]:
        """Return the picture."""
        with self._lock:
            if self._draw is not None:
                self._image, self._draw = self._draw(), None
        assert self._image is not None
        return self._image


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """The newest picture: frame, findings and drawing from the same moment.

    Parameters
    ----------
    drawn : ndarray of uint8, shape (H, W, 3), or Drawing
        The frame with the results drawn on it (`image_bgr`); drawn later where only its mirror image is seen.
    result : FrameResult
        The results, and the frame they belong to.
    serial : int
        Counts the pictures of a run.
    side : "A" or "B"
        Whose result it is; "B" only where two pipelines take turns.
    other : FrameResult or None
        What B found on the same frame, in a split comparison.
    other_drawn : ndarray of uint8, shape (H, W, 3), or Drawing, or None
        The frame with B's results drawn on it (`other_bgr`).
    divider : float or None
        Where `image_bgr` and `other_bgr` are one picture, with A's results on its left and B's on its right: where the
        latter begin, as a share of the width. None where both show the whole frame.
    mirror_bgr : ndarray of uint8, shape (H, W, 3), or None
        The results drawn on the mirrored frame, divided in the same place, where the engine was asked for it.
    is_preview : bool
        Nothing was looked for on this frame: the models are still being loaded. `drawn` is the frame itself.
    """

    drawn: NDArray[np.uint8] | Drawing
    result: FrameResult
    serial: int
    side: Side = "A"
    other: FrameResult | None = None
    other_drawn: NDArray[np.uint8] | Drawing | None = None
    divider: float | None = None
    mirror_bgr: NDArray[np.uint8] | None = None
    is_preview: bool = False

    @classmethod
    def preview(cls, frame: Frame) -> View:
        """Return the view of a frame on which nothing was looked for."""
        return cls(frame.image_bgr, FrameResult(frame, {}, {}, 0.0, {}), 0, is_preview=True)

    @property
    def image_bgr(self) -> NDArray[np.uint8]:
        """The frame with the results drawn on it, uint8 (H, W, 3)."""
        return self.drawn.image() if isinstance(self.drawn, Drawing) else self.drawn

    @property
    def other_bgr(self) -> NDArray[np.uint8] | None:
        """The frame with B's results drawn on it, uint8 (H, W, 3)."""
        return self.other_drawn.image() if isinstance(self.other_drawn, Drawing) else self.other_drawn

    @property
    def plain_bgr(self) -> NDArray[np.uint8]:
        """The frame as the source gave it."""
        return self.result.frame.image_bgr
