"""Cards and rows: the two shapes of the side panel."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.i18n import tr
from app.theme import GRID, Theme, Type, font


def keep_width(area: QScrollArea, layout: QVBoxLayout) -> None:
    """Let the scroll bar of an area take its room from the margin beside the cards: they do not move when it comes.

    Parameters
    ----------
    area : QScrollArea
        With a vertical bar that is there when it is needed.
    layout : QVBoxLayout
        Of its widget.
    """
    margins = layout.contentsMargins()

    def take(least: int, most: int) -> None:
        room = area.verticalScrollBar().sizeHint().width() if most > least else 0
        layout.setContentsMargins(margins - QMargins(0, 0, room, 0))

    area.verticalScrollBar().rangeChanged.connect(take)


class Ground(QWidget):
    """What the cards of a panel lie on, with a line on its left.

    Painted here: with a style sheet for the panel, everything in it would be styled at once when the colours change.

    Parameters
    ----------
    theme : Theme
        For its colours.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(self._theme.colors.panel))
        painter.fillRect(0, 0, 1, self.height(), QColor(self._theme.colors.line))
        painter.end()


class Card(QFrame):
    """A box with things under each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(int(1.5 * GRID), GRID, int(1.5 * GRID), int(1.5 * GRID))
        self._layout.setSpacing(GRID)

    def add(self, widget: QWidget) -> None:
        """Put a widget below the others."""
        self._layout.addWidget(widget)

    def clear(self) -> None:
        """Remove everything."""
        while (item := self._layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()


class TaskCard(Card):
    """A card with a switch on top, of which all but the first row can be folded away.

    Parameters
    ----------
    title : str
        Beside the switch.
    theme : Theme
        For its icon.
    """

    fold_clicked = Signal()

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._more: list[QWidget] = []
        self._is_open = False
        self.switch = QCheckBox(title)
        self.switch.setFont(font(Type.STRONG))
        self.switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.remark = QLabel()
        self.remark.setObjectName("muted")
        self.remark.setFont(font(Type.CAPTION, tabular=True))
        self.fold = QToolButton()
        self.fold.setObjectName("flat")
        self.fold.setIconSize(QSize(16, 16))
        self.fold.setFixedSize(28, 28)
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.fold.clicked.connect(self.fold_clicked)
        head = QWidget()
        layout = QHBoxLayout(head)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.switch, 1)
        layout.addWidget(self.remark)
        layout.addWidget(self.fold)
        self.add(head)
        theme.changed.connect(self._refresh)

    def add_folded(self, widget: QWidget) -> None:
        """Put a widget below the others that is only seen when the card is unfolded."""
        self.add(widget)
        self._more.append(widget)
        widget.setVisible(self._is_open)

    def show_open(self, is_open: bool) -> None:
        """Fold or unfold."""
        self._is_open = is_open
        for widget in self._more:
            widget.setVisible(is_open)
        self._refresh()

    def _refresh(self) -> None:
        words = tr("Less about {name}") if self._is_open else tr("More about {name}")
        words = words.format(name=self.switch.text().lower())
        self.fold.setToolTip(words)
        self.fold.setAccessibleName(words)
        self.fold.setIcon(self._theme.icon("chevron-up" if self._is_open else "chevron"))


class Row(QWidget):
    """A word on the left, something on the right.

    Parameters
    ----------
    left, right : QWidget
        The two.
    right_width : int
        Width of the right one, so that the controls of a card stand under each other; 0 for its own.
    """

    def __init__(self, left: QWidget, right: QWidget, right_width: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(left, 1)
        layout.addWidget(right)
        if right_width:
            right.setFixedWidth(right_width)
