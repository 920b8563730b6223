"""Pictures of a face whose landmarks MediaPipe is asked for: one photograph in many sizes, shapes and angles.

``python -m benchmarks.face_pictures FOLDER`` writes them as PNG files, for `benchmarks/mediapipe_reference.py`, which
runs in an environment of its own. The tests make the same pictures in memory.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage import data

FRAMES = 24
"""Length of the moving sequence."""
_FACE_CENTER = (222.0, 118.0)
"""Middle of the face in the photograph, in pixels."""


def astronaut() -> NDArray[np.uint8]:
    """Return scikit-image's portrait of Eileen Collins (NASA, public domain), BGR uint8 (512, 512, 3)."""
    return np.asarray(cv2.cvtColor(data.astronaut(), cv2.COLOR_RGB2BGR), np.uint8)


def place(
    image: NDArray[np.uint8], size_wh: tuple[int, int], center: tuple[float, float], scale: float, degrees: float = 0.0
) -> NDArray[np.uint8]:
    """Return a grey picture of this size with the photograph scaled and turned so that its face is at `center`.

    Parameters
    ----------
    image : ndarray of uint8, shape (512, 512, 3)
        The photograph.
    size_wh : tuple of int
        Width and height of the result.
    center : tuple of float
        Where the middle of the face comes to lie, in pixels.
    scale : float
        Magnification.
    degrees : float
        Turn around the middle of the face, clockwise on the screen.
    """
    c, s = scale * math.cos(math.radians(degrees)), scale * math.sin(math.radians(degrees))
    fx, fy = _FACE_CENTER
    matrix = np.array([[c, -s, center[0] - c * fx + s * fy], [s, c, center[1] - s * fx - c * fy]])
    flags = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    out = cv2.warpAffine(image, matrix, size_wh, flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=(96, 96, 96))
    return np.asarray(out, np.uint8)


def pictures() -> dict[str, NDArray[np.uint8]]:
    """Return the single pictures by name."""
    image = astronaut()
    half = place(image, (320, 480), (150.0, 200.0), 1.3)
    return {
        "plain": image,
        "landscape": place(image, (1280, 720), (860.0, 300.0), 2.6),
        "portrait": place(image, (720, 1280), (330.0, 500.0), 2.6),
        "odd": place(image, (517, 333), (201.0, 140.0), 0.9),
        "small": place(image, (200, 150), (88.0, 60.0), 0.45),
        "turned_30": place(image, (640, 480), (300.0, 220.0), 1.3, 30.0),
        "turned_minus_20": place(image, (640, 480), (330.0, 230.0), 1.3, -20.0),
        "large": place(image, (3840, 2160), (2100.0, 900.0), 8.0),
        "cut_off": place(image, (640, 480), (50.0, 200.0), 1.6),
        "two": np.hstack([half, half[:, ::-1]]),
    }


def sequence() -> list[NDArray[np.uint8]]:
    """Return 640x480 frames in which the face moves, turns and comes nearer."""
    image = astronaut()
    frames = []
    for index in range(FRAMES):
        phase = 2 * math.pi * index / FRAMES
        center = (320 + 90 * math.sin(phase), 220 + 30 * math.sin(2 * phase))
        frames.append(place(image, (640, 480), center, 1.4 + 0.25 * math.sin(phase), 12 * math.sin(phase + 1)))
    return frames


def main() -> None:
    """Write all pictures into the folder named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    named = pictures() | {f"sequence_{index:02d}": frame for index, frame in enumerate(sequence())}
    for name, picture in named.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)


if __name__ == "__main__":
    main()
