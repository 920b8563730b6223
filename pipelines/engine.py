"""The live engine: capture, inference and drawing, each in a thread of its own.

::

    source -> [capture] -> LatestSlot -> [inference] -> LatestSlot -> [drawing] -> view

The newest frame wins at both slots, so that what is shown is never older than it has to be. Nobody waits for a
source or a model: `LiveEngine`'s methods return at once (`stop` within its time limit), and a thread that is stuck in
a driver is left behind with its own state, unable to touch the next run.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from models.errors import VisionError
from pipelines.config import PipelineConfig, RunningMode
from pipelines.errors import SourceError
from pipelines.figures import FigureBook, Figures
from pipelines.frame import Frame
from pipelines.latest import LatestSlot
from pipelines.overlay import OverlayStyle, draw_results
from pipelines.pipeline import FrameResult, Pipeline
from pipelines.sources import Source, SourceInfo, SourceOptions, make_source

log = logging.getLogger(__name__)

STILL_SECONDS = 3.0
"""How long each picture of a folder is shown."""
SILENT_SECONDS = 4.0
"""A live source that shows nothing for so long gets a message."""
RETRY_SECONDS = (0.5, 1.0, 2.0, 4.0)
"""Pauses before a lost live source is opened again; the last one repeats."""
NOT_CHANGED = "Not changed: "
FAILURES_IN_A_ROW = 3
"""Failed frames after which a run gives up."""


class EngineState(Enum):
    """What a live run is doing."""

    IDLE = "idle"
    OPENING = "opening"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """State of a live run.

    Parameters
    ----------
    state : EngineState
        What it is doing.
    message : str
        A sentence for the user, "" when there is nothing to say.
    source_info : SourceInfo or None
        The open source.
    loading : bool
        A pipeline is being built in the background.
    """

    state: EngineState
    message: str = ""
    source_info: SourceInfo | None = None
    loading: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """The newest picture: frame, findings and drawing from the same moment.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (H, W, 3)
        With the results drawn on it.
    result : FrameResult
        The results, and the frame they belong to.
    serial : int
        Counts the pictures of a run.
    """

    image_bgr: NDArray[np.uint8]
    result: FrameResult
    serial: int

    @property
    def plain_bgr(self) -> NDArray[np.uint8]:
        """The frame as the source gave it."""
        return self.result.frame.image_bgr


class LiveEngine:
    """Runs one source at a time through a pipeline.

    Parameters
    ----------
    on_update : callable
        Called without arguments from the engine's threads whenever `view`, `status` or `figures` has news. Must
        return at once.
    source_factory, pipeline_factory : callable, optional
        How sources and pipelines are made; tests put stubs here.
    """

    def __init__(
        self,
        on_update: Callable[[], None],
        source_factory: Callable[[str, SourceOptions], Source] = make_source,
        pipeline_factory: Callable[[PipelineConfig], Pipeline] = Pipeline,
    ) -> None:
        self._on_update = on_update
        self._source_factory = source_factory
        self._pipeline_factory = pipeline_factory
        self._run: _Run | None = None

    def start(
        self,
        source: str,
        options: SourceOptions,
        config: PipelineConfig,
        style: OverlayStyle,
    ) -> None:
        """Begin a run; a run that is under way is told to end and is not waited for."""
        previous = self._run
        if previous is not None:
            previous.signal_stop()
        self._run = _Run(self, source, options, config, style, previous)
        self._run.begin()

    def stop(self, timeout_s: float = 1.0) -> bool:
        """End the run. Return False if a thread was still busy after `timeout_s` and was left behind."""
        run = self._run
        if run is None:
            return True
        run.signal_stop()
        clean = run.join(timeout_s)
        if not clean:
            log.warning("left behind: %s", ", ".join(run.alive()))
        return clean

    def pause(self, paused: bool) -> None:
        """Hold the picture, or go on."""
        if self._run is not None:
            self._run.set_paused(paused)

    def set_config(self, config: PipelineConfig) -> None:
        """Build a pipeline for `config` in the background and change over when it has run once.

        The old one serves on until then, and stays if the new one fails (see `status`).
        """
        if self._run is not None:
            self._run.set_config(config)

    def set_style(self, style: OverlayStyle) -> None:
        """Draw differently from the next picture on; a picture at rest is drawn again."""
        if self._run is not None:
            self._run.set_style(style)

    def view(self) -> View | None:
        """Return the newest picture; None before the first."""
        return self._run.view if self._run is not None else None

    def figures(self) -> Figures:
        """Return the figures as they are now."""
        return self._run.figures() if self._run is not None else Figures()

    def status(self) -> EngineStatus:
        """Return what the engine is doing."""
        return self._run.status() if self._run is not None else EngineStatus(EngineState.IDLE)


class _Run:
    """Threads and state of one run. An abandoned thread can only reach its own run."""

    def __init__(
        self,
        engine: LiveEngine,
        source: str,
        options: SourceOptions,
        config: PipelineConfig,
        style: OverlayStyle,
        previous: _Run | None,
    ) -> None:
        self._engine = engine
        self._source_text = source
        self._options = options
        self._config = config
        self._style = style
        self._previous = previous
        self._stop = threading.Event()
        self._running = threading.Event()  # cleared while paused
        self._running.set()
        self._opened = threading.Event()
        self._ready = threading.Event()  # the first pipeline is loaded
        self._frames: LatestSlot[tuple[int, Frame]] = LatestSlot()
        self._results: LatestSlot[FrameResult] = LatestSlot()
        self._book = FigureBook()
        self._lock = threading.Lock()
        self._state = EngineState.OPENING
        self._message = ""
        self._info: SourceInfo | None = None
        self._last_frame_s = time.monotonic()
        self._frames_since_open = 0
        self._last_item: tuple[int, Frame] | None = None
        self._last_result: FrameResult | None = None
        self._replacement: Pipeline | None = None
        self._builders = 0
        self._generation = 0
        self.view: View | None = None
        self._threads = [
            threading.Thread(target=self._guard, args=(work,), name=name, daemon=True)
            for name, work in (
                ("capture", self._capture),
                ("inference", self._infer),
                ("drawing", self._draw),
            )
        ]

    # -- control, from any thread

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()

    def signal_stop(self) -> None:
        self._stop.set()
        self._running.set()
        self._opened.set()
        self._ready.set()
        self._frames.close()
        self._results.close()
        with self._lock:
            if self._state is not EngineState.FAILED:
                self._state = EngineState.IDLE
                self._message = ""

    def join(self, timeout_s: float) -> bool:
        deadline = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not self.alive()

    def alive(self) -> list[str]:
        return [thread.name for thread in self._threads if thread.is_alive()]

    def set_paused(self, paused: bool) -> None:
        with self._lock:
            if paused and self._state is EngineState.RUNNING:
                self._state = EngineState.PAUSED
                self._running.clear()
            elif not paused and self._state is EngineState.PAUSED:
                self._state = EngineState.RUNNING
                self._running.set()
        self._engine._on_update()

    def set_style(self, style: OverlayStyle) -> None:
        self._style = style
        result = self._last_result
        if result is not None and self._is_at_rest():
            self._results.put(result)

    def set_config(self, config: PipelineConfig) -> None:
        with self._lock:
            self._config = config
            self._generation += 1
            self._builders += 1
            generation = self._generation
        threading.Thread(
            target=self._guard, args=(lambda: self._build(config, generation),), name="loading", daemon=True
        ).start()

    def status(self) -> EngineStatus:
        with self._lock:
            message, state = self._message, self._state
            loading = self._builders > 0
            info = self._info
        live = info is None or info.live
        silent_s = time.monotonic() - self._last_frame_s
        if not message and live and state in (EngineState.OPENING, EngineState.RUNNING) and silent_s > SILENT_SECONDS:
            name = info.name if info else self._source_text
            message = f"{name} has not delivered a picture for {silent_s:.0f} s: is another program using it?"
        return EngineStatus(state, message, info, loading)

    def figures(self) -> Figures:
        kind = self._info.kind if self._info else ""
        return self._book.snapshot(kind, self._frames.dropped + self._results.dropped)

    # -- shared by the threads

    def _guard(self, work: Callable[[], None]) -> None:
        """Run a thread's work; whatever it raises ends the run with a message instead of a silent thread."""
        try:
            work()
        except VisionError as error:
            self._fail(str(error))
        except BaseException as error:
            self._fail(f"internal error in the {threading.current_thread().name} thread: {error!r}")
            raise

    def _fail(self, message: str) -> None:
        if self._stop.is_set():
            return
        with self._lock:
            self._state = EngineState.FAILED
            self._message = message
        self.signal_stop()
        self._engine._on_update()

    def _say(self, message: str, state: EngineState | None = None) -> None:
        with self._lock:
            if self._stop.is_set():
                return
            self._message = message
            if state is not None:
                self._state = state
        self._engine._on_update()

    def _is_at_rest(self) -> bool:
        with self._lock:
            still = self._info is not None and self._info.still
            return still or self._state in (EngineState.PAUSED, EngineState.ENDED)

    # -- capture thread

    def _capture(self) -> None:
        if self._previous is not None:
            # The camera of the run before may still be held; a stuck thread is not waited for longer than this.
            self._previous.join(2.0)
            self._previous = None
        source = self._engine._source_factory(self._source_text, self._options)
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
        with self._lock:
            self._info = info
        self._last_frame_s = time.monotonic()
        self._opened.set()
        self._say("", EngineState.RUNNING)
        return info

    def _reconnect(self, source: Source, error: SourceError) -> None:
        """Open a lost live source again and again until it is back or the run ends."""
        attempt = 0
        while not self._stop.is_set():
            self._say(f"{error} Trying again…", EngineState.OPENING)
            source.close()
            self._stop.wait(RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)])
            attempt += 1
            if self._stop.is_set():
                return
            try:
                self._play(source, self._open(source))
                return
            except SourceError as again:
                if self._frames_since_open:
                    attempt = 0
                error = again

    def _play(self, source: Source, info: SourceInfo) -> None:
        self._frames_since_open = 0
        epoch = 0
        index = 0
        offset_s = 0.0
        last_s = 0.0
        anchor: float | None = None  # monotonic time that stands for time stamp 0
        while not self._stop.is_set():
            start = time.perf_counter()
            frame = source.read()
            read_ms = (time.perf_counter() - start) * 1e3
            if self._stop.is_set():
                return
            if frame is None:
                if index == 0:
                    raise SourceError(f"{info.name} holds no picture")
                if info.live:
                    raise SourceError(f"{info.name} ended.")
                if info.still and index == 1:
                    self._say("", EngineState.ENDED)
                    return
                if not source.rewind():
                    self._say("", EngineState.ENDED)
                    return
                step = 1.0 / float(info.fps) if info.fps else 1.0 / 30.0
                offset_s = last_s + (STILL_SECONDS if info.still else step)
                epoch += not info.loops
                continue
            last_s = frame.timestamp_s + offset_s
            if not self._running.is_set():
                if not info.live:
                    self._running.wait()
                    anchor = None
                else:
                    continue  # keep reading, or the driver would hand out old pictures afterwards
            if not info.live:
                # A file loses nothing while the models load: its clock starts when they are there.
                self._ready.wait()
                anchor = self._wait_for(last_s, anchor, info)
                if self._stop.is_set():
                    return
            frame = replace(frame, timestamp_s=last_s, index=index, captured_s=time.monotonic())
            index += 1
            self._frames_since_open = index
            self._last_frame_s = frame.captured_s
            self._book.captured(read_ms)
            self._last_item = (epoch, frame)
            self._frames.put(self._last_item)

    def _wait_for(self, time_s: float, anchor: float | None, info: SourceInfo) -> float:
        """Sleep until a file's frame is due. Return the monotonic time that stands for time stamp 0."""
        if info.still and anchor is not None:
            self._stop.wait(STILL_SECONDS)
            return anchor
        now = time.monotonic()
        if anchor is None:
            return now - time_s
        wait_s = anchor + time_s - now
        if wait_s < -0.5 or wait_s > 5.0:
            # Late by so much (a slow disk, a suspended machine) that catching up would be a race: start afresh.
            return now - time_s
        if wait_s > 0:
            self._stop.wait(wait_s)
        return anchor

    # -- inference thread

    def _config_for_source(self, config: PipelineConfig) -> PipelineConfig:
        still = self._info is not None and self._info.still
        return replace(config, mode=RunningMode.IMAGE if still else RunningMode.VIDEO)

    def _build(self, config: PipelineConfig, generation: int) -> None:
        try:
            pipeline = self._engine._pipeline_factory(self._config_for_source(config))
        except VisionError as error:
            self._say(f"{NOT_CHANGED}{error}")
            return
        finally:
            with self._lock:
                self._builders -= 1
        with self._lock:
            superseded = generation != self._generation or self._stop.is_set()
            unused = pipeline if superseded else self._replacement
            if not superseded:
                self._replacement = pipeline
        if unused is not None:
            unused.close()
        item = self._last_item
        if not superseded and item is not None and self._is_at_rest():
            self._frames.put(item)

    def _take_replacement(self, current: Pipeline) -> Pipeline:
        with self._lock:
            fresh, self._replacement = self._replacement, None
        if fresh is None:
            return current
        current.close()
        self._book.pipeline_changed(fresh.load_ms)
        if self._message.startswith(NOT_CHANGED):
            self._say("")
        return fresh

    def _infer(self) -> None:
        # Models load while the source opens; a source of stills, known only then, needs the other running mode.
        pipeline = self._engine._pipeline_factory(self._config)
        try:
            self._opened.wait()
            if not self._stop.is_set() and self._config_for_source(self._config) != pipeline.config:
                pipeline.close()
                pipeline = self._engine._pipeline_factory(self._config_for_source(self._config))
            self._book.pipeline_changed(pipeline.load_ms)
            self._ready.set()
            failures = 0
            epoch = 0
            while not self._stop.is_set():
                item = self._frames.take()
                pipeline = self._take_replacement(pipeline)
                if item is None:
                    continue
                if item[0] != epoch:
                    epoch = item[0]
                    pipeline.reset()
                try:
                    result = pipeline.process(item[1])
                except VisionError as error:
                    failures += 1
                    if failures >= FAILURES_IN_A_ROW:
                        raise
                    log.warning("frame %d: %s", item[1].index, error)
                    self._say(str(error))
                    continue
                if failures:
                    failures = 0
                    self._say("")
                self._book.processed(result)
                self._last_result = result
                self._results.put(result)
        finally:
            pipeline.close()
            with self._lock:
                left, self._replacement = self._replacement, None
            if left is not None:
                left.close()

    # -- drawing thread

    def _draw(self) -> None:
        serial = 0
        while not self._stop.is_set():
            result = self._results.take()
            if result is None:
                continue
            start = time.perf_counter()
            image = draw_results(result, self._style)
            self._book.drawn((time.perf_counter() - start) * 1e3, result.frame.captured_s)
            serial += 1
            self.view = View(image, result, serial)
            self._engine._on_update()
