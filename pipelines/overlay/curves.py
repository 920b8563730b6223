"""Smooth lines through the landmarks of a contour."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.face_topology import EYE_LEFT, EYE_RIGHT, LIPS_INNER, LIPS_OUTER, Contour

_STEPS: Final = ((120.0, 1), (420.0, 2), (900.0, 3))
"""Pieces from one landmark to the next for faces below a size in pixels: pieces of 5 to 10 px. OpenCV's thick lines
cost 2 us a piece. A fixed number, unlike one fitted to each frame, does not make still lines tremble."""
_MOST_STEPS: Final = 4
_WITH_CORNERS: Final = (EYE_LEFT, EYE_RIGHT, LIPS_OUTER, LIPS_INNER)


def curve_steps(face_size: float) -> int:
    """Number of straight pieces from one landmark to the next for a face of `face_size` pixels."""
    return next((steps for limit, steps in _STEPS if face_size < limit), _MOST_STEPS)


@cache
def curves(contours: tuple[Contour, ...], steps: int) -> tuple[NDArray[np.intp], NDArray[np.float32], tuple[int, ...]]:
    """Return what turns a face's landmarks into the smooth lines of several contours in one product.

    Returns
    -------
    indices : ndarray of intp, shape (n,)
        The landmarks of all contours, one contour after the other.
    matrix : ndarray of float32, shape (steps * n, n)
        From these landmarks to the points of the lines; the matrices of `curve` along the diagonal. Read-only.
    ends : tuple of int
        Where one line ends and the next begins: one fewer than contours.
    """
    counts = [len(contour.indices) for contour in contours]
    matrix = np.zeros((steps * sum(counts), sum(counts)), np.float32)
    at = 0
    for contour, count in zip(contours, counts, strict=True):
        matrix[steps * at : steps * (at + count), at : at + count] = curve(contour, steps)
        at += count
    matrix.flags.writeable = False
    indices = np.concatenate([contour.indices for contour in contours]).astype(np.intp)
    return indices, matrix, tuple(int(end) for end in steps * np.cumsum(counts)[:-1])


@cache
def curve(contour: Contour, steps: int) -> NDArray[np.float32]:
    """Return the matrix from a contour's n landmarks to the points of a smooth line, float32 (steps * n, n).

    A closed Catmull-Rom spline (Catmull and Rom, "A class of local interpolating splines", 1974): every `steps`-th
    point is a landmark. The corners of eyes and lips stay sharp: there each side's tangent follows that side alone.
    Read-only.
    """
    count = len(contour.indices)
    corners = {0, count // 2} if contour in _WITH_CORNERS else set()
    unit = np.eye(count)
    rows = []
    for index in range(count):
        before, start, end, after = (unit[(index + offset) % count] for offset in (-1, 0, 1, 2))
        # At a corner the missing neighbour is the mirror image of the one on this side.
        before = 2 * start - end if index in corners else before
        after = 2 * end - start if (index + 1) % count in corners else after
        for step in range(steps):
            t = step / steps
            weights = (
                (-t + 2 * t**2 - t**3) / 2,
                (2 - 5 * t**2 + 3 * t**3) / 2,
                (t + 4 * t**2 - 3 * t**3) / 2,
                (-(t**2) + t**3) / 2,
            )
            rows.append(weights[0] * before + weights[1] * start + weights[2] * end + weights[3] * after)
    matrix = np.array(rows, np.float32)
    matrix.flags.writeable = False
    return matrix
