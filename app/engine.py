"""The engine as the window sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pipelines.compare import CompareMode
    from pipelines.config import PipelineConfig
    from pipelines.engine import EngineStatus, View
    from pipelines.figures import Figures
    from pipelines.overlay import Effect, OverlayStyle
    from pipelines.playback import Playback
    from pipelines.sources.base import SourceOptions


class Engine(Protocol):
    """The part of `LiveEngine` that the window uses; tests put a fake here."""

    def start(
        self,
        source: str,
        options: SourceOptions,
        config: PipelineConfig,
        style: OverlayStyle,
        mode: CompareMode,
        config_b: PipelineConfig | None,
    ) -> None: ...
    def stop(self, timeout_s: float = 1.0) -> bool: ...
    def pause(self, paused: bool) -> None: ...
    def seek(self, time_s: float) -> None: ...
    def step(self, frames: int) -> None: ...
    def set_speed(self, speed: float) -> None: ...
    def set_loop(self, loop: bool) -> None: ...
    def playback(self) -> Playback: ...
    def set_config(self, config: PipelineConfig) -> None: ...
    def set_compare(self, mode: CompareMode, config_b: PipelineConfig | None) -> None: ...
    def set_style(self, style: OverlayStyle) -> None: ...
    def set_effect(self, effect: Effect) -> None: ...
    def view(self) -> View | None: ...
    def figures(self) -> Figures: ...
    def status(self) -> EngineStatus: ...


def live_engine(on_update: Callable[[], None]) -> Engine:
    """Make the real engine. Its modules are imported only now, when the window is on the screen."""
    from pipelines.engine import LiveEngine

    return LiveEngine(on_update)
