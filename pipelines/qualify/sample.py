"""The picture on which backends are compared: a real face and person, always the same.

`portrait.jpg` is a detail of NASA's portrait of Eileen Collins (public domain), 320 pixels wide.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError
from models.manifest import Manifest

PORTRAIT: Final = Path(__file__).resolve().parent / "portrait.jpg"
_FACE: Final = (slice(28, 180), slice(78, 230))
"""Rows and columns of the face with the margin that the mesh expects, 1.5 times its size."""


def sample_input(manifest: Manifest) -> NDArray[np.uint8]:
    """Return the input for a model, uint8 BGR of shape (1, H, W, 3).

    Raises
    ------
    ModelError
        If the picture is missing from the installation.
    """
    return sample_picture(manifest.role, manifest.input.size_wh)


def sample_picture(role: str, size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the picture as a model of this role sees it, uint8 BGR of shape (1, H, W, 3).

    Raises
    ------
    ModelError
        If the picture is missing from the installation.
    """
    picture = cv2.imread(str(PORTRAIT), cv2.IMREAD_COLOR)
    if picture is None:
        raise ModelError(f"{PORTRAIT}: the picture for comparing backends cannot be read")
    if role == "landmarks":
        picture = picture[_FACE]
    resized = cv2.resize(picture, size_wh, interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(resized[None], np.uint8)
