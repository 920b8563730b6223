"""What the jobs of a run share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipelines.offline.pool import Analysers
from pipelines.pipeline import FrameResult
from pipelines.records import Json

Draw = Callable[[FrameResult], NDArray[np.uint8]]

Tick = Callable[[int, int | None], None]
"""Gets the number of frames done and the number expected, None when unknown."""


@dataclass(slots=True)
class Tools:
    """What all jobs of a run share.

    Parameters
    ----------
    pipelines : Analysers
        Loaded models.
    draw : callable
        Makes the annotated picture, uint8 (H, W, 3), from a result; for a transparent job (H, W, 4).
    cancel : Event
        Calls the work off when set.
    pause : Event
        While set, no further frame is analysed; looked at a few times a second.
    options : dict of str to str
        What decides how `draw` draws, by the name that the user knows it by: work that was begun with other values is
        not gone on with.
    """

    pipelines: Analysers
    draw: Draw
    cancel: threading.Event
    pause: threading.Event = field(default_factory=threading.Event)
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rows:
    """How the rows of the results file are written.

    Parameters
    ----------
    final : Path
        Name of the results file; its suffix decides the format.
    extra : dict
        Keys put before those of every row.
    """

    final: Path
    extra: Json
