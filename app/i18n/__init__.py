"""The languages of the window: English, Traditional and Simplified Chinese, through Qt Linguist.

Whatever a person reads in the window goes through `tr`. Words in tables, which are made before a language is chosen,
are marked with `noop`, or stand in a table that `app.i18n.tables` lists, and go through `tr` where they are shown.
`tools/translations.py` finds them all, `twinlens_*.ts` hold the translations, and `twinlens_*.qm`, made of them, are
what the program loads (`app.i18n.language`).
"""

from app.i18n.texts import noop, tr

__all__ = ["noop", "tr"]
