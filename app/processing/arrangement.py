"""What stands where in the window "Process files"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from app.theme import GRID, dress

ADDING: Final = ("add_files", "add_folder")
TIDYING: Final = ("retry_failed", "clear_done", "remove")
WORKING: Final = ("open_folder", "cancel_all", "pause", "start")


def arrange(
    window: QWidget,
    buttons: Mapping[str, QAbstractButton],
    message_bar: QWidget,
    stack: QWidget,
    panel: QWidget,
    words: Sequence[QWidget],
) -> QWidget:
    """Lay the window out.

    Parameters
    ----------
    window : QWidget
        The window.
    buttons : mapping of str to button
        By the ids of their actions.
    message_bar, stack, panel : QWidget
        Above the queue, the queue, and beside it.
    words : sequence of QWidget
        Lines at the bottom.

    Returns
    -------
    QWidget
        The row of buttons above the queue.
    """
    tools = _tool_row(window, buttons)
    left = QVBoxLayout()
    left.setSpacing(0)
    left.addWidget(message_bar)
    left.addWidget(tools)
    room = QVBoxLayout()
    room.setContentsMargins(2 * GRID, int(1.5 * GRID), 2 * GRID, int(1.5 * GRID))
    room.addWidget(stack)
    left.addLayout(room, 1)
    middle = QHBoxLayout()
    middle.setSpacing(0)
    middle.addLayout(left, 1)
    middle.addWidget(panel)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addLayout(middle, 1)
    layout.addWidget(_foot(window, buttons, words))
    return tools


def _tool_row(window: QWidget, buttons: Mapping[str, QAbstractButton]) -> QWidget:
    row = QWidget(window)
    dress(row)
    tools = QHBoxLayout(row)
    tools.setContentsMargins(2 * GRID, int(1.5 * GRID), 2 * GRID, 0)
    tools.setSpacing(GRID)
    for name in ADDING:
        tools.addWidget(buttons[name])
    tools.addStretch()
    for name in TIDYING:
        tools.addWidget(buttons[name])
    return row


def _foot(window: QWidget, buttons: Mapping[str, QAbstractButton], words: Sequence[QWidget]) -> QWidget:
    foot = QWidget(window)
    dress(foot)
    foot.setObjectName("strip")
    lines = QVBoxLayout()
    lines.setSpacing(GRID // 4)
    for line in words:
        lines.addWidget(line)
    layout = QHBoxLayout(foot)
    layout.setContentsMargins(2 * GRID, int(1.5 * GRID), 2 * GRID, int(1.5 * GRID))
    layout.setSpacing(GRID)
    layout.addLayout(lines, 1)
    for name in WORKING:
        layout.addWidget(buttons[name])
    return foot
