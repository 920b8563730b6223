"""The window "Process files": a queue, the options beside it, and what can be done. Live pictures go on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QIcon,
    QKeySequence,
)
from PySide6.QtWidgets import QDialog, QLabel, QMenu, QStackedWidget

from app.commands import shown_key
from app.i18n import tr
from app.icons import FOLDER, icon
from app.inventory import BackendEntry
from app.notifications import Notice, Notifications, Severity, sentence_of
from app.processing.action_button import ActionButton
from app.processing.actions import ACTIONS, BUTTONS, ROW_MENU, Action
from app.processing.arrangement import arrange
from app.processing.commands import QueueCommands
from app.processing.drop_zone import DropZone
from app.processing.items import Item
from app.processing.options import ProcessOptions
from app.processing.options_panel import OptionsPanel
from app.processing.question import ask_to_stop
from app.processing.queue_list import QueueList
from app.processing.runner import Runner
from app.processing.wording import summary
from app.steps import Stepwise, ready_to_show
from app.theme import Theme, Type, font
from app.widgets.message_bar import MessageBar
from app.widgets.room import take_room
from app.widgets.toast import Toast

SHOW_AFTER_MS: Final = 60
"""Buttons and summary follow the queue at this distance: thousands of files may be added at once."""
TIME_LEFT_MS: Final = 1000
"""The time that is left changes in the summary no more often than that."""


class ProcessWindow(QDialog):
    """Processes files.

    Parameters
    ----------
    theme : Theme
        How it looks.
    runner : Runner
        Does the work.
    panel : OptionsPanel
        What is wanted of the files.
    reveal : callable
        Shows a file in the system's file manager.
    furnished : bool
        Whether it is complete at once, with a panel that is; else `furnish` completes both in steps.
    """

    said = Signal(str)
    """Everything is done while another window has the user's attention: the summary."""

    def __init__(
        self,
        theme: Theme,
        runner: Runner,
        panel: OptionsPanel,
        reveal: Callable[[Path], None],
        furnished: bool = True,
    ) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setObjectName("processWindow")
        self.setWindowTitle(tr("Process files"))
        self.setWindowIcon(QIcon(str(FOLDER / "twinlens.svg")))
        self.setAcceptDrops(True)
        self.runner = runner
        runner.setParent(self)
        self._theme = theme
        self._agreed = False
        self._notifications = Notifications(self)
        self._notifications.changed.connect(self._show_notices)
        self.commands = QueueCommands(self, runner, reveal)
        self.panel = panel
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOW_AFTER_MS)
        self._timer.timeout.connect(self._show)
        self._slow_timer = QTimer(self)
        self._slow_timer.setSingleShot(True)
        self._slow_timer.setInterval(TIME_LEFT_MS)
        self._slow_timer.timeout.connect(self._show_summary)
        take_room(self, QSize(1120, 768))
        if furnished:
            for _ in self._build():
                pass

    # -- building

    def furnish(self) -> Stepwise:
        """Put everything into it and into its panel, and style it, in steps."""
        yield from self._build(with_panel=True)
        yield from ready_to_show(self)

    def _build(self, with_panel: bool = False) -> Stepwise:
        self.actions_by_id: dict[str, QAction] = {}
        for action in ACTIONS:
            self.actions_by_id[action.id] = self._make(action)
            yield
        yield from self._make_parts()
        if with_panel:
            # In the order in which the Tab key goes from one to the next.
            self.panel.setParent(self)
            yield from self.panel.furnish()
        words = (self.summary, self.reason)
        self._tools = arrange(self, self.buttons, self.message_bar, self.stack, self.panel, words)
        yield
        runner = self.runner
        runner.changed.connect(self._show_soon)
        runner.progressed.connect(self._show_summary_soon)
        runner.prepare(self.panel.options)
        runner.finished.connect(self._finished)
        runner.refused.connect(self._refused)
        runner.taken_off.connect(self._offer_undo)
        self.panel.changed.connect(self._options_changed)
        self._theme.changed.connect(self._apply_theme)
        yield from self._draw_icons()
        self._show()
        yield

    def _make(self, action: Action) -> QAction:
        made = QAction(tr(action.text), self)
        made.setObjectName(action.id)
        made.setShortcuts([QKeySequence(key) for key in action.keys])
        made.setAutoRepeat(False)
        handler = getattr(self.commands, action.id)
        made.triggered.connect(lambda _checked=False: handler())
        tip = tr(action.tip) if action.tip else tr(action.text).rstrip("…")
        made.setToolTip(f"{tip} ({shown_key(action.keys[0])})" if action.keys else tip)
        self.addAction(made)
        return made

    def _make_parts(self) -> Stepwise:
        theme = self._theme
        self.message_bar = MessageBar(theme, self)
        yield
        self.message_bar.dismissed.connect(self._notifications.dismiss)
        self.empty = DropZone(theme, self)
        self.empty.files_wanted.connect(self.actions_by_id["add_files"].trigger)
        self.empty.folder_wanted.connect(self.actions_by_id["add_folder"].trigger)
        yield
        self.list = QueueList(theme, self.runner.model, self)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.doubleClicked.connect(self.actions_by_id["show_result"].trigger)
        self.list.selectionModel().selectionChanged.connect(self._show_soon)
        self.list.button_clicked.connect(self.commands.row_button)
        yield
        self.stack = QStackedWidget(self)
        for page in (self.empty, self.list):
            self.stack.addWidget(page)
            yield
        self.toast = Toast(theme, self.stack)
        yield
        self.summary = QLabel(self)
        self.summary.setFont(font(Type.BODY, tabular=True))
        self.reason = QLabel(self)
        self.reason.setObjectName("muted")
        self.reason.setFont(font(Type.CAPTION))
        self.buttons: dict[str, ActionButton] = {}
        for name in BUTTONS:
            self.buttons[name] = ActionButton(self.actions_by_id[name], self)
            yield
        self.buttons["start"].setObjectName("primary")

    # -- what the window's owner says

    def show_backends(self, backends: tuple[BackendEntry, ...] | None) -> None:
        """Offer the backends that can be used here."""
        self.panel.show_backends(backends)

    @property
    def options(self) -> ProcessOptions:
        """What is wanted of the files."""
        return self.panel.options

    def come_forward(self) -> None:
        """Show the window above the others, and give it the keyboard."""
        if not self.isVisible():
            self.runner.look_for_kept()
            if self.stack.currentWidget() is self.empty:
                # As in the main window: nothing is marked until the user takes the keyboard.
                self.setFocus()
        self.show()
        if self.isMinimized():
            self.showNormal()
        self.raise_()
        self.activateWindow()

    def add(self, paths: list[str]) -> None:
        """Append files and folders to the queue."""
        self.runner.add(paths)

    # -- what is shown

    def _show_soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _show_summary_soon(self) -> None:
        if not self._slow_timer.isActive():
            self._slow_timer.start()

    def _show_summary(self) -> None:
        runner = self.runner
        self.summary.setText(summary(runner.model.items, runner.is_running, runner.is_paused, runner.left_s))

    def _options_changed(self) -> None:
        self.runner.prepare(self.options)
        self._show_soon()

    def _show(self) -> None:
        runner = self.runner
        items = runner.model.items
        page = self.list if items else self.empty
        if self.stack.currentWidget() is not page:
            self.stack.setCurrentWidget(page)
            if page is self.list:
                self.list.setCurrentIndex(runner.model.index(0))
                self.list.setFocus()
        problem = self.options.problem()
        enabled = self.commands.possible(problem)
        for name, on in enabled.items():
            self.actions_by_id[name].setEnabled(on)
        seen = {
            "pause": runner.is_running,
            "cancel_all": runner.is_running,
            "start": not runner.is_running,
            "open_folder": not runner.is_running and enabled["open_folder"],
        }
        self._tools.setVisible(bool(items))
        for name, on in seen.items():
            self.buttons[name].setVisible(on)
        self.actions_by_id["pause"].setText(tr("Resume") if runner.is_paused else tr("Pause"))
        self.panel.lock(runner.is_running)
        self._show_summary()
        looking = tr("Looking at what was added…") if runner.is_looking and not items else ""
        locked = tr("The options can be changed again when the queue has ended.") if runner.is_running else ""
        self.reason.setText(looking or locked or (problem if items else ""))
        self.reason.setVisible(bool(self.reason.text()))
        self._show_icons()

    def _draw_icons(self) -> Stepwise:
        """Draw the icons that are not drawn yet: the theme keeps them."""
        for action in ACTIONS:
            if action.icon:
                self._theme.icon(action.icon)
                yield

    def _show_icons(self) -> None:
        colors = self._theme.colors
        for action in ACTIONS:
            name = "play" if action.id == "pause" and self.runner.is_paused else action.icon
            if name:
                self.actions_by_id[action.id].setIcon(self._theme.icon(name))
        for name, button in self.buttons.items():
            found = self.actions_by_id[name].icon()
            if name == "start":
                found = icon("play", colors.on_ink, colors.faint)
            button.setIcon(found)

    def _apply_theme(self) -> None:
        # Also after another language was chosen.
        self._notifications.say_anew()
        self._show()
        self.list.viewport().update()

    def selected(self) -> list[Item]:
        """Files that are marked, in the order of the list."""
        return self.list.selected()

    def _open_menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        self._theme.dress(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in ROW_MENU:
            if name:
                menu.addAction(self.actions_by_id[name])
            else:
                menu.addSeparator()
        self._show()
        menu.popup(self.list.viewport().mapToGlobal(where))

    # -- news

    def _offer_undo(self, count: int) -> None:
        self.toast.show_text(
            tr("%n file(s) taken off the list", "", count), tr("Undo"), self.actions_by_id["undo"].trigger
        )

    def _finished(self) -> None:
        self._show()
        if not self.isActiveWindow():
            self.said.emit(tr("Processed: {text}").format(text=self.summary.text()))

    def _refused(self, sentence: str) -> None:
        self._notifications.post(lambda: Notice("add", sentence_of(sentence), Severity.WARNING))

    def _show_notices(self) -> None:
        self.message_bar.show_notices(self._notifications.notices)

    # -- Qt events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.empty.aim(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.empty.aim(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.empty.aim(False)
        names = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if names:
            event.acceptProposedAction()
            self.add(names)

    def reject(self) -> None:
        """Escape takes the marks away first; it does not close a window with work in it."""
        if self.selected():
            self.list.clearSelection()
        else:
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.runner.is_running and not self._agreed:
            event.ignore()
            self.ask_to_stop(self._close_agreed)
            return
        self._timer.stop()
        self._slow_timer.stop()
        self.hide()
        # Not waited for: the live picture goes on in this thread.
        self.runner.rest()
        super().closeEvent(event)
        self._agreed = False

    def ask_to_stop(self, agreed: Callable[[], None]) -> None:
        """Ask whether the work that is running shall end, without waiting for the answer; call `agreed` if so."""
        self.come_forward()
        ask_to_stop(self, self.runner.left, agreed)

    def _close_agreed(self) -> None:
        self._agreed = True
        self.close()

    def end(self) -> None:
        """Close without asking, and wait for the children: the program ends."""
        self._agreed = True
        self.close()
        self.runner.close()
