"""Keeps a reference-counting fault in PySide6 6.12.0 from ending the program.

Each `Signal.emit` of that release gives away a reference to `True` that it does not own. Up to Python 3.11 `True` is
an ordinary counted object: after about 580 emits its count is zero and the interpreter aborts with "deallocating True
or False". From Python 3.12 on it cannot die. 6.11 and older are sound; this module can go when 6.12.0 is no longer
allowed by pyproject.toml.
"""

from __future__ import annotations

import ctypes
import logging
import sys

from PySide6.QtCore import QObject, Signal

log = logging.getLogger(__name__)

TRIES = 8
SPARE_REFERENCES = 1 << 40
"""More than can be given away: a million emits a second would take twelve days."""


class _Probe(QObject):
    fired = Signal()


def loses_references() -> bool:
    """Whether emitting a signal makes `True` lose references in this interpreter."""
    if sys.version_info >= (3, 12):
        return False
    probe = _Probe()
    before = sys.getrefcount(True)
    for _ in range(TRIES):
        probe.fired.emit()
    # Other threads may take or give back a few at the same time, hence not "== TRIES".
    return before - sys.getrefcount(True) >= TRIES // 2


def keep_true_alive() -> None:
    """Give `True` references to spare, once, if this PySide needs it."""
    if sys.getrefcount(True) < SPARE_REFERENCES // 2 and loses_references():
        log.debug("PySide loses references to True; it gets some to spare")
        # The count is the first field of an object in CPython (Include/object.h, PyObject).
        count = ctypes.c_ssize_t.from_address(id(True))
        count.value += SPARE_REFERENCES
