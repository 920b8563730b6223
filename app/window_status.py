"""What the window says about the source: in its title, in the bar above the picture, on it, and in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.i18n import tr
from app.sources import facts, facts_in_full, is_camera, mode_options, source_icon, source_label
from app.words import APP_NAME, DASH, pipeline_word
from pipelines.sources.paths import is_address

if TYPE_CHECKING:
    from app.main_window import MainWindow

FRAMES_TO_TELL: Final = 45
"""After so many frames the rate of a source counts as measured."""


class WindowStatus:
    """Says it.

    Parameters
    ----------
    window : MainWindow
        Where it is said.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def show(self) -> None:
        """Say what is played, and whether it plays."""
        window = self._window
        controller = window.controller
        state, active = controller.state, controller.is_active
        actions = window.actions_by_id
        actions["toggle"].setText(tr("Stop") if active else tr("Start"))
        actions["toggle"].setIcon(window.theme.icon("stop" if active else "play"))
        can_toggle = active or bool(controller.settings.source) or bool(controller.cameras)
        actions["toggle"].setEnabled(can_toggle)
        window.top_bar.start.setEnabled(can_toggle)
        is_file = controller.playback.is_offered
        actions["pause"].setEnabled(state in ("running", "paused") or (is_file and state == "ended"))
        actions["pause"].setChecked(state == "paused")
        window.top_bar.show_running(active)
        name = self._source_name()
        window.setWindowTitle(f"{name} {DASH} {APP_NAME}" if controller.settings.source else APP_NAME)
        status = controller.status
        loading = status is not None and (status.loading or status.starting)
        window.view.set_pill(
            {
                "opening": tr("Opening {name}…").format(name=name),
                # Under a file there is a bar that says so, and single frames are to be seen whole.
                "paused": "" if is_file else tr("Paused. Press P to go on."),
                "idle": tr("Stopped. Press Space to start."),
                "failed": tr("Stopped. Press Space to try again."),
            }.get(state, self._loading_words() if loading else "")
        )
        self._say_in_empty_state(state, name)

    def show_facts(self) -> None:
        """Say what the source gives."""
        controller = self._window.controller
        info = controller.status.source_info if controller.status is not None and controller.is_active else None
        asked = mode_options(controller.settings.camera_mode)
        figures = controller.figures
        measured_fps = figures.source_fps if figures.frames >= FRAMES_TO_TELL else 0.0
        self._window.top_bar.show_facts(facts(info, asked, measured_fps), facts_in_full(info, asked, measured_fps))

    def _loading_words(self) -> str:
        b = self._window.controller.settings.pipeline_b
        words = tr("Loading B, {pipeline}…") if self._window.controller.is_building_b else tr("Loading the models…")
        return words.format(pipeline=pipeline_word(b))

    def _say_in_empty_state(self, state: str, name: str) -> None:
        controller, empty = self._window.controller, self._window.empty
        source, cameras = controller.settings.source, controller.cameras
        if state == "failed":
            if is_camera(source) and cameras == ():
                empty.no_camera()
            else:
                empty.failed(name)
        elif controller.is_active:
            empty.opening(name, source_icon(source), live=is_camera(source) or is_address(source))
        elif source or cameras:
            empty.ready(name if source else cameras[0].name if cameras else "")
        elif cameras is None:
            empty.looking_for_cameras()
        else:
            empty.no_camera()

    def _source_name(self) -> str:
        controller = self._window.controller
        source = controller.settings.source
        named = (camera.name for camera in controller.cameras or () if camera.source == source)
        return next(named, source_label(source))
