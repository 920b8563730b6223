"""Modules with classes of Qt are loaded in the background, but their classes are made in the GUI thread.

Shiboken, the part of PySide that knows of classes, keeps a table of them (`PepType_SOTP`, with Python 3.11). Whoever
makes one adds to it: a `class` statement, and the first use of one of Qt's own, which PySide makes when asked for it.
Qt looks into it while it paints and handles events, without the interpreter's lock
(`PySide::SignalManager::retrieveMetaObject`). Where another thread adds to the table at that moment Qt may find
nothing, and the program crashes: on a busy machine some starts did, while the chart library was loaded.
"""

from __future__ import annotations

import builtins
import importlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.steps import Steps, Stepwise
from app.workers import BackgroundJobs

QT: Final = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest", "QtOpenGL", "QtOpenGLWidgets")
"""Modules of Qt that the chart library takes everything from, each class of them."""
POLL_S: Final = 0.05


def load_in_background(jobs: BackgroundJobs, name: str, modules: Sequence[str], done: Callable[[], None]) -> None:
    """Import modules in a thread, their classes of Qt made in the GUI thread between its events; then call `done`.

    Parameters
    ----------
    jobs : BackgroundJobs
        Whose job it is: nothing is loaded or told any more once they are closed.
    name : str
        Name of the thread.
    modules : sequence of str
        What is imported.
    done : callable
        Called in the GUI thread.
    """
    maker = _Maker(jobs)

    def work() -> None:
        with maker.makes_classes():
            for module in modules:
                importlib.import_module(module)

    def failed(error: Exception) -> None:
        raise error

    def start() -> Stepwise:
        yield from touch_classes()
        jobs.run(name, work, lambda _: done(), failed)

    Steps(start(), jobs)


_touched: set[str] = set()


def touch_classes() -> Stepwise:
    """Have PySide make all classes of `QT`, a class a step."""
    for name in QT:
        if name in _touched:
            continue
        try:
            module = importlib.import_module(f"PySide6.{name}")
        except ImportError:  # a system may do without some of them, and so does the chart library
            _touched.add(name)
            continue
        yield
        for item in dir(module):
            getattr(module, item, None)
            yield
        _touched.add(name)


_BUILD: Final = vars(builtins)["__build_class__"]
_lock: Final = threading.Lock()
_makers: dict[int, _Maker] = {}
"""By the thread that imports."""


def _build(body: Any, name: str, /, *bases: Any, **options: Any) -> Any:
    maker = _makers.get(threading.get_ident())
    if maker is None or not any(isinstance(base, type) and issubclass(base, shiboken6.Object) for base in bases):
        return _BUILD(body, name, *bases, **options)
    return maker.make(lambda: _BUILD(body, name, *bases, **options))


class _Wish:
    """A class that is to be made."""

    def __init__(self, build: Callable[[], Any]) -> None:
        self._build = build
        self.is_done = threading.Event()
        self.made: Any = None
        self.error: BaseException | None = None

    def fulfil(self) -> None:
        """Make it."""
        try:
            self.made = self._build()
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            self.error = error
        self.is_done.set()


class _Maker(QObject):
    """Makes classes in the GUI thread for a thread that waits for them."""

    _wanted = Signal(object)

    def __init__(self, jobs: BackgroundJobs) -> None:
        super().__init__(jobs)
        self._jobs = jobs
        self._wanted.connect(self._make, Qt.ConnectionType.QueuedConnection)

    @contextmanager
    def makes_classes(self) -> Iterator[None]:
        """Make all classes of Qt for which this thread has a `class` statement."""
        with _lock:
            _makers[threading.get_ident()] = self
            builtins.__dict__["__build_class__"] = _build
        try:
            yield
        finally:
            with _lock:
                del _makers[threading.get_ident()]
                if not _makers:
                    builtins.__dict__["__build_class__"] = _BUILD

    def make(self, build: Callable[[], Any]) -> Any:
        """Have a class made, and wait for it.

        Raises
        ------
        ImportError
            If the program ends before.
        """
        wish = _Wish(build)
        if not self._jobs.is_closed:
            self._wanted.emit(wish)
        while not wish.is_done.wait(POLL_S):
            if self._jobs.is_closed:
                raise ImportError("the program ends")
        if wish.error is not None:
            raise wish.error
        return wish.made

    @Slot(object)
    def _make(self, wish: _Wish) -> None:
        wish.fulfil()
