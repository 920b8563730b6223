"""What is wished for of the pipelines: handed to the engine, and what became of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from app.comparison import Comparison
from app.i18n import tr
from app.i18n.families import bare
from app.inventory import reasons, why_not
from app.notifications import Notice, Severity
from app.pipeline_change import PipelineChange
from app.settings import Settings
from app.words import pipeline_word
from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig, parse_pipeline

if TYPE_CHECKING:
    from app.controller import Controller
    from app.troubles import Troubles
    from pipelines.engine import EngineStatus

FIRST_LOAD_S: Final = 2.0
"""After so long the first models of a run are not waited for when others are wanted: the run begins anew with those."""


class PipelineWishes:
    """Hands them on.

    Parameters
    ----------
    controller : Controller
        Has the settings, the engine and the notices.
    troubles : Troubles
        Knows how refusals begin.
    """

    def __init__(self, controller: Controller, troubles: Troubles) -> None:
        self._controller = controller
        self._troubles = troubles
        self._change = PipelineChange(self._send_config)
        self._comparison = Comparison(self._send_comparison)
        self._started_s = 0.0

    @property
    def is_pending(self) -> bool:
        """Whether the engine is building a pipeline."""
        return self._change.is_pending or self._comparison.is_pending

    @property
    def is_building_b(self) -> bool:
        """Whether that is the second pipeline of a comparison."""
        return self._comparison.is_pending

    def started(self, settings: Settings) -> tuple[CompareMode, PipelineConfig | None]:
        """Note that a run begins with these settings, and return what they ask for as a comparison."""
        self._change.started(settings)
        self._started_s = time.monotonic()
        return self._comparison.started(settings)

    def choose(self, pipeline: str) -> None:
        """Change the pipeline, or say why it cannot be used here."""
        controller = self._controller
        backends = controller.backends
        if why_not(pipeline, backends):

            def refusal() -> Notice:
                words = {"pipeline": pipeline_word(pipeline), "reason": bare(why_not(pipeline, backends))}
                text = tr("{pipeline} cannot be used here: {reason}.").format(**words)
                return Notice("pipeline", text, Severity.WARNING, details=reasons(pipeline, backends))

            controller.notifications.post(refusal)
            controller.settings_changed.emit()  # whoever shows the choice has to take it back
            return
        controller.notifications.dismiss("pipeline")
        controller.change(pipeline=pipeline)

    def settle(self) -> None:
        """Give the engine the newest wishes: for A or for B at a time, or no answer could be told apart."""
        controller = self._controller
        if controller.engine is None or not controller.is_active:
            return
        if not self._comparison.is_pending:
            self._change.ask(controller.settings)
        if not self._change.is_pending or controller.settings.compare == "off":
            self._comparison.ask(controller.settings)

    def tried(self) -> None:
        """Build anew what "auto" stands for: backends were tried in the background."""
        if self._controller.is_active and "auto" in parse_pipeline(self._controller.settings.pipeline).values():
            self._change.rebuild()
            self.settle()

    def look(self, status: EngineStatus) -> Settings:
        """See how far the engine is, and return what to go on with: what it refused is taken back."""
        controller, troubles = self._controller, self._troubles
        settings = self._change.look(status, controller.settings, troubles.refusal)
        was_building_b = self._comparison.is_pending
        compared = self._comparison.look(status, settings, troubles.no_comparison)
        if was_building_b and compared.compare != settings.compare:
            reason = status.message.removeprefix(troubles.no_comparison)
            compared = controller.comparison.refused(settings.compare, compared, reason)
        return compared

    def _send_config(self, config: PipelineConfig) -> None:
        controller = self._controller
        if controller.engine is None:
            return
        is_first = controller.status is not None and controller.status.starting
        if is_first and time.monotonic() - self._started_s > FIRST_LOAD_S:
            controller.start()
            return
        controller.history.clear()
        controller.engine.set_config(config)

    def _send_comparison(self, mode: CompareMode, config: PipelineConfig | None) -> None:
        if self._controller.engine is not None:
            self._controller.notifications.dismiss("comparison")
            self._controller.engine.set_compare(mode, config)
