"""What things are called in the window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.i18n import noop, tr

TASK_WORDS: Final = {"face": noop("Face"), "segmentation": noop("Person"), "depth": noop("Depth")}
PIPELINE_WORDS: Final = {"auto": noop("Auto"), "cpu": noop("CPU"), "gpu": noop("GPU")}
STAGE_WORDS: Final = {
    "capture": noop("Capture"),
    "preprocess": noop("Preprocess"),
    "inference": noop("Inference"),
    "decode": noop("Decode"),
    "draw": noop("Draw"),
    "dropped": noop("Dropped"),
}
APP_NAME: Final = "Twinlens"
TIMES: Final = "\N{MULTIPLICATION SIGN}"
DASH: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"
DOT: Final = "\N{MIDDLE DOT}"


EMULATED: Final[set[str]] = set()
"""Backends whose device is software, as far as the inventory has told: a test device must be told from a GPU wherever
its name stands."""


def backend_word(backend_id: str, software: bool | None = None) -> str:
    """Name of a backend, with "(software)" where its device is emulated; None asks `EMULATED`."""
    if software is None:
        software = backend_id in EMULATED
    return tr("{id} (software)").format(id=backend_id) if software else backend_id


def backends_word(ids: Iterable[str]) -> str:
    """Names of the backends that tasks ran on, each once."""
    return " + ".join(backend_word(each) for each in sorted(set(ids)))


def task_word(name: str) -> str:
    """Name of a task; a task we have no word for keeps its own."""
    return tr(TASK_WORDS.get(name, name.capitalize()))


def pipeline_word(name: str) -> str:
    """Name of a pipeline; a backend keeps its own."""
    return tr(PIPELINE_WORDS.get(name, name))


def stage_word(name: str) -> str:
    """Name of a stage of the pipeline, or of "dropped" frames."""
    return tr(STAGE_WORDS[name])
