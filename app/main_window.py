"""The window: builds the parts, connects them, and shows what the controller says. It decides nothing."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QIcon,
    QKeyEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QHBoxLayout,
    QMainWindow,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.changeover import parts
from app.commands import fill_menus, make_actions
from app.controller import Controller
from app.file_dialogs import places_of
from app.i18n.language import LANGUAGES, has_letters, language_of
from app.icons import FOLDER
from app.recording_commands import RecordingView
from app.steps import Stepwise, ready_to_show
from app.theme import Theme
from app.widgets.empty_state import EmptyState
from app.widgets.message_bar import MessageBar
from app.widgets.pages import EqualPages
from app.widgets.recording_badge import RecordingBadge
from app.widgets.side_panel import SidePanel
from app.widgets.strip import Strip
from app.widgets.toast import Toast
from app.widgets.top_bar import TopBar
from app.widgets.transport import Transport
from app.widgets.video_view import VideoView
from app.window_commands import WindowCommands
from app.window_news import WindowNews
from app.window_status import WindowStatus
from app.words import APP_NAME

CHARTS_AFTER_MS: Final = 1500


class MainWindow(QMainWindow):
    """The one window of the program.

    Parameters
    ----------
    controller : Controller
        What it shows and asks.
    theme : Theme
        How it looks.
    """

    def __init__(self, controller: Controller, theme: Theme) -> None:
        super().__init__()
        self.controller = controller
        self.theme = theme
        self.language = language_of(QApplication.instance())
        self.places = places_of(QApplication.instance())
        self.places.known = controller.settings.places
        self.setWindowTitle(APP_NAME)
        self.setWindowIcon(QIcon(str(FOLDER / "twinlens.svg")))
        self.setAcceptDrops(True)
        self.commands = WindowCommands(self, controller)
        self.status_words = WindowStatus(self)
        self.news = WindowNews(self)
        self.actions_by_id = make_actions(self, self.commands.handlers())
        self._build()
        theme.dress(self.menuBar(), self.view)
        parts.keep_live(self.view)
        fill_menus(self.menuBar(), self.actions_by_id)
        self._connect()
        # After the window is on the screen and the first picture on its way.
        self._charts_timer = QTimer(self)
        self._charts_timer.setSingleShot(True)
        self._charts_timer.setInterval(CHARTS_AFTER_MS)
        self._charts_timer.timeout.connect(lambda: controller.load_charts(self.strip.build_plot_soon))
        self.resize(1280, 800)
        if controller.settings.geometry:
            self.restoreGeometry(QByteArray.fromBase64(controller.settings.geometry.encode()))
        self.news.apply_theme()
        self.news.show_settings()
        self.news.show_status()

    def fit_into(self, room: QSize) -> None:
        """Open no larger than the screen, at 200 % for instance; a window that was placed by its user stays so."""
        if not self.controller.settings.geometry:
            self.resize(self.size().boundedTo(room))
        # Now, not when it is seen: Qt would style much of it twice, and the least size of the window would be told to
        # the system once more just after.
        for _ in ready_to_show(self):
            pass

    # -- building

    def _build(self) -> None:
        actions = self.actions_by_id
        self.top_bar = TopBar(self.theme, actions, self)
        self.message_bar = MessageBar(self.theme, self)
        self.view = VideoView(self)
        self.empty = EmptyState(self.theme, self)
        self.stack = EqualPages(self)
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.view)
        self.panel = SidePanel(self.theme, self)
        self.transport = Transport(self.theme, actions, self)
        self.transport.hide()
        self.strip = Strip(self.theme, [actions[name] for name in ("strip_hold", "strip_csv", "strip_png")], self)
        self.toast = Toast(self.theme, self.stack)
        self.on_picture: dict[str, QToolButton] = {}
        for name, picture in (("screenshot", "shot"), ("record", "record"), ("full", "full")):
            button = QToolButton(self.view)
            button.setToolTip(actions[name].toolTip())
            button.setAccessibleName(actions[name].text())
            button.clicked.connect(actions[name].trigger)
            self.view.add_button(button, picture)
            self.on_picture[name] = button
        self.badge = RecordingBadge(self.view)
        self.view.badge = self.badge
        self.toast.over = lambda: self.view.lower_left
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self.message_bar)
        left.addWidget(self.stack, 1)
        left.addWidget(self.transport)
        left.addWidget(self.strip)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addLayout(left, 1)
        middle.addWidget(self.panel)
        central = QWidget(self)
        self.central_layout = layout = QVBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top_bar)
        layout.addLayout(middle, 1)
        self.setCentralWidget(central)

    def _connect(self) -> None:
        controller = self.controller
        controller.picture_changed.connect(self.news.show_picture)
        controller.status_changed.connect(self.news.show_status)
        controller.figures_changed.connect(self.news.show_figures)
        controller.history_changed.connect(self.news.show_history)
        controller.settings_changed.connect(self.news.show_settings)
        controller.cameras_changed.connect(self.news.show_settings)
        controller.cameras_changed.connect(self.news.show_status)
        controller.backends_changed.connect(self.news.show_settings)
        controller.files.screenshot_saved.connect(self.toast.show_saved)
        controller.files.folder_wanted.connect(self.actions_by_id["screenshot_folder"].trigger)
        controller.address_wanted.connect(self.actions_by_id["open_address"].trigger)
        controller.trials.changed.connect(self.news.show_trials)
        controller.notifications.changed.connect(self.news.show_notices)
        self.message_bar.dismissed.connect(controller.notifications.dismiss)
        self.theme.changed.connect(self.news.apply_theme)
        self.language.changed.connect(self._language_changed)
        self.places.changed.connect(self._places_changed)
        for code in LANGUAGES:
            self.actions_by_id[f"language_{code}"].setEnabled(has_letters(code))
        bar = self.top_bar
        bar.source.source_chosen.connect(controller.open)
        bar.source.about_to_open.connect(controller.refresh_cameras)
        bar.pipeline_chosen.connect(controller.choose_pipeline)
        bar.compare_chosen.connect(controller.comparison.choose)
        bar.pipeline_b_chosen.connect(controller.comparison.choose_b)
        bar.mode_chosen.connect(lambda mode: controller.change(camera_mode=mode))
        panel = self.panel
        panel.tasks_chosen.connect(lambda tasks: controller.change(tasks=tasks))
        panel.style_chosen.connect(
            lambda name, value: controller.change(style={**controller.settings.style, name: value})
        )
        panel.model_chosen.connect(
            lambda role, model: controller.change(models={**controller.settings.models, role: model})
        )
        panel.max_faces_chosen.connect(lambda count: controller.change(max_faces=count))
        panel.effect_chosen.connect(lambda effect: controller.change(effect=effect))
        panel.background_wanted.connect(self.commands.choose_background)
        panel.smooth_chosen.connect(lambda on: controller.change(smooth=on))
        panel.mirror_chosen.connect(lambda on: controller.change(mirror=on))
        panel.fold_clicked.connect(self._fold)
        self.recording = RecordingView(
            controller,
            self.actions_by_id["record"],
            self.actions_by_id["virtual_camera"],
            self.on_picture["record"],
            self.badge,
            self.toast,
            lambda: self.view.divider,
        )
        controller.recording.folder_wanted.connect(self.actions_by_id["screenshot_folder"].trigger)
        controller.playback.changed.connect(self.news.show_playback)
        self.transport.sought.connect(controller.playback.seek)
        self.transport.speed_chosen.connect(controller.playback.set_speed)
        self.view.room_changed.connect(self.news.room_changed)
        # Before the first picture is seen, so that it is made for the room that it will have.
        self.stack.resized.connect(lambda: controller.set_room(self.view.room_wh))
        self.view.divider_moved.connect(controller.set_divider)
        self.view.figures.corner_chosen.connect(lambda corner: controller.change(figures_corner=corner))
        self.commands.relief.watch(self.view)
        self.view.looked.connect(self.commands.view_commands.tell)
        self.view.double_clicked.connect(self.actions_by_id["full"].trigger)
        self.empty.demo_wanted.connect(self.actions_by_id["open_demo"].trigger)
        self.empty.file_wanted.connect(self.actions_by_id["open_file"].trigger)
        self.empty.cameras_wanted.connect(self.actions_by_id["refresh"].trigger)
        self.toast.folder_wanted.connect(controller.files.reveal)

    def _fold(self, task: str) -> None:
        unfolded = self.controller.settings.unfolded
        others = tuple(name for name in unfolded if name != task)
        self.controller.change(unfolded=others if task in unfolded else (*others, task))

    def _places_changed(self) -> None:
        self.controller.change(places=self.places.known)

    def _language_changed(self, works: list[Stepwise]) -> None:
        works.append(self.news.say_anew())

    # -- Qt events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Nothing is marked until the user takes the keyboard.
        self.setFocus()
        self._charts_timer.start()

    def event(self, event: QEvent) -> bool:
        # Space starts and stops, but a button that has the keyboard is pressed by it.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
            and isinstance(QApplication.focusWidget(), QAbstractButton | QComboBox | QAbstractSlider)
        ):
            event.accept()
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() != QEvent.Type.WindowStateChange:
            return
        if self.isFullScreen():
            self.news.show_parts()
        else:
            # When the window has its size again: everything would be painted twice.
            QTimer.singleShot(0, self, self.news.show_parts)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.actions_by_id["full"].trigger()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            self.commands.dropped.take(files)

    def close_now(self) -> None:
        """Close without asking: the terminal said so."""
        self.commands.processing.end()
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.commands.processing.may_end(self.close):
            event.ignore()
            return
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self.controller.change(geometry=geometry)
        self._charts_timer.stop()
        self.recording.close()
        self.commands.burst.close()
        self.commands.dropped.end()
        # Gone from the screen at once; a driver that hangs is nobody's concern but ours.
        self.hide()
        self.commands.processing.end()
        self.commands.pages.end()
        self.controller.close()
        super().closeEvent(event)
