"""How the main window opens the pages, what they ask of it, and what it does about them at the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from app.i18n import tr
from app.qt_modules import load_in_background
from app.steps import Steps, Stepwise
from app.workers import BackgroundJobs
from pipelines.atomic import write_file

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.pages.window import PagesWindow
    from app.pages.work import StartLink

MODULE: Final = "app.pages.window"


class Pages(QObject):
    """Owns the window with the pages, which is made when it is first wanted, in steps, and shown when it is complete.

    Parameters
    ----------
    window : MainWindow
        The main window.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._main = window
        self._jobs = BackgroundJobs(self)
        self._wanted = ""
        self._resumes = False
        self._unfinished: PagesWindow | None = None
        self._steps: Steps | None = None
        self.window: PagesWindow | None = None
        self.start: StartLink | None = None
        """Starts the children; None for real ones."""

    def open(self, name: str) -> None:
        """Show a page, soon."""
        first = not self._wanted
        self._wanted = name
        if self.window is not None:
            self.window.show_page(name)
        elif first:
            load_in_background(self._jobs, "pages", [MODULE], self._make)

    def end(self) -> None:
        """Close the window for good."""
        self._resumes = False
        if self._steps is not None:
            self._steps.stop()
        if self._unfinished is not None:
            self._unfinished.deleteLater()
            self._unfinished = None
        window, self.window = self.window, None
        if window is not None:
            window.end()
            window.deleteLater()
        self._jobs.close(0.3)

    def _make(self) -> None:
        self._steps = Steps(self._making(), self)

    def _making(self) -> Stepwise:
        from app.pages.window import PagesWindow
        from app.pages.work import start_child

        self._unfinished = window = PagesWindow(self._main.theme, self.start or start_child, furnished=False)
        yield
        yield from window.furnish()
        self.window, self._unfinished = window, None
        window.bench.began.connect(self._hold)
        window.bench.ended.connect(self._go_on)
        window.write_wanted.connect(self._write)
        yield True
        window.show_page(self._wanted)

    def _hold(self) -> None:
        controller = self._main.controller
        if self.window is None:
            return
        self.window.bench.set_models(dict(controller.settings.models))
        self._resumes = self.window.bench.hold.isChecked() and controller.is_active
        if self._resumes:
            controller.stop()

    def _go_on(self) -> None:
        controller = self._main.controller
        if self._resumes and not controller.is_active:
            controller.start()
        self._resumes = False

    def _write(self, path: str, data: bytes) -> None:
        def done(_: object) -> None:
            if self.window is not None:
                self.window.said.setText(tr("{name} saved").format(name=Path(path).name))

        failed = lambda error: self._main.controller.notifications.post_error("page", error)  # noqa: E731
        # The dialog has asked whether an existing file may be replaced.
        self._jobs.run("page", lambda: write_file(Path(path), data, overwrite=True), done, failed, needed=True)
