"""Typed access to a table of a manifest: every complaint names the file, the table and the field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from models.errors import ModelError


class Table:
    """One table of a TOML document, read field by field.

    Parameters
    ----------
    path : Path
        The document, for messages.
    title : str
        Name of the table ("input", "files[1]"), empty for the top level.
    values : object
        What the TOML reader returned for it.

    Raises
    ------
    ModelError
        If `values` is no table. Every method that reads a field raises it as well, where the field is missing or of
        the wrong type.
    """

    def __init__(self, path: Path, title: str, values: object) -> None:
        self._path = path
        self._title = title
        if not isinstance(values, dict):
            raise self.error("this must be a table")
        self._values: dict[str, object] = values
        self._read: set[str] = set()

    def error(self, cause: str) -> ModelError:
        """Return (not raise) the error that says what is wrong with this table."""
        where = f"[{self._title}]: " if self._title else ""
        return ModelError(f"{self._path}: {where}{cause}")

    def _get(self, key: str) -> object:
        self._read.add(key)
        if key not in self._values:
            raise self.error(f"the field {key!r} is missing")
        return self._values[key]

    def text(
        self,
        key: str,
        default: str | None = None,
        choices: Sequence[str] = (),
        pattern: re.Pattern[str] | None = None,
    ) -> str:
        """Return a string, one of `choices` and matching `pattern` where those are given."""
        if default is not None and key not in self._values:
            return default
        value = self._get(key)
        if not isinstance(value, str):
            raise self.error(f"the field {key!r} must be a text")
        if choices and value not in choices:
            raise self.error(
                f"the field {key!r} is {value!r}, not one of {', '.join(item or 'empty' for item in choices)}"
            )
        if pattern and not pattern.fullmatch(value):
            raise self.error(f"the field {key!r} has a value of the wrong form: {value!r}")
        return value

    def number(self, key: str) -> float:
        """Return a number."""
        return self._as_number(key, self._get(key))

    def integer(self, key: str) -> int:
        """Return a whole number that is not negative."""
        return self._as_integer(key, self._get(key))

    def numbers(self, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return a list of numbers; a single number counts as a list of one."""
        if key not in self._values:
            return default
        value = self._get(key)
        items = value if isinstance(value, list) else [value]
        return tuple(self._as_number(key, item) for item in items)

    def integers(self, key: str) -> tuple[int, ...]:
        """Return a list of whole numbers."""
        value = self._get(key)
        if not isinstance(value, list) or not value:
            raise self.error(f"the field {key!r} must be a list of whole numbers")
        return tuple(self._as_integer(key, item) for item in value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; a single text counts as a list of one."""
        value = self._get(key)
        items = value if isinstance(value, list) else [value]
        if not items or not all(isinstance(item, str) for item in items):
            raise self.error(f"the field {key!r} must be a text or a list of texts")
        return tuple(items)

    def all_numbers(self) -> dict[str, float]:
        """Return the whole table as numbers."""
        return {key: self.number(key) for key in self._values}

    def table(self, key: str) -> Table:
        """Return a table inside this one."""
        return Table(self._path, self._inner(key), self._get(key))

    def optional_table(self, key: str) -> Table | None:
        """Return a table inside this one, or None where there is none."""
        return self.table(key) if key in self._values else None

    def tables(self, key: str) -> tuple[Table, ...]:
        """Return a list of tables that is not empty."""
        value = self._get(key)
        if not isinstance(value, list) or not value:
            raise self.error(f"{self._inner(key)!r} must be a list of tables")
        return tuple(Table(self._path, f"{self._inner(key)}[{index}]", item) for index, item in enumerate(value))

    def finish(self) -> None:
        """Refuse fields that nobody asked for: most often a misspelt name."""
        unknown = sorted(set(self._values) - self._read)
        if unknown:
            raise self.error(f"the field {unknown[0]!r} is unknown")

    def _inner(self, key: str) -> str:
        return f"{self._title}.{key}" if self._title else key

    def _as_number(self, key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"the field {key!r} must be a number")
        return float(value)

    def _as_integer(self, key: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(f"the field {key!r} must be a whole number")
        return value
