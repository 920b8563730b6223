"""The comparison of two pipelines: what the engine is asked for, one change at a time, and off when B fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.inventory import BackendEntry
from app.pipeline_change import config_from
from app.settings import Settings
from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig

if TYPE_CHECKING:
    from pipelines.engine import EngineStatus


def wanted(settings: Settings) -> tuple[CompareMode, PipelineConfig | None]:
    """Return what the settings ask of the engine: A's tasks and models on B's pipeline.

    A comparison whose B is not known yet is off.
    """
    if settings.compare == "off" or not settings.pipeline_b:
        return CompareMode.OFF, None
    return CompareMode(settings.compare), replace(config_from(settings), pipeline=settings.pipeline_b)


def counterpart(backends: Iterable[BackendEntry], busy: Iterable[str]) -> str:
    """Return the backend to compare with: the first that works here and is not one of A's, else one never tried.

    Parameters
    ----------
    backends : iterable of BackendEntry
        All of this machine, in the order of preference.
    busy : iterable of str
        Backends that A runs on.

    Returns
    -------
    str
        Its name; "" if there is none.
    """
    others = [entry for entry in backends if entry.id not in set(busy)]
    available = [entry.id for entry in others if entry.available]
    untried = [entry.id for entry in others if entry.untried]
    return next(iter((*available, *untried)), "")


class Comparison:
    """Hands the newest wish for a comparison to the engine, which drops the one before.

    Parameters
    ----------
    send : callable
        Gives mode and B's configuration to the engine; None keeps the B that there is.
    """

    def __init__(self, send: Callable[[CompareMode, PipelineConfig | None], None]) -> None:
        self._send = send
        self._mode = CompareMode.OFF
        self._config: PipelineConfig | None = None
        self.is_pending = False
        """Whether the engine is building B."""

    @property
    def is_on(self) -> bool:
        """Whether the engine was asked to compare, and did not refuse."""
        return self._mode is not CompareMode.OFF

    def started(self, settings: Settings) -> tuple[CompareMode, PipelineConfig | None]:
        """Note that a run begins with these settings, and return what they ask for."""
        self._mode, self._config = wanted(settings)
        self.is_pending = self.is_on
        return self._mode, self._config

    def ask(self, settings: Settings) -> None:
        """Compare as these settings say, whatever is under way."""
        mode, config = wanted(settings)
        if mode is CompareMode.OFF:
            if self.is_on:
                self._mode, self._config, self.is_pending = mode, None, False
                self._send(mode, None)
            return
        if self.is_on and config == self._config:
            if mode is not self._mode:
                self._mode = mode
                self._send(mode, None)
        else:
            self._mode, self._config, self.is_pending = mode, config, True
            self._send(mode, config)

    def look(self, status: EngineStatus, settings: Settings, refusal: str) -> Settings:
        """See how far the change is, and whether the engine gave the comparison up.

        Parameters
        ----------
        status : EngineStatus
            The engine's status.
        settings : Settings
            What the user wants now.
        refusal : str
            How the engine's message begins when it goes on with A alone.

        Returns
        -------
        Settings
            What to go on with: the same, or with the comparison off if B failed and nothing else was wished for
            meanwhile.
        """
        if self.is_pending and status.loading:
            return settings
        self.is_pending = False
        if self.is_on and status.message.startswith(refusal):
            if wanted(settings) == (self._mode, self._config):
                settings = replace(settings, compare="off")
            self._mode, self._config = CompareMode.OFF, None
        return settings
