"""A tree whose texts are wrapped where they do not fit: Qt makes rows as high as a line, and cuts off the rest."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeWidget, QWidget

from app.theme import GRID

PADDING = 2 * GRID
"""Left and right of a text together, as the style sheet has it."""


class WrappedTree(QTreeWidget):
    """Gives every row the height of its longest text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setItemDelegate(_Delegate(self))
        # The last column is wider in a wider window.
        self.header().sectionResized.connect(self.scheduleDelayedItemsLayout)

    def text_width(self, index: QModelIndex | QPersistentModelIndex) -> int:
        """Return how many pixels there are for a text in a line."""
        is_wide = index.column() == 0 and self.isFirstColumnSpanned(index.row(), index.parent())
        width = self.viewport().width() if is_wide else self.columnWidth(index.column())
        outer = index if index.column() == 0 else QModelIndex()
        while outer.isValid():
            width -= self.indentation()
            outer = outer.parent()
        return width - PADDING


class _Delegate(QStyledItemDelegate):
    def __init__(self, tree: WrappedTree) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        wrapped = QStyleOptionViewItem(option)
        self.initStyleOption(wrapped, index)
        wrapped.features |= QStyleOptionViewItem.ViewItemFeature.WrapText
        # Qt wraps in a rectangle only that has a height.
        wrapped.rect = QRect(0, 0, self._tree.text_width(index), 1)
        kind = QStyle.ContentsType.CT_ItemViewItem
        return self._tree.style().sizeFromContents(kind, wrapped, QSize(), self._tree)
