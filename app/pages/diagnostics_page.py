"""The page that says what this machine can do: backends, where each model runs, down to its operations."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.file_dialogs import SAVED, ask_name
from app.i18n import noop, tr
from app.i18n.families import sentence_words
from app.notifications import sentence_of
from app.pages.report import issue_report, left_words, machine_line, placement_words, state_words
from app.pages.work import Work
from app.pages.wrapped import WrappedTree
from app.theme import GRID, Theme, Type, font
from app.words import DOT

COLUMNS = (noop("Backend and model"), noop("Operations"), noop("Left to the CPU"), noop("Verdict"))


class DiagnosticsPage(QWidget):
    """Examines the machine and shows what was found.

    Parameters
    ----------
    theme : Theme
        How it looks.
    work : Work
        Does it.
    """

    said = Signal(str)
    write_wanted = Signal(str, bytes)

    def __init__(self, theme: Theme, work: Work, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._work = work
        self._result: dict[str, Any] | None = None
        work.progressed.connect(self._progressed)
        work.finished.connect(self._finished)
        work.failed.connect(self._failed)
        self.machine = QLabel(self)
        self.machine.setWordWrap(True)
        self.machine.setTextFormat(Qt.TextFormat.PlainText)
        self.machine.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.machine.setFont(font(Type.BODY, tabular=True))
        self.step = QLabel(self)
        self.step.setProperty("muted", True)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(tr("Progress"))
        self.tree = WrappedTree(self)
        self.tree.setObjectName("backendTree")
        self.tree.setAccessibleName(tr("Backends and models"))
        self.tree.setColumnCount(len(COLUMNS))
        self.tree.setHeaderLabels([tr(text) for text in COLUMNS])
        self.tree.setAlternatingRowColors(False)
        self.tree.setIndentation(2 * GRID)
        header = self.tree.header()
        header.setStretchLastSection(True)
        # What went wrong is a sentence: it gets the most room.
        header.setDefaultSectionSize(18 * GRID)
        header.resizeSection(0, 28 * GRID)
        self.again = QPushButton(tr("Look again"), self)
        self.again.setToolTip(tr("Try every backend with every model, whatever is known of them"))
        self.again.clicked.connect(lambda: self.examine(refresh=True))
        self.save = QPushButton(tr("Save…"), self)
        self.save.setToolTip(tr("The whole diagnosis, JSON"))
        self.save.clicked.connect(self._save)
        self.copy = QPushButton(tr("Copy report for an issue"), self)
        self.copy.setObjectName("primary")
        self.copy.clicked.connect(self._copy)
        for button in (self.again, self.save, self.copy):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAutoDefault(False)
        foot = QHBoxLayout()
        foot.setSpacing(GRID)
        foot.addWidget(self.again)
        foot.addStretch()
        foot.addWidget(self.save)
        foot.addWidget(self.copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(int(1.5 * GRID))
        layout.addWidget(self.machine)
        layout.addWidget(self.step)
        layout.addWidget(self.bar)
        layout.addWidget(self.tree, 1)
        layout.addLayout(foot)
        theme.changed.connect(self._show)
        self._show()

    # -- what the user does

    def examine(self, refresh: bool = False) -> None:
        """Look at the machine, unless that is being done or was."""
        if self._work.is_running or (self._result is not None and not refresh):
            return
        self._work.begin({"do": "examine", "refresh": refresh})
        self.step.setText(tr("Looking at this machine…"))
        self._show()

    def _save(self) -> None:
        if self._result is not None:
            text = json.dumps(self._result["diagnosis"], indent=2, ensure_ascii=False) + "\n"
            write = lambda path: self.write_wanted.emit(path, text.encode())  # noqa: E731
            ask_name(self.window(), tr("Save the diagnosis"), SAVED, "doctor.json", (), write)

    def _copy(self) -> None:
        if self._result is not None:
            QGuiApplication.clipboard().setText(issue_report(self._result["text"]))
            self.said.emit(tr("Report copied"))

    # -- what is shown

    def _progressed(self, news: dict[str, Any]) -> None:
        self.step.setText(tr("Looking at {step}…").format(step=news["step"]))

    def _failed(self, message: str) -> None:
        self._show()
        self.step.setText(sentence_of(message))
        self.step.show()

    def _finished(self, news: dict[str, Any]) -> None:
        self._result = news
        self._show()

    def _show(self) -> None:
        running = self._work.is_running
        self.step.setVisible(running)
        self.bar.setVisible(running)
        self.again.setEnabled(not running)
        for button in (self.save, self.copy):
            button.setEnabled(self._result is not None)
        if self._result is None:
            return
        self.tree.setHeaderLabels([tr(text) for text in COLUMNS])
        diagnosis = self._result["diagnosis"]
        self.machine.setText(machine_line(diagnosis["machine"]))
        self._fill(diagnosis["backends"])

    def _fill(self, backends: list[dict[str, Any]]) -> None:
        self.tree.clear()
        colors = self._theme.colors
        for backend in backends:
            # The reason why one cannot be used is a sentence: over the whole width.
            top = QTreeWidgetItem([f"{backend['id']}  {DOT}  {state_words(backend)}"])
            self.tree.addTopLevelItem(top)
            top.setFirstColumnSpanned(True)
            top.setToolTip(0, state_words(backend))
            if backend["available"]:
                top.setFont(0, font(Type.STRONG))
            else:
                top.setForeground(0, QBrush(QColor(colors.muted)))
            for model in backend["models"]:
                if model["verdict"] == "not tried":
                    continue
                # Behind "no form: " a sentence says the same, and why.
                verdict = sentence_words(model["verdict"].removeprefix("no form: "))
                row = QTreeWidgetItem([model["model"], placement_words(model), left_words(model), verdict])
                for column in range(len(COLUMNS)):
                    row.setToolTip(column, row.text(column))
                if model["verdict"] != "ok":
                    # That a runtime has no file for a model was decided by us; anything else went wrong.
                    is_planned = model["verdict"].startswith("no form")
                    row.setForeground(3, QBrush(QColor(colors.muted if is_planned else colors.error)))
                top.addChild(row)
                self._add_operations(row, model)
            top.setExpanded(backend["available"])

    @staticmethod
    def _add_operations(row: QTreeWidgetItem, model: dict[str, Any]) -> None:
        """Below a model, where its operations are: one line for each provider, and one for each left to the CPU."""
        for provider, count in model["placement"].items():
            row.addChild(QTreeWidgetItem([provider.removesuffix("ExecutionProvider"), str(count)]))
        for operation, count in model["on_cpu"].items():
            row.addChild(QTreeWidgetItem([operation, "", str(count), tr("left to the CPU")]))
