"""The page that measures: every model on every backend, side by side, while one looks."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.file_dialogs import SAVED, ask_name
from app.i18n import noop, tr
from app.i18n.families import bare, full_stop, sentence_words
from app.icons import pixmap
from app.notifications import sentence_of
from app.pages.chart import BenchChart
from app.pages.work import Work
from app.theme import GRID, Theme, Type, font
from app.words import TIMES, pipeline_word, task_word
from pipelines.config import TASKS

LINE = 58 * GRID
INTRO = noop(
    "Every model runs on inputs from the embedded clip, on every backend of this machine in turn, and so do all tasks "
    "together. It takes about a minute. Nothing leaves this machine."
)
STEPS = {
    "backends": noop("Trying the backends…"),
    "inputs": noop("Gathering inputs…"),
    "pipelines": noop("Measuring all tasks together…"),
}


class BenchPage(QWidget):
    """Measures on demand.

    Parameters
    ----------
    theme : Theme
        How it looks.
    work : Work
        Does it.
    """

    began = Signal()
    ended = Signal()
    said = Signal(str)
    """A short sentence about something that was done."""
    write_wanted = Signal(str, bytes)
    """Carries a path and what is to be written there."""

    def __init__(self, theme: Theme, work: Work, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._models: dict[str, str] = {}
        self._result: dict[str, Any] | None = None
        self._before: dict[str, Any] | None = None
        work.progressed.connect(self._progressed)
        work.finished.connect(self._finished)
        work.failed.connect(self._failed)
        self.start_button = QPushButton(tr("Measure"), self)
        self.start_button.setObjectName("primary")
        self.start_button.setMinimumWidth(12 * GRID)
        self.start_button.clicked.connect(self.toggle)
        self.tasks = {name: QCheckBox(task_word(name), self) for name in TASKS}
        self.hold = QCheckBox(tr("Stop the live picture while measuring"), self)
        self.hold.setToolTip(tr("Both would slow each other down"))
        self.hold.setChecked(True)
        for box in (*self.tasks.values(), self.hold):
            box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for box in self.tasks.values():
            box.setChecked(True)
            box.clicked.connect(self._show)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName(tr("Progress"))
        self.step = QLabel(self)
        self.step.setWordWrap(True)
        self.step.setProperty("muted", True)
        self.empty = _Empty(theme, self)
        self.chart = BenchChart(theme)
        self.verdicts = QLabel(self)
        self.verdicts.setWordWrap(True)
        self.verdicts.setTextFormat(Qt.TextFormat.PlainText)
        self.verdicts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.verdicts.setFont(font(Type.BODY, tabular=True))
        self.save_json = QPushButton(tr("Save figures…"), self)
        self.save_json.setToolTip(tr("The benchmark file, JSON"))
        self.save_json.clicked.connect(self._save_json)
        self.save_chart = QPushButton(tr("Save chart…"), self)
        self.save_chart.setToolTip("PNG")
        self.save_chart.clicked.connect(self._save_chart)
        self.copy = QPushButton(tr("Copy as text"), self)
        self.copy.setToolTip(tr("Tables in Markdown, for an issue or a message"))
        self.copy.clicked.connect(self._copy)
        for button in (self.start_button, self.save_json, self.save_chart, self.copy):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAutoDefault(False)
        self._arrange()
        self._show()
        theme.changed.connect(self._say_verdicts)

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(2 * GRID)
        top.addWidget(self.start_button)
        for box in self.tasks.values():
            top.addWidget(box)
        top.addStretch()
        top.addWidget(self.hold)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, GRID, GRID, GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(self.chart)
        column.addWidget(self.verdicts)
        column.addStretch()
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inside)
        self._room = QStackedWidget(self)
        self._room.addWidget(self.empty)
        self._room.addWidget(scroll)
        foot = QHBoxLayout()
        foot.setSpacing(GRID)
        foot.addStretch()
        for button in (self.copy, self.save_json, self.save_chart):
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(int(1.5 * GRID))
        layout.addLayout(top)
        layout.addWidget(self.step)
        layout.addWidget(self.bar)
        layout.addWidget(self._room, 1)
        layout.addLayout(foot)

    @property
    def is_running(self) -> bool:
        """Whether something is being measured."""
        return self._work.is_running

    # -- what the user does

    def set_models(self, models: dict[str, str]) -> None:
        """Measure these models, by role, instead of the usual ones."""
        self._models = models

    def toggle(self) -> None:
        """Begin, or break off."""
        if self._work.is_running:
            self._work.stop()
            self._bring_back(tr("Stopped."))
            self.ended.emit()
        else:
            tasks = [name for name in TASKS if self.tasks[name].isChecked()]
            self._before, self._result = self._result, None
            self._room.setCurrentIndex(1)
            self.chart.show_runs(())
            self.verdicts.clear()
            self.began.emit()
            self._work.begin({"do": "bench", "tasks": tasks, "models": self._models})
            self.step.setText(tr(STEPS["backends"]))
        self._show()

    def _save_json(self) -> None:
        if self._result is not None:
            text = json.dumps(self._result["record"], indent=1, ensure_ascii=False) + "\n"
            write = lambda path: self.write_wanted.emit(path, text.encode())  # noqa: E731
            ask_name(self.window(), tr("Save the figures"), SAVED, "bench.json", (), write)

    def _save_chart(self) -> None:
        if self._result is not None:
            data = base64.b64decode(self._result["chart"])
            write = lambda path: self.write_wanted.emit(path, data)  # noqa: E731
            ask_name(self.window(), tr("Save the chart"), SAVED, "bench.png", (), write)

    def _copy(self) -> None:
        if self._result is not None:
            QGuiApplication.clipboard().setText(self._result["markdown"])
            self.said.emit(tr("Figures copied"))

    # -- what is shown

    def _progressed(self, news: dict[str, Any]) -> None:
        known = STEPS.get(news["step"])
        self.step.setText(tr(known) if known else tr("Measuring {step}…").format(step=news["step"]))
        self.chart.show_runs(news["runs"])

    def _finished(self, news: dict[str, Any]) -> None:
        self._show_result(news)
        self._show()
        self.ended.emit()

    def _show_result(self, news: dict[str, Any]) -> None:
        self._result = news
        record = news["record"]
        self.chart.show_runs(record["runs"])
        self.step.setText(tr("Median latency of one run, in milliseconds; shorter is better."))
        self._say_verdicts()

    def _say_verdicts(self) -> None:
        """Say what was found; again after another language was chosen."""
        if self._result is None:
            return
        news, record = self._result, self._result["record"]
        ends = [
            tr("{pipeline}: all tasks and the drawing take {ms} ms a frame, {fps} fps could be shown").format(
                pipeline=pipeline_word(run["pipeline"]), ms=f"{run['frame_ms']['p50']:.1f}", fps=f"{run['fps']:.0f}"
            )
            for run in record["end_to_end"]
        ]
        # They begin with names of models and pipelines, which keep their small letters.
        verdicts = [re.sub(r"(\d)x\b", rf"\1{TIMES}", sentence_words(text)) for text in news["verdicts"]]
        parts = [[bare(text) + full_stop(bare(text)) for text in part] for part in (ends, verdicts)]
        self.verdicts.setText("\n\n".join("\n".join(part) for part in parts if part))

    def _bring_back(self, why: str) -> None:
        """Say why nothing more is measured, and show what was measured before, if anything: it may not be saved yet."""
        if self._before is not None:
            self._show_result(self._before)
            before = tr("These are the figures from before.")
            why = f"{why} {before}"
        elif not self.chart.runs:
            self._room.setCurrentWidget(self.empty)
        self.step.setText(why)

    def _failed(self, message: str) -> None:
        self._bring_back(sentence_of(message))
        self._show()
        self.ended.emit()

    def _show(self) -> None:
        running = self._work.is_running
        self.start_button.setText(tr("Stop") if running else tr("Measure"))
        chosen = [box for box in self.tasks.values() if box.isChecked()]
        for box in self.tasks.values():
            box.setEnabled(not running and chosen != [box])
        self.hold.setEnabled(not running)
        # How long it takes depends on the backends: busy, not a promise.
        self.bar.setRange(0, 0 if running else 1)
        self.bar.setVisible(running)
        self.step.setVisible(bool(self.step.text()))
        for button in (self.save_json, self.save_chart, self.copy):
            button.setEnabled(self._result is not None)


class _Empty(QWidget):
    """What is seen before anything was measured: what would be."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._drawing = QLabel(self)
        title = QLabel(tr("How fast is this machine?"), self)
        title.setFont(font(Type.TITLE))
        text = QLabel(tr(INTRO), self)
        text.setProperty("muted", True)
        # A column of its own, as in the main window: wrapped text gets its height from its width.
        column = QWidget(self)
        column.setFixedWidth(LINE)
        sides = QHBoxLayout(self)
        sides.setContentsMargins(0, 0, 0, 0)
        sides.addWidget(column)
        layout = QVBoxLayout(column)
        layout.setSpacing(0)
        layout.addStretch(4)
        for label, space in ((self._drawing, 2 * GRID), (title, GRID), (text, 0)):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(label is text)
            layout.addWidget(label)
            layout.addSpacing(space)
        layout.addStretch(5)
        layout.setContentsMargins(0, 0, 0, 0)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        self._drawing.setPixmap(pixmap("gauge", self._theme.colors.muted, 8 * GRID, self.devicePixelRatioF()))
