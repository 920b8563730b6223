"""Recording as the window speaks of it: begin, end, what it looks like, and what is told about it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.figures_place import FileCard
from app.i18n import noop, tr
from app.notifications import Notice, Notifications, Severity, sentence_of
from app.screenshots import Saved, shown_bgr, thumbnail_of
from app.split import MIDDLE
from app.workers import BackgroundJobs, UpdateGate

if TYPE_CHECKING:
    from pipelines.engine import View
    from pipelines.recording.recorder import RecordingState

FINISH_S: Final = 0.4
"""How long what waits for the encoder may take when the window closes; the rest is left out."""


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """How a view is recorded.

    Parameters
    ----------
    plain : bool
        The frame as the source gave it, without drawings.
    divider : float
        Where B's half begins in a split comparison, as a share of the width.
    card : FileCard or None
        Figures to be painted on it.
    """

    plain: bool = False
    divider: float = MIDDLE
    card: FileCard | None = None


def drawn(view: View, look: Look) -> NDArray[np.uint8]:
    """Return the picture of a view that is recorded: the same as on a screenshot, or the plain frame."""
    return view.plain_bgr if look.plain else shown_bgr(view, look.divider, look.card)


class Take:
    """One recording: its thread, and the small picture for the message at its end."""

    def __init__(
        self,
        folder: Path,
        look: Callable[[], Look],
        notes: Callable[[View], Mapping[str, str]],
        on_change: Callable[[], None],
    ) -> None:
        from pipelines.recording.recorder import Recorder

        self.thumbnail: QImage | None = None
        self._look = look
        self.recorder = Recorder(folder, self._draw, notes, on_change)
        self.recorder.start()

    @property
    def state(self) -> RecordingState:
        """How it stands."""
        return self.recorder.state()

    def _draw(self, view: View) -> NDArray[np.uint8]:
        image = drawn(view, self._look())
        if self.thumbnail is None:
            self.thumbnail = thumbnail_of(image)
        return image


class RecordingControl(QObject):
    """Begins and ends recordings, one at a time.

    Parameters
    ----------
    folder : callable
        Where recordings go.
    notes : callable
        Metadata for a recording that begins. Called in its thread.
    notifications : Notifications
        Where errors go.
    jobs : BackgroundJobs
        For what must not make the window wait.
    """

    starting = Signal()
    """A recording is about to begin: its look is to be set."""
    changed = Signal()
    """It began or is over."""
    saved = Signal(object, object)
    """Carries a `Saved` and the `RecordingState`."""
    folder_wanted = Signal()
    """Recordings need another folder."""

    def __init__(
        self,
        folder: Callable[[], Path],
        notes: Callable[[View], Mapping[str, str]],
        notifications: Notifications,
        jobs: BackgroundJobs,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        self._notes = notes
        self._notifications = notifications
        self._jobs = jobs
        self._look = Look()
        self._take: Take | None = None
        self._ending: list[Take] = []
        self._gate = UpdateGate(self)
        self._gate.opened.connect(self.look)

    # -- from the engine's threads

    def see(self, view: View | None) -> None:
        """Record a view if there is a recording. Returns at once."""
        take = self._take
        if take is not None and view is not None:
            take.recorder.offer(view)

    # -- from the window

    @property
    def is_on(self) -> bool:
        """Whether something is being recorded."""
        return self._take is not None

    @property
    def state(self) -> RecordingState | None:
        """How the recording stands."""
        return self._take.state if self._take is not None else None

    def set_look(self, **changes: object) -> None:
        """Change how views are recorded from now on (fields of `Look`)."""
        self._look = replace(self._look, **changes)  # type: ignore[arg-type]

    def draw(self, view: View) -> NDArray[np.uint8]:
        """Return the picture of a view as it would be recorded now. From any thread."""
        return drawn(view, self._look)

    def start(self, view: View | None) -> None:
        """Begin with the view that is shown."""
        if self._take is not None:
            return
        self._notifications.dismiss("recording")
        self.starting.emit()
        self._take = Take(self._folder(), lambda: self._look, self._notes, self._gate.knock)
        self.see(view)
        self.changed.emit()

    def stop(self) -> None:
        """End the recording; the file is finished in the background."""
        take, self._take = self._take, None
        if take is not None:
            take.recorder.finish()
            self._ending.append(take)
            self.changed.emit()

    def look(self) -> None:
        """See whether recordings are over, and tell."""
        if self._take is not None and self._take.state.is_over:
            self._ending.append(self._take)
            self._take = None
        over = [take for take in self._ending if take.state.is_over]
        self._ending = [take for take in self._ending if take not in over]
        self.changed.emit()
        for take in over:
            self._tell(take.state, take.thumbnail)

    def recover(self) -> None:
        """Look in the background for recordings that a crash has left."""
        folder = self._folder()

        def work() -> tuple[Path, ...]:
            # This module alone: PyAV, which the others need, is being imported by the engine at the same time, and does
            # not bear to be imported by two threads at once.
            from pipelines.recording.recovery import recover

            return recover(folder)

        self._jobs.run("recovery", work, self._tell_recovered)

    def close(self) -> None:
        """Finish everything soon; `join` waits for it."""
        self._gate.close()
        if self._take is not None:
            self._ending.append(self._take)
            self._take = None
        for take in self._ending:
            take.recorder.finish(FINISH_S)

    def join(self, timeout_s: float) -> bool:
        """Wait for files that are being finished. Return whether all are.

        One that is not is found at the next start (`recover`).
        """
        deadline = time.monotonic() + timeout_s
        ended = [take.recorder.join(max(0.0, deadline - time.monotonic())) for take in self._ending]
        return all(ended)

    # -- words

    def _tell(self, state: RecordingState, thumbnail: QImage | None) -> None:
        from pipelines.recording.recorder import RecordingPhase

        if state.phase is RecordingPhase.FAILED:
            self._notifications.post(
                lambda: Notice(
                    "recording",
                    sentence_of(state.message),
                    Severity.ERROR,
                    tr("Choose a folder…"),
                    self.folder_wanted.emit,
                )
            )
        elif state.phase is RecordingPhase.EMPTY:
            text = noop("Nothing was recorded: no picture came while it lasted.")
            self._notifications.post(lambda: Notice("recording", tr(text), Severity.INFO))
        elif state.path is not None:
            if state.message:
                self._notifications.post(lambda: Notice("recording", sentence_of(state.message), Severity.WARNING))
            self.saved.emit(Saved(state.path, (), thumbnail or QImage()), state)

    def _tell_recovered(self, paths: tuple[Path, ...]) -> None:
        if paths:
            text = noop("What was recorded until the program broke off is saved as {names}.")
            names = ", ".join(path.name for path in paths)
            self._notifications.post(lambda: Notice("recovery", tr(text).format(names=names), Severity.INFO))
