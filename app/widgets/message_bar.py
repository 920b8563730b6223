"""The bar that says what went wrong: one sentence, one thing to do, details for those who ask."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.i18n import tr
from app.icons import pixmap
from app.notifications import Notice, Severity
from app.theme import GRID, Theme, Type, font
from app.widgets.primary import style_anew


class MessageBar(QFrame):
    """Shows the newest of the notices; the others follow when it is closed.

    Parameters
    ----------
    theme : Theme
        For its icons.
    """

    dismissed = Signal(str)
    """The user closed the notice with this key."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.dress(self)
        self.setObjectName("messageBar")
        self._theme = theme
        self._notice: Notice | None = None
        self._symbol = QLabel(self)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._more = QLabel(self)
        self._more.setObjectName("muted")
        self._more.setFont(font(Type.CAPTION, tabular=True))
        self.action_button = QPushButton(self)
        self.action_button.clicked.connect(self._act)
        self.details_button = QPushButton(tr("Details"), self)
        self.details_button.setCheckable(True)
        self.details_button.toggled.connect(self._show_details)
        self.close_button = QToolButton(self)
        self.close_button.setObjectName("flat")
        self.close_button.setToolTip(tr("Close this message"))
        self.close_button.setAccessibleName(tr("Close this message"))
        self.close_button.clicked.connect(self._dismiss)
        for button in (self.action_button, self.details_button, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.details = QPlainTextEdit(self)
        self.details.setReadOnly(True)
        self.details.setFixedHeight(20 * GRID)
        self.details.setAccessibleName(tr("Details of the message"))
        self.copy_button = QPushButton(tr("Copy details"), self)
        self.copy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.details.toPlainText()))

        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self._symbol)
        line.addWidget(self._text, 1)
        for widget in (self._more, self.action_button, self.details_button, self.close_button):
            line.addWidget(widget)
        self._fold = QWidget(self)
        fold = QVBoxLayout(self._fold)
        fold.setContentsMargins(0, 0, 0, 0)
        fold.setSpacing(GRID)
        fold.addWidget(self.details)
        fold.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, GRID, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(line)
        layout.addWidget(self._fold)
        self._fold.hide()
        self.hide()
        theme.changed.connect(self._refresh)

    @property
    def text(self) -> str:
        """The sentence that is shown; "" for none."""
        return self._notice.text if self._notice else ""

    def show_notices(self, notices: tuple[Notice, ...]) -> None:
        """Show the last of `notices`, or nothing."""
        newest = notices[-1] if notices else None
        if self._notice is None or newest is None or newest.key != self._notice.key:
            self.details_button.setChecked(False)
        self._notice = newest
        if newest is None:
            self.hide()
            return
        self._text.setText(newest.text)
        self.setAccessibleName(newest.text)
        times = tr("{count} times").format(count=newest.count) if newest.count > 1 else ""
        others = tr("{count} more").format(count=len(notices) - 1) if len(notices) > 1 else ""
        self._more.setText("  ·  ".join(part for part in (times, others) if part))
        self.action_button.setText(newest.action)
        self.action_button.setVisible(bool(newest.action))
        self.details_button.setVisible(bool(newest.details))
        self.details.setPlainText(newest.details)
        self._refresh()
        self.show()

    def _refresh(self) -> None:
        colors = self._theme.colors
        self.close_button.setIcon(self._theme.icon("close"))
        if self._notice is None:
            return
        color = {
            Severity.ERROR: colors.error,
            Severity.WARNING: colors.warning,
            Severity.INFO: colors.muted,
        }[self._notice.severity]
        symbol = pixmap(self._notice.severity.value, color, 20, self.devicePixelRatioF())
        self._symbol.setPixmap(symbol)
        self.setProperty("severity", self._notice.severity.value)
        style_anew(self)

    def _show_details(self, shown: bool) -> None:
        self._fold.setVisible(shown)
        self.details_button.setText(tr("Hide details") if shown else tr("Details"))

    def _act(self) -> None:
        notice = self._notice
        if notice is not None and notice.on_action is not None:
            self.dismissed.emit(notice.key)
            notice.on_action()

    def _dismiss(self) -> None:
        if self._notice is not None:
            self.dismissed.emit(self._notice.key)
