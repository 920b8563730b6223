"""The figures on the picture, drawn by Qt: the same card on the screen and, when asked for, on a screenshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from app.theme import AMBER, GRID, Type, font
from app.words import DASH, TASK_WORDS, task_word
from pipelines.figures import Figures

BACKGROUND: Final = QColor(12, 14, 17, 190)
EDGE: Final = QColor(255, 255, 255, 36)
TEXT: Final = QColor("#f2f4f6")
MUTED: Final = QColor("#b4bcc6")
UNKNOWN: Final = DASH
SPARK_WH: Final = (72.0, 18.0)
CHIP: Final = 18.0


@dataclass(frozen=True, slots=True)
class Row:
    """A backend's line.

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
    """

    letter: str
    color: str
    name: str
    capacity: str
    median: str
    p95: str
    tasks: tuple[tuple[str, str], ...]
    latencies_ms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CardText:
    """Everything the card says.

    Parameters
    ----------
    rows : tuple of Row
        A row for each backend.
    note : str
        What is shown, and what limits it.
    shown : str
        The rate that is shown, with its unit.
    """

    rows: tuple[Row, ...]
    note: str
    shown: str


def _ms(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f}"


def _in_our_words(note: str) -> str:
    """The engine speaks of tasks by their names in the code."""
    name, space, rest = note.partition(" ")
    return f"{task_word(name)}{space}{rest}" if name in TASK_WORDS else note


def card_text(figures: Figures, latencies_ms: Sequence[float], running: bool) -> CardText:
    """Put the figures into words.

    Parameters
    ----------
    figures : Figures
        Snapshot of the engine's figures.
    latencies_ms : sequence of float
        Newest latencies of the pipeline, the oldest first.
    running : bool
        Whether frames are coming; a rate of a picture at rest would be a lie.
    """
    names = sorted({task.backend for task in figures.tasks.values()})
    pipeline = figures.pipeline
    row = Row(
        letter="A",
        color=AMBER,
        name=" + ".join(names) or UNKNOWN,
        capacity=UNKNOWN if figures.capacity_fps is None else f"{figures.capacity_fps:.0f}",
        median=_ms(pipeline.p50 if pipeline else None),
        p95=_ms(pipeline.p95 if pipeline else None),
        tasks=tuple(
            (task_word(name), _ms(task.total.p50 if task.total else None)) for name, task in figures.tasks.items()
        ),
        latencies_ms=tuple(latencies_ms),
    )
    shown = f"shown {figures.processed_fps:.0f} fps" if running and figures.processed_fps > 0 else ""
    measured = figures.pipeline is not None
    note = _in_our_words(figures.bottleneck) if running and measured else ("" if measured else "measuring…")
    return CardText((row,), note, shown)


class _Pen:
    """Where the next text goes, and the fonts it is written in."""

    def __init__(self, scale: float) -> None:
        self.body = self._scaled(font(Type.BODY, tabular=True), scale)
        self.strong = self._scaled(font(Type.STRONG, tabular=True), scale)
        self.caption = self._scaled(font(Type.CAPTION, tabular=True), scale)
        self.scale = scale

    @staticmethod
    def _scaled(base: QFont, scale: float) -> QFont:
        result = QFont(base)
        result.setPointSizeF(base.pointSizeF() * scale)
        return result

    def width(self, text: str, which: QFont) -> float:
        return QFontMetricsF(which).horizontalAdvance(text)


def draw_card(text: CardText, size: str, ratio: float = 1.0, scale: float = 1.0) -> QImage | None:
    """Draw the card.

    Parameters
    ----------
    text : CardText
        What it says.
    size : str
        "off", "compact" or "full".
    ratio : float
        Device pixels a logical pixel; becomes the image's devicePixelRatio.
    scale : float
        Everything larger by so much, for pictures that are larger than a screen.

    Returns
    -------
    QImage or None
        With alpha; None for "off". Columns are as wide as their widest content can be, so that nothing moves when
        figures change.
    """
    if size == "off" or not text.rows:
        return None
    pen = _Pen(scale)
    unit = GRID * scale
    line = QFontMetricsF(pen.body).height()
    name_w = max(pen.width("ort-webgpu", pen.strong), *(pen.width(row.name, pen.strong) for row in text.rows))
    fps_w = pen.width("8888 fps", pen.strong)
    ms_w = pen.width("888.8 ms", pen.body)
    left = 1.5 * unit + CHIP * scale + unit
    columns = [left + name_w + 2 * unit]
    columns += [columns[0] + fps_w + 2 * unit, columns[0] + fps_w + ms_w + 4 * unit]
    spark_x = columns[2] + ms_w + 2 * unit
    row_h = max(line, CHIP * scale) + 0.5 * unit
    if size == "compact":
        width = columns[1] + ms_w + 2 * unit + pen.width("shown 8888 fps", pen.body) + 1.5 * unit
        height = row_h * len(text.rows) + 1.5 * unit
    else:
        caption_h = QFontMetricsF(pen.caption).height()
        width = spark_x + SPARK_WH[0] * scale + 1.5 * unit
        height = caption_h + len(text.rows) * (row_h + line) + line + 3 * unit
    image = _canvas(width, height, ratio)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.setPen(QPen(EDGE, scale))
    painter.setBrush(BACKGROUND)
    painter.drawRoundedRect(QRectF(0.5 * scale, 0.5 * scale, width - scale, height - scale), unit, unit)
    y = 0.75 * unit
    if size == "full":
        painter.setFont(pen.caption)
        painter.setPen(MUTED)
        for word, x, column_w in zip(("capacity", "median", "p95"), columns, (fps_w, ms_w, ms_w), strict=True):
            _right(painter, word, x + column_w, y, caption_h)
        y += caption_h + 0.25 * unit
    for row in text.rows:
        _chip(painter, row, 1.5 * unit, y + (row_h - CHIP * scale) / 2, scale, pen.strong)
        painter.setPen(TEXT)
        painter.setFont(pen.strong)
        painter.drawText(QRectF(left, y, name_w + unit, row_h), Qt.AlignmentFlag.AlignVCenter, row.name)
        _right(painter, f"{row.capacity} fps", columns[0] + fps_w, y, row_h)
        painter.setFont(pen.body)
        _right(painter, f"{row.median} ms", columns[1] + ms_w, y, row_h)
        if size == "compact":
            painter.setPen(MUTED)
            _right(painter, text.shown, width - 1.5 * unit, y, row_h)
            y += row_h
            continue
        _right(painter, f"{row.p95} ms", columns[2] + ms_w, y, row_h)
        spark = QRectF(spark_x, y + (row_h - SPARK_WH[1] * scale) / 2, SPARK_WH[0] * scale, SPARK_WH[1] * scale)
        _sparkline(painter, row, spark, scale)
        y += row_h + 0.25 * unit
        painter.setPen(MUTED)
        x = left
        for word, value in row.tasks:
            cell = f"{word} {value} ms"
            painter.drawText(QRectF(x, y, width - x, line), Qt.AlignmentFlag.AlignVCenter, cell)
            x += pen.width(f"{word} 888.8 ms", pen.body) + 1.5 * unit
        y += line
    if size == "full":
        painter.setPen(TEXT)
        note = "  ·  ".join(part for part in (text.shown, text.note) if part)
        fitting = QFontMetricsF(pen.body).elidedText(note, Qt.TextElideMode.ElideRight, width - left - unit)
        painter.drawText(QRectF(left, y + 0.25 * unit, width - left, line), Qt.AlignmentFlag.AlignVCenter, fitting)
    painter.end()
    return image


def _canvas(width: float, height: float, ratio: float) -> QImage:
    pixels = QSize(round(width * ratio) or 1, round(height * ratio) or 1)
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _right(painter: QPainter, text: str, right: float, y: float, height: float) -> None:
    flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(QRectF(right - 400, y, 400, height), flags, text)


def _chip(painter: QPainter, row: Row, x: float, y: float, scale: float, which: QFont) -> None:
    box = QRectF(x, y, CHIP * scale, CHIP * scale)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(row.color))
    painter.drawRoundedRect(box, 4 * scale, 4 * scale)
    painter.setPen(QColor("#15181c"))
    painter.setFont(which)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, row.letter)


def _sparkline(painter: QPainter, row: Row, box: QRectF, scale: float) -> None:
    values = row.latencies_ms
    if len(values) < 2:
        return
    # From zero, with the top a little above the slowest: the eye compares heights, and small noise stays small.
    top = max(values) * 1.15 or 1.0
    step = box.width() / (len(values) - 1)
    points = [
        QPointF(box.left() + index * step, box.bottom() - value / top * box.height())
        for index, value in enumerate(values)
    ]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(row.color), 1.5 * scale))
    painter.drawPolyline(QPolygonF(points))
    painter.setPen(TEXT)


def one_line(text: CardText) -> str:
    """Return the card in one line, for the metadata of a screenshot."""
    rows = (
        f"{row.letter} {row.name}: {row.capacity} fps, median {row.median} ms, p95 {row.p95} ms"
        + "".join(f", {word} {value} ms" for word, value in row.tasks)
        for row in text.rows
    )
    return "; ".join((*rows, *(part for part in (text.shown, text.note) if part)))
