"""Values on the command line, from text to what they mean."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Final

from pipelines.export import LAYERS
from pipelines.offline.formats import WORST_CRF

MAX_JOBS: Final = 64


def pipeline_pair(text: str) -> tuple[str, str]:
    """Parse "ort-cpu,gpu" into the names of two pipelines.

    Raises
    ------
    argparse.ArgumentTypeError
        If there are not two different ones.
    """
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 2 or not all(names) or names[0] == names[1] or "=" in text:
        raise argparse.ArgumentTypeError(f"{text!r} does not name two different pipelines, as in ort-cpu,gpu")
    return names[0], names[1]


def layer_list(text: str) -> tuple[str, ...]:
    """Parse "mask,depth" into layer names, in the order of `LAYERS`.

    Raises
    ------
    argparse.ArgumentTypeError
        If a name is unknown or none is given.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in LAYERS]
    if unknown or not names:
        wrong = f"unknown layer {unknown[0]!r}" if unknown else "no layer named"
        raise argparse.ArgumentTypeError(f"{wrong} (choose from {', '.join(LAYERS)})")
    return tuple(name for name in LAYERS if name in names)


def seconds(text: str) -> float:
    """Parse a time: seconds, or minutes and hours as in 1:02:03.5.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none, or negative.
    """
    try:
        value = 0.0
        for part in text.split(":"):
            value = value * 60 + float(part)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf or text.count(":") > 2 or "-" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time: give seconds, or 1:02:03.5")
    return value


def quality(text: str) -> int:
    """Parse a quality, 1 to 51.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none.
    """
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= WORST_CRF:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {WORST_CRF}")
    return int(text)


def process_count(text: str) -> int:
    """Parse a number of processes.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none, or more than `MAX_JOBS`.
    """
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MAX_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_JOBS}")
    return int(text)


def some_text(text: str) -> str:
    """Take a text as it is; none at all, as of a variable that a script forgot to set, is refused.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is empty.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("an empty text names nothing")
    return text


def file_path(text: str) -> Path:
    """Parse the name of a file or folder. As a path an empty text would mean the folder one is in.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is empty.
    """
    return Path(some_text(text))


def positive(text: str) -> int:
    """Parse a number of frames, at least 1.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none.
    """
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)
