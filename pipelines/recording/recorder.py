"""The thread that records: takes views as they are shown, draws and encodes them, and never makes anybody wait."""

from __future__ import annotations

import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pipelines.atomic import reason_of
from pipelines.engine.state import View
from pipelines.errors import ExportError
from pipelines.export import new_path
from pipelines.machine import APP
from pipelines.recording.part import RecordingPart
from pipelines.recording.recovery import recover_one
from pipelines.recording.timeline import Timeline
from pipelines.recording.writer import RecordingWriter

SUFFIX: Final = ".mp4"
QUEUE_BYTES: Final = 192 << 20
"""Pictures that may wait for the encoder: two seconds at 720p, half a second at 2160p."""
LEAST_QUEUE, MOST_QUEUE = 3, 60
FREE_BYTES: Final = 64 << 20
"""Stopping before the disk is full leaves room for the index that makes the file whole."""
CHECK_S: Final = 1.0


class RecordingPhase(Enum):
    """What a recording is doing."""

    WAITING = "waiting"
    RECORDING = "recording"
    FINISHING = "finishing"
    SAVED = "saved"
    EMPTY = "empty"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RecordingState:
    """A recording.

    Parameters
    ----------
    phase : RecordingPhase
        What it is doing. EMPTY ended without a picture, FAILED with a sentence.
    path : Path or None
        The file; after a failure None where nothing could be kept.
    frames, dropped : int
        Pictures in the file, and those that were left out because the disk or the processor did not keep up.
    duration_s : float
        Its length.
    bytes : int
        Its size.
    message : str
        Why it ended by itself, one sentence.
    """

    phase: RecordingPhase = RecordingPhase.WAITING
    path: Path | None = None
    frames: int = 0
    dropped: int = 0
    duration_s: float = 0.0
    bytes: int = 0
    message: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.phase in (RecordingPhase.SAVED, RecordingPhase.EMPTY, RecordingPhase.FAILED)


