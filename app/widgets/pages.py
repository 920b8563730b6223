"""Pages of which one is seen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget


class EqualPages(QStackedWidget):
    """Keeps the pages that are not seen as large as the one that is.

    Qt leaves them at the size that they had: what is made for the room of a page before it is seen would not fit.
    """

    resized = Signal()
    """There is more or less room."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for page in map(self.widget, range(self.count())):
            if page is not None and page is not self.currentWidget():
                page.resize(self.size())
        self.resized.emit()
