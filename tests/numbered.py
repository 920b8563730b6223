"""Clips whose pictures say which frame they are: its number in black and white squares, which survive any coding."""

import numpy as np

from tests.clips import write_clip

BITS = 12
SIZE_WH = (96, 64)


def numbered(number, size_wh=SIZE_WH):
    """A picture of a number: 4 x 3 squares, the lowest bit at the upper left."""
    width, height = size_wh
    image = np.full((height, width, 3), 16, np.uint8)
    for bit in range(BITS):
        if number >> bit & 1:
            row, column = divmod(bit, 4)
            image[row * height // 3 : (row + 1) * height // 3, column * width // 4 : (column + 1) * width // 4] = 235
    return image


def number_of(image):
    """The number that a picture shows."""
    height, width = image.shape[:2]
    number = 0
    for bit in range(BITS):
        row, column = divmod(bit, 4)
        y, x = round((row + 0.5) * height / 3), round((column + 0.5) * width / 4)
        number |= int(image[y, x].mean() > 128) << bit
    return number


def write_numbered(path, count=60, **more):
    """Write a clip of `count` numbered pictures (see `tests.clips.write_clip`) and return its path."""
    return write_clip(path, [numbered(number) for number in range(count)], **more)
