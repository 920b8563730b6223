"""Texts that stand in tables: `tools/translations.py` collects them beside those that are marked in the code."""

from __future__ import annotations

from collections.abc import Iterator

from app.choices import EFFECTS, STYLES, Choice, Option, model_choices
from app.commands import COMMANDS, MENUS
from pipelines.config import TASKS


def table_texts() -> Iterator[str]:
    """Yield every text of a table that the window shows."""
    yield from MENUS
    for command in COMMANDS:
        yield from command.menu.split("/")
        yield command.text
    for choices in STYLES.values():
        for choice in choices:
            yield from _of(choice)
    yield from _of(EFFECTS)
    for task in TASKS:
        for choice in model_choices(task):
            yield from (choice.label, choice.accessible, *(option.label for option in choice.options))


def _of(choice: Choice) -> Iterator[str]:
    yield choice.label
    yield choice.accessible
    for option in choice.options:
        yield from _of_option(option)


def _of_option(option: Option) -> Iterator[str]:
    yield option.label
    if option.tip:
        yield option.tip
