"""The figures on the picture, drawn by Qt: the same card on the screen and, when asked for, on a screenshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from app.card_text import CardText, Row
from app.i18n import tr
from app.theme import GRID
from app.widgets.card_paint import (
    BACKGROUND,
    CHIP,
    EDGE,
    MUTED,
    TEXT,
    CardFonts,
    badge,
    canvas,
    chip,
    left,
    right,
    sparkline,
)
from app.words import DASH, TIMES

SPARK_WH: Final = (72.0, 18.0)
SMALL: Final = ("compact", "least")


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where things stand, in logical pixels: columns are as wide as their widest content, so that nothing moves."""

    name: float
    numbers: tuple[float, float, float]
    """Right edges of capacity, median and 95th percentile."""
    spark: float
    verdict: float
    verdict_width: float
    width: float


def _columns(text: CardText, size: str, fonts: CardFonts) -> _Columns:
    unit = GRID * fonts.scale
    name = 1.5 * unit + CHIP * fonts.scale + unit
    name_w = max(fonts.width("ort-webgpu", fonts.strong), *(fonts.width(row.name, fonts.strong) for row in text.rows))
    fps_w = fonts.width("8888 fps", fonts.strong)
    ms_w = fonts.width("888.8 ms", fonts.body)
    capacity = name + name_w + 2 * unit + fps_w
    numbers = (capacity, capacity + 2 * unit + ms_w, capacity + 4 * unit + 2 * ms_w)
    verdict_w = fonts.width(f"8.88{TIMES} faster", fonts.strong) + 2 * unit if len(text.rows) > 1 else 0.0
    if size in SMALL:
        if size == "least" and len(text.rows) == 1:
            return _Columns(name, numbers, 0.0, 0.0, 0.0, numbers[1] + 1.5 * unit)
        shown_w = max(fonts.width("shown 8888 fps", fonts.body), verdict_w)
        end = numbers[1] + 2 * unit + shown_w
        return _Columns(name, numbers, 0.0, end - verdict_w, verdict_w, end + 1.5 * unit)
    spark = numbers[2] + 2 * unit
    end = spark + SPARK_WH[0] * fonts.scale
    verdict = end + 2 * unit
    return _Columns(name, numbers, spark, verdict, verdict_w, (verdict + verdict_w if verdict_w else end) + 1.5 * unit)


def draw_card(text: CardText, size: str, ratio: float = 1.0, scale: float = 1.0) -> QImage | None:
    """Draw the card.

    Parameters
    ----------
    text : CardText
        What it says.
    size : str
        "off", "compact" or "full"; "least" is "compact" without the rate that is shown, where there is no room for it.
    ratio : float
        Device pixels a logical pixel; becomes the image's devicePixelRatio.
    scale : float
        Everything larger by so much, for pictures that are larger than a screen.

    Returns
    -------
    QImage or None
        With alpha; None for "off". Its size depends on what is shown, not on the figures.
    """
    if size == "off" or not text.rows:
        return None
    fonts = CardFonts(scale)
    unit = GRID * scale
    line = QFontMetricsF(fonts.body).height()
    columns = _columns(text, size, fonts)
    row_h = max(line, CHIP * scale) + 0.5 * unit
    caption_h = QFontMetricsF(fonts.caption).height()
    if size in SMALL:
        height = row_h * len(text.rows) + 1.5 * unit
    else:
        agreement_h = line + 0.25 * unit if text.agreement else 0.0
        height = caption_h + len(text.rows) * (row_h + 0.25 * unit) + line + agreement_h + line + 3.25 * unit
    image = canvas(columns.width, height, ratio)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.setPen(QPen(EDGE, scale))
    painter.setBrush(BACKGROUND)
    painter.drawRoundedRect(QRectF(0.5 * scale, 0.5 * scale, columns.width - scale, height - scale), unit, unit)
    y = 0.75 * unit
    if size == "full":
        y = unit
        painter.setFont(fonts.caption)
        painter.setPen(MUTED)
        for word, edge in zip((tr("capacity"), tr("median"), "p95"), columns.numbers, strict=True):
            right(painter, word, edge, y, caption_h)
        y += caption_h + 0.25 * unit
    # One scale for both, from zero, with the top a little above the slowest: the eye compares heights.
    top = 1.15 * max((value for row in text.rows for value in row.latencies_ms), default=0.0)
    for row in text.rows:
        _draw_row(painter, row, columns, y, row_h, fonts)
        if size in SMALL:
            if not row.verdict and not (size == "least" and len(text.rows) == 1):
                painter.setFont(fonts.body)
                painter.setPen(MUTED)
                right(painter, text.shown, columns.width - 1.5 * unit, y, row_h)
            y += row_h
            continue
        painter.setFont(fonts.body)
        right(painter, f"{row.p95} ms", columns.numbers[2], y, row_h)
        spark = QRectF(columns.spark, y + (row_h - SPARK_WH[1] * scale) / 2, SPARK_WH[0] * scale, SPARK_WH[1] * scale)
        sparkline(painter, row.latencies_ms, row.color, spark, top, scale)
        y += row_h + 0.25 * unit
    if size == "full":
        _draw_tasks(painter, text.rows, columns, y, fonts)
        y += line + 0.5 * unit
        painter.setPen(TEXT)
        painter.setFont(fonts.body)
        if text.agreement:
            widest = {"Landmarks": "88.88 px"}
            cells = [(f"{word} {value}", f"{word} {widest.get(word, '0.888')}") for word, value in text.agreement]
            _draw_cells(painter, cells, columns, y + 0.25 * unit, fonts)
            y += agreement_h
        note = "  ·  ".join(text.last_line)
        room = columns.width - columns.name - unit
        fitting = QFontMetricsF(fonts.body).elidedText(note, Qt.TextElideMode.ElideRight, room)
        left(painter, fitting, columns.name, y + 0.25 * unit, line)
    painter.end()
    return image


