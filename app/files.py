"""What the window writes for the user, copies, and shows in the system's file manager: in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.clipboard import put_picture
from app.figures_place import FileCard
from app.i18n import noop, tr
from app.notifications import NO_PICTURE, Notice, Severity
from app.qimage import owned, wrap_bgr
from app.reveal import reveal
from app.screenshots import Saved, Shot, save, shown_bgr
from app.sources import source_label
from app.split import MIDDLE
from app.workers import BackgroundJobs
from pipelines.atomic import write_file

if TYPE_CHECKING:
    from app.controller import Controller
    from pipelines.engine import View


class FileControl(QObject):
    """Writes files and tells of those that cannot be written.

    Parameters
    ----------
    controller : Controller
        Has the picture, the settings and the notices.
    jobs : BackgroundJobs
        Where it is done.
    """

    screenshot_saved = Signal(object)
    """Carries a `Saved`."""
    folder_wanted = Signal()
    """Screenshots need another folder."""

    def __init__(self, controller: Controller, jobs: BackgroundJobs) -> None:
        super().__init__(controller)
        self._controller = controller
        self._jobs = jobs

    def screenshot(
        self,
        all_layers: bool = False,
        card: FileCard | None = None,
        figures: str = "",
        divider: float = MIDDLE,
        on_saved: Callable[[Saved | None], None] | None = None,
    ) -> None:
        """Save what the engine shows; a split comparison as it is divided.

        With `on_saved` it is called instead of the signal, with None if nothing was saved.
        """
        picture, settings = self._controller.picture, self._controller.settings
        view = picture.view if picture is not None else None
        if view is None:
            self._controller.notifications.post(
                lambda: Notice(NO_PICTURE, tr("There is no picture to save yet."), Severity.INFO)
            )
            if on_saved is not None:
                on_saved(None)
            return
        name = view.result.frame.source or source_label(settings.source)
        shot = Shot(view, settings.screenshot_folder(), name, card, figures, all_layers, divider)

        def not_saved(error: Exception) -> None:
            self._on_not_saved(error)
            if on_saved is not None:
                on_saved(None)

        self._jobs.run("screenshot", lambda: save(shot), on_saved or self._on_saved, not_saved, needed=True)

    def _on_saved(self, saved: Saved) -> None:
        self._controller.notifications.dismiss("screenshot")
        self.screenshot_saved.emit(saved)

    def _on_not_saved(self, error: Exception) -> None:
        post_error = self._controller.notifications.post_error
        post_error("screenshot", error, noop("Choose a folder…"), self.folder_wanted.emit)

    def copy(self, view: View, divider: float, done: Callable[[], None]) -> None:
        """Put a view on the clipboard as a screenshot would show it, without figures, then call `done`.

        It is encoded here. Qt would do so in the window's thread whenever somebody asks for it, 0.2 s at 720p and more
        than a second at 2160p; a manager of the clipboard asks at once.
        """

        def make() -> tuple[QImage, bytes]:
            image_bgr = shown_bgr(view, divider)
            # Not at the start of the program, which can do without it.
            from pipelines.export import encode_picture

            return owned(wrap_bgr(image_bgr)), encode_picture(image_bgr, ".png")

        def put(made: tuple[QImage, bytes]) -> None:
            put_picture(*made)
            done()

        failed = lambda error: self._controller.notifications.post_error("copy", error)  # noqa: E731
        self._jobs.run("copy", make, put, failed)

    def write(self, path: Path, make: Callable[[], bytes], done: Callable[[], None]) -> None:
        """Write what `make` returns, over a file of that name, then call `done`."""
        failed = lambda error: self._controller.notifications.post_error("file", error)  # noqa: E731
        write = lambda: write_file(path, make(), overwrite=True)  # noqa: E731
        self._jobs.run("file", write, lambda _: done(), failed, needed=True)

    def reveal(self, path: Path) -> None:
        """Show a file in the system's file manager."""
        failed = lambda error: self._controller.notifications.post_error("folder", error)  # noqa: E731
        self._jobs.run("folder", lambda: reveal(path), failed=failed)
