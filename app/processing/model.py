"""The files of the queue as Qt's views want them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.processing.items import Item
from app.processing.wording import spoken, tooltip

ITEM: Final = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


class QueueModel(QAbstractListModel):
    """All files, in the order in which they are processed."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.is_paused = False
        self._by_id: dict[int, Item] = {}
        self._next = 1

    # -- what Qt asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - the signature is Qt's
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.items):
            return None
        item = self.items[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return item.path.name
            case Qt.ItemDataRole.UserRole:
                return item
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(item)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(item, self.is_paused)
            case _:
                return None

    # -- what the queue does

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def get(self, number: int) -> Item | None:
        """Return the file with this id, None if it was removed."""
        return self._by_id.get(number)

    def append(self, paths: Iterable[Path]) -> list[Item]:
        """Append files; return their items."""
        new = [Item(number, path) for number, path in enumerate(paths, self._next)]
        if not new:
            return []
        self._next += len(new)
        self.beginInsertRows(QModelIndex(), len(self.items), len(self.items) + len(new) - 1)
        self.items += new
        self._by_id.update((item.id, item) for item in new)
        self.endInsertRows()
        return new

    def remove(self, items: Sequence[Item]) -> None:
        """Remove files from the list; does nothing to those on the disk."""
        gone = {item.id for item in items}
        end = len(self.items)
        while end > 0:
            first = end - 1
            if self.items[first].id in gone:
                # Neighbours go together: a row at a time takes a view seconds where there are thousands.
                while first > 0 and self.items[first - 1].id in gone:
                    first -= 1
                self.beginRemoveRows(QModelIndex(), first, end - 1)
                for item in self.items[first:end]:
                    del self._by_id[item.id]
                del self.items[first:end]
                self.endRemoveRows()
            end = first

    def insert(self, places: Sequence[tuple[int, Item]]) -> None:
        """Put files into rows, given from the top down; at the end where there are fewer rows by now."""
        at = 0
        while at < len(places):
            first = min(places[at][0], len(self.items))
            end = at + 1
            # Neighbours come together, as they go.
            while end < len(places) and places[end][0] == places[end - 1][0] + 1:
                end += 1
            new = [item for _, item in places[at:end]]
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self.items[first:first] = new
            self._by_id.update((item.id, item) for item in new)
            self.endInsertRows()
            at = end

    def touch(self, item: Item) -> None:
        """Say that a file has changed."""
        index = self.index(self.items.index(item))
        self.dataChanged.emit(index, index)

    def touch_all(self) -> None:
        """Say that every file may have changed."""
        if self.items:
            self.dataChanged.emit(self.index(0), self.index(len(self.items) - 1))
