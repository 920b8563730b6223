"""Plays a file: each frame when it is due, back and forth as asked, again after its end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pipelines.engine.board import Board
from pipelines.engine.pace import Pace
from pipelines.engine.state import EngineState
from pipelines.errors import SourceError
from pipelines.frame import Frame
from pipelines.playback import Order
from pipelines.sources import SeekableSource, Source, SourceInfo

STILL_SECONDS: Final = 3.0
"""How long each picture of a folder is shown."""


class FilePlayer:
    """Work of the capture thread on a source that is not live.

    Times go on for ever: after a jump, or when the file begins again, the next frame follows the last one by a step.
    What was remembered of the frames before a jump is of no use after it, which the epoch tells.

    Parameters
    ----------
    board : Board
        Gets frames, measurements and messages; its desk has the orders.
    source : Source
        An open source.
    info : SourceInfo
        What it says of itself.
    clock : callable
        Monotonic seconds.
    """

    def __init__(
        self, board: Board, source: Source, info: SourceInfo, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._board = board
        self._desk = board.desk
        self._source = source
        self._seekable = source if info.seekable and isinstance(source, SeekableSource) else None
        self._info = info
        self._pace = Pace(clock)
        self._epoch = 0
        self._index = 0
        self._offset_s = 0.0
        self._last: Frame | None = None  # as the source gave it
        self._last_s = 0.0  # its time, which never decreases
        self._pending: Frame | None = None  # read, and not due yet
        self._read_ms = 0.0
        self._is_over = False
        self._step_s = 1.0 / float(info.fps) if info.fps else 1.0 / 30.0
        self._desk.tell_length(info.duration_s)

    def play(self) -> None:
        """Play until the run ends, or a single picture was shown.

        Raises
        ------
        SourceError
            If the source holds no picture or breaks.
        """
        board, desk = self._board, self._desk
        while not board.stop.is_set():
            order = desk.take()
            if order is not None:
                self._obey(order)
                continue
            if self._is_over or (self._index and not board.running.is_set()):
                desk.wait()
                self._pace.restart()
                continue
            if self._pending is None:
                self._pending = self._read()
            if self._pending is None:
                if self._reached_end():
                    return
                continue
            # A file loses nothing while the models load: its clock starts when they are there.
            if not board.ready.is_set():
                board.show_ahead(self._pending)
                board.ready.wait()
            if self._is_due(self._pending) and not board.stop.is_set():
                frame, self._pending = self._pending, None
                self._deliver(frame)

    def _read(self) -> Frame | None:
        start = time.perf_counter()
        frame = self._source.read()
        self._read_ms = (time.perf_counter() - start) * 1e3
        return frame

    def _is_due(self, frame: Frame) -> bool:
        """Wait until a frame is due; return False if there is something else to do before."""
        if self._info.still:
            return not self._index or not self._desk.wait(STILL_SECONDS)
        wait_s = self._pace.wait_s(frame.timestamp_s + self._offset_s, self._desk.speed)
        return wait_s <= 0 or not self._desk.wait(wait_s)

    def _deliver(self, frame: Frame) -> None:
        self._last, self._last_s = frame, frame.timestamp_s + self._offset_s
        now = time.monotonic()
        shown = replace(
            frame, timestamp_s=self._last_s, position_s=frame.timestamp_s, index=self._index, captured_s=now
        )
        self._index += 1
        board = self._board
        board.last_frame_s = now
        board.book.captured(self._read_ms)
        self._desk.tell(frame.timestamp_s)
        board.last_item = (self._epoch, shown)
        board.frames.put(board.last_item)

    # -- the end

    def _reached_end(self) -> bool:
        """Begin again, or wait at the end. Return whether there is nothing left to be done."""
        if not self._index:
            raise SourceError(f"{self._info.name} holds no picture")
        if self._last is not None and not self._info.still:
            self._desk.tell_length(self._last.timestamp_s + self._step_s)
        if self._info.still and self._index == 1:
            self._board.say("", EngineState.ENDED)
            return True
        if not (self._desk.loop or self._info.loops or self._info.still):
            self._is_over = True
            self._board.say("", EngineState.ENDED)
            return False
        return not self._begin_again()

    def _begin_again(self) -> bool:
        if not self._source.rewind():
            self._board.say("", EngineState.ENDED)
            return False
        self._offset_s = self._last_s + (STILL_SECONDS if self._info.still else self._step_s)
        self._epoch += not self._info.loops
        self._desk.tell_round()
        return True

    # -- orders

    def _obey(self, order: Order) -> None:
        if self._info.still:
            return
        was_over, self._is_over = self._is_over, False
        if order.target_s is not None:
            self._go_to(order.target_s)
            if was_over:
                self._board.go_on()
        if order.steps:
            self._board.hold()
            self._go_by(order.steps)

    def _go_to(self, target_s: float) -> None:
        if self._seekable is not None:
            if self._seekable.seek(target_s, self._is_called_off):
                self._jump()
        elif target_s == 0.0 and self._begin_again():
            # Other places cannot be gone to, but every file has a beginning.
            self._pending = None
            self._pace.restart()

    def _go_by(self, steps: int) -> None:
        if steps < 0:
            # A frame that was read and not shown lies between.
            if self._seekable is not None and self._seekable.back(
                -steps + (self._pending is not None), self._is_called_off
            ):
                self._jump()
            return
        frame = None
        for _ in range(steps):
            following, self._pending = self._pending or self._read(), None
            if following is None or self._board.stop.is_set():
                break
            frame = following
        if frame is not None:
            self._deliver(frame)

    def _jump(self) -> None:
        """Show the frame that the source was wound to, at once."""
        self._pending = None
        frame = self._read()
        self._pace.restart()
        if frame is None:
            return
        if self._index:
            self._offset_s = self._last_s + self._step_s - frame.timestamp_s
            self._epoch += 1
        self._pace.wait_s(frame.timestamp_s + self._offset_s, self._desk.speed)
        self._deliver(frame)

    def _is_called_off(self) -> bool:
        return self._desk.has_newer or self._board.stop.is_set()
