"""Find implementations by name, so that adding one means adding one file."""

from __future__ import annotations

import importlib
import pkgutil
import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from models.errors import VisionError

T = TypeVar("T")


class Registry(Generic[T]):
    """Named implementations that live in the modules of one package.

    Parameters
    ----------
    kind : str
        What the entries are, in the singular; used in error messages ("backend").
    package : str
        Dotted name of the package whose modules register themselves when they are imported. They are imported on
        the first look-up, in alphabetical order.
    """

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self._package = package
        self._entries: dict[str, T] = {}
        self._discovered = False
        self._discovering = False
        self._lock = threading.RLock()

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files the decorated object under `name`.

        Raises
        ------
        ValueError
            If the name is taken: two files claim the same thing, which is a programming error.
        """

        def decorate(entry: T) -> T:
            if name in self._entries:
                raise ValueError(f"two {self.kind}s are called {name!r}")
            self._entries[name] = entry
            return entry

        return decorate

    def discover(self) -> None:
        """Import every module of the package once."""
        if self._discovered:
            return
        # A second thread waits until all are there; the first one may come back here from a module it imports.
        with self._lock:
            if self._discovered or self._discovering:
                return
            self._discovering = True
            try:
                package = importlib.import_module(self._package)
                for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda item: item.name):
                    importlib.import_module(f"{self._package}.{module.name}")
                self._discovered = True
            finally:
                self._discovering = False

    def names(self) -> tuple[str, ...]:
        """Names of all entries, in the order in which they registered."""
        self.discover()
        return tuple(self._entries)

    def get(self, name: str) -> T:
        """Return the entry called `name`.

        Raises
        ------
        VisionError
            If there is none; the message lists the names that exist.
        """
        self.discover()
        try:
            return self._entries[name]
        except KeyError:
            known = ", ".join(self._entries) or "none"
            raise VisionError(f"there is no {self.kind} called {name!r} (known: {known})") from None

    def __iter__(self) -> Iterator[tuple[str, T]]:
        self.discover()
        return iter(tuple(self._entries.items()))

    def __contains__(self, name: object) -> bool:
        self.discover()
        return name in self._entries
