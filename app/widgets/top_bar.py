"""The bar above the picture: source, start and stop, pipeline."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from app.i18n import noop, tr
from app.icons import icon
from app.inventory import BackendEntry
from app.sources import mode_label
from app.theme import AMBER, CONTROL_HEIGHT, GRID, TEAL, Theme, Type, font
from app.widgets.pipeline_box import ElidedLabel, PipelineBox, SteadyBox, chip
from app.widgets.source_menu import SourceMenu

COMPARE_WIDTH: Final = 17 * GRID
COMPARISONS: Final = {
    "off": (noop("Compare: off"), noop("One pipeline")),
    "split": (noop("Split"), noop("Both on the same picture: A left of the divider, B right of it")),
    "alternate": (noop("Take turns"), noop("The two take turns, so that both are measured under the same load")),
}
"""How is compared, in the order of `app.settings.COMPARISONS`."""


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
    compare_chosen = Signal(str)
    pipeline_b_chosen = Signal(str)
    mode_chosen = Signal(str)

    def __init__(self, theme: Theme, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.dress(self)
        self.setObjectName("topBar")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._theme = theme
        openers = [actions[name] for name in ("open_file", "open_folder", "open_address")]
        self.source = SourceMenu(theme, openers, self)
        self.source.setFixedHeight(CONTROL_HEIGHT)
        self.mode = SteadyBox(tr("Camera mode"), tr("Size and rate to ask of the camera"), self, 20 * GRID)
        self.mode.hide()
        self.mode.activated.connect(lambda index: self.mode_chosen.emit(self.mode.itemData(index)))
        self._modes: tuple[str, ...] = ()

        self.start = QPushButton(tr("Start"), self)
        self.start.setObjectName("primary")
        self.start.setIconSize(QSize(18, 18))
        self.start.setMinimumWidth(12 * GRID)
        self.start.setToolTip(tr("Start or stop (Space)"))
        self.start.clicked.connect(actions["toggle"].trigger)
        self._facts = ElidedLabel(self)
        self._facts.setObjectName("muted")
        self._facts.setFont(font(Type.CAPTION, tabular=True))

        self._chip = chip("A", AMBER, self)
        self._chip.setToolTip(tr("A is amber everywhere: here, in the figures and in the strip below"))
        self.pipeline = PipelineBox(tr("Pipeline"), tr("Which backend runs the models (0 auto, 1 CPU, 2 GPU)"), self)
        self.pipeline.chosen.connect(self.pipeline_chosen)
        self.compare = SteadyBox(
            tr("Comparison"), tr("Compare with a second pipeline on the same pictures (C)"), self, COMPARE_WIDTH
        )
        for mode, (label, tip) in COMPARISONS.items():
            self.compare.addItem(tr(label), mode)
            self.compare.setItemData(self.compare.count() - 1, tr(tip), Qt.ItemDataRole.ToolTipRole)
        self.compare.activated.connect(lambda index: self.compare_chosen.emit(self.compare.itemData(index)))
        self._chip_b = chip("B", TEAL, self)
        self._chip_b.setToolTip(tr("B is teal everywhere: here, in the figures and in the strip below"))
        self.pipeline_b = PipelineBox(tr("Pipeline B"), tr("Which backend the first one is compared with"), self)
        self.pipeline_b.chosen.connect(self.pipeline_b_chosen)
        self.start.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._running = False

        self.folds = []
        for name in ("strip", "panel"):
            button = QToolButton(self)
            button.setDefaultAction(actions[name])
            button.setObjectName("flat")
            button.setIconSize(QSize(20, 20))
            button.setFixedHeight(CONTROL_HEIGHT)
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
        layout.addWidget(self.compare)
        layout.addWidget(self._chip_b)
        layout.addWidget(self.pipeline_b)
        layout.addSpacing(GRID)
        for button in self.folds:
            layout.addWidget(button)
        theme.changed.connect(self._refresh)
        self.show_running(False)
        self.show_pipelines("auto", None)
        self.show_comparison("off", "", None)

    def show_running(self, running: bool) -> None:
        """Make the button say what it would do."""
        self._running = running
        self.start.setText(tr("Stop") if running else tr("Start"))
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
            self.mode.addItem(tr("Camera's choice"), "")
            for mode in modes:
                self.mode.addItem(mode_label(mode), mode)
        self.mode.setCurrentIndex(max(0, self.mode.findData(chosen)))
        self.mode.setVisible(bool(modes))

    def show_pipelines(self, chosen: str, backends: tuple[BackendEntry, ...] | None) -> None:
        """Offer pipelines; those that cannot be used are grey and say why."""
        self.pipeline.show_pipelines(chosen, backends)

    def show_comparison(self, mode: str, pipeline_b: str, backends: tuple[BackendEntry, ...] | None) -> None:
        """Say how is compared; B is only seen when it is."""
        self.compare.setCurrentIndex(self.compare.findData(mode))
        self.pipeline_b.show_pipelines(pipeline_b, backends)
        for part in (self._chip_b, self.pipeline_b):
            part.setVisible(mode != "off")

    def _refresh(self) -> None:
        colors = self._theme.colors
        self.start.setIcon(icon("stop" if self._running else "play", colors.on_ink, colors.faint))
