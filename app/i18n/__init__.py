"""The languages of the window: English, Traditional and Simplified Chinese, through Qt Linguist.

Whatever a person reads in the window goes through `tr`; words in tables, which are made before a language is chosen,
are marked with `noop` and go through `tr` where they are shown. `tools/translations.py` finds both, `twinlens_*.ts`
hold the translations and `twinlens_*.qm`, made of them, are what the program loads.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

FOLDER: Final = Path(__file__).resolve().parent
LANGUAGES: Final = {"en": "English", "zh_TW": "繁體中文", "zh_CN": "简体中文"}
"""By code, what each language calls itself."""
CHOICES: Final = ("system", *LANGUAGES)
_TRADITIONAL: Final = ("Hant", "TW", "HK", "MO")


def tr(text: str, comment: str = "", n: int = -1) -> str:
    """Translate a text of the window.

    Parameters
    ----------
    text : str
        English, written out where `tr` is called so that it can be found.
    comment : str
        Tells translators, and texts that look the same, apart: "Open" of a door or of a shop.
    n : int
        Number for texts with "%n", which have a plural.
    """
    return QCoreApplication.translate("", text, comment, n)


def noop(text: str) -> str:
    """Mark a text that is translated later; returns it as it is."""
    return text


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


class Language(QObject):
    """Loads translations into the program.

    Parameters
    ----------
    app : QCoreApplication
        Gets the translators.
    """

    changed = Signal()
    """Texts are to be made anew."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._app = app
        self._translators: list[QTranslator] = []
        self.code = "en"
        self._load(self.code)

    def choose(self, choice: str) -> None:
        """Take "system" or one of `LANGUAGES`."""
        code = system_language() if choice == "system" else choice
        if code != self.code:
            self._load(code)
            self.changed.emit()

    def _load(self, code: str) -> None:
        for translator in self._translators:
            self._app.removeTranslator(translator)
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
