"""A program has one of some objects."""

import pytest
from PySide6.QtCore import QObject

from app.only_one import only_one


class Thing(QObject):
    pass


class Other(QObject):
    pass


def test_a_program_has_one_of_each_class(qapp):
    first = only_one(Thing, qapp)
    inner = Thing(Other(qapp))
    assert first.parent() is qapp
    assert only_one(Thing, qapp) is first is not inner
    assert isinstance(only_one(Other, qapp), Other)
    for one in (first, *qapp.findChildren(Other)):
        one.setParent(None)


def test_without_a_program():
    with pytest.raises(ValueError, match="a program has one Thing, and none is running"):
        only_one(Thing, None)
