"""The capture thread: opens a source, plays files, brings lost cameras back, and hands on the newest frame."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pipelines.engine.board import Board
from pipelines.engine.player import FilePlayer
from pipelines.engine.state import EngineState
from pipelines.errors import SourceError
from pipelines.sources import Source, SourceInfo

RETRY_SECONDS: Final = (0.5, 1.0, 2.0, 4.0)
"""Pauses before a lost live source is opened again; the last one repeats."""


class Capture:
    """Work of the capture thread, which alone touches the source.

    Parameters
    ----------
    board : Board
        Gets frames, measurements and messages.
    make_source : callable
        Makes the source; opens nothing.
    wait_for_previous : callable
        Waits at most so many seconds for the run before.
    """

    def __init__(
        self, board: Board, make_source: Callable[[], Source], wait_for_previous: Callable[[float], object]
    ) -> None:
        self._board = board
        self._make_source = make_source
        self._wait_for_previous = wait_for_previous
        self._frames_since_open = 0
        self._epoch = 0  # what was remembered of the frames of another epoch is of no use

    def run(self) -> None:
        """Open the source and hand on its frames until it ends or the run does."""
        # The camera of the run before may still be held; a stuck thread is not waited for longer than this.
        self._wait_for_previous(2.0)
        source = self._make_source()
        try:
            info = self._open(source)
            try:
                self._play(source, info)
            except SourceError as error:
                if not info.live:
                    raise
                self._reconnect(source, error)
        finally:
            source.close()

    def _open(self, source: Source) -> SourceInfo:
        info = source.open()
        self._board.info = info
        self._board.last_frame_s = time.monotonic()
        self._board.opened.set()
        self._board.say("", EngineState.RUNNING)
        return info

    def _reconnect(self, source: Source, error: SourceError) -> None:
        """Open a lost live source again and again until it is back or the run ends."""
        attempt = 0
        while not self._board.stop.is_set():
            end = "" if str(error).endswith((".", "!", "?")) else "."
            self._board.say(f"{error}{end} Trying again…", EngineState.OPENING)
            source.close()
            self._board.stop.wait(RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)])
            attempt += 1
            if self._board.stop.is_set():
                return
            try:
                info = self._open(source)
                self._epoch += 1
                self._play(source, info)
                return
            except SourceError as again:
                if self._frames_since_open:
                    attempt = 0
                self._frames_since_open = 0
                error = again

    def _play(self, source: Source, info: SourceInfo) -> None:
        if not info.live:
            FilePlayer(self._board, source, info).play()
            return
        board = self._board
        self._frames_since_open = 0
        while not board.stop.is_set():
            start = time.perf_counter()
            frame = source.read()
            read_ms = (time.perf_counter() - start) * 1e3
            if board.stop.is_set():
                return
            if frame is None:
                ended = f"{info.name} ended." if self._frames_since_open else f"{info.name} holds no picture"
                raise SourceError(ended)
            if not board.running.is_set():
                continue  # keep reading, or the driver would hand out old pictures afterwards
            frame = replace(frame, index=self._frames_since_open, captured_s=time.monotonic())
            self._frames_since_open += 1
            board.last_frame_s = frame.captured_s
            board.book.captured(read_ms)
            board.last_item = (self._epoch, frame)
            board.show_ahead(frame)
            board.frames.put(board.last_item)
