"""Measured figures burnt into a picture: a table in the top left corner whose digits do not jump."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipelines.config import TASKS
from pipelines.overlay.colours import TEXT, TEXT_MUTED, bgr
from pipelines.overlay.panel import draw_card, draw_edge, paint, rounded_mask
from pipelines.overlay.text import CAP_HEIGHT, REGULAR, SEMIBOLD, Align, draw_text, text_width
from pipelines.timing import format_ms, format_rate

SMALLEST_TYPE: Final = 8
"""Pixels. A picture whose table would need smaller type gets none."""
CARD_OPACITY: Final = 0.74
TASK_WORDS: Final = {"face": "face", "segmentation": "person", "depth": "depth"}


@dataclass(frozen=True, slots=True)
class FigureRow:
    """The figures of one pipeline.

    Parameters
    ----------
    label : str
        What the row is called, such as "A".
    backend : str
        Backend, such as "ort-cpu".
    fps : float or None
        Frames a second.
    p50_ms, p95_ms : float or None
        Median and 95th percentile of the latency of a frame in milliseconds.
    color : str
        "#RRGGBB" of the row's mark: `COLOUR_A` or `COLOUR_B`.
    tasks_ms : mapping of str to float or None
        Median latency of each task in milliseconds.
    extra : str
        What else there is to say about this row, such as "2.8x faster".
    """

    label: str
    backend: str
    fps: float | None
    p50_ms: float | None
    p95_ms: float | None
    color: str
    tasks_ms: Mapping[str, float | None] = field(default_factory=dict)
    extra: str = ""


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    cells: tuple[str, ...]
    widest: str
    """The column is as wide as this text, whatever the figures are at the moment."""
    strong: bool = False
    number: bool = True


def _columns(rows: Sequence[FigureRow], tasks: Sequence[str]) -> list[_Column]:
    names = tuple(f"{row.label}  {row.backend}".strip() for row in rows)
    columns = [
        _Column("", names, max(names, key=len), strong=True, number=False),
        _Column("fps", tuple(format_rate(row.fps) for row in rows), "8888", strong=True),
        _Column("ms", tuple(format_ms(row.p50_ms) for row in rows), "888.8", strong=True),
        _Column("p95", tuple(format_ms(row.p95_ms) for row in rows), "888.8"),
    ]
    for task in tasks:
        cells = tuple(format_ms(row.tasks_ms.get(task)) for row in rows)
        columns.append(_Column(TASK_WORDS.get(task, task), cells, "888.8"))
    extras = tuple(row.extra for row in rows)
    if any(extras):
        columns.append(_Column("", extras, max(extras, key=len), number=False))
    return columns


def _column_width(column: _Column, size: int) -> int:
    texts = {column.widest, column.title} if column.number else {column.title, *column.cells}
    weight = SEMIBOLD if column.strong else REGULAR
    return max(text_width(text, size, weight) for text in texts)


@dataclass(frozen=True, slots=True)
class _Table:
    columns: tuple[_Column, ...]
    widths: tuple[int, ...]
    size: int
    note: str

    @property
    def pad(self) -> int:
        return round(0.8 * self.size)

    @property
    def gap(self) -> int:
        return round(1.15 * self.size)

    @property
    def pitch(self) -> int:
        return round(1.6 * self.size)

    @property
    def mark(self) -> int:
        """Width of the coloured mark and the space after it."""
        return round(1.0 * self.size)

    @property
    def width(self) -> int:
        table = self.mark + sum(self.widths) + self.gap * (len(self.widths) - 1)
        return 2 * self.pad + max(table, text_width(self.note, _note_size(self.size)))

    def height(self, rows: int) -> int:
        lines = rows + 1 + (1 if self.note else 0)
        return 2 * round(0.5 * self.size) + self.pitch * lines - (self.pitch - _head_pitch(self))


def _head_pitch(table: _Table) -> int:
    return round(1.3 * table.size)


def _note_size(size: int) -> int:
    return max(SMALLEST_TYPE, round(0.85 * size))


def _fit(rows: Sequence[FigureRow], note: str, size_wh: tuple[int, int]) -> _Table | None:
    """Choose type size and columns: the design's size, then without the tasks' columns, then smaller."""
    width, height = size_wh
    margin = figures_margin(size_wh)
    wanted = max(11, round((width * height) ** 0.5 / 60))
    tasks = [task for task in TASKS if any(task in row.tasks_ms for row in rows)]
    for size in range(wanted, SMALLEST_TYPE - 1, -1):
        for shown in (tasks, []):
            # The tasks' columns go once the type would have to shrink below three quarters of the design's.
            if not shown and tasks and size > 0.75 * wanted:
                continue
            columns = tuple(_columns(rows, shown))
            table = _Table(columns, tuple(_column_width(column, size) for column in columns), size, note)
            if table.width + 2 * margin <= width and table.height(len(rows)) + 2 * margin <= height:
                return table
    return None


def figures_margin(size_wh: tuple[int, int]) -> int:
    """Distance of the table from the picture's edges in pixels."""
    return max(2, round(0.022 * min(size_wh)))


