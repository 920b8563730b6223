"""Pictures on which person masks are compared with MediaPipe's.

    python -m benchmarks.mask_pictures FOLDER

writes them as PNG files for `benchmarks/mediapipe_masks.py`, which runs in another environment. All of them are made
from scikit-image's portrait of Eileen Collins (NASA, public domain).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage import data


def pictures() -> dict[str, NDArray[np.uint8]]:
    """Return the pictures by name, BGR uint8 (H, W, 3): several shapes, sizes and places of the person."""
    portrait = np.ascontiguousarray(data.astronaut()[:, :, ::-1])
    grey = np.full((720, 1280, 3), 128, np.uint8)
    grey[:, 280:1000] = enlarged(portrait, 720, 720)
    return {
        "original": portrait,
        "wide": enlarged(portrait[:288], 1280, 720),
        "on_grey": grey,
        "webcam": enlarged(portrait[:384], 640, 480),
        "full_hd": enlarged(portrait[40:328], 1920, 1080),
        "phone": enlarged(portrait[:, 100:388], 540, 960),
        "odd": portrait[3:260, 5:338].copy(),
    }


def enlarged(image: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """Return a picture at another size, bicubic."""
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def main() -> None:
    """Write the pictures into the folder named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, image in pictures().items():
        cv2.imwrite(str(folder / f"{name}.png"), image)


if __name__ == "__main__":
    main()
