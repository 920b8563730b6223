"""The list of files."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from app.i18n import tr
from app.processing.items import Item
from app.processing.model import QueueModel
from app.processing.rows import RowDelegate
from app.theme import Theme


class QueueList(QListView):
    """Shows the files of a queue, a row each.

    Parameters
    ----------
    theme : Theme
        How rows look.
    model : QueueModel
        The files.
    """

    button_clicked = Signal(object)
    """The user pressed the button in the row of this `Item`."""

    def __init__(self, theme: Theme, model: QueueModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.dress(self)
        self._files = model
        self.setObjectName("processList")
        self.setAccessibleName(tr("Files to process"))
        self.setModel(model)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        delegate = RowDelegate(theme, self)
        delegate.button_clicked.connect(self.button_clicked)
        self.setItemDelegate(delegate)

    def selected(self) -> list[Item]:
        """Files that are marked, in the order of the list."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._files.items[row] for row in rows]