def draw_figures(image: NDArray[np.uint8], rows: Sequence[FigureRow], note: str = "") -> NDArray[np.uint8]:
    """Draw a table of figures on a copy of a picture.

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        BGR picture. Not changed.
    rows : sequence of FigureRow
        One for each pipeline. A figure that is None is shown as a dash.
    note : str
        A line below the table, such as what limits the rate; "" for none.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        A new picture. Where the picture is too small for legible type, the columns of the tasks are left out, and at
        last the whole table.
    """
    image = image.copy()
    size_wh = (image.shape[1], image.shape[0])
    table = _fit(rows, note, size_wh) if rows else None
    if table is None and rows and note:
        table = _fit(rows, "", size_wh)
    if table is None:
        return image
    margin = figures_margin(size_wh)
    size = table.size
    width, height = table.width, table.height(len(rows))
    radius = round(0.55 * size)
    draw_card(image, margin, margin, width, height, radius, CARD_OPACITY)
    left = margin + table.pad
    baseline = margin + round(0.5 * size) + round(1.0 * size)
    _draw_line(image, table, left, baseline, [column.title for column in table.columns], head=True)
    for index, row in enumerate(rows):
        baseline += table.pitch if index else _head_pitch(table) + round(0.15 * size)
        _draw_mark(image, left, baseline, size, row.color)
        _draw_line(image, table, left, baseline, [column.cells[index] for column in table.columns], head=False)
    if table.note:
        draw_text(image, table.note, left, baseline + table.pitch, _note_size(size), bgr(TEXT_MUTED))
    draw_edge(image, margin, margin, width, height, radius, max(1, round(min(size_wh) / 720)))
    return image


def _draw_mark(image: NDArray[np.uint8], x: int, baseline: int, size: int, colour: str) -> None:
    side = round(0.62 * size)
    y = round(baseline - CAP_HEIGHT * size / 2 - side / 2)
    paint(image[y : y + side, x : x + side], bgr(colour), rounded_mask(side, side, round(0.3 * side)))


def _draw_line(
    image: NDArray[np.uint8], table: _Table, left: int, baseline: int, cells: Sequence[str], head: bool
) -> None:
    x = left + table.mark
    for column, width, cell in zip(table.columns, table.widths, cells, strict=True):
        strong = column.strong and not head
        colour = bgr(TEXT if strong or not (head or column.number) else TEXT_MUTED)
        weight = SEMIBOLD if strong else REGULAR
        if column.number:
            draw_text(image, cell, x + width, baseline, table.size, colour, weight, Align.RIGHT)
        else:
            draw_text(image, cell, x, baseline, table.size, colour, weight)
        x += width + table.gap
