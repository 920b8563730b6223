"""Asks how many screenshots a burst shall have, and how fast."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.i18n import tr
from app.theme import GRID
from app.widgets.number_box import NumberBox
from app.widgets.primary import make_primary

MOST: Final = 500
INTERVALS_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)


class BurstDialog(QDialog):
    """Begins a burst.

    Parameters
    ----------
    count : int
        How many are proposed.
    every_s : float
        Seconds between two that are proposed.
    """

    chosen = Signal(int, float)
    """Carries how many, and the seconds between two."""

    def __init__(self, count: int, every_s: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Burst of screenshots"))
        self.count = NumberBox(2, MOST, self)
        self.count.setValue(count)
        self.every = QComboBox(self)
        for seconds in INTERVALS_S:
            self.every.addItem(tr("{seconds} s").format(seconds=f"{seconds:g}"), seconds)
        self.every.setCurrentIndex(max(0, self.every.findData(every_s)))
        # Not a QFormLayout: its words stand above the middle of the boxes.
        form = QGridLayout()
        form.setVerticalSpacing(GRID)
        form.setHorizontalSpacing(2 * GRID)
        for row, (word, field) in enumerate(((tr("Screenshots"), self.count), (tr("One every"), self.every))):
            label = QLabel(word, self)
            label.setBuddy(field)
            form.addWidget(label, row, 0)
            form.addWidget(field, row, 1)
        self.total = QLabel(self)
        self.total.setObjectName("muted")
        form.addWidget(self.total, 2, 1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        start = self.buttons.addButton(tr("Start"), QDialogButtonBox.ButtonRole.AcceptRole)
        make_primary(start)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addLayout(form)
        layout.addWidget(self.buttons)
        self.count.valueChanged.connect(self._show_total)
        self.every.currentIndexChanged.connect(self._show_total)
        self._show_total()

    def accept(self) -> None:
        self.chosen.emit(self.count.value(), self.every.currentData())
        super().accept()

    def _show_total(self) -> None:
        seconds = (self.count.value() - 1) * self.every.currentData()
        self.total.setText(tr("takes {seconds} s").format(seconds=f"{seconds:g}"))