class Recorder:
    """Records views into a new file, at the times of their frames (see `Timeline`).

    The file has the size of the first picture; those of another size are scaled to fit, on black.

    Parameters
    ----------
    folder : Path
        Where the file goes; made if missing.
    draw : callable
        Makes the picture of a view. Called in the recorder's thread.
    notes : callable
        Gives metadata for the first view.
    on_change : callable
        Called in the recorder's thread when the recording begins and when it is over. Must return at once.
    free_bytes : callable
        How much room is left where a path lies.
    """

    def __init__(
        self,
        folder: Path,
        draw: Callable[[View], NDArray[np.uint8]],
        notes: Callable[[View], Mapping[str, str]] = lambda view: {},
        on_change: Callable[[], None] = lambda: None,
        free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
    ) -> None:
        self._folder = folder
        self._draw = draw
        self._notes = notes
        self._on_change = on_change
        self._free_bytes = free_bytes
        self._condition = threading.Condition()
        self._queue: deque[tuple[View, float]] = deque()
        self._timeline = Timeline()
        self._last_view: View | None = None
        self._is_ending = False
        self._deadline_s: float | None = None
        self._state = RecordingState()
        self._thread = threading.Thread(target=self._work, name="recording", daemon=True)

    def start(self) -> None:
        """Begin; the file is made with the first picture."""
        self._thread.start()

    def offer(self, view: View) -> None:
        """Record a view, unless it is the last one again. From any thread; returns at once."""
        with self._condition:
            last = self._last_view
            if view is last or self._is_ending or self._state.is_over:
                return
            is_new_run = last is not None and view.serial <= last.serial
            time_s = self._timeline.time_s(view.result.frame.timestamp_s, is_new_run)
            self._last_view = view
            if time_s is None:
                return
            size = view.plain_bgr.nbytes * (2 if view.other is None else 3)
            if len(self._queue) >= min(MOST_QUEUE, max(LEAST_QUEUE, QUEUE_BYTES // size)):
                self._state = replace(self._state, dropped=self._state.dropped + 1)
                return
            self._queue.append((view, time_s))
            self._condition.notify()

    def state(self) -> RecordingState:
        """Return how it stands."""
        return self._state

    def finish(self, within_s: float | None = None) -> None:
        """Write what is waiting and complete the file; after `within_s` seconds without the rest. Returns at once."""
        with self._condition:
            self._is_ending = True
            if within_s is not None:
                self._deadline_s = time.monotonic() + within_s
            self._condition.notify()

    def join(self, timeout_s: float) -> bool:
        """Wait until the file is complete; return whether it is."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    # -- the recorder's thread

    def _update(self, **changes: object) -> None:
        with self._condition:
            self._state = replace(self._state, **changes)  # type: ignore[arg-type]

    def _next(self) -> tuple[View, float] | None:
        """Wait for a picture; None when it is time to end."""
        with self._condition:
            self._condition.wait_for(lambda: self._queue or self._is_ending)
            late = self._deadline_s is not None and time.monotonic() > self._deadline_s
            if late:
                self._state = replace(self._state, dropped=self._state.dropped + len(self._queue))
                self._queue.clear()
            return self._queue.popleft() if self._queue else None

    def _work(self) -> None:
        part: RecordingPart | None = None
        writer: RecordingWriter | None = None
        try:
            stop_message = ""
            checked_s = time.monotonic()
            while (item := self._next()) is not None:
                view, time_s = item
                image = self._draw(view)
                if part is None or writer is None:
                    part = self._open(view)
                    writer = RecordingWriter(part, (image.shape[1], image.shape[0]), self._metadata(view))
                    self._update(phase=RecordingPhase.RECORDING, path=part.final)
                    self._on_change()
                writer.write(image, time_s)
                self._update(frames=writer.frames, duration_s=writer.duration_s, bytes=part.size)
                if time.monotonic() - checked_s >= CHECK_S:
                    checked_s = time.monotonic()
                    stop_message = self._check(part)
                    if stop_message:
                        break
            self._finish(part, writer, stop_message)
        except ExportError as error:
            self._fail(part, writer, str(error))
        except BaseException as error:
            self._fail(part, writer, f"internal error while recording: {error!r}")
            raise
        finally:
            with self._condition:
                self._queue.clear()
                self._last_view = None
            self._on_change()

    def _open(self, view: View) -> RecordingPart:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            free = self._free_bytes(self._folder)
        except OSError as error:
            raise ExportError(f"the folder {self._folder} cannot be used: {reason_of(error)}") from error
        if free < FREE_BYTES:
            raise ExportError(f"there is no room for a recording in {self._folder}: {free >> 20} MB are left")
        return RecordingPart(new_path(self._folder, view.result.frame.source, datetime.now(), SUFFIX))

    def _metadata(self, view: View) -> dict[str, str]:
        ran = ", ".join(f"{task} on {backend}" for task, backend in view.result.backends.items())
        if view.other is not None:
            ran += "; beside it " + ", ".join(f"{task} on {backend}" for task, backend in view.other.backends.items())
        text = {"title": view.result.frame.source, "comment": f"{APP}; {ran}", "date": datetime.now().isoformat()}
        for key, value in self._notes(view).items():
            text["comment"] += f"; {key}: {value}"
        return text

    def _check(self, part: RecordingPart) -> str:
        """Look whether recording can go on; return why it should end in good order."""
        part.check()
        try:
            free = self._free_bytes(self._folder)
        except OSError as error:
            raise ExportError(f"the folder {self._folder} cannot be used: {reason_of(error)}") from error
        return f"The recording was stopped: only {free >> 20} MB are left on the disk." if free < FREE_BYTES else ""

    def _finish(self, part: RecordingPart | None, writer: RecordingWriter | None, message: str) -> None:
        if part is None or writer is None:
            self._update(phase=RecordingPhase.EMPTY)
            return
        self._update(phase=RecordingPhase.FINISHING)
        writer.finish()
        part.publish()
        self._update(phase=RecordingPhase.SAVED, bytes=part.size, message=message)

    def _fail(self, part: RecordingPart | None, writer: RecordingWriter | None, reason: str) -> None:
        """Keep what was written before it failed."""
        if writer is not None:
            writer.abandon()
        kept: Path | None = None
        if part is not None:
            part.close()
            try:
                kept = recover_one(part.path)
            except (OSError, ExportError):
                kept = part.path if part.path.exists() else None
        message = f"the recording stopped: {reason}"
        if kept is not None:
            message += f"; what was recorded until then is in {kept.name}"
        self._update(phase=RecordingPhase.FAILED, path=kept, message=message)
