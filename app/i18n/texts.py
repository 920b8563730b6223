"""Texts in the language that is in use."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

_shown: dict[str, str] = {}
_sources: dict[str, str] = {}


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
    translated = QCoreApplication.translate("", text, comment, n)
    if n >= 0:
        # English where no language is loaded: "%n file(s)".
        return translated.replace("(s)", "" if n == 1 else "s")
    _shown[text] = translated
    # The first of two with one translation, such as "File" and "file": labels are made before sentences.
    _sources.setdefault(translated, text)
    return translated


def noop(text: str) -> str:
    """Mark a text that is translated later; returns it as it is."""
    return text


def shown_texts() -> tuple[dict[str, str], dict[str, str]]:
    """Return what was translated so far: translations by text, and texts by translation."""
    return dict(_shown), dict(_sources)