def _draw_row(painter: QPainter, row: Row, columns: _Columns, y: float, height: float, fonts: CardFonts) -> None:
    chip(painter, row.letter, row.color, 1.5 * GRID * fonts.scale, y + (height - CHIP * fonts.scale) / 2, fonts)
    if row.verdict:
        box_h = (CHIP + 2) * fonts.scale
        box = QRectF(columns.verdict, y + (height - box_h) / 2, columns.verdict_width, box_h)
        badge(painter, row.verdict, row.color if row.is_winner else "", box, fonts)
    painter.setPen(TEXT)
    painter.setFont(fonts.strong)
    left(painter, row.name, columns.name, y, height)
    right(painter, tr("{capacity} fps").format(capacity=row.capacity), columns.numbers[0], y, height)
    painter.setFont(fonts.body)
    right(painter, f"{row.median} ms", columns.numbers[1], y, height)


def _draw_tasks(painter: QPainter, rows: Sequence[Row], columns: _Columns, y: float, fonts: CardFonts) -> None:
    """Write the milliseconds of each task, those of two pipelines side by side.

    They are to be compared, and a line less leaves more of the picture.
    """
    painter.setFont(fonts.body)
    painter.setPen(MUTED)
    if len(rows) == 1:
        cells = [(f"{word} {value} ms", f"{word} 888.8 ms") for word, value in rows[0].tasks]
        _draw_cells(painter, cells, columns, y, fonts)
        return
    line = QFontMetricsF(fonts.body).height()
    b = dict(rows[1].tasks)
    x = columns.name
    for word, value in rows[0].tasks:
        other = b.get(word, DASH)
        at = x
        for part, color in ((f"{word} ", MUTED), (value, rows[0].color), (" / ", MUTED), (other, rows[1].color)):
            painter.setPen(QColor(color))
            left(painter, part, at, y, line)
            at += fonts.width(part, fonts.body)
        painter.setPen(MUTED)
        left(painter, " ms", at, y, line)
        at += fonts.width(" ms", fonts.body)
        x = max(at, x + fonts.width(f"{word} 888.8 / 888.8 ms", fonts.body)) + 1.5 * GRID * fonts.scale


def _draw_cells(
    painter: QPainter, cells: Sequence[tuple[str, str]], columns: _Columns, y: float, fonts: CardFonts
) -> None:
    """Write texts beside each other, each with the room of the widest that may stand there."""
    line = QFontMetricsF(fonts.body).height()
    x = columns.name
    for text, widest in cells:
        left(painter, text, x, y, line)
        x += max(fonts.width(widest, fonts.body), fonts.width(text, fonts.body)) + 1.5 * GRID * fonts.scale
