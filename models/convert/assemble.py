"""The attention mesh's seven raw outputs put together to 478 points, in NumPy: the yardstick for the merged heads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.convert.attention import EYE_RING, CropTransform

RAW_OUTPUTS: Final[tuple[tuple[str, tuple[int, ...]], ...]] = (
    ("mesh", (1, 468, 3)),
    ("lips", (1, 80, 2)),
    ("left_eye", (1, 71, 2)),
    ("right_eye", (1, 71, 2)),
    ("left_iris", (1, 5, 2)),
    ("right_iris", (1, 5, 2)),
    ("face_flag", (1, 1)),
)
"""Outputs of the published file, in its order. Left and right are the image's."""


def assemble_points(
    raw: Mapping[str, NDArray[np.float32]], transforms: tuple[CropTransform, CropTransform, CropTransform]
) -> NDArray[np.float32]:
    """Sort the refined points into the mesh.

    Parameters
    ----------
    raw : mapping of str to ndarray
        The outputs of `RAW_OUTPUTS`.
    transforms : tuple of CropTransform
        Of lips, left eye and right eye; their subsets say which points of the mesh are refined.

    Returns
    -------
    ndarray of float32, shape (1, 478, 3)
        x and y refined where there is something better than the mesh's; z always the mesh's, that of an iris the mean
        over the contour of its eye.
    """
    lips, left, right = (list(transform.subset) for transform in transforms)
    points = np.concatenate([raw["mesh"][0], np.zeros((10, 3), np.float32)])
    depth = points[:, 2].copy()
    for name, subset in (("lips", lips), ("left_eye", left), ("right_eye", right)):
        points[subset, :2] = raw[name][0]
    for first, name, subset in ((468, "left_iris", left), (473, "right_iris", right)):
        points[first : first + 5, :2] = raw[name][0]
        points[first : first + 5, 2] = depth[subset[:EYE_RING]].mean()
    return points[None]
