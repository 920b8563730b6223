"""Implementations are found by the registry, and a wrong name says which exist."""

import threading

import pytest

from models.errors import VisionError
from models.registry import Registry
from tests.patience import PATIENCE_S


@pytest.fixture
def shapes(tmp_path, monkeypatch):
    package = tmp_path / "shapes_for_registry_test"
    package.mkdir()
    (package / "__init__.py").write_text("from models.registry import Registry\nR = Registry('shape', __name__)\n")
    for name in ("square", "circle"):
        (package / f"{name}.py").write_text(
            f"from shapes_for_registry_test import R\n@R.register('{name}')\nclass Shape: sides = {len(name)}\n"
        )
    monkeypatch.syspath_prepend(str(tmp_path))
    import shapes_for_registry_test

    return shapes_for_registry_test.R


def test_every_module_of_the_package_registers_itself(shapes):
    assert shapes.names() == ("circle", "square")
    assert shapes.get("circle").sides == 6
    assert "square" in shapes
    assert "cube" not in shapes
    assert [name for name, _ in shapes] == ["circle", "square"]


def test_an_unknown_name_lists_the_known_ones(shapes):
    with pytest.raises(VisionError, match=r"no shape called 'cube' \(known: circle, square\)"):
        shapes.get("cube")


def test_two_entries_cannot_share_a_name():
    registry = Registry("thing", "models")
    registry.register("a")(1)
    with pytest.raises(ValueError, match="two things are called 'a'"):
        registry.register("a")(2)


def test_a_second_thread_waits_until_all_are_there(tmp_path, monkeypatch):
    package = tmp_path / "slow_for_registry_test"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import threading\nfrom models.registry import Registry\nR = Registry('thing', __name__)\n"
        "begun, release = threading.Event(), threading.Event()\n"
    )
    (package / "late.py").write_text(
        "from slow_for_registry_test import R, begun, release\nbegun.set()\nrelease.wait(120)\nR.register('late')(1)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import slow_for_registry_test as slow

    seen = []
    first = threading.Thread(target=lambda: seen.append(slow.R.names()))
    second = threading.Thread(target=lambda: seen.append(slow.R.names()))
    first.start()
    assert slow.begun.wait(PATIENCE_S)
    second.start()
    second.join(0.2)
    assert seen == []
    slow.release.set()
    first.join(PATIENCE_S)
    second.join(PATIENCE_S)
    assert seen == [("late",), ("late",)]
