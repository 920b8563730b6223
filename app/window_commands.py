"""What the commands of the window do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from app.burst_commands import BurstCommands
from app.card_text import card_text, one_line
from app.choices import REPLACE
from app.controller import Controller
from app.dropped import DroppedFiles
from app.figures_place import file_card
from app.file_dialogs import BACKGROUND, MEDIA, MEDIA_FOLDER, OUTPUT, ask_file, ask_files, ask_folder
from app.i18n import tr
from app.open_soon import open_soon
from app.pages.opening import Pages
from app.processing.opening import FileProcessing
from app.recording_commands import RecordingCommands
from app.relief import ReliefTurning
from app.screenshots import Saved
from app.settings import FIGURE_CORNERS, FIGURE_SIZES, LANGUAGES
from app.sources import DEMO, PICTURE_SUFFIXES, VIDEO_SUFFIXES, is_address
from app.strip_commands import StripCommands
from app.style import style_of
from app.undo import Undo
from app.view_commands import ViewCommands
from app.widgets.address_dialog import AddressDialog
from app.widgets.dialogs import PARTS, AboutDialog, ShortcutSheet
from app.words import TIMES

if TYPE_CHECKING:
    from app.main_window import MainWindow

PICTURES: Final = " ".join(f"*{suffix}" for suffix in PICTURE_SUFFIXES)
VIDEOS: Final = " ".join(f"*{suffix}" for suffix in VIDEO_SUFFIXES)


def _filters() -> list[str]:
    kinds = (
        (tr("Videos and pictures"), f"{VIDEOS} {PICTURES}"),
        (tr("Videos"), VIDEOS),
        (tr("Pictures"), PICTURES),
        (tr("All files"), "*"),
    )
    return [f"{word} ({patterns})" for word, patterns in kinds]


class WindowCommands:
    """The handlers of `app.commands.COMMANDS`.

    Parameters
    ----------
    window : MainWindow
        The window they act on.
    controller : Controller
        Who does the work.
    """

    def __init__(self, window: MainWindow, controller: Controller) -> None:
        self._window = window
        self._controller = controller
        self.burst = BurstCommands(window, lambda on_saved: self.screenshot(on_saved=on_saved), self._show)
        self.strip_commands = StripCommands(window, controller)
        self.view_commands = ViewCommands(window)
        self.relief = ReliefTurning(controller)
        self.undo = Undo(controller)
        self.processing = FileProcessing(window)
        self.dropped = DroppedFiles(controller, self.processing.open, window)
        self.pages = Pages(window)

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what each command does, by its id."""
        controller = self._controller
        pipelines = {name: lambda name=name: controller.choose_pipeline(name) for name in ("auto", "cpu", "gpu")}
        themes = {
            f"theme_{name}": lambda name=name: controller.change(theme=name) for name in ("system", "light", "dark")
        }
        corners = {
            f"corner_{name}": lambda name=name: controller.change(figures_corner=name) for name in FIGURE_CORNERS
        }
        languages = {f"language_{code}": lambda code=code: controller.change(language=code) for code in LANGUAGES}
        switches = {
            name: lambda name=name: controller.change(**{name: not getattr(controller.settings, name)})
            for name in ("mirror", "panel", "strip", "figures_on_screenshot")
        }
        return {
            "open_file": self.open_file,
            "open_folder": self.open_folder,
            "open_address": self.open_address,
            "open_demo": lambda: controller.open(DEMO),
            "process": self.processing.open,
            "benchmark": lambda: self.pages.open("benchmark"),
            "diagnostics": lambda: self.pages.open("diagnostics"),
            "screenshot": self.screenshot,
            "screenshot_all": lambda: self.screenshot(all_layers=True),
            "copy": self.copy,
            "screenshot_folder": self.choose_screenshot_folder,
            "quit": self.quit,
            "toggle": controller.toggle,
            "pause": controller.toggle_pause,
            "refresh": self.refresh,
            "compare": controller.comparison.next,
            "figures": self.next_figures,
            "full": self.full_screen,
            "shortcuts": self.show_shortcuts,
            "about": lambda: controller.find_versions(PARTS, self._show_about),
            **controller.playback.handlers(),
            **RecordingCommands(controller).handlers(),
            **self.burst.handlers(),
            **self.strip_commands.handlers(),
            **pipelines,
            **themes,
            **corners,
            **languages,
            **self.view_commands.handlers(),
            **self.relief.handlers(),
            **self.undo.handlers(),
            **switches,
        }

    # -- sources

    def open_file(self) -> None:
        """Ask for a video or picture; of several the first is played."""
        ask_files(self._window, tr("Open a video or picture"), MEDIA, _filters(), self.dropped.take)

    def open_folder(self) -> None:
        """Ask for a folder of pictures."""
        ask_folder(self._window, tr("Open a folder of pictures"), MEDIA_FOLDER, self._controller.open)

    def open_address(self) -> None:
        """Ask for the address of a network camera or stream; the one that is played is proposed."""
        settings = self._controller.settings
        recent = [item for item in settings.recent if is_address(item)]
        proposed = settings.source if is_address(settings.source) else ""
        dialog = AddressDialog(self._window.theme, recent, proposed, self._window)
        dialog.address_chosen.connect(self._controller.open)
        self._show(dialog)

    def refresh(self) -> None:
        """Look for cameras again, and say so."""
        self._window.empty.looking_for_cameras()
        self._controller.refresh_cameras()

    def choose_background(self) -> None:
        """Ask for a picture to be put behind the person."""
        take = lambda path: self._controller.change(effect=f"{REPLACE}{path}")  # noqa: E731
        dialog = ask_file(self._window, tr("Picture for the background"), BACKGROUND, _filters()[2:], take)
        # Whoever changes their mind finds the choice as it was.
        dialog.rejected.connect(self._controller.settings_changed)

    # -- pictures

    def screenshot(self, all_layers: bool = False, on_saved: Callable[[Saved | None], None] | None = None) -> None:
        """Save what is shown (see `Controller.screenshot`)."""
        picture = self._controller.picture
        controller = self._controller
        card, line = None, ""
        if picture is not None:
            text = card_text(controller.figures, controller.history.latencies_ms, controller.state == "running")
            line = one_line(text)
            settings = controller.settings
            if settings.figures_on_screenshot:
                height, width = picture.view.plain_bgr.shape[:2]
                card = file_card(text, (width, height), settings.figures_corner, style_of(settings))
        controller.files.screenshot(all_layers, card, line, self._window.view.divider, on_saved)

    def copy(self) -> None:
        """Put the annotated picture on the clipboard, at the size of the source."""
        picture = self._controller.picture
        if picture is None:
            self._window.toast.show_text(tr("There is no picture to copy yet"))
            return
        height, width = picture.view.plain_bgr.shape[:2]
        said = tr("Picture copied, {width} {times} {height}").format(width=width, times=TIMES, height=height)
        divider = self._window.view.divider
        self._controller.files.copy(picture.view, divider, lambda: self._window.toast.show_text(said))

    def choose_screenshot_folder(self) -> None:
        """Ask where screenshots shall go."""
        now = str(self._controller.settings.screenshot_folder())
        take = lambda path: self._controller.change(folder=str(Path(path)))  # noqa: E731
        ask_folder(self._window, tr("Folder for screenshots"), OUTPUT, take, now)

    # -- looks

    def next_figures(self) -> None:
        """Off, compact, full, off…"""
        now = FIGURE_SIZES.index(self._controller.settings.figures)
        self._controller.change(figures=FIGURE_SIZES[(now + 1) % len(FIGURE_SIZES)])

    def full_screen(self) -> None:
        """Into full screen, or out of it."""
        window = self._window
        if window.isFullScreen():
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowFullScreen)
        else:
            window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)

    def show_shortcuts(self) -> None:
        """Show all keys."""
        sheet = ShortcutSheet(self._window, furnished=False)
        open_soon(sheet, sheet.furnish())

    def _show_about(self, versions: dict[str, str | None]) -> None:
        self._show(AboutDialog(versions, self._window))

    def quit(self) -> None:
        """Close the window, and with it the program."""
        self._window.close()

    def _show(self, dialog: QDialog) -> None:
        """Show a dialog without waiting for it: frames go on, and no nested event loop runs."""
        open_soon(dialog)
