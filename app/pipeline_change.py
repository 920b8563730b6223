"""Changes of a running pipeline: one at a time, and taken back when one fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from app.settings import Settings
from pipelines.config import PipelineConfig

if TYPE_CHECKING:
    from pipelines.engine import EngineStatus

PIPELINE_FIELDS: Final = ("tasks", "pipeline", "models", "max_faces", "smooth")


def config_from(settings: Settings) -> PipelineConfig:
    """Return what the settings ask of the pipeline."""
    return PipelineConfig(
        tasks=settings.tasks,
        pipeline=settings.pipeline,
        models=dict(settings.models),
        max_faces=settings.max_faces,
        smooth=settings.smooth,
    )


def pipeline_part(settings: Settings) -> Mapping[str, Any]:
    """Return the settings that a pipeline is built from."""
    return {name: getattr(settings, name) for name in PIPELINE_FIELDS}


class PipelineChange:
    """Hands the newest wish to the engine, which drops the one before.

    The engine builds a pipeline in the background and says whether that worked, of the newest wish only: what was
    wished for before is neither waited for nor shown, nor heard of when it fails.

    Parameters
    ----------
    send : callable
        Gives a configuration to the engine.
    """

    def __init__(self, send: Callable[[PipelineConfig], None]) -> None:
        self._send = send
        self._working: Mapping[str, Any] | None = None
        self._asked: Mapping[str, Any] | None = None
        self._again = False
        self.is_pending = False
        """Whether the engine is busy with a change."""

    def started(self, settings: Settings) -> None:
        """Note that a run begins with these settings."""
        self._working = self._asked = pipeline_part(settings)
        self.is_pending = self._again = False

    def rebuild(self) -> None:
        """Let the next `ask` build a pipeline even if the settings are the same: "auto" may stand for another one."""
        self._again = True

    def ask(self, settings: Settings) -> None:
        """Change the running pipeline to these settings, whatever is under way."""
        if pipeline_part(settings) == self._asked and not self._again:
            return
        self._again = False
        self._asked = pipeline_part(settings)
        self.is_pending = True
        self._send(config_from(settings))

    def look(self, status: EngineStatus, settings: Settings, refusal: str) -> Settings:
        """See how far the change is.

        Parameters
        ----------
        status : EngineStatus
            The engine's status.
        settings : Settings
            What the user wants now.
        refusal : str
            How the engine's message begins when it kept the old pipeline.

        Returns
        -------
        Settings
            What to go on with: the same, or with the pipeline that still works if the newest wish failed.
        """
        if not self.is_pending or status.loading:
            return settings
        self.is_pending = False
        if status.message.startswith(refusal) and self._working is not None:
            if pipeline_part(settings) == self._asked:
                settings = replace(settings, **self._working)
            self._asked = self._working
        else:
            self._working = self._asked
        self.ask(settings)
        return settings
