"""The window: builds the parts, connects them, and shows what the controller says. It decides nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QIcon,
    QImage,
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

from app.card_text import agreement_words, card_text
from app.changeover import parts
from app.commands import COMMANDS, fill_menus, make_actions, name_actions, name_menus
from app.controller import Controller
from app.file_dialogs import places_of
from app.i18n import tr
from app.i18n.language import LANGUAGES, has_letters, language_of
from app.icons import FOLDER, icon
from app.recording_commands import RecordingView
from app.relief import has_relief
from app.steps import Stepwise
from app.style import style_of
from app.theme import Theme
from app.widgets.empty_state import EmptyState
from app.widgets.figures_card import draw_card
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
        self._cards: dict[str, QImage | None] = {"off": None}
        self._draw_card: Callable[[str], QImage | None] = lambda _: None
        self.commands = WindowCommands(self, controller)
        self.status_words = WindowStatus(self)
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
        self._apply_theme()
        self._show_settings()
        self._show_status()

    def fit_into(self, room: QSize) -> None:
        """Open no larger than the screen, at 200 % for instance; a window that was placed by its user stays so."""
        if not self.controller.settings.geometry:
            self.resize(self.size().boundedTo(room))
        layout = self.layout()
        if layout is not None:
            # Now, not when it is seen: the least size of the window would be told to the system once more just after.
            layout.activate()

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
        self._central = layout = QVBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top_bar)
        layout.addLayout(middle, 1)
        self.setCentralWidget(central)

    def _connect(self) -> None:
        controller = self.controller
        controller.picture_changed.connect(self._show_picture)
        controller.status_changed.connect(self._show_status)
        controller.figures_changed.connect(self._show_figures)
        controller.history_changed.connect(self._show_history)
        controller.settings_changed.connect(self._show_settings)
        controller.cameras_changed.connect(self._show_settings)
        controller.cameras_changed.connect(self._show_status)
        controller.backends_changed.connect(self._show_settings)
        controller.files.screenshot_saved.connect(self.toast.show_saved)
        controller.files.folder_wanted.connect(self.actions_by_id["screenshot_folder"].trigger)
        controller.address_wanted.connect(self.actions_by_id["open_address"].trigger)
        controller.trials.changed.connect(self._show_trials)
        controller.notifications.changed.connect(self._show_notices)
        self.message_bar.dismissed.connect(controller.notifications.dismiss)
        self.theme.changed.connect(self._apply_theme)
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
        controller.playback.changed.connect(self._show_playback)
        self.transport.sought.connect(controller.playback.seek)
        self.transport.speed_chosen.connect(controller.playback.set_speed)
        self.view.room_changed.connect(self._room_changed)
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

    # -- what the controller says

    def _show_picture(self) -> None:
        picture = self.controller.picture
        self.view.set_picture(picture)
        if picture is not None and picture.view.side == "A":
            self.panel.show_ran(picture.view.result)
        self._choose_page()

    def _choose_page(self) -> None:
        """Show the picture where there is one that belongs to the source, else say what is missing."""
        page = self.view if self.controller.picture is not None else self.empty
        if self.stack.currentWidget() is not page:
            self.stack.setCurrentWidget(page)
            self._room_changed()
            self.toast.raise_()

    def _show_status(self) -> None:
        self.status_words.show()
        self._show_figures()
        self._choose_page()
        self._show_playback()

    def _show_figures(self) -> None:
        controller = self.controller
        running = controller.state == "running"
        trial = controller.trials.backend
        remark = tr("trying {trial} in the background…").format(trial=trial) if trial else ""
        text = card_text(controller.figures, controller.history.latencies_ms, running, remark)
        known = bool(controller.figures.tasks) and controller.is_active
        size = controller.settings.figures if known else "off"
        ratio = self.view.devicePixelRatioF()
        self._cards = {size: draw_card(text, size, ratio)}
        self._draw_card = lambda size: draw_card(text, size, ratio)
        self._fit_figures()
        self.view.figures.tell(agreement_words(controller.figures))
        self.status_words.show_facts()

    def _fit_figures(self) -> None:
        """Show as much of the figures as there is room for."""
        size, card = next(iter(self._cards.items()))
        if card is not None and size == "full" and not self.view.has_room_for(card):
            size, card = "compact", self._card("compact")
        if card is not None and size == "compact" and not self.view.has_room_beside_buttons(card):
            card = self._card("least")
        self.view.figures.show_card(card)

    def _card(self, size: str) -> QImage | None:
        if size not in self._cards:
            self._cards[size] = self._draw_card(size)
        return self._cards[size]

    def _show_playback(self) -> None:
        playback = self.controller.playback
        for name in playback.handlers():
            self.actions_by_id[name].setEnabled(playback.is_offered or name == "loop")
        if playback.is_offered:
            self.transport.show_playing(self.controller.state not in ("paused", "ended"))
            self.transport.show_playback(playback.now, playback.why_not_seekable)
        self.transport.setVisible(playback.is_offered and not self.isFullScreen())

    def _show_history(self) -> None:
        if self.strip.isVisible():
            controller = self.controller
            self.strip.show_samples(controller.history.samples, time.monotonic(), controller.figures.dropped)

    def _show_settings(self) -> None:
        controller = self.controller
        settings = controller.settings
        self.theme.choose(settings.theme)
        self.language.choose(settings.language)
        self.top_bar.source.show_source(settings.source, settings.recent, controller.cameras)
        camera = next((item for item in controller.cameras or () if item.source == settings.source), None)
        self.top_bar.show_modes(camera.modes if camera is not None else (), settings.camera_mode)
        self.top_bar.show_pipelines(settings.pipeline, controller.backends)
        self.top_bar.show_comparison(settings.compare, settings.pipeline_b, controller.backends)
        self.panel.show_settings(settings)
        self.panel.show_backends(controller.backends)
        actions = self.actions_by_id
        for name in ("mirror", "loop", "panel", "strip", "figures_on_screenshot", "record_plain"):
            actions[name].setChecked(getattr(settings, name))
        actions[f"theme_{settings.theme}"].setChecked(True)
        actions[f"language_{settings.language}"].setChecked(True)
        actions[f"corner_{settings.figures_corner}"].setChecked(True)
        self.view.figures.set_corner(settings.figures_corner)
        self.view.set_style(style_of(settings))
        self.badge.set_beside(self.view.buttons_width if settings.figures_corner == "top_right" else 0)
        self.toast.place()
        for name in self.commands.relief.handlers():
            actions[name].setEnabled(has_relief(settings))
        self.commands.undo.show(actions["undo"], actions["redo"])
        self.commands.view_commands.tell()
        self._show_parts()
        self._show_figures()

    def _show_parts(self) -> None:
        """Full screen belongs to the picture; otherwise what is unfolded is seen."""
        full = self.isFullScreen()
        settings = self.controller.settings
        layouts = [layout for layout in (self.layout(), self._central) if layout is not None]
        # Once for all of them, when the event loop comes to it: the picture would get another size with each.
        for layout in layouts:
            layout.setEnabled(False)
        self.strip.setVisible(settings.strip and not full)
        self.menuBar().setVisible(not full)
        self.top_bar.setVisible(not full)
        self.panel.setVisible(settings.panel and not full)
        self._show_playback()
        for layout in layouts:
            layout.setEnabled(True)
        self.actions_by_id["full"].setChecked(full)
        self.on_picture["full"].setIcon(icon("unfull" if full else "full", "#f2f4f6", "#69727d"))

    def _show_trials(self) -> None:
        self.panel.show_trial(self.controller.trials.backend)
        self._show_figures()

    def _show_notices(self) -> None:
        self.message_bar.show_notices(self.controller.notifications.notices)

    def _apply_theme(self) -> None:
        for command in COMMANDS:
            if command.icon:
                is_stop = command.id == "toggle" and self.controller.is_active
                self.actions_by_id[command.id].setIcon(self.theme.icon("stop" if is_stop else command.icon))

    def _places_changed(self) -> None:
        self.controller.change(places=self.places.known)

    def _language_changed(self, works: list[Stepwise]) -> None:
        works.append(self._say_anew())

    def _say_anew(self) -> Stepwise:
        """Say anew what is put together of several words; what stands alone has been translated."""
        name_actions(self.actions_by_id)
        name_menus(self.menuBar())
        for name, button in self.on_picture.items():
            button.setToolTip(self.actions_by_id[name].toolTip())
            button.setAccessibleName(self.actions_by_id[name].text())
        yield
        # Who makes icons anew says everything anew.
        self.theme.changed.emit()
        yield
        self.panel.forget_backends()
        self.recording.refresh()
        self.controller.restyle()
        yield
        self._show_settings()
        yield
        self._show_status()
        yield
        self.controller.notifications.say_anew()
        yield

    def _room_changed(self) -> None:
        self.controller.set_room(self.view.room_wh)
        # Nothing else says so while the picture stands still.
        self._fit_figures()
        self.toast.place()

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
            self._show_parts()
        else:
            # When the window has its size again: everything would be painted twice.
            QTimer.singleShot(0, self, self._show_parts)

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
