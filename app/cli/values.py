"""Values on the command line, from text to what they mean."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from app.cli.base import names_of
from pipelines.export import LAYERS


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
    return names_of(text, LAYERS, "layer")


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
