"""The one place where arrays become Qt images and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage


def wrap_bgr(image_bgr: NDArray[np.uint8]) -> QImage:
    """Show an array to Qt without copying it.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (H, W, 3)
        Blue, green, red. Rows may be padded (a crop of a larger picture), pixels may not.

    Returns
    -------
    QImage
        Format BGR888. PySide keeps the array alive as long as the image; whoever writes into the array writes into
        the image.

    Raises
    ------
    ValueError
        If the array is no such picture.
    """
    return _wrap(image_bgr, 3, QImage.Format.Format_BGR888)


def wrap_bgrx(image_bgrx: NDArray[np.uint8]) -> QImage:
    """Show a four-channel array to Qt without copying it: Format_RGB32, Qt's fastest to paint.

    Parameters
    ----------
    image_bgrx : ndarray of uint8, shape (H, W, 4)
        Blue, green, red and a byte that is ignored.

    Raises
    ------
    ValueError
        If the array is no such picture.
    """
    return _wrap(image_bgrx, 4, QImage.Format.Format_RGB32)


def _wrap(image: NDArray[np.uint8], channels: int, image_format: QImage.Format) -> QImage:
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != channels or 0 in image.shape:
        raise ValueError(f"not a picture with {channels} channels: {image.dtype} {image.shape}")
    row, pixel, byte = image.strides
    if byte != 1 or pixel != channels or row < channels * image.shape[1]:
        image = np.ascontiguousarray(image)
        row = image.strides[0]
    height, width = image.shape[:2]
    # A memoryview must be contiguous; one over whole rows covers the padding of a crop too, but for the last row,
    # which Qt does not read beyond its last pixel.
    flat = np.lib.stride_tricks.as_strided(image, ((height - 1) * row + channels * width,), (1,), writeable=False)
    return QImage(flat.data, width, height, row, image_format)


def owned(image: QImage) -> QImage:
    """Return a copy whose pixels belong to Qt.

    For images that Qt may keep longer than Python lives, as the clipboard does: giving an array back to an
    interpreter that has ended crashes the program on its way out.
    """
    return image.copy()


def to_bgr(image: QImage) -> NDArray[np.uint8]:
    """Copy a Qt image into an array.

    Parameters
    ----------
    image : QImage
        Any format; alpha is composited over nothing, that is, dropped.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        Blue, green, red; contiguous, independent of the image.
    """
    bgr = image.convertToFormat(QImage.Format.Format_BGR888)
    rows = np.frombuffer(bgr.constBits(), np.uint8, bgr.sizeInBytes()).reshape(bgr.height(), bgr.bytesPerLine())
    return rows[:, : 3 * bgr.width()].reshape(bgr.height(), bgr.width(), 3).copy()


def fitted(size_wh: tuple[int, int], room_wh: tuple[int, int]) -> tuple[int, int]:
    """Return the largest size with the aspect ratio of `size_wh` that fits into `room_wh`, at least 1 x 1."""
    width, height = size_wh
    scale = min(room_wh[0] / width, room_wh[1] / height)
    return max(1, round(width * scale)), max(1, round(height * scale))
