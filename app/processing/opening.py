"""How the main window opens the window "Process files", and what it does about it when the program ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from app.processing.options import ProcessOptions, from_record, to_record
from app.settings import Settings
from pipelines.errors import ConfigError

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.processing.link import LinkFactory
    from app.processing.window import ProcessWindow

REMEMBERED: Final = ("folder", "video", "format", "crf", "sound", "results", "layers", "replace")
"""Options that the settings keep. Tasks, models and effect are at first those of the live picture."""


class FileProcessing:
    """Owns the window "Process files", which is made when it is first wanted.

    Parameters
    ----------
    window : MainWindow
        The main window.
    """

    def __init__(self, window: MainWindow) -> None:
        self._main = window
        self._window: ProcessWindow | None = None
        self.make_link: LinkFactory | None = None
        """Starts the children; None for real ones."""

    @property
    def window(self) -> ProcessWindow | None:
        """The window, None before it was wanted."""
        return self._window

    def open(self) -> None:
        """Show the window."""
        if self._window is None:
            self._window = self._make()
        self._window.come_forward()

    def may_end(self, agreed: Callable[[], object]) -> bool:
        """Whether the program may end; if work is running, ask, and call `agreed` once it was given up."""
        window = self._window
        if window is None or not window.runner.is_running:
            return True

        def give_up() -> None:
            self.end()
            agreed()

        window.ask_to_stop(give_up)
        return False

    def end(self) -> None:
        """Close the window without asking; what is half written is removed."""
        if self._window is not None:
            self._window.end()
            self._window.deleteLater()
            self._window = None

    def _show_backends(self) -> None:
        if self._window is not None:
            self._window.show_backends(self._main.controller.backends)

    def _make(self) -> ProcessWindow:
        # Here and not above: the program shall start without what only this window needs.
        from app.processing.link import ChildLink
        from app.processing.runner import Runner
        from app.processing.window import ProcessWindow

        controller = self._main.controller
        runner = Runner(self.make_link or ChildLink)
        window = ProcessWindow(self._main.theme, runner, options_from(controller.settings), controller.reveal)
        window.show_backends(controller.backends)
        controller.backends_changed.connect(self._show_backends)
        window.panel.changed.connect(lambda: controller.change(processing=remembered(window.options)))
        window.said.connect(self._main.toast.show_text)
        return window


def options_from(settings: Settings) -> ProcessOptions:
    """Return what is wanted of files at first: what was chosen last time, and the tasks of the live picture."""
    try:
        options = from_record(settings.processing)
        if options.problem():
            options = ProcessOptions()
    except (ConfigError, KeyError):
        options = ProcessOptions()  # settings outlive versions
    person = "segmentation" in settings.tasks
    options = replace(
        options,
        tasks=settings.tasks,
        pipeline=settings.pipeline,
        models=dict(settings.models),
        max_faces=settings.max_faces,
        smooth=settings.smooth,
        style=dict(settings.style),
        effect=settings.effect if person else "none",
    )
    return replace(options, layers=options.possible_layers())


def remembered(options: ProcessOptions) -> dict[str, Any]:
    """Return what the settings keep of the options."""
    record = to_record(options)
    return {name: list(value) if isinstance(value := record[name], tuple) else value for name in REMEMBERED}
