"""What things are called in the window."""

from __future__ import annotations

from typing import Final

TASK_WORDS: Final = {"face": "Face", "segmentation": "Person", "depth": "Depth"}
PIPELINE_WORDS: Final = {"auto": "Auto", "cpu": "CPU", "gpu": "GPU"}
STAGE_WORDS: Final = {
    "capture": "Capture",
    "preprocess": "Preprocess",
    "inference": "Inference",
    "decode": "Decode",
    "draw": "Draw",
}
APP_NAME: Final = "Twinlens"
TIMES: Final = "\N{MULTIPLICATION SIGN}"
DASH: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"
DOT: Final = "\N{MIDDLE DOT}"


def task_word(name: str) -> str:
    """Name of a task; a task we have no word for keeps its own."""
    return TASK_WORDS.get(name, name.capitalize())


def pipeline_word(name: str) -> str:
    """Name of a pipeline; a backend keeps its own."""
    return PIPELINE_WORDS.get(name, name)
