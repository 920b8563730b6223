"""What the commands for recording do, and what the window shows of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton

from app.card_text import card_text
from app.controller import Controller
from app.figures_place import file_card
from app.i18n import noop, tr
from app.icons import icon
from app.notifications import NO_PICTURE, Notice, Severity, sentence_of
from app.screenshots import Saved
from app.style import style_of
from app.widgets.recording_badge import RecordingBadge, short_clock
from app.widgets.toast import Toast

if TYPE_CHECKING:
    from pipelines.engine import View
    from pipelines.recording.recorder import RecordingState

SHOWN_EVERY_MS: Final = 250
RECORDABLE: Final = ("running", "paused")
"""States of the engine in which there is something to record."""
GOING_ON: Final = ("opening", *RECORDABLE)
"""States in which a recording goes on: a source is being opened in the place of another, or again."""


class RecordingCommands:
    """The handlers of the commands, by their ids.

    Parameters
    ----------
    controller : Controller
        Who does the work.
    """

    def __init__(self, controller: Controller) -> None:
        self._controller = controller

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what each command does, by its id."""
        controller = self._controller
        return {
            "record": self.toggle,
            "virtual_camera": self.toggle_virtual_camera,
            "record_plain": lambda: controller.change(record_plain=not controller.settings.record_plain),
        }

    def toggle(self) -> None:
        """Begin a recording, or end it."""
        controller = self._controller
        if controller.recording.is_on:
            controller.recording.stop()
        elif controller.state in RECORDABLE:
            controller.recording.start(self._view)
        else:
            text = noop("There is nothing to record yet: start a source first.")
            controller.notifications.post(lambda: Notice(NO_PICTURE, tr(text), Severity.INFO))

    def toggle_virtual_camera(self) -> None:
        """Give the picture to other programs, or end that."""
        controller = self._controller
        controller.recording.starting.emit()
        controller.virtual_camera.toggle(self._view)

    @property
    def _view(self) -> View | None:
        """What is shown, unless that is a frame on which nothing was looked for yet: the first results come soon."""
        picture = self._controller.picture
        return picture.view if picture is not None and not picture.view.is_preview else None


class RecordingView:
    """Keeps the dot, the button and the menu as recording and virtual camera are, and tells both how to draw.

    Parameters
    ----------
    controller : Controller
        Has the recording.
    action : QAction
        The command that begins and ends it.
    camera_action : QAction
        The one for the virtual camera.
    button : QToolButton
        The one on the picture.
    badge : RecordingBadge
        The dot.
    toast : Toast
        Where it is told what was saved.
    divider : callable
        Where the divider of a split comparison is.
    """

    def __init__(
        self,
        controller: Controller,
        action: QAction,
        camera_action: QAction,
        button: QToolButton,
        badge: RecordingBadge,
        toast: Toast,
        divider: Callable[[], float],
    ) -> None:
        self._controller = controller
        self._action = action
        self._camera_action = camera_action
        self._button = button
        self._badge = badge
        self._toast = toast
        self._divider = divider
        self._was_on: bool | None = None
        self._timer = QTimer(badge)
        self._timer.setInterval(SHOWN_EVERY_MS)
        self._timer.timeout.connect(self.show)
        recording = controller.recording
        recording.starting.connect(self._dress)
        recording.changed.connect(self.show)
        recording.saved.connect(self._show_saved)
        controller.status_changed.connect(self._follow_source)
        controller.virtual_camera.changed.connect(self._show_camera)
        self.show()
        self._show_camera()

    def show(self) -> None:
        """Show how the recording stands, and let it look as the picture does."""
        recording = self._controller.recording
        if recording.is_on or self._controller.virtual_camera.is_on:
            self._dress()
        self._badge.show_state(recording.state)
        if recording.is_on is self._was_on:
            return
        self._was_on = recording.is_on
        words = tr("Stop recording") if recording.is_on else tr("Record")
        self._action.setText(words)
        self._button.setAccessibleName(words)
        self._button.setToolTip(f"{words} (R)")
        color = "#ff5a4f" if recording.is_on else "#f2f4f6"
        self._button.setIcon(icon("record-stop" if recording.is_on else "record", color, "#69727d"))
        self._keep_looking()

    def refresh(self) -> None:
        """Say everything anew: the language is another one."""
        self._was_on = None
        self.show()
        self._show_camera()

    def close(self) -> None:
        """Show nothing any more."""
        self._timer.stop()

    def _dress(self) -> None:
        """Give the recorder what a screenshot would have now."""
        controller = self._controller
        settings, picture = controller.settings, controller.picture
        card = None
        if settings.figures_on_screenshot and not settings.record_plain and picture is not None:
            height, width = picture.view.plain_bgr.shape[:2]
            text = card_text(controller.figures, controller.history.latencies_ms, controller.state == "running")
            card = file_card(text, (width, height), settings.figures_corner, style_of(settings))
        controller.recording.set_look(plain=settings.record_plain, divider=self._divider(), card=card)

    def _keep_looking(self) -> None:
        """Look again and again while something is drawn."""
        if self._controller.recording.is_on or self._controller.virtual_camera.is_on:
            self._timer.start()
        else:
            self._timer.stop()

    def _show_camera(self) -> None:
        camera, action = self._controller.virtual_camera, self._camera_action
        words, reason = tr("Virtual camera"), tr(camera.why_not) if camera.why_not else ""
        # A menu shows no tooltips: the reason stands in the entry itself, but for what to do about it.
        action.setText(f"{words} ({reason.partition(':')[0]})" if reason else words)
        action.setToolTip(sentence_of(reason) if reason else words)
        action.setEnabled(not reason or camera.is_on)
        action.setChecked(camera.is_on)
        self._keep_looking()

    def _follow_source(self) -> None:
        """A recording ends with what it records; another source goes on in the same file."""
        if self._controller.state not in GOING_ON:
            self._controller.recording.stop()

    def _show_saved(self, saved: Saved, state: RecordingState) -> None:
        title = tr("Recording of {time} saved").format(time=short_clock(state.duration_s))
        if state.dropped:
            title += ", " + tr("{count} left out").format(count=state.dropped)
        self._toast.show_saved(saved, title)
