"""The capture thread: opens a source, paces files, brings lost cameras back, and hands on the newest frame."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pipelines.engine.board import Board
from pipelines.engine.state import EngineState
from pipelines.errors import SourceError
from pipelines.sources import Source, SourceInfo

STILL_SECONDS: Final = 3.0
"""How long each picture of a folder is shown."""
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
        self._frames_since_open = 0
        index = 0
        offset_s = 0.0
        last_s = 0.0
        anchor: float | None = None  # monotonic time that stands for time stamp 0
        while not self._board.stop.is_set():
            start = time.perf_counter()
            frame = source.read()
            read_ms = (time.perf_counter() - start) * 1e3
            if self._board.stop.is_set():
                return
            if frame is None:
                if index == 0:
                    raise SourceError(f"{info.name} holds no picture")
                if info.live:
                    raise SourceError(f"{info.name} ended.")
                if info.still and index == 1:
                    self._board.say("", EngineState.ENDED)
                    return
                if not source.rewind():
                    self._board.say("", EngineState.ENDED)
                    return
                step = 1.0 / float(info.fps) if info.fps else 1.0 / 30.0
                offset_s = last_s + (STILL_SECONDS if info.still else step)
                self._epoch += not info.loops
                continue
            last_s = frame.timestamp_s + offset_s
            if not self._board.running.is_set():
                if not info.live:
                    self._board.running.wait()
                    anchor = None
                else:
                    continue  # keep reading, or the driver would hand out old pictures afterwards
            if not info.live:
                # A file loses nothing while the models load: its clock starts when they are there.
                self._board.ready.wait()
                anchor = self._wait_for(last_s, anchor, info)
                if self._board.stop.is_set():
                    return
            frame = replace(frame, timestamp_s=last_s, index=index, captured_s=time.monotonic())
            index += 1
            self._frames_since_open = index
            self._board.last_frame_s = frame.captured_s
            self._board.book.captured(read_ms)
            self._board.last_item = (self._epoch, frame)
            self._board.frames.put(self._board.last_item)

    def _wait_for(self, time_s: float, anchor: float | None, info: SourceInfo) -> float:
        """Sleep until a file's frame is due. Return the monotonic time that stands for time stamp 0."""
        if info.still and anchor is not None:
            self._board.stop.wait(STILL_SECONDS)
            return anchor
        now = time.monotonic()
        if anchor is None:
            return now - time_s
        wait_s = anchor + time_s - now
        if wait_s < -0.5 or wait_s > 5.0:
            # Late by so much (a slow disk, a suspended machine) that catching up would be a race: start afresh.
            return now - time_s
        if wait_s > 0:
            self._board.stop.wait(wait_s)
        return anchor
