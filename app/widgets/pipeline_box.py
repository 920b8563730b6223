"""The boxes of the top bar in which pipelines are chosen, and a label that gives way to them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from app.i18n import tr
from app.inventory import BackendEntry, why_not
from app.notifications import sentence_of
from app.theme import GRID, Type, font
from app.words import backend_word, pipeline_word

GENERAL: Final = ("auto", "cpu", "gpu")
WIDTH: Final = 24 * GRID
"""Room for "ort-webgpu (software)"."""
NARROWEST: Final = 11 * GRID


class SteadyBox(QComboBox):
    """A box that is as wide whatever stands in it, and narrower in a small window.

    "ort-webgpu (not tried yet)" must not push the others out of the window; the list shows it in full.
    """

    def __init__(self, name: str, tip: str, parent: QWidget | None = None, width: int = WIDTH) -> None:
        super().__init__(parent)
        self._width = width
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        # All backends there are, without scrolling.
        self.setMaxVisibleItems(20)

    def sizeHint(self) -> QSize:
        return QSize(self._width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(NARROWEST, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        option.currentText = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 4 * GRID)
        super().showPopup()


class PipelineBox(SteadyBox):
    """Offers the pipelines of this machine; those that cannot be used are grey and say why.

    Parameters
    ----------
    name : str
        What it is called for screen readers.
    tip : str
        What it is for.
    """

    chosen = Signal(str)

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(name, tip, parent)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))
        self._entries: tuple[tuple[str, str, str], ...] = ()

    def show_pipelines(self, chosen: str, backends: tuple[BackendEntry, ...] | None) -> None:
        """Offer what there is, with `chosen` in the box; "" for none."""
        entries = [(name, pipeline_word(name), why_not(name, backends)) for name in GENERAL]
        entries += [(entry.id, _backend_label(entry), why_not(entry.id, backends)) for entry in backends or ()]
        if chosen and all(chosen != name for name, _, _ in entries):
            entries.append((chosen, chosen, ""))
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            model = QStandardItemModel(self)
            for name, label, reason in entries:
                item = QStandardItem(label)
                item.setData(name, Qt.ItemDataRole.UserRole)
                item.setEnabled(not reason)
                item.setToolTip(sentence_of(reason) if reason else _hint(name, backends))
                model.appendRow(item)
            self.setModel(model)
        self.setCurrentIndex(self.findData(chosen))


def chip(letter: str, color: str, parent: QWidget) -> QLabel:
    """Return the letter of a pipeline on its colour."""
    label = QLabel(letter, parent)
    label.setFont(font(Type.STRONG))
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setFixedSize(24, 24)
    label.setStyleSheet(f"background: {color}; color: #15181c; border-radius: 5px;")
    return label


class ElidedLabel(QLabel):
    """A line of text that is shortened where there is no room for it."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        self.style().drawItemText(
            painter, self.rect(), self.alignment(), self.palette(), self.isEnabled(), text, self.foregroundRole()
        )


def _backend_label(entry: BackendEntry) -> str:
    if entry.untried:
        return tr("{id} (not tried yet)").format(id=entry.id)
    return backend_word(entry.id, entry.software)


def _hint(name: str, backends: tuple[BackendEntry, ...] | None) -> str:
    entry = next((item for item in backends or () if item.id == name), None)
    if entry is not None:
        return tr("Will be tried on this machine first") if entry.untried else entry.device
    return {
        "auto": tr("The fastest backend that works here"),
        "cpu": tr("The best backend on the processor"),
        "gpu": tr("The best backend on the graphics card"),
    }.get(name, "")
