"""Reads effects in the background: one may be a picture, and a disk may be slow."""

from __future__ import annotations

from collections.abc import Callable

from app.workers import BackgroundJobs
from pipelines.overlay import Effect, parse_effect


class EffectLoader:
    """Turns the text of an effect into the effect; of several in a row the last one wins.

    Parameters
    ----------
    jobs : BackgroundJobs
        Where it is done.
    use : callable
        Called with the effect, in the GUI thread.
    failed : callable
        Called with the error, in the GUI thread.
    """

    def __init__(
        self, jobs: BackgroundJobs, use: Callable[[Effect], None], failed: Callable[[Exception], None]
    ) -> None:
        self._jobs = jobs
        self._use = use
        self._failed = failed
        self._wanted = ""

    def load(self, text: str) -> None:
        """Read the effect that `text` (as in --effect) stands for."""
        self._wanted = text

        def done(effect: Effect) -> None:
            if text == self._wanted:
                self._use(effect)

        def failed(error: Exception) -> None:
            if text == self._wanted:
                self._failed(error)

        self._jobs.run("effect", lambda: parse_effect(text), done, failed)
