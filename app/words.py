"""What things are called in the window."""

from __future__ import annotations

from collections.abc import Collection, Iterable
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


def backend_word(backend_id: str, software: bool) -> str:
    """Name of a backend, with "(software)" where its device is: a test device must be told from a GPU everywhere."""
    return tr("{id} (software)").format(id=backend_id) if software else backend_id


def backends_word(ids: Iterable[str], software: Collection[str] = ()) -> str:
    """Names of the backends that tasks ran on, each once; `software` are those whose device is."""
    return " + ".join(backend_word(each, each in software) for each in sorted(set(ids)))


def task_word(name: str) -> str:
    """Name of a task; a task we have no word for keeps its own."""
    return tr(TASK_WORDS.get(name, name.capitalize()))


def pipeline_word(name: str) -> str:
    """Name of a pipeline; a backend keeps its own."""
    return tr(PIPELINE_WORDS.get(name, name))


def stage_word(name: str) -> str:
    """Name of a stage of the pipeline, or of "dropped" frames."""
    return tr(STAGE_WORDS[name])
