"""Pictures of any size brought to one size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def fitted_into(image: NDArray[np.uint8], size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a picture scaled to fit into a size, its shape kept, black around it.

    Parameters
    ----------
    image : ndarray of uint8, shape (H, W, 3)
        BGR.
    size_wh : tuple of int
        Wanted size. A picture that lacks only a column or row to it is extended by repeating its edge.

    Returns
    -------
    ndarray of uint8, shape (h, w, 3)
        Contiguous.
    """
    width, height = size_wh
    right, below = width - image.shape[1], height - image.shape[0]
    if 0 <= right <= 1 and 0 <= below <= 1:
        if right or below:
            image = np.asarray(cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
        return np.ascontiguousarray(image)
    scale = min(width / image.shape[1], height / image.shape[0])
    inner_wh = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    canvas = np.zeros((height, width, 3), np.uint8)
    x, y = (width - inner_wh[0]) // 2, (height - inner_wh[1]) // 2
    canvas[y : y + inner_wh[1], x : x + inner_wh[0]] = cv2.resize(image, inner_wh, interpolation=how)
    return canvas
