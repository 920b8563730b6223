"""What the live engine tells: its state, and the newest picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from pipelines.figures import Side
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
    """

    state: EngineState
    message: str = ""
    source_info: SourceInfo | None = None
    loading: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """The newest picture: frame, findings and drawing from the same moment.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (H, W, 3)
        With the results drawn on it.
    result : FrameResult
        The results, and the frame they belong to.
    serial : int
        Counts the pictures of a run.
    side : "A" or "B"
        Whose result it is; "B" only where two pipelines take turns.
    other : FrameResult or None
        What B found on the same frame, in a split comparison.
    other_bgr : ndarray of uint8, shape (H, W, 3), or None
        The frame with B's results drawn on it.
    divider : float or None
        Where `image_bgr` and `other_bgr` are one picture, with A's results on its left and B's on its right: where the
        latter begin, as a share of the width. None where both show the whole frame.
    """

    image_bgr: NDArray[np.uint8]
    result: FrameResult
    serial: int
    side: Side = "A"
    other: FrameResult | None = None
    other_bgr: NDArray[np.uint8] | None = None
    divider: float | None = None

    @property
    def plain_bgr(self) -> NDArray[np.uint8]:
        """The frame as the source gave it."""
        return self.result.frame.image_bgr
