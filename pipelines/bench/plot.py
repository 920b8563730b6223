"""A benchmark as a picture: one bar for each model and pipeline, as long as its median latency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipelines.bench.model_runs import ModelRun
from pipelines.bench.report import Benchmark
from pipelines.machine import APP, cpu_name
from pipelines.overlay.colours import CARD, COLOUR_A, COLOUR_B, TEXT, TEXT_MUTED, bgr
from pipelines.overlay.panel import paint, rounded_mask
from pipelines.overlay.text import SEMIBOLD, draw_text, text_width

WIDTH: Final = 1600
MARGIN: Final = 56
LABEL_WIDTH: Final = 420
TYPE: Final = 26
BAR: Final = 34
GAP: Final = 10
GROUP_GAP: Final = 44
HEAD: Final = 150
COLOURS: Final = (COLOUR_A, COLOUR_B, "#8b8ff5", "#e26d8f", "#9db4c0", "#c0a16b")
"""By pipeline, in the order measured: the first two are those of the window."""


def plot(benchmark: Benchmark) -> NDArray[np.uint8]:
    """Draw a benchmark.

    Returns
    -------
    ndarray of uint8, shape (H, 1600, 3)
        BGR. Bars start at 0 and share one scale; the figure at their end is the median in milliseconds, and how many
        times faster or slower than `cpu` that is.
    """
    groups: dict[str, list[ModelRun]] = {}
    for run in benchmark.runs:
        groups.setdefault(run.model, []).append(run)
    pipelines = list(dict.fromkeys(run.pipeline for run in benchmark.runs))
    rows = sum(len(runs) for runs in groups.values())
    height = HEAD + rows * (BAR + GAP) + len(groups) * GROUP_GAP + MARGIN
    image = np.full((height, WIDTH, 3), bgr(CARD), np.uint8)
    draw_text(image, "Latency of each model, milliseconds (median)", MARGIN, MARGIN + 20, 36, bgr(TEXT), SEMIBOLD)
    draw_text(image, f"{cpu_name()}, {APP}", MARGIN, MARGIN + 58, TYPE, bgr(TEXT_MUTED))
    slowest = max((run.latency.p50 for run in benchmark.runs), default=1.0)
    end_label = max((text_width(_end_label(run), TYPE) for run in benchmark.runs), default=0)
    scale = (WIDTH - 2 * MARGIN - LABEL_WIDTH - end_label - 20) / slowest
    y = HEAD
    for model, runs in groups.items():
        draw_text(image, model, MARGIN, y + TYPE, TYPE, bgr(TEXT), SEMIBOLD)
        y += GROUP_GAP
        for run in runs:
            _draw_bar(image, run, y, scale, COLOURS[pipelines.index(run.pipeline) % len(COLOURS)])
            y += BAR + GAP
    return image


def _draw_bar(image: NDArray[np.uint8], run: ModelRun, y: int, scale: float, colour: str) -> None:
    baseline = y + round(0.72 * BAR)
    device = f"{run.pipeline} (software)" if run.report.software else run.pipeline
    name = device if run.pipeline == run.report.backend else f"{device}  {run.report.backend}"
    draw_text(image, name, MARGIN + 24, baseline, TYPE, bgr(TEXT_MUTED))
    left = MARGIN + LABEL_WIDTH
    length = max(4, round(run.latency.p50 * scale))
    paint(image[y : y + BAR, left : left + length], bgr(colour), rounded_mask(length, BAR, min(8, length // 2)))
    draw_text(image, _end_label(run), left + length + 14, baseline, TYPE, bgr(TEXT))


def _end_label(run: ModelRun) -> str:
    text = f"{run.latency.p50:.2f}"
    if run.speedup_vs_cpu is None or run.pipeline == "cpu":
        return text
    ratio = run.speedup_vs_cpu
    return f"{text}   {ratio:.1f}x faster" if ratio >= 1 else f"{text}   {1 / ratio:.1f}x slower"


def lines(benchmark: Benchmark) -> Sequence[str]:
    """Return the benchmark as lines of text in columns, for a terminal."""
    rows = [
        ("TASK", "MODEL", "PIPELINE", "BACKEND", "P50 MS", "P90 MS", "P99 MS", "PER S", "VS CPU", "MAX DIFF", "NODES")
    ]
    for run in benchmark.runs:
        latency = run.latency
        rows.append(
            (
                *(run.task, run.model, run.pipeline, run.report.backend),
                *(f"{latency.p50:.2f}", f"{latency.p90:.2f}", f"{latency.p99:.2f}", f"{1e3 / latency.p50:.0f}"),
                "-" if run.speedup_vs_cpu is None else f"{run.speedup_vs_cpu:.2f}x",
                "-" if run.max_abs_diff_vs_cpu is None else f"{run.max_abs_diff_vs_cpu:.1e}",
                ", ".join(f"{provider} {count}" for provider, count in run.report.placement.items()),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
