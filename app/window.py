"""Opens the window: `twinlens` without a command."""

from __future__ import annotations

import argparse
import ctypes.util
import gc
import logging
import os
import signal
import sys
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from app.cli.base import chosen_models
from app.cli.loading import leaving_at_once
from models.errors import VisionError

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.controller import Controller
    from app.head_start import HeadStart
    from app.main_window import MainWindow
    from app.notifications import Notifications

log = logging.getLogger(__name__)

SWITCH_S: Final = 0.0005
"""For how long a thread may keep the interpreter while another one waits for it. With Python's 5 ms, a handler of the
window that needs the interpreter ten times stops for 50 ms while models are loaded."""


class DisplayError(VisionError):
    """There is no screen to open a window on."""


def check_display() -> None:
    """Make sure that Qt will find a screen: without one it ends the process instead of raising.

    Raises
    ------
    DisplayError
        If there is no display, it does not answer, or a library that Qt needs for it is missing.
    """
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return
    if os.environ.get("WAYLAND_DISPLAY"):
        return
    name = os.environ.get("DISPLAY")
    hint = "`twinlens demo` and `twinlens process` work without one"
    if not name:
        raise DisplayError(
            f"there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); {hint}"
        )
    if ctypes.util.find_library("xcb-cursor") is None:
        raise DisplayError("Qt needs the library libxcb-cursor0: apt-get install libxcb-cursor0")
    library = ctypes.util.find_library("xcb")
    if library is None:
        return
    xcb = ctypes.CDLL(library)
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(name.encode(), None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if refused:
        raise DisplayError(f"the display {name} does not answer; {hint}")


def run_window(args: argparse.Namespace) -> int:
    """Open the window and return the exit status when it is closed.

    Parameters
    ----------
    args : Namespace
        `source`, `tasks`, `pipeline`, `max_faces`, `compare`; None for what the settings remember.

    Raises
    ------
    DisplayError
        If there is no screen.
    """
    check_display()
    sys.setswitchinterval(SWITCH_S)
    # While modules are imported hardly anything becomes garbage, and looking for it takes a tenth of a second.
    gc.disable()
    try:
        # Qt's own modules abort the process when Ctrl+C raises in the middle of them.
        with leaving_at_once():
            program = _made(args)
        return _run(program, args.source or "")
    finally:
        gc.unfreeze()
        gc.enable()


@dataclass(frozen=True, eq=False, slots=True)
class _Program:
    """The window before it is shown, and what belongs to it."""

    application: QApplication
    window: MainWindow
    controller: Controller
    notifications: Notifications
    head_start: HeadStart | None
    complaint: str


def _made(args: argparse.Namespace) -> _Program:
    """Import what the window needs and make it."""
    from app.settings import default_path, load, save

    path = default_path()
    settings, complaint = load(path)
    wishes = {name: getattr(args, name) for name in ("tasks", "pipeline", "max_faces")}
    settings = replace(settings, **{name: value for name, value in wishes.items() if value is not None})
    settings = replace(settings, models={**settings.models, **chosen_models(args.model)})
    if args.compare is not None:
        pipeline, pipeline_b = args.compare
        settings = replace(settings, compare="split", pipeline=pipeline, pipeline_b=pipeline_b)
    head_start = None
    if args.source or settings.source:
        from app.head_start import HeadStart
        from app.pipeline_change import config_from

        head_start = HeadStart(config_from(settings))
    # Imported here: `twinlens process` must neither need Qt nor wait for it.
    from PySide6.QtWidgets import QApplication

    from app.controller import Controller
    from app.engine import live_engine
    from app.inventory import RealInventory
    from app.main_window import MainWindow
    from app.notifications import Notifications
    from app.theme import Theme
    from app.words import APP_NAME

    application = QApplication([APP_NAME])
    application.setApplicationName(APP_NAME)
    application.setDesktopFileName("twinlens")
    theme = Theme(application)
    notifications = Notifications()
    settled = threading.Event() if head_start is not None else None
    controller = Controller(
        settings,
        notifications,
        RealInventory(settled),
        lambda value: save(value, path),
        live_engine if head_start is None else head_start.engine,
    )
    if settled is not None:
        controller.picture_changed.connect(lambda: settled.set())  # noqa: PLW0108 - Qt cannot tell what it takes
    return _Program(application, MainWindow(controller, theme), controller, notifications, head_start, complaint)


def _ending_signals() -> list[signal.Signals]:
    """Return the signals that end the window in good order, the recording complete and the settings kept: Ctrl+C, the
    end of the session, and that of the terminal unless the program shall outlive it (nohup)."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    return numbers


def _run(program: _Program, source: str) -> int:
    """Show the window until it is closed, and return the exit status."""
    from PySide6.QtCore import QTimer

    from app.notifications import ErrorHooks, Notice, Severity, sentence_of

    window, controller = program.window, program.controller
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        # Not at once: the signal may have come in the middle of painting.
        QTimer.singleShot(0, window, window.close_now)

    # What is there now stays until the end: nobody has to look through it again.
    gc.freeze()
    gc.enable()
    with ErrorHooks(program.notifications, interrupt):
        # Python runs its handlers between two of its own instructions; the controller's clock sees to it that there
        # are some.
        for number in _ending_signals():
            signal.signal(number, lambda *_: interrupt())
        window.fit_into(program.application.primaryScreen().availableSize())
        window.show()
        if program.complaint:
            program.notifications.post(lambda: Notice("settings", sentence_of(program.complaint), Severity.WARNING))
        QTimer.singleShot(0, window, lambda: controller.begin(source))
        status = program.application.exec()
    if program.head_start is not None:
        program.head_start.close()
    from pipelines.background import is_loading

    if not controller.close() or is_loading():
        # A thread is stuck in a driver, or loads models that nobody waits for any more, which may take minutes. Taking
        # the libraries down under it would crash; everything is saved.
        log.info("leaving with a thread that did not end")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(130 if interrupted else status)
    return 130 if interrupted else status
