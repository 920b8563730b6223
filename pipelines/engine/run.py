"""One run of the live engine: its threads, and the pipelines that are built and changed while it goes on."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace
from typing import Final

from models.errors import VisionError
from pipelines.background import loading
from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig, RunningMode
from pipelines.engine.board import Board
from pipelines.engine.capture import Capture
from pipelines.engine.judge import Judge
from pipelines.engine.loading import Parts, build_for_change, release_beside
from pipelines.engine.looks import Looks, view_of
from pipelines.engine.pair import FAILURES_IN_A_ROW, Analysed, Pair
from pipelines.engine.state import EngineStatus, View
from pipelines.figures import Figures, Side
from pipelines.latest import LatestSlot
from pipelines.overlay import Effect, OverlayStyle
from pipelines.pipeline import Pipeline
from pipelines.playback import PlaybackDesk
from pipelines.sources import SourceOptions

log = logging.getLogger(__name__)

NOT_CHANGED: Final = "Not changed: "
NOT_COMPARED: Final = "Not compared: "
BUILDERS: Final = 2
"""So many pipelines are built at a time: loading cannot be cut short, and the newest wish does not wait for the one
before. A third waits, for they share the processor and the memory."""
SECOND_THOUGHTS_S: Final = 0.2
"""So long a pipeline waits that is built beside another one: somebody may be going through the choices."""


class Run:
    """Threads and state of one run. An abandoned thread can only reach its own run."""

    def __init__(
        self,
        parts: Parts,
        source: str,
        options: SourceOptions,
        config: PipelineConfig,
        style: OverlayStyle,
        previous: Run | None,
        desk: PlaybackDesk | None = None,
    ) -> None:
        self._parts = parts
        self._config = config
        self._looks = Looks(style)
        self._board = Board(source, parts.on_update, desk)
        self._judge = Judge(self._board)
        self.desk = self._board.desk
        self._results: LatestSlot[Analysed] = LatestSlot()
        self._lock = threading.Lock()
        self._last_result: Analysed | None = None
        self._replacements: dict[Side, Pipeline] = {}
        self._building: list[tuple[Side, int]] = []
        self._places = threading.Semaphore(BUILDERS)
        self._generations: dict[Side, int] = {"A": 0, "B": 0}
        self._mode = CompareMode.OFF
        self._notices: tuple[str, ...] = ()
        self.view: View | None = None
        capture = Capture(
            self._board,
            lambda: parts.source_factory(source, options),
            previous.join_source if previous is not None else (lambda _: None),
        )
        self._threads = [
            threading.Thread(target=self._board.guard, args=(work,), name=name, daemon=True)
            for name, work in (
                ("capture", capture.run),
                ("inference", self._infer),
                ("drawing", self._draw),
                ("judging", self._judge.run),
            )
        ]

    # -- control, from any thread

    def begin(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def signal_stop(self) -> None:
        """Tell every thread to end."""
        self._board.signal_stop()
        self._results.close()
        self._judge.close()

    def join(self, timeout_s: float) -> bool:
        """Wait for the threads; return whether all have ended."""
        deadline = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not self.alive()

    def join_source(self, timeout_s: float) -> None:
        """Wait until the source is given back. Models may still be loading then, which can take minutes."""
        self._threads[0].join(timeout_s)

    def alive(self) -> list[str]:
        """Names of the threads that are still busy."""
        return [thread.name for thread in self._threads if thread.is_alive()]

    def set_paused(self, paused: bool) -> None:
        """Hold the picture, or go on."""
        self._board.set_paused(paused)
        if paused and self.view is not None and self.view.divider is not None:
            self._draw_again()  # the divider may have moved while the last picture was drawn

    def set_style(self, style: OverlayStyle) -> None:
        """Draw differently; a picture at rest is drawn again."""
        self._look(style=style)

    def set_effect(self, effect: Effect) -> None:
        """Put something else behind the person; a picture at rest is drawn again."""
        self._look(effect=effect)

    def set_mirror(self, is_mirror: bool) -> None:
        """Draw the mirror image instead, and the picture itself when it is asked for."""
        if is_mirror is not self._looks.is_mirror:
            self._look(is_mirror=is_mirror)

    def set_divider(self, divider: float) -> None:
        """Let B's half begin elsewhere; a picture at rest is drawn again."""
        if divider != self._looks.divider:
            self._look(divider=divider)

    def _look(self, **changes: object) -> None:
        self._looks = replace(self._looks, **changes)  # type: ignore[arg-type]
        self._draw_again()

    def _draw_again(self) -> None:
        analysed = self._last_result
        if analysed is not None and self._board.is_at_rest():
            self._results.put(analysed)

    def set_config(self, config: PipelineConfig) -> None:
        """Build another pipeline A in the background."""
        self._config = config
        self._board.unsay(NOT_CHANGED)  # or an old refusal would pass for the answer to this wish
        self._begin_build("A", config)

    def set_compare(self, mode: CompareMode, config_b: PipelineConfig | None) -> None:
        """Share the frames with a pipeline B, which is built in the background."""
        with self._lock:
            self._mode = mode
            if mode is CompareMode.OFF:
                self._generations["B"] += 1  # whatever is being built is not wanted any more
        if mode is not CompareMode.OFF and config_b is not None:
            self._board.unsay(NOT_COMPARED)  # or an old refusal would pass for the answer to this wish
            self._begin_build("B", config_b)
        elif self._board.is_at_rest():
            self._analyse_again()
        self._board.on_update()

    def _begin_build(self, side: Side, config: PipelineConfig) -> None:
        with self._lock:
            self._generations[side] += 1
            generation = self._generations[side]
            patience_s = SECOND_THOUGHTS_S if self._building else 0.0
            self._building.append((side, generation))

        def build() -> None:
            try:
                self._board.stop.wait(patience_s)
                with self._places:
                    if self._is_wanted(side, generation):
                        with loading():
                            self._build(side, config, generation)
            finally:
                with self._lock:
                    self._building.remove((side, generation))

        threading.Thread(target=self._board.guard, args=(build,), name="loading", daemon=True).start()

    def _is_wanted(self, side: Side, generation: int) -> bool:
        return generation == self._generations[side] and not self._board.stop.is_set()

    def preview(self) -> View | None:
        """Return the newest frame for as long as there are no results, unless something is to be put behind people."""
        is_seen = self.view is None and not self._looks.effect.tasks and self.status().starting
        return self._board.preview if is_seen else None

    def status(self) -> EngineStatus:
        """Return what the run is doing."""
        # What is not wanted any more is nobody's concern, however long it goes on loading.
        with self._lock:
            is_loading = any(generation == self._generations[side] for side, generation in self._building)
        return self._board.status(is_loading)

    def figures(self) -> Figures:
        """Return the figures as they are now."""
        kind = self._board.info.kind if self._board.info else ""
        return self._board.book.snapshot(kind, self._board.frames.dropped + self._results.dropped)

    # -- loading, in threads of their own

    def _config_for_source(self, config: PipelineConfig) -> PipelineConfig:
        still = self._board.info is not None and self._board.info.still
        return replace(config, mode=RunningMode.IMAGE if still else RunningMode.VIDEO)

    def _build(self, side: Side, config: PipelineConfig, generation: int) -> None:
        try:
            newest = self._board.last_item[1] if self._board.last_item is not None else None
            pipeline = build_for_change(self._parts.pipeline_factory, self._config_for_source(config), newest)
        except VisionError as error:
            with self._lock:
                superseded = generation != self._generations[side]
                if side == "B" and not superseded:
                    self._mode = CompareMode.OFF
            if superseded:
                log.info("a pipeline that is not wanted any more does not load: %s", error)
                return
            self._board.say(f"{NOT_CHANGED if side == 'A' else NOT_COMPARED}{error}")
            return
        with self._lock:
            superseded = not self._is_wanted(side, generation)
            unused = pipeline if superseded else self._replacements.get(side)
            if not superseded:
                self._replacements[side] = pipeline
        if unused is not None:
            unused.close()
        if not superseded and self._board.is_at_rest():
            self._analyse_again()

    def _analyse_again(self) -> None:
        item = self._board.last_item
        if item is not None:
            self._board.frames.put(item)

    def _change_over(self, pair: Pair) -> None:
        """Put pipelines that were built in the background into service, and release those they replace."""
        with self._lock:
            fresh, self._replacements = self._replacements, {}
            mode = self._mode
        for side, pipeline in fresh.items():
            release_beside(pair.replace(side, pipeline), self._board.guard)
            self._board.book.pipeline_changed(side, pipeline.load_ms)
        if mode is CompareMode.OFF and pair.b is not None:
            release_beside(pair.replace("B", None), self._board.guard)
        changed = pair.mode is not (effective := mode if pair.b is not None else CompareMode.OFF)
        if changed or fresh:
            pair.share(effective)
        if changed:
            self._board.book.mode_changed(effective)
        if fresh:
            self._board.unsay(NOT_CHANGED, NOT_COMPARED)

    # -- inference thread

    def _infer(self) -> None:
        # Models load while the source opens; a source of stills, known only then, needs the other running mode.
        pair = Pair(self._parts.pipeline_factory(self._config))
        try:
            self._board.opened.wait()
            if not self._board.stop.is_set() and self._config_for_source(self._config) != pair.a.config:
                fitting = self._parts.pipeline_factory(self._config_for_source(self._config))
                release_beside(pair.replace("A", fitting), self._board.guard)
            self._board.book.pipeline_changed("A", pair.a.load_ms)
            self._board.ready.set()
            failures = 0
            while not self._board.stop.is_set():
                item = self._board.frames.take()
                self._change_over(pair)
                if item is None:
                    continue
                try:
                    analysed = pair.process(*item)
                except VisionError as error:
                    failures += 1
                    if failures >= FAILURES_IN_A_ROW:
                        raise
                    log.warning("frame %d: %s", item[1].index, error)
                    self._board.say(str(error))
                    continue
                if failures:
                    failures = 0
                    self._board.say("")
                self._deliver(analysed, pair)
        finally:
            pair.close()
            with self._lock:
                left, self._replacements = self._replacements, {}
            for pipeline in left.values():
                pipeline.close()

    def _deliver(self, analysed: Analysed, pair: Pair) -> None:
        self._board.book.processed(analysed.side, analysed.result)
        if analysed.other is not None:
            self._board.book.processed("B", analysed.other)
        if pair.complaint:
            with self._lock:
                self._mode = CompareMode.OFF
            self._board.say(f"{NOT_COMPARED}{pair.complaint}")
            pair.complaint = ""
            # What B had to say goes with it, without taking this sentence away.
            self._notices = tuple(pair.a.notes) + analysed.result.notices
            self._last_result = analysed
            self._results.put(analysed)
            return
        notices = pair.notes + analysed.result.notices + (analysed.other.notices if analysed.other is not None else ())
        if notices != self._notices:
            self._notices = notices
            self._board.say("; ".join(notices))
        self._last_result = analysed
        self._results.put(analysed)

    # -- drawing thread

    def _draw(self) -> None:
        serial = 0
        while not self._board.stop.is_set():
            analysed = self._results.take()
            if analysed is None:
                continue
            result, other = analysed.result, analysed.other
            start = time.perf_counter()
            view = view_of(analysed, serial + 1, self._looks)
            draw_ms = (time.perf_counter() - start) * 1e3
            if other is not None:
                self._judge.see(result, other)
            self._board.book.drawn(draw_ms, result.frame.captured_s)
            serial += 1
            self.view = view
            self._board.started()
            self._board.on_update()
