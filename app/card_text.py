"""The figures in words, for the card on the picture and for the metadata of screenshots. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.i18n import tr
from app.i18n.sentences import limit_words
from app.words import DASH, TIMES, backends_word, task_word
from pipelines.compare import Agreement, CompareMode
from pipelines.figures import Figures, Side, TaskFigures
from pipelines.overlay.colours import COLOUR_A, COLOUR_B
from pipelines.timing import LatencyStats, format_ms, format_rate

UNKNOWN: Final = DASH
AS_FAST: Final = 1.05
"""Two medians that differ by less are called equal: repeated runs of the same thing differ by as much."""


@dataclass(frozen=True, slots=True)
class Row:
    """A pipeline's line.

    Parameters
    ----------
    letter, color : str
        "A" in amber or "B" in teal.
    name : str
        Backend.
    capacity, median, p95 : str
        Frames a second it could do, latencies in milliseconds; a dash before they are measured.
    tasks : tuple of (str, str)
        Word and median milliseconds of each task.
    latencies_ms : tuple of float
        Newest latencies for the sparkline.
    verdict : str
        "2.8x faster" in the line of the faster one; "as fast" in B's when neither is. "" for nothing to say.
    is_winner : bool
        It is the faster one.
    """

    letter: str
    color: str
    name: str
    capacity: str
    median: str
    p95: str
    tasks: tuple[tuple[str, str], ...]
    latencies_ms: tuple[float, ...]
    verdict: str = ""
    is_winner: bool = False


@dataclass(frozen=True, slots=True)
class CardText:
    """Everything the card says.

    Parameters
    ----------
    rows : tuple of Row
        A row for each pipeline.
    note : str
        What limits the rate, or what else must be known to read the figures.
    shown : str
        The rate that is shown, with its unit.
    load : str
        How much of the processor the program takes.
    agreement : tuple of (str, str)
        What was compared on the same frame, and how far it agrees.
    """

    rows: tuple[Row, ...]
    note: str
    shown: str
    agreement: tuple[tuple[str, str], ...] = ()
    load: str = ""

    @property
    def last_line(self) -> tuple[str, ...]:
        """What stands below the rows, from left to right."""
        return tuple(part for part in (self.shown, self.load, self.note) if part)


def _ms(value: float | None) -> str:
    return UNKNOWN if value is None else format_ms(value)


def card_text(
    figures: Figures, latencies_ms: Mapping[Side, Sequence[float]], running: bool, remark: str = ""
) -> CardText:
    """Put the figures into words.

    Parameters
    ----------
    figures : Figures
        Snapshot of the engine's figures.
    latencies_ms : mapping of "A" or "B" to sequence of float
        Newest latencies of each pipeline, the oldest first.
    running : bool
        Whether frames are coming; a rate of a picture at rest would be a lie.
    remark : str
        What else must be known to read the figures; takes the place of what limits the rate.
    """
    to_b, to_a = _verdicts(figures.speed_up)
    wins = figures.speed_up is not None and not _is_equal(figures.speed_up)
    a = _row("A", figures.tasks, figures.capacity_fps, figures.pipeline, latencies_ms.get("A", ()), to_a, wins)
    rows: tuple[Row, ...] = (a,)
    measured = figures.pipeline is not None
    if figures.b is not None:
        b = figures.b
        rows = (a, _row("B", b.tasks, b.capacity_fps, b.latency, latencies_ms.get("B", ()), to_b, wins))
        measured = measured and b.latency is not None
    shown = (
        tr("shown {fps} fps").format(fps=format_rate(figures.processed_fps))
        if running and figures.processed_fps > 0
        else ""
    )
    load = tr("CPU {share}%").format(share=f"{100 * figures.cpu_share:.0f}") if shown and figures.cpu_share else ""
    # Only pipelines that see the same frames can agree; a word left over from before they took turns says nothing.
    is_split = figures.b is not None and figures.mode is CompareMode.SPLIT
    agreement = _agreement(figures.agreement, figures.tasks) if is_split else ()
    return CardText(rows, remark or _last_line(figures, measured, running), shown, agreement, load)


def _last_line(figures: Figures, measured: bool, running: bool) -> str:
    """Say what must be known to read the figures, else what limits the rate."""
    if not measured:
        return tr("measuring…")
    if not running:
        return tr("no new frames")
    return _arrangement(figures) or limit_words(figures.bottleneck)


def _arrangement(figures: Figures) -> str:
    """Say that two pipelines share the cores among their tasks in different ways, "" where they do not.

    Each takes the way that is faster for it. Beside one another tasks take longer each and less time together, so that
    B's tasks may all be faster than A's and B as a whole slower.
    """
    a, b = figures.side_by_side, figures.b.side_by_side if figures.b is not None else None
    if a is None or b is None or a is b:
        return ""
    if a:
        return tr("A runs its tasks side by side, B one by one")
    return tr("B runs its tasks side by side, A one by one")


def _row(
    side: Side,
    tasks: Mapping[str, TaskFigures],
    capacity_fps: float | None,
    latency: LatencyStats | None,
    latencies_ms: Sequence[float],
    verdict: str,
    wins: bool,
) -> Row:
    return Row(
        letter=side,
        color=COLOUR_A if side == "A" else COLOUR_B,
        name=backends_word(
            (task.backend for task in tasks.values()), {task.backend for task in tasks.values() if task.software}
        )
        or UNKNOWN,
        capacity=UNKNOWN if capacity_fps is None else format_rate(capacity_fps),
        median=_ms(latency.p50 if latency else None),
        p95=_ms(latency.p95 if latency else None),
        tasks=tuple((task_word(name), _ms(task.total.p50 if task.total else None)) for name, task in tasks.items()),
        latencies_ms=tuple(latencies_ms),
        verdict=verdict,
        is_winner=wins and verdict != "",
    )


def _is_equal(speed_up: float) -> bool:
    return 1 / AS_FAST < speed_up < AS_FAST


def _verdicts(speed_up: float | None) -> tuple[str, str]:
    """Return what is said of B and of A: "2.8x faster" of the faster one, nothing of the other."""
    if speed_up is None:
        return "", ""
    if _is_equal(speed_up):
        return tr("as fast"), ""
    ratio = max(speed_up, 1 / speed_up)
    said = f"{ratio:.2f}" if ratio < 1.95 else f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}"
    said += tr("{times} faster").format(times=TIMES)
    return (said, "") if speed_up > 1 else ("", said)


def _agreement(found: Agreement | None, tasks: Mapping[str, TaskFigures]) -> tuple[tuple[str, str], ...]:
    """Return the parts that were compared; a task that runs keeps its place while there is nothing to compare."""
    if found is None:
        return ()
    apart = UNKNOWN if found.landmark_px is None else f"{found.landmark_px:.2f} px"
    parts = {
        "face": (tr("Landmarks"), tr("not the same faces") if found.faces_differ else apart),
        "segmentation": (tr("Mask IoU"), UNKNOWN if found.mask_iou is None else f"{found.mask_iou:.3f}"),
        "depth": (tr("Depth correlation"), UNKNOWN if found.depth_rank is None else f"{found.depth_rank:.3f}"),
    }
    return tuple(part for name, part in parts.items() if name in tasks)


def agreement_words(figures: Figures) -> str:
    """Say how far two pipelines agree on more than the newest frame; "" where nothing was compared."""
    if figures.agree is None or figures.mode is not CompareMode.SPLIT:
        return ""
    text = tr(
        "Agreement, 1 is complete: {value}, the median of %n frame(s) that were compared", "", figures.agree_frames
    )
    return text.format(value=f"{figures.agree:.3f}")


def one_line(text: CardText) -> str:
    """Return the card in one line, for the metadata of a screenshot."""
    rows = (
        f"{row.letter} {row.name}: {row.capacity} fps, median {row.median} ms, p95 {row.p95} ms"
        + "".join(f", {word} {value} ms" for word, value in row.tasks)
        + (f", {row.verdict}" if row.verdict else "")
        for row in text.rows
    )
    agreement = ", ".join(f"{word} {value}" for word, value in text.agreement)
    return "; ".join((*rows, *((agreement,) if agreement else ()), *text.last_line))
