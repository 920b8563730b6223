"""The diagnosis as text for an issue. No Qt here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.words import DOT, TIMES

Diagnosis = Mapping[str, Any]
"""The doctor file (docs/formats.md)."""


def issue_report(text: str, home: Path | None = None) -> str:
    """Return what can be pasted into an issue: the diagnosis as a block, without the name of the user's folder.

    Parameters
    ----------
    text : str
        What `twinlens doctor` prints.
    home : Path, optional
        The user's folder.
    """
    folder = str(home or Path.home())
    clean = text.replace(folder, "~") if len(folder) > 1 else text
    return f"### What happened\n\n\n### This machine\n\n```text\n{clean.strip()}\n```\n"


def placement_words(model: Mapping[str, Any]) -> str:
    """Return where the nodes of a model are: "98 on WebGpu, 3 on CPU"."""
    return ", ".join(
        f"{count} on {provider.removesuffix('ExecutionProvider')}" for provider, count in model["placement"].items()
    )


def left_words(model: Mapping[str, Any]) -> str:
    """Return which operations a GPU leaves to the CPU: "Resize x3"; "" where none is."""
    left = ", ".join(f"{operation} {TIMES}{count}" for operation, count in model["on_cpu"].items())
    crossings = model["crossings"]
    return f"{left}; {crossings} copies a run" if left and crossings else left


def state_words(backend: Mapping[str, Any]) -> str:
    """Return whether a backend can be used, or why not."""
    if not backend["available"]:
        return str(backend["reason"])
    return f"{backend['device']} (software)" if backend["software"] else str(backend["device"] or "ready")


def machine_line(machine: Mapping[str, Any]) -> str:
    """Return what the machine is in a line."""
    cores = machine["cores"]
    parts = [
        machine["cpu"],
        f"{cores} core{'' if cores == 1 else 's'}",
        machine["gpu"] or "no GPU",
        machine["os"],
        f"Python {machine['python']}",
        f"ONNX Runtime {machine['onnxruntime'] or 'missing'}",
        f"LiteRT {machine['litert'] or 'not installed'}",
    ]
    return f"  {DOT}  ".join(str(part) for part in parts)
