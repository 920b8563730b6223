"""What a user can say about the comparison, and whom to compare with when nobody said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from app.comparison import counterpart
from app.i18n import tr
from app.i18n.families import bare, full_stop, sentence_words
from app.inventory import reasons, why_not
from app.notifications import Notice, Severity
from app.settings import COMPARISONS, Settings
from app.words import pipeline_word

if TYPE_CHECKING:
    from app.controller import Controller

KEY: Final = "comparison"
"""Of the notices about it; the engine's have the same."""


class ComparisonChoice:
    """Turns choices into settings, or into a notice that says why not.

    Parameters
    ----------
    controller : Controller
        Has the settings and the backends.
    """

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._guess = ""
        self._wrong_guesses: dict[str, str] = {}
        self._next_guess_for = "off"

    def choose(self, mode: str) -> None:
        """Compare with a second pipeline ("split", "alternate"), or stop ("off")."""
        controller = self._controller
        settings, backends = controller.settings, controller.backends
        name = settings.pipeline_b
        is_good = name not in ("", settings.pipeline) and not why_not(name, backends)
        if mode != "off" and backends is not None and not is_good:
            name = self._guess = counterpart(backends, controller.ran_on | self._wrong_guesses.keys())
            if not name:
                wrong = tuple(self._wrong_guesses.values())

                def nothing() -> Notice:
                    why = sentence_words(wrong[-1]) if wrong else tr("no other backend can be used here")
                    text = bare(tr("There is nothing to compare with: {why}").format(why=why))
                    details = "\n".join((*map(sentence_words, wrong), reasons("auto", backends)))
                    return Notice(KEY, text + full_stop(text), Severity.WARNING, details=details)

                self._refuse(nothing, compare="off")
                return
        controller.notifications.dismiss(KEY)
        controller.change(compare=mode, pipeline_b=name)

    def next(self) -> None:
        """Off, split, take turns, off…"""
        now = COMPARISONS.index(self._controller.settings.compare)
        self.choose(COMPARISONS[(now + 1) % len(COMPARISONS)])

    def choose_b(self, pipeline: str) -> None:
        """Change the second pipeline, or say why it cannot be used here."""
        backends = self._controller.backends
        if why_not(pipeline, backends):

            def refusal() -> Notice:
                words = {"pipeline": pipeline_word(pipeline), "reason": bare(why_not(pipeline, backends))}
                text = tr("{pipeline} cannot be compared with: {reason}.").format(**words)
                return Notice(KEY, text, Severity.WARNING, details=reasons(pipeline, backends))

            self._refuse(refusal)
            return
        self._guess = ""
        self._controller.notifications.dismiss(KEY)
        self._controller.change(pipeline_b=pipeline)

    def refused(self, mode: str, settings: Settings, reason: str) -> Settings:
        """Take in that B could not be built. If it was a guess, there will be another one.

        Parameters
        ----------
        mode : str
            How was to be compared.
        settings : Settings
            What to go on with, the comparison off.
        reason : str
            Why it could not be built.

        Returns
        -------
        Settings
            The same, with no B where it was only guessed.
        """
        if not self._guess or settings.pipeline_b != self._guess:
            return settings
        self._wrong_guesses[self._guess] = reason
        self._next_guess_for = mode
        return replace(settings, pipeline_b="")

    def backends_known(self) -> None:
        """Find a B if a comparison was wished for without one."""
        mode, self._next_guess_for = self._next_guess_for, "off"
        settings = self._controller.settings
        if not settings.pipeline_b and (settings.compare, mode) != ("off", "off"):
            self.choose(settings.compare if settings.compare != "off" else mode)

    def _refuse(self, refusal: Callable[[], Notice], **changes: Any) -> None:
        self._controller.change(**changes)
        self._controller.notifications.post(refusal)
        self._controller.settings_changed.emit()  # whoever shows the choice has to take it back
