"""Which points of the face mesh belong together: rings and lines to draw, and a triangulation.

Indices count the landmarks of `models.face_mesh`. "Left" and "right" are those of the picture: the subject's right eye
is at image left. The irises exist only where the mesh has 478 points; everything else is within the first 468.
"""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Contour:
    """A closed line through landmarks.

    Parameters
    ----------
    name : str
        What it outlines.
    indices : tuple of int
        Landmarks in the order in which they are joined; the last one is joined to the first.
    """

    name: str
    indices: tuple[int, ...]


# fmt: off
FACE_OVAL: Final = Contour("face oval", (
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
    152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
))
LIPS_OUTER: Final = Contour("outer lips", (
    61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 409, 270, 269, 267, 0, 37, 39, 40, 185,
))
LIPS_INNER: Final = Contour("inner lips", (
    78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191,
))
EYE_LEFT: Final = Contour("left eye", (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246))
EYE_RIGHT: Final = Contour("right eye", (
    263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466,
))
BROW_LEFT: Final = Contour("left brow", (70, 63, 105, 66, 107, 55, 65, 52, 53, 46))
BROW_RIGHT: Final = Contour("right brow", (300, 293, 334, 296, 336, 285, 295, 282, 283, 276))
IRIS_LEFT: Final = Contour("left iris", (469, 470, 471, 472))
IRIS_RIGHT: Final = Contour("right iris", (474, 475, 476, 477))
# fmt: on
IRIS_CENTERS: Final = (468, 473)
"""Centre of the left and of the right iris."""
CONTOURS: Final = (FACE_OVAL, BROW_LEFT, BROW_RIGHT, EYE_LEFT, EYE_RIGHT, LIPS_OUTER, LIPS_INNER)
"""Everything that both meshes have, from the outside in."""
IRISES: Final = (IRIS_LEFT, IRIS_RIGHT)
"""Right, top, left and bottom of each iris, joined; they lie on a circle around the centre."""
_TRIANGLES: Final = Path(__file__).resolve().parents[1] / "assets" / "face_triangles.csv"


@functools.cache
def triangles() -> NDArray[np.int32]:
    """Return a triangulation of the face without eyes and lips, int32 (M, 3), read-only.

    Made by assets/make_face_triangles.py; it is our own and not the one MediaPipe draws.
    """
    with _TRIANGLES.open(newline="", encoding="ascii") as file:
        table = np.array([[int(cell) for cell in row] for row in csv.reader(file)], np.int32)
    table.flags.writeable = False
    return table


@functools.cache
def edges() -> NDArray[np.int32]:
    """Return every side of `triangles` once, int32 (K, 2), smaller index first, read-only."""
    corners = triangles()
    sides = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    unique: NDArray[np.int32] = np.unique(np.sort(sides, axis=1), axis=0)
    unique.flags.writeable = False
    return unique
