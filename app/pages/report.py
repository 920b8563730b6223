"""The diagnosis in words: those of the page in its language, those for an issue in English."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.i18n import tr
from app.i18n.families import sentence_words
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
        tr("{count} on {provider}").format(count=count, provider=provider.removesuffix("ExecutionProvider"))
        for provider, count in model["placement"].items()
    )


def left_words(model: Mapping[str, Any]) -> str:
    """Return which operations a GPU leaves to the CPU: "Resize x3"; "" where none is."""
    left = ", ".join(f"{operation} {TIMES}{count}" for operation, count in model["on_cpu"].items())
    crossings = model["crossings"]
    copies = tr("{count} copies a run").format(count=crossings)
    return f"{left}; {copies}" if left and crossings else left


def state_words(backend: Mapping[str, Any]) -> str:
    """Return whether a backend can be used, or why not."""
    if not backend["available"]:
        return sentence_words(str(backend["reason"]))
    device = str(backend["device"] or tr("ready"))
    return tr("{backend} (software)").format(backend=device) if backend["software"] else device


def machine_line(machine: Mapping[str, Any]) -> str:
    """Return what the machine is in a line."""
    missing, not_installed = tr("missing"), tr("not installed")
    parts = [
        machine["cpu"],
        tr("%n core(s)", "", machine["cores"]),
        machine["gpu"] or tr("no GPU"),
        machine["os"],
        f"Python {machine['python']}",
        f"ONNX Runtime {machine['onnxruntime'] or missing}",
        f"LiteRT {machine['litert'] or not_installed}",
    ]
    return f"  {DOT}  ".join(str(part) for part in parts)
