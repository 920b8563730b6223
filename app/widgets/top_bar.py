"""The bar above the picture: source, start and stop, pipeline."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from app.icons import icon
from app.inventory import BackendEntry, why_not
from app.notifications import sentence_of
from app.sources import mode_label
from app.theme import AMBER, GRID, Theme, Type, font
from app.widgets.source_menu import SourceMenu
from app.words import pipeline_word

GENERAL = ("auto", "cpu", "gpu")


class TopBar(QFrame):
    """Chooses source and pipeline, starts and stops.

    Parameters
    ----------
    theme : Theme
        For its icons.
    actions : dict of str to QAction
        The window's commands.
    """

    pipeline_chosen = Signal(str)
    mode_chosen = Signal(str)

    def __init__(self, theme: Theme, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._theme = theme
        openers = [actions[name] for name in ("open_file", "open_folder", "open_address")]
        self.source = SourceMenu(theme, openers, self)
        self.mode = QComboBox(self)
        self.mode.setToolTip("Size and rate to ask of the camera")
        self.mode.setAccessibleName("Camera mode")
        self.mode.setMinimumWidth(20 * GRID)
        self.mode.hide()
        self.mode.activated.connect(lambda index: self.mode_chosen.emit(self.mode.itemData(index)))
        self._modes: tuple[str, ...] = ()

        self.start = QPushButton("Start", self)
        self.start.setObjectName("primary")
        self.start.setIconSize(QSize(18, 18))
        self.start.setMinimumWidth(12 * GRID)
        self.start.setToolTip("Start or stop (Space)")
        self.start.clicked.connect(actions["toggle"].trigger)
        self._facts = QLabel(self)
        self._facts.setObjectName("muted")
        self._facts.setFont(font(Type.CAPTION, tabular=True))

        self._chip = QLabel("A", self)
        self._chip.setFont(font(Type.STRONG))
        self._chip.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._chip.setFixedSize(24, 24)
        self._chip.setStyleSheet(f"background: {AMBER}; color: #15181c; border-radius: 5px;")
        self._chip.setToolTip("A is amber everywhere: here, in the figures and in the strip below")
        self.pipeline = QComboBox(self)
        self.pipeline.setAccessibleName("Pipeline")
        self.pipeline.setToolTip("Which backend runs the models (0 auto, 1 CPU, 2 GPU)")
        self.pipeline.setMinimumWidth(18 * GRID)
        self.pipeline.activated.connect(lambda index: self.pipeline_chosen.emit(self.pipeline.itemData(index)))
        for box in (self.mode, self.pipeline, self.start):
            box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._running = False
        self._pipelines: tuple[tuple[str, str, str], ...] = ()

        self.folds = []
        for name in ("strip", "panel"):
            button = QToolButton(self)
            button.setDefaultAction(actions[name])
            button.setObjectName("flat")
            button.setIconSize(QSize(20, 20))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(actions[name].text())
            self.folds.append(button)

        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self.source)
        layout.addWidget(self.mode)
        layout.addWidget(self.start)
        layout.addSpacing(GRID)
        layout.addWidget(self._facts, 1)
        layout.addWidget(self._chip)
        layout.addWidget(self.pipeline)
        layout.addSpacing(GRID)
        for button in self.folds:
            layout.addWidget(button)
        theme.changed.connect(self._refresh)
        self.show_running(False)
        self.show_pipelines("auto", None)

    def show_running(self, running: bool) -> None:
        """Make the button say what it would do."""
        self._running = running
        self.start.setText("Stop" if running else "Start")
        self._refresh()

    def show_facts(self, text: str, more: str = "") -> None:
        """Say what the source is."""
        self._facts.setText(text)
        self._facts.setToolTip(more)

    def show_modes(self, modes: tuple[str, ...], chosen: str) -> None:
        """Offer the modes of a camera; none hides the choice."""
        if modes != self._modes:
            self._modes = modes
            self.mode.clear()
            self.mode.addItem("Camera's choice", "")
            for mode in modes:
                self.mode.addItem(mode_label(mode), mode)
        self.mode.setCurrentIndex(max(0, self.mode.findData(chosen)))
        self.mode.setVisible(bool(modes))

    def show_pipelines(self, chosen: str, backends: tuple[BackendEntry, ...] | None) -> None:
        """Offer pipelines; those that cannot be used are grey and say why."""
        entries = [(name, pipeline_word(name), why_not(name, backends)) for name in GENERAL]
        entries += [(entry.id, _backend_label(entry), why_not(entry.id, backends)) for entry in backends or ()]
        if all(chosen != name for name, _, _ in entries):
            entries.append((chosen, chosen, ""))
        if tuple(entries) != self._pipelines:
            self._pipelines = tuple(entries)
            model = QStandardItemModel(self.pipeline)
            for name, label, reason in entries:
                item = QStandardItem(label)
                item.setData(name, Qt.ItemDataRole.UserRole)
                item.setEnabled(not reason)
                item.setToolTip(sentence_of(reason) if reason else _hint(name, backends))
                model.appendRow(item)
            self.pipeline.setModel(model)
        self.pipeline.setCurrentIndex(self.pipeline.findData(chosen))

    def _refresh(self) -> None:
        colors = self._theme.colors
        self.start.setIcon(icon("stop" if self._running else "play", colors.on_ink, colors.faint, 18))


def _backend_label(entry: BackendEntry) -> str:
    if entry.untried:
        return f"{entry.id} (not tried yet)"
    return f"{entry.id} (software)" if entry.software else entry.id


def _hint(name: str, backends: tuple[BackendEntry, ...] | None) -> str:
    entry = next((item for item in backends or () if item.id == name), None)
    if entry is not None:
        return "Will be tried on this machine first" if entry.untried else entry.device
    return {
        "auto": "The fastest backend that works here",
        "cpu": "The best backend on the processor",
        "gpu": "The best backend on the graphics card",
    }.get(name, "")
