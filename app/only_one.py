"""Objects that a program has one of, such as its language: found by their class among the program's children."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt

Kind = TypeVar("Kind", bound=QObject)


def only_one(kind: type[Kind], app: QCoreApplication | None) -> Kind:
    """Return the program's object of a class, made now if there is none yet.

    Parameters
    ----------
    kind : type
        Takes the program when it is made, and becomes its child.
    app : QCoreApplication, optional
        The program.

    Raises
    ------
    ValueError
        If no program is running.
    """
    if app is None:
        raise ValueError(f"a program has one {kind.__name__}, and none is running")
    found = app.findChild(kind, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found if isinstance(found, kind) else kind(app)
