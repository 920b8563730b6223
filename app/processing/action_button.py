"""A button that says and does what an action says and does."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QWidget


class ActionButton(QPushButton):
    """Follows an action. Qt has this for tool buttons only, which do not look like the buttons of a dialog.

    Parameters
    ----------
    action : QAction
        The action.
    """

    def __init__(self, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._action = action
        self.setObjectName(action.objectName())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoDefault(False)
        self.setIconSize(QSize(18, 18))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setText(self._action.text())
        self.setToolTip(self._action.toolTip())
        self.setEnabled(self._action.isEnabled())
