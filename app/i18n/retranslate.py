"""Texts of widgets that exist, in another language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QTableWidget,
    QTabWidget,
    QWidget,
)

from app.changeover import is_valid
from app.i18n.texts import tr
from app.steps import Stepwise

FOLDER: Final = Path(__file__).resolve().parent
TIP: Final = Qt.ItemDataRole.ToolTipRole
Text = tuple[str, Callable[[], str], Callable[[str], object]]


def retranslate(windows: Iterable[QWidget], shown: Mapping[str, str], sources: Mapping[str, str]) -> Stepwise:
    """Translate every text of windows anew that stands there as it was translated, a thing a step.

    A text that was put together (a name in a sentence, a figure with its unit) is left as it is: whoever made it makes
    it again when `Language.changed` comes.

    Parameters
    ----------
    windows : iterable of QWidget
        With all that is in them.
    shown, sources : mapping
        What the language before made of the English texts, and back.
    """
    for window in windows:
        for thing in (window, *window.findChildren(QObject)) if is_valid(window) else ():
            # Other things happen between two steps: it may be gone by now.
            if is_valid(thing):
                _translate(thing, shown, sources)
                yield


def _translate(thing: QObject, shown: Mapping[str, str], sources: Mapping[str, str]) -> None:
    for name, read, write in _texts(thing):
        current = read()
        if not current:
            continue
        # Two texts may have one translation: what was written here first is remembered.
        kept = thing.property(f"source {name}")
        source = kept if kept and shown.get(kept) == current else sources.get(current, current)
        translated = tr(source)
        if translated != current:
            write(translated)
            thing.setProperty(f"source {name}", source)


def _texts(thing: QObject) -> Iterator[Text]:
    if isinstance(thing, QAction):
        yield "text", thing.text, thing.setText
        yield "tip", thing.toolTip, thing.setToolTip
    if not isinstance(thing, QWidget):
        return
    yield "tip", thing.toolTip, thing.setToolTip
    yield "name", thing.accessibleName, thing.setAccessibleName
    yield "about", thing.accessibleDescription, thing.setAccessibleDescription
    yield "title", thing.windowTitle, thing.setWindowTitle
    if isinstance(thing, QLabel | QAbstractButton):
        yield "text", thing.text, thing.setText
    elif isinstance(thing, QLineEdit):
        yield "hint", thing.placeholderText, thing.setPlaceholderText
    elif isinstance(thing, QMenu | QGroupBox):
        yield "own title", thing.title, thing.setTitle
    elif isinstance(thing, QComboBox):
        yield from _items(thing)
    elif isinstance(thing, QTabWidget):
        for index in range(thing.count()):
            yield f"tab {index}", _at(thing.tabText, index), _set_at(thing.setTabText, index)
    elif isinstance(thing, QTableWidget):
        for index in range(thing.columnCount()):
            item = thing.horizontalHeaderItem(index)
            if item is not None:
                yield f"column {index}", item.text, item.setText


def _items(box: QComboBox) -> Iterator[Text]:
    for index in range(box.count()):
        yield f"item {index}", _at(box.itemText, index), _set_at(box.setItemText, index)

        def read(index: int = index) -> str:
            return box.itemData(index, TIP) or ""

        def write(text: str, index: int = index) -> None:
            box.setItemData(index, text, TIP)

        yield f"item tip {index}", read, write


def _at(read: Callable[[int], str], index: int) -> Callable[[], str]:
    return lambda: read(index)


def _set_at(write: Callable[[int, str], object], index: int) -> Callable[[str], object]:
    return lambda text: write(index, text)
