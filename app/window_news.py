"""What the controller says, shown in the window."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from app.card_text import agreement_words, card_text
from app.commands import COMMANDS, name_actions, name_menus
from app.i18n import tr
from app.icons import icon
from app.relief import has_relief
from app.steps import Stepwise
from app.style import style_of
from app.widgets.figures_card import draw_card

if TYPE_CHECKING:
    from app.main_window import MainWindow


class WindowNews(QObject):
    """Shows it.

    Parameters
    ----------
    window : MainWindow
        Where it is shown.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._cards: dict[str, QImage | None] = {"off": None}
        self._draw_card: Callable[[str], QImage | None] = lambda _: None

    def show_picture(self) -> None:
        """Show the newest picture, and on which backend each task ran."""
        picture = self._window.controller.picture
        self._window.view.set_picture(picture)
        if picture is not None and picture.view.side == "A":
            self._window.panel.show_ran(picture.view.result)
        self.choose_page()

    def choose_page(self) -> None:
        """Show the picture where there is one that belongs to the source, else say what is missing."""
        window = self._window
        page = window.view if window.controller.picture is not None else window.empty
        if window.stack.currentWidget() is not page:
            window.stack.setCurrentWidget(page)
            self.room_changed()
            window.toast.raise_()

    def show_status(self) -> None:
        """Show what the engine is doing."""
        self._window.status_words.show()
        self.show_figures()
        self.choose_page()
        self.show_playback()

    def show_figures(self) -> None:
        """Show the figures on the picture, at the size that is chosen."""
        window = self._window
        controller = window.controller
        running = controller.state == "running"
        trial = controller.trials.backend
        remark = tr("trying {trial}…").format(trial=trial) if trial else ""
        text = card_text(controller.figures, controller.history.latencies_ms, running, remark)
        known = bool(controller.figures.tasks) and controller.is_active
        size = controller.settings.figures if known else "off"
        ratio = window.view.devicePixelRatioF()
        self._cards = {size: draw_card(text, size, ratio)}
        self._draw_card = lambda size: draw_card(text, size, ratio)
        self.fit_figures()
        window.view.figures.tell(agreement_words(controller.figures))
        window.status_words.show_facts()

    def fit_figures(self) -> None:
        """Show as much of the figures as there is room for."""
        size, card = next(iter(self._cards.items()))
        if card is not None and size == "full" and not self._window.view.has_room_for(card):
            size, card = "compact", self._card("compact")
        if card is not None and size == "compact" and not self._window.view.has_room_beside_buttons(card):
            card = self._card("least")
        self._window.view.figures.show_card(card)

    def _card(self, size: str) -> QImage | None:
        if size not in self._cards:
            self._cards[size] = self._draw_card(size)
        return self._cards[size]

    def show_playback(self) -> None:
        """Show where a file is."""
        window = self._window
        playback = window.controller.playback
        for name in playback.handlers():
            window.actions_by_id[name].setEnabled(playback.is_offered or name == "loop")
        if playback.is_offered:
            window.transport.show_playing(window.controller.state not in ("paused", "ended"))
            window.transport.show_playback(playback.now, playback.why_not_seekable)
        window.transport.setVisible(playback.is_offered and not window.isFullScreen())

    def show_history(self) -> None:
        """Show the last minute in the strip."""
        if self._window.strip.isVisible():
            controller = self._window.controller
            self._window.strip.show_samples(controller.history.samples, time.monotonic(), controller.figures.dropped)

    def show_settings(self) -> None:
        """Show the settings, without announcing them as wishes of the user."""
        window = self._window
        controller = window.controller
        settings = controller.settings
        window.theme.choose(settings.theme)
        window.language.choose(settings.language)
        window.top_bar.source.show_source(settings.source, settings.recent, controller.cameras)
        camera = next((item for item in controller.cameras or () if item.source == settings.source), None)
        window.top_bar.show_modes(camera.modes if camera is not None else (), settings.camera_mode)
        window.top_bar.show_pipelines(settings.pipeline, controller.backends)
        window.top_bar.show_comparison(settings.compare, settings.pipeline_b, controller.backends)
        window.panel.show_settings(settings)
        window.panel.show_backends(controller.backends)
        actions = window.actions_by_id
        for name in ("mirror", "loop", "panel", "strip", "figures_on_screenshot", "record_plain"):
            actions[name].setChecked(getattr(settings, name))
        actions[f"theme_{settings.theme}"].setChecked(True)
        actions[f"language_{settings.language}"].setChecked(True)
        actions[f"corner_{settings.figures_corner}"].setChecked(True)
        window.view.figures.set_corner(settings.figures_corner)
        window.view.set_style(style_of(settings))
        window.badge.set_beside(window.view.buttons_width if settings.figures_corner == "top_right" else 0)
        window.toast.place()
        for name in window.commands.relief.handlers():
            actions[name].setEnabled(has_relief(settings))
        window.commands.undo.show(actions["undo"], actions["redo"])
        window.commands.view_commands.tell()
        self.show_parts()
        self.show_figures()

    def show_parts(self) -> None:
        """Full screen belongs to the picture; otherwise what is unfolded is seen."""
        window = self._window
        full = window.isFullScreen()
        settings = window.controller.settings
        layouts = [layout for layout in (window.layout(), window.central_layout) if layout is not None]
        # Once for all of them, when the event loop comes to it: the picture would get another size with each.
        for layout in layouts:
            layout.setEnabled(False)
        window.strip.setVisible(settings.strip and not full)
        window.menuBar().setVisible(not full)
        window.top_bar.setVisible(not full)
        window.panel.setVisible(settings.panel and not full)
        self.show_playback()
        for layout in layouts:
            layout.setEnabled(True)
        window.actions_by_id["full"].setChecked(full)
        window.on_picture["full"].setIcon(icon("unfull" if full else "full", "#f2f4f6", "#69727d"))

    def show_trials(self) -> None:
        """Say which backend is being tried."""
        self._window.panel.show_trial(self._window.controller.trials.backend)
        self.show_figures()

    def show_notices(self) -> None:
        """Show the newest message."""
        self._window.message_bar.show_notices(self._window.controller.notifications.notices)

    def apply_theme(self) -> None:
        """Give the commands their icons in the colours of the scheme."""
        for command in COMMANDS:
            if command.icon:
                is_stop = command.id == "toggle" and self._window.controller.is_active
                self._window.actions_by_id[command.id].setIcon(
                    self._window.theme.icon("stop" if is_stop else command.icon)
                )

    def say_anew(self) -> Stepwise:
        """Say anew what is put together of several words; what stands alone has been translated."""
        window = self._window
        name_actions(window.actions_by_id)
        name_menus(window.menuBar())
        for name, button in window.on_picture.items():
            button.setToolTip(window.actions_by_id[name].toolTip())
            button.setAccessibleName(window.actions_by_id[name].text())
        yield
        # Who makes icons anew says everything anew.
        window.theme.changed.emit()
        yield
        window.panel.forget_backends()
        window.recording.refresh()
        window.controller.restyle()
        yield
        self.show_settings()
        yield
        self.show_status()
        yield
        window.controller.notifications.say_anew()
        yield

    def room_changed(self) -> None:
        """Have the picture made for the room that it has now, and put what lies on it into its place."""
        self._window.controller.set_room(self._window.view.room_wh)
        # Nothing else says so while the picture stands still.
        self.fit_figures()
        self._window.toast.place()
