"""Which language is in use, and the change to another one while the program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QWidget

from app.changeover import Change, changeover_of
from app.i18n.retranslate import FOLDER, retranslate
from app.i18n.texts import shown_texts
from app.only_one import only_one
from app.steps import Stepwise

LANGUAGES: Final = {"en": "English", "zh_TW": "繁體中文", "zh_CN": "简体中文"}
"""By code, what each language calls itself."""
_TRADITIONAL: Final = ("Hant", "TW", "HK", "MO")


def system_language(wanted: list[str] | None = None) -> str:
    """Return the first of the user's languages that there is, else English.

    Parameters
    ----------
    wanted : list of str, optional
        Names such as "zh-Hant-TW", the dearest first; by default those of the system.
    """
    for name in QLocale.system().uiLanguages() if wanted is None else wanted:
        language, *parts = name.replace("_", "-").split("-")
        if language == "zh":
            return "zh_TW" if any(part in _TRADITIONAL for part in parts) and "Hans" not in parts else "zh_CN"
        if language in LANGUAGES:
            return language
    return "en"


def has_letters(code: str) -> bool:
    """Whether there is a font with the letters of a language; without one there would be nothing but boxes."""
    system = {
        "zh_TW": QFontDatabase.WritingSystem.TraditionalChinese,
        "zh_CN": QFontDatabase.WritingSystem.SimplifiedChinese,
    }.get(code, QFontDatabase.WritingSystem.Latin)
    return bool(QFontDatabase.families(system))


class Language(QObject):
    """Loads translations into the program.

    Parameters
    ----------
    app : QCoreApplication
        Gets the translators.
    """

    changed = Signal(object)
    """Texts that are put together of several are to be made anew; what stands alone has been translated. Carries a list
    of steps, to which is added what is more than an event's worth."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._app = app
        self._changeover = changeover_of(app)
        self._translators: list[QTranslator] = []
        self._telling = False
        self.code = self._wanted = "en"
        self._load(self.code)
        self._before = shown_texts()

    def choose(self, choice: str) -> None:
        """Take "system" or one of `LANGUAGES`, English where its letters are missing: in steps, if a window is seen."""
        code = system_language() if choice == "system" else choice
        if not has_letters(code):
            code = "en"
        if code == self._wanted or self._telling:
            return  # whoever is told of a change may ask for the language again
        self._wanted = code
        self._changeover.ask("language", Change(self._change, after=self._translate_hidden))

    def _change(self) -> Stepwise:
        if self._wanted == self.code:
            return
        self._before = shown_texts()
        yield
        self._load(self._wanted)
        yield
        if isinstance(self._app, QApplication):
            yield from retranslate(self._windows(are_seen=True), *self._before)
        works: list[Stepwise] = []
        self._tell(lambda: self.changed.emit(works))
        yield
        for work in works:
            while self._tell(lambda work=work: next(work, self)) is not self:  # type: ignore[misc]
                yield

    def _tell(self, step: Callable[[], object]) -> object:
        """Let others do a step of what they do about it."""
        self._telling = True
        try:
            return step()
        finally:
            self._telling = False

    def _windows(self, are_seen: bool) -> list[QWidget]:
        return [window for window in QApplication.topLevelWidgets() if window.isVisible() is are_seen]

    def _translate_hidden(self) -> Stepwise:
        if isinstance(self._app, QApplication):
            yield from retranslate(self._windows(are_seen=False), *self._before)

    def _load(self, code: str) -> None:
        for translator in self._translators:
            self._app.removeTranslator(translator)
            translator.deleteLater()
        self._translators = []
        self.code = code
        # Qt's own words (Cancel, Open, the file dialog) first: what is installed last is asked first.
        for name, folder in (
            (f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
            (f"twinlens_{code}", str(FOLDER)),
        ):
            translator = QTranslator(self)
            if translator.load(name, folder):
                self._app.installTranslator(translator)
                self._translators.append(translator)


def language_of(app: QCoreApplication | None) -> Language:
    """Return the language of a program; there is one.

    Raises
    ------
    ValueError
        If there is no program.
    """
    return only_one(Language, app)
