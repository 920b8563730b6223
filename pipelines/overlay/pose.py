"""Which way a head is turned, by the landmarks of a face."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.results import Face

RIGHT_EYE: Final = (33, 133)
LEFT_EYE: Final = (362, 263)
"""Corners of the eyes; right and left are the person's own."""
FOREHEAD: Final = 10
CHIN: Final = 152
CHEEKS: Final = (234, 454)
FEWEST: Final = 468
"""Landmarks of the mesh without irises."""


@dataclass(frozen=True, eq=False, slots=True)
class HeadPose:
    """Axes and size of a head.

    Parameters
    ----------
    axes : ndarray of float64, shape (3, 3)
        Rows are unit vectors in the picture's space (x to the right, y down, z away from the camera): across the face
        to the picture's right, down the face, and into the head.
    origin : ndarray of float64, shape (3,)
        Middle between the eyes, in pixels.
    width : float
        Width of the face from cheek to cheek, in pixels, as if seen from the front.
    height : float
        From the top of the forehead to the chin, in pixels, as if seen from the front.
    """

    axes: NDArray[np.float64]
    origin: NDArray[np.float64]
    width: float
    height: float

    @property
    def yaw(self) -> float:
        """Degrees by which the face looks to the picture's right."""
        x, _, z = -self.axes[2]
        return math.degrees(math.atan2(x, -z))

    @property
    def pitch(self) -> float:
        """Degrees by which the face looks up."""
        x, y, z = -self.axes[2]
        return math.degrees(math.atan2(-y, math.hypot(x, z)))

    @property
    def roll(self) -> float:
        """Degrees by which the head leans, clockwise in the picture."""
        x, y, _ = self.axes[0]
        return math.degrees(math.atan2(y, x))

    def point(self, across: float, down: float, into: float = 0.0) -> tuple[float, float]:
        """Where a point of the head lies in the picture.

        Parameters
        ----------
        across, down, into : float
            From between the eyes along the head's axes, in face widths; `into` is negative in front of the face. The
            projection is parallel, as the landmarks' own is.

        Returns
        -------
        tuple of float
            x and y in pixels.
        """
        x, y, _ = self.origin + self.width * (np.array([across, down, into]) @ self.axes)
        return float(x), float(y)


def head_pose(face: Face) -> HeadPose | None:
    """Return the pose of a face's head; None for other landmarks than the mesh's, or where they lie in a line.

    The line through the eyes says what is across and the one from forehead to chin what is down. What these two leave
    open, how far the face of a neutral head leans back, differs from person to person by some degrees.
    """
    if len(face.landmarks) < FEWEST:
        return None
    marks = face.landmarks.astype(np.float64)
    right, left = marks[list(RIGHT_EYE)].mean(axis=0), marks[list(LEFT_EYE)].mean(axis=0)
    across, down = left - right, marks[CHIN] - marks[FOREHEAD]
    into = np.cross(across, down)
    if into[2] < 0:
        across, into = -across, -into  # a mirrored face: its right eye is on the right
    lengths = [float(np.linalg.norm(vector)) for vector in (across, into)]
    if min(lengths) < 1e-6:
        return None
    x, z = across / lengths[0], into / lengths[1]
    axes = np.array([x, np.cross(z, x), z])
    width = float(np.linalg.norm(marks[CHEEKS[1]] - marks[CHEEKS[0]]))
    return HeadPose(axes, (right + left) / 2, width, float(np.linalg.norm(down)))
