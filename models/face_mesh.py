"""Face mesh: 478 or 468 points in space on one face.

Model    : Face Mesh with attention (478 points with irises) or Face Mesh (468), Google, Apache-2.0, from the package
           mediapipe 0.10.21 (models/weights/face_mesh.toml, face_mesh_468.toml)
Papers   : Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on Mobile GPUs", 2019;
           Grishchenko et al., "Attention Mesh: High-fidelity Face Mesh Prediction in Real-time", 2020
Input    : "image", uint8 (1, 192, 192, 3) BGR, a square around the face, turned so that the eyes are level
Output   : "landmarks", float32 (1, 478 or 468, 3), pixels of the crop; "face_flag", float32 (1, 1), logit
Checked  : against MediaPipe's own solution, tests/pipelines/test_face_parity.py
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError
from models.geometry import Square

INPUT_SIZE: Final = 192
_SHAPES: Final = ((1, 478, 3), (1, 468, 3))
PRESENCE_THRESHOLD: Final = 0.5
EYE_CORNERS: Final = (33, 263)
"""Outer corners of the eyes at image left and image right."""
_MARGIN: Final = 1.5
"""Side of the region relative to the longer side of the face's box."""
_GRID_STEPS: Final = 4096
"""Regions lie on a grid of a twentieth of the network's pixel: this many steps along their side. Each region comes
from the landmarks of the frame before, so without a grid two backends that round differently (by 0.0002 px on the same
crop) would look at crops that differ a little, then a little more: over 60 frames of the demo clip they came to 0.9 px
apart. On the grid they look at the same pixels and stay within 0.0003 px."""
_ANGLE_STEPS: Final = 2048
"""Steps of the angle in a radian: as fine as the grid, at the region's edge."""


def region_of_detection(box_xyxy: NDArray[np.float32], keypoints: NDArray[np.float32]) -> Square:
    """Return the region the mesh shall look at, from a detection.

    Parameters
    ----------
    box_xyxy : ndarray of float32, shape (4,)
        Box of the face in pixels; not empty.
    keypoints : ndarray of float32, shape (6, 2)
        Key points in pixels; the first two are the eyes and set the angle.
    """
    return _region(box_xyxy, keypoints[1] - keypoints[0])


def region_of_landmarks(landmarks: NDArray[np.float32], box_xyxy: NDArray[np.float32] | None = None) -> Square:
    """Return the region the mesh shall look at, from the landmarks of the frame before.

    Parameters
    ----------
    landmarks : ndarray of float32, shape (N, 3)
        In pixels of the picture.
    box_xyxy : ndarray of float32, shape (4,), optional
        Their box (`box_of`), if it is known.
    """
    left, right = EYE_CORNERS
    return _region(box_of(landmarks) if box_xyxy is None else box_xyxy, landmarks[right, :2] - landmarks[left, :2])


def _region(box_xyxy: NDArray[np.float32], eyes: NDArray[np.float32]) -> Square:
    x0, y0, x1, y1 = (float(value) for value in box_xyxy)
    side = _MARGIN * max(x1 - x0, y1 - y0)
    # A power of two, so that it stays the same while the side changes a little.
    steps = 2.0 ** round(math.log2(_GRID_STEPS / side)) if 0 < side < math.inf else 1.0
    center_x, center_y, side = (_snapped(value, steps) for value in ((x0 + x1) / 2, (y0 + y1) / 2, side))
    return Square(center_x, center_y, side, _snapped(math.atan2(float(eyes[1]), float(eyes[0])), _ANGLE_STEPS))


def _snapped(value: float, steps: float) -> float:
    """Return the nearest multiple of 1 / `steps`; what is not finite stays what it is."""
    return round(value * steps) / steps if math.isfinite(value) else value


def box_of(landmarks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return left, top, right, bottom of landmarks (N, 3), float32 (4,)."""
    # Column by column: four times as fast as a minimum along the first axis.
    x, y = landmarks[:, 0], landmarks[:, 1]
    return np.array([x.min(), y.min(), x.max(), y.max()], np.float32)


def drift(before: NDArray[np.float32], after: NDArray[np.float32]) -> float:
    """Return the mean distance of two fits (N, 3) in the picture, relative to the outer eye distance of the second."""
    left, right = EYE_CORNERS
    eyes = float(np.linalg.norm(after[left, :2] - after[right, :2]))
    moved = float(np.linalg.norm(after[:, :2] - before[:, :2], axis=1).mean())
    return moved / eyes if eyes > 0 else math.inf


def decode(
    landmarks: NDArray[np.float32], face_flag: NDArray[np.float32], region: Square
) -> tuple[NDArray[np.float32], float]:
    """Map the network's outputs back onto the picture.

    Parameters
    ----------
    landmarks : ndarray of float32, shape (1, 478 or 468, 3)
        Output "landmarks".
    face_flag : ndarray of float32, shape (1, 1)
        Output "face_flag".
    region : Square
        Where the crop was taken.

    Returns
    -------
    landmarks : ndarray of float32, shape (478 or 468, 3)
        x, y in pixels of the picture; z in the unit of x, about 0 at the centre of the head, negative towards the
        camera.
    score : float
        Confidence in [0, 1] that the crop shows a face.

    Raises
    ------
    ModelError
        If an output has another shape: the weights are not the ones expected.
    """
    if landmarks.shape not in _SHAPES or face_flag.shape != (1, 1):
        raise ModelError(
            f"the face mesh gave landmarks {landmarks.shape} and face_flag {face_flag.shape}, "
            "expected (1, 478 or 468, 3) and (1, 1)"
        )
    # One product for all three coordinates; z is scaled like x, but neither turned nor shifted.
    (x_x, y_x, x_0), (x_y, y_y, y_0) = region.matrix(INPUT_SIZE).tolist()
    spatial = np.array([[x_x, x_y, 0.0], [y_x, y_y, 0.0], [0.0, 0.0, region.side / INPUT_SIZE]], np.float32)
    points = landmarks[0] @ spatial
    points += np.array([x_0, y_0, 0.0], np.float32)
    logit = min(max(float(face_flag[0, 0]), -80.0), 80.0)
    return points, 1.0 / (1.0 + math.exp(-logit))
