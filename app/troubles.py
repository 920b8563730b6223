"""What becomes of the engine's messages: notices, each with a way out where there is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from app.i18n import noop, tr
from app.inventory import why_not
from app.lost_models import lost_models
from app.notifications import Notice, Severity, sentence_of
from app.sources import is_address
from app.workers import BackgroundJobs

if TYPE_CHECKING:
    from app.controller import Controller
    from pipelines.engine import EngineStatus


_NUMBER: Final = re.compile(r"\d+")


class Troubles:
    """Turns what the engine says into notices.

    Parameters
    ----------
    controller : Controller
        Has the notices, and does what a notice offers.
    jobs : BackgroundJobs
        Looks for models that are gone.
    """

    def __init__(self, controller: Controller, jobs: BackgroundJobs) -> None:
        self._controller = controller
        self._jobs = jobs
        self.refusal = self.no_comparison = ""
        """How messages begin that say why a pipeline was not changed, or is not compared with another one."""

    def tell(self, before: EngineStatus | None, status: EngineStatus) -> None:
        """Turn a new message into a notice."""
        if before is not None and before.message == status.message and before.state is status.state:
            return
        key, severity, label, action = "source", Severity.ERROR, "", None
        if status.state.value == "failed":
            self._look_for_models(status.message)
            label, action = self._way_out()
        elif status.message.startswith(self.refusal):
            key = "pipeline"
        elif status.message.startswith(self.no_comparison):
            key = "comparison"
        elif status.message:
            severity = Severity.WARNING
            if self._counts_on(before, status) and not self._is_shown(key):
                return  # whoever closed it has read it
        else:
            self._controller.notifications.dismiss("source")
            return
        word = lambda: tr(label) if label else ""  # noqa: E731
        self._controller.notifications.post(lambda: Notice(key, sentence_of(status.message), severity, word(), action))

    def _is_shown(self, key: str) -> bool:
        return any(notice.key == key for notice in self._controller.notifications.notices)

    @staticmethod
    def _counts_on(before: EngineStatus | None, status: EngineStatus) -> bool:
        """Whether nothing but a number is new: "for 5 s", "for 6 s"."""
        if before is None or before.state is not status.state:
            return False
        return _NUMBER.sub("", before.message) == _NUMBER.sub("", status.message)

    def _way_out(self) -> tuple[str, Callable[[], None]]:
        """What to offer after a run failed, its word in English."""
        controller = self._controller
        settings = controller.settings
        if settings.pipeline != "auto" and why_not(settings.pipeline, controller.backends):
            return noop("Use Auto"), self._start_with_auto
        if is_address(settings.source):
            return noop("Network camera…"), controller.address_wanted.emit
        return noop("Try again"), controller.start

    def _start_with_auto(self) -> None:
        self._controller.change(pipeline="auto")
        self._controller.start()

    def _look_for_models(self, message: str) -> None:
        """After a failure that names chosen models: if one is gone or damaged, go on with the usual one.

        No others are looked at: that reads every byte of their files.
        """
        named = {role: name for role, name in self._controller.settings.models.items() if name in message}
        if named:
            self._jobs.run("models", lambda: lost_models(named), self._without_models)

    def _without_models(self, lost: Mapping[str, str]) -> None:
        controller = self._controller
        kept = {role: name for role, name in controller.settings.models.items() if role not in lost}
        if controller.state != "failed" or kept == controller.settings.models:
            return
        controller.change(models=kept)
        controller.start()

        def news() -> Notice:
            text = " ".join(sentence_of(sentence) for sentence in lost.values())
            return Notice("model", tr("{text} The usual model runs instead.").format(text=text), Severity.WARNING)

        controller.notifications.post(news)
