"""The figures of a live run: what the source gives, what is shown, what the pipeline could do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pipelines.compare import Agreement, CompareMode
from pipelines.timing import LatencyStats, format_rate

Side = Literal["A", "B"]
"""The two pipelines of a comparison; a single pipeline is A."""

KEEPS_PACE: Final = 0.92
"""Shown frames per source frame above which the source, not the pipeline, sets the rate."""


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """Measured figures of one task; None where not yet measured.

    Parameters
    ----------
    backend : str
        Backend that made the newest result.
    total : LatencyStats or None
        Whole task, milliseconds.
    stages : mapping of str to LatencyStats
        By stage, milliseconds.
    software : bool
        The backend's device is software: a test device, not a GPU.
    """

    backend: str
    total: LatencyStats | None
    stages: Mapping[str, LatencyStats]
    software: bool = False


@dataclass(frozen=True, slots=True)
class PipelineFigures:
    """Measured figures of one pipeline; None where not yet measured.

    Parameters
    ----------
    fps : float
        Frames a second that it analysed.
    capacity_fps : float or None
        Frames a second it alone could analyse: 1000 / median latency in ms.
    latency : LatencyStats or None
        Milliseconds of all tasks together.
    tasks : mapping of str to TaskFigures
        By task.
    load_ms : float or None
        Time it took to load the models, first run included.
    side_by_side : bool or None
        Whether its tasks ran in several threads at the same time, on most of the newest frames.
    """

    fps: float = 0.0
    capacity_fps: float | None = None
    latency: LatencyStats | None = None
    tasks: Mapping[str, TaskFigures] = field(default_factory=dict)
    load_ms: float | None = None
    side_by_side: bool | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """A snapshot of the figures of a live run.

    Parameters
    ----------
    source_fps, processed_fps : float
        Frames a second that the source delivers, and that were analysed and drawn. 0 when nothing moves.
    capacity_fps : float or None
        Frames a second the pipeline alone could analyse: 1000 / median latency in ms.
    frames, dropped : int
        Frames read, and frames that a newer one replaced before they were analysed or drawn.
    age_ms : float or None
        From capture to the end of drawing, newest frame.
    capture, pipeline, draw : LatencyStats or None
        Milliseconds to read a frame, to run all tasks, to draw the results.
    tasks : mapping of str to TaskFigures
        By task.
    load_ms : float or None
        Time it took to load the models, first run included.
    bottleneck : str
        One line that says what limits the rate; "" before there are figures.
    mode : CompareMode
        Whether and how two pipelines share the frames. `pipeline`, `tasks` and `capacity_fps` are A's.
    b : PipelineFigures or None
        The second pipeline of a comparison.
    speed_up : float or None
        A's median latency divided by B's: above 1, B is faster. None until enough frames of both were measured.
    agreement : Agreement or None
        Of the newest frame that was compared.
    agree : float or None
        Median of `Agreement.overall` over the last frames that were compared.
    agree_frames : int
        How many frames that is; a live comparison looks at some of those that both analysed.
    side_by_side : bool or None
        As of `PipelineFigures`, of A.
    cpu_share : float or None
        Share of the cores that this process may use which it kept busy in the last two seconds, 0 to 1: everything it
        does, the window included.
    """

    source_fps: float = 0.0
    processed_fps: float = 0.0
    capacity_fps: float | None = None
    frames: int = 0
    dropped: int = 0
    age_ms: float | None = None
    capture: LatencyStats | None = None
    pipeline: LatencyStats | None = None
    draw: LatencyStats | None = None
    tasks: Mapping[str, TaskFigures] = field(default_factory=dict)
    load_ms: float | None = None
    bottleneck: str = ""
    mode: CompareMode = CompareMode.OFF
    b: PipelineFigures | None = None
    speed_up: float | None = None
    agreement: Agreement | None = None
    agree: float | None = None
    agree_frames: int = 0
    side_by_side: bool | None = None
    cpu_share: float | None = None


def bottleneck(figures: Figures, source_kind: str) -> str:
    """Say in one line what limits the rate.

    Parameters
    ----------
    figures : Figures
        A snapshot.
    source_kind : str
        Kind of the source ("camera", "video", ...).

    Returns
    -------
    str
        "" while there is nothing to say yet.
    """
    if figures.source_fps <= 0 or figures.pipeline is None:
        return ""
    if figures.processed_fps >= KEEPS_PACE * figures.source_fps:
        verb = "gives" if source_kind in ("camera", "stream") else "plays at"
        noun = {"video": "file", "images": "pictures", "demo": "demo clip"}.get(source_kind, source_kind)
        return f"{noun} {verb} {format_rate(figures.source_fps)} fps"
    if figures.draw and figures.draw.p50 > _analysis_ms(figures, figures.pipeline):
        return f"drawing takes {figures.draw.p50:.1f} ms a frame"
    if figures.mode is not CompareMode.OFF:
        return "both pipelines share the time"
    shares = {name: task.total.p50 for name, task in figures.tasks.items() if task.total}
    if not shares:
        return ""
    name = max(shares, key=lambda task: shares[task])
    return f"{name} is {100 * shares[name] / sum(shares.values()):.0f}% of the work"


def _analysis_ms(figures: Figures, a: LatencyStats) -> float:
    """Return how long a frame is with the pipelines: with both in a split, with one of them where they take turns."""
    if figures.b is None or figures.b.latency is None:
        return a.p50
    both = a.p50 + figures.b.latency.p50
    return both if figures.mode is CompareMode.SPLIT else both / 2
