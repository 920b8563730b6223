"""How the main window opens the window "Process files", and what it does about it when the program ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from app.qt_modules import load_in_background
from app.steps import Steps, Stepwise
from app.workers import BackgroundJobs

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.processing.link import LinkFactory
    from app.processing.window import ProcessWindow

MODULES: Final = ("app.processing.window", "app.processing.remembering")
"""Bring in everything else. Not imported above: the program shall start without what only this window needs."""


class FileProcessing(QObject):
    """Owns the window "Process files", which is made when it is first wanted.

    So that nothing keeps the live picture waiting, modules are loaded in the background, and the window is made in
    steps. It is shown when it is complete.

    Parameters
    ----------
    window : MainWindow
        The main window.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._main = window
        self._window: ProcessWindow | None = None
        self._unfinished: ProcessWindow | None = None
        self._steps: Steps | None = None
        self._waiting: list[str] = []
        self._is_asked_for = False
        self._is_over = False
        self._jobs = BackgroundJobs(self)
        self.make_link: LinkFactory | None = None
        """Starts the children; None for real ones."""

    @property
    def window(self) -> ProcessWindow | None:
        """The window, None before it was wanted."""
        return self._window

    def open(self, paths: Sequence[str] = ()) -> None:
        """Show the window, soon, with files and folders added to its queue."""
        self._waiting += paths
        if self._window is not None:
            self._window.come_forward()
            if self._waiting:
                self._window.add(self._waiting)
                self._waiting = []
        elif not self._is_asked_for:
            self._is_asked_for = True
            load_in_background(self._jobs, "processing", MODULES, self._make)

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
        """Close the window for good, without asking; what is half written is removed."""
        self._is_over = True
        self._jobs.close(0)
        if self._steps is not None:
            self._steps.stop()
        if self._unfinished is not None:
            self._unfinished.deleteLater()
            self._unfinished = None
        window, self._window = self._window, None
        if window is not None:
            window.end()
            window.deleteLater()

    # -- making it

    def _make(self) -> None:
        if not self._is_over:
            self._steps = Steps(self._making(), self)

    def _making(self) -> Stepwise:
        from app.processing.link import ChildLink
        from app.processing.options_panel import OptionsPanel
        from app.processing.remembering import options_from, remembered
        from app.processing.runner import Runner
        from app.processing.window import ProcessWindow

        controller, theme = self._main.controller, self._main.theme
        panel = OptionsPanel(theme, options_from(controller.settings), furnished=False)
        runner = Runner(self.make_link or ChildLink)
        self._unfinished = window = ProcessWindow(theme, runner, panel, controller.files.reveal, furnished=False)
        yield
        yield from window.furnish()
        self._window, self._unfinished = window, None
        controller.backends_changed.connect(self._show_backends)
        panel.changed.connect(lambda: controller.change(processing=remembered(panel.options)))
        window.said.connect(self._main.toast.show_text)
        self._show_backends()
        yield True
        self.open()

    def _show_backends(self) -> None:
        if self._window is not None:
            self._window.show_backends(self._main.controller.backends)
