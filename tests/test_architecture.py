"""The rooms: imports flow one way, Qt stays in app/, the runtimes in pipelines/backends/."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(path for room in ("app", "pipelines", "models") for path in (ROOT / room).rglob("*.py"))


def imported(path):
    """Top-level names that a module imports, at any depth of its code."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_flow_one_way(path):
    relative = path.relative_to(ROOT)
    room = relative.parts[0]
    names = imported(path)
    if room != "app":
        assert not names & {"PySide6", "shiboken6", "pyqtgraph", "app"}
    if room == "models":
        assert "pipelines" not in names
    developer_tools = relative.parts[:2] in (("models", "convert"), ("models", "training"))
    if relative.parts[:2] != ("pipelines", "backends") and not developer_tools:
        assert not names & {"onnxruntime", "ai_edge_litert", "tflite_runtime"}
    if not developer_tools and relative.parts[:2] != ("models", "adopt"):
        assert "onnx" not in names
    if not developer_tools:
        assert not names & {"torch", "mediapipe", "skimage", "scipy", "requests", "urllib3"}


def test_the_rooms_exist():
    assert len(MODULES) > 30
