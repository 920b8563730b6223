"""The engine as its user sees it: one run at a time, and no call that waits."""

from __future__ import annotations

import logging
from collections.abc import Callable

from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig
from pipelines.engine.loading import Parts
from pipelines.engine.run import Run
from pipelines.engine.state import EngineState, EngineStatus, View
from pipelines.figures import Figures
from pipelines.overlay import Effect, OverlayStyle
from pipelines.pipeline import Pipeline
from pipelines.playback import Playback, PlaybackDesk
from pipelines.sources import Source, SourceOptions, make_source

log = logging.getLogger(__name__)


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
        self._parts = Parts(on_update, source_factory, pipeline_factory)
        self._run: Run | None = None
        self._effect = Effect()
        self._divider = 0.5
        self._is_mirror = False
        self._loop = True

    def start(
        self,
        source: str,
        options: SourceOptions,
        config: PipelineConfig,
        style: OverlayStyle,
        mode: CompareMode = CompareMode.OFF,
        config_b: PipelineConfig | None = None,
    ) -> None:
        """Begin a run; a run that is under way is told to end and is not waited for.

        Parameters
        ----------
        source, options
            Where frames come from (see `make_source`).
        config : PipelineConfig
            What is computed, and on what: pipeline A.
        style : OverlayStyle
            How results are drawn.
        mode, config_b
            A comparison with a second pipeline (see `set_compare`).
        """
        previous = self._run
        if previous is not None:
            previous.signal_stop()
        desk = PlaybackDesk(loop=self._loop)
        self._run = Run(self._parts, source, options, config, style, previous, desk)
        self._run.set_effect(self._effect)
        self._run.set_divider(self._divider)
        self._run.set_mirror(self._is_mirror)
        self._run.begin()
        if mode is not CompareMode.OFF:
            self.set_compare(mode, config_b)

    def stop(self, timeout_s: float = 1.0) -> bool:
        """End the run. Return False if a thread was still busy after `timeout_s` and was left behind."""
        run = self._run
        if run is None:
            return True
        run.signal_stop()
        clean = run.join(timeout_s)
        if not clean:
            # A thread that is slow on a busy machine is nothing for the terminal; who asked is told.
            log.info("left behind: %s", ", ".join(run.alive()))
        return clean

    def pause(self, paused: bool) -> None:
        """Hold the picture, or go on; a file that ended goes on from its beginning."""
        if self._run is not None:
            self._run.set_paused(paused)

    def seek(self, time_s: float) -> None:
        """Show the last frame of a file whose time is not after `time_s`, and play on from there if it plays.

        The newest call wins. A file that ended plays on. Sources that cannot be wound only know the time 0.
        """
        if self._run is not None:
            self._run.desk.seek(time_s)

    def step(self, frames: int) -> None:
        """Hold a file and go on by so many frames, back if negative."""
        if self._run is not None:
            self._run.desk.step(frames)

    def set_speed(self, speed: float) -> None:
        """Play this file faster or slower (see `SPEEDS`); the next one begins at its own speed again."""
        if self._run is not None:
            self._run.desk.set_speed(speed)

    def set_loop(self, loop: bool) -> None:
        """Begin again after the end of this file and of those that follow, or stop there."""
        self._loop = loop
        if self._run is not None:
            self._run.desk.set_loop(loop)

    def playback(self) -> Playback:
        """Return where a file is and how it plays."""
        return self._run.desk.state() if self._run is not None else Playback(loop=self._loop)

    def set_config(self, config: PipelineConfig) -> None:
        """Build a pipeline for `config` in the background and change over when it has run once.

        The old one serves on until then, and stays if the new one fails (see `status`).
        """
        if self._run is not None:
            self._run.set_config(config)

    def set_compare(self, mode: CompareMode, config_b: PipelineConfig | None = None) -> None:
        """Compare with a second pipeline, or stop comparing.

        Parameters
        ----------
        mode : CompareMode
            How the two share the frames.
        config_b : PipelineConfig or None
            What the second one computes. It is built in the background; until it has run once, A goes on alone, and
            it stays alone, with a message, if B cannot be built. None keeps the second pipeline that there is.
        """
        if self._run is not None:
            self._run.set_compare(mode, config_b)

    def set_style(self, style: OverlayStyle) -> None:
        """Draw differently from the next picture on; a picture at rest is drawn again."""
        if self._run is not None:
            self._run.set_style(style)

    def set_effect(self, effect: Effect) -> None:
        """Put something else behind the person, in this run and in those that follow.

        The effect is left out on frames whose results lack a task that it needs.
        """
        self._effect = effect
        if self._run is not None:
            self._run.set_effect(effect)

    def set_divider(self, divider: float) -> None:
        """In a split comparison let B's half begin at this share of the width, in this run and in those that follow."""
        self._divider = divider
        if self._run is not None:
            self._run.set_divider(divider)

    def set_mirror(self, is_mirror: bool) -> None:
        """Draw what a mirror would show (`View.mirror_bgr`), in this run and in those that follow.

        The picture itself is then drawn only when somebody asks for it.
        """
        self._is_mirror = is_mirror
        if self._run is not None:
            self._run.set_mirror(is_mirror)

    def view(self) -> View | None:
        """Return the newest picture; None before the first."""
        return self._run.view if self._run is not None else None

    def preview(self) -> View | None:
        """Return the newest frame as it is while the first results are on their way (`View.is_preview`), else None.

        None also with an effect: without a mask nobody knows what it would hide.
        """
        return self._run.preview() if self._run is not None else None

    def figures(self) -> Figures:
        """Return the figures as they are now."""
        return self._run.figures() if self._run is not None else Figures()

    def status(self) -> EngineStatus:
        """Return what the engine is doing."""
        return self._run.status() if self._run is not None else EngineStatus(EngineState.IDLE)
