"""Implementations are found by the registry, and a wrong name says which exist."""

import pytest

from models.errors import VisionError
from models.registry import Registry


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
