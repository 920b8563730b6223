"""What the two commands, training and judging, have in common."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable
from pathlib import Path

import cv2

from models.errors import ModelError

_log = logging.getLogger("models.training")


def parser(module: str, description: str, images: str) -> argparse.ArgumentParser:
    """Return a parser of ``python -m MODULE`` that knows the pictures and the teacher.

    Parameters
    ----------
    module, description : str
        For the help.
    images : str
        What the folder of pictures has to hold.
    """
    made = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    made.add_argument("--images", type=Path, required=True, help=images)
    made.add_argument("--teacher", type=Path, required=True, help="the teacher's ONNX file")
    return made


def carry_out(run: Callable[[], None], line: str) -> int:
    """Run, each line of the log formatted as `line`; a failure becomes one line and the exit status 1."""
    logging.basicConfig(level=logging.INFO, format=line)
    cv2.setNumThreads(1)
    try:
        run()
    except ModelError as error:
        _log.error("error: %s", error)
        return 1
    return 0
