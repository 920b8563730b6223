"""Views of the training pictures: whole, cropped, and with people pasted in.

The app stretches every frame to the network's input, portrait and square ones too; so does a view of a whole picture.
A view is made at `DETAIL_SIZE`, for the teacher that looks closer, and then shrunk for the student: enlarging the
student's picture instead would hide from that teacher what it is asked for (on the motorcycle, 0.723 and not 0.793).
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.pictures import read_colour, read_grey, resized
from models.training.teacher import DETAIL_SIZE, LABEL_SIZE

H, W = DETAIL_SIZE
CROPS: Final = {
    "in": 10,
    "coco": 14,
    "u2": 14,
    "da": 14,
    "house": 7,
    "human": 9,
    "ccp": 5,
    "face": 6,
    "gif": 4,
    "vid": 4,
}
"""Crops of a picture by the first part of its name (see RECIPE.md of the pictures); more where the network is weakest:
clutter and objects. The frames of a clip resemble each other."""
OTHER_CROPS: Final = 6
LEAST_PERSON: Final = 800
"""Pixels of a mask."""
ASPECTS: Final = (0.6, 2.3)
"""Width by height of what a crop covers."""


def kind(path: Path) -> str:
    """Return the collection that a picture belongs to: its name up to the first underscore."""
    return path.name.split("_")[0]


def sized(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Stretch to the size of a view, averaging where it shrinks."""
    return resized(image, DETAIL_SIZE)


def crop(image: NDArray[np.uint8], rng: random.Random, least_area: float = 0.2) -> tuple[slice, slice]:
    """Choose a part of a picture, an area of `least_area` to 1 of the largest part with its aspect.

    Two in three have the aspect of a camera's picture.
    """
    height, width = image.shape[:2]
    aspect = rng.uniform(1.25, 1.95) if rng.random() < 2 / 3 else ASPECTS[0] * (ASPECTS[1] / ASPECTS[0]) ** rng.random()
    scale = rng.uniform(least_area**0.5, 1)
    part_h = max(32, int(min(height, width / aspect) * scale))
    part_w = max(32, int(min(height * aspect, width) * scale))
    top, left = rng.randint(0, max(0, height - part_h)), rng.randint(0, max(0, width - part_w))
    return slice(top, top + part_h), slice(left, left + part_w)


def composite(
    rng: random.Random, backgrounds: list[Path], masks: list[Path], pictures: Path
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Paste one or two people, cut out of other pictures, into a room, standing at its lower edge as before a webcam.

    Parameters
    ----------
    rng : Random
        What decides everything.
    backgrounds : list of Path
        Pictures without people.
    masks : list of Path
        Alpha masks of people; each has the name of a picture in the folder `pictures`.
    pictures : Path
        The folder with what the masks belong to.

    Returns
    -------
    image_bgr : ndarray of uint8, shape (288, 480, 3)
    person : ndarray of uint8, shape (96, 160)
        Share of each pixel that a pasted person covers, 0 to 255.
    """
    background = read_colour(rng.choice(backgrounds))
    part = sized(background[crop(background, rng, 0.35)])
    picture = _blurred(part.astype(np.float32), rng.uniform(0.9, 3.8) if rng.random() < 0.4 else 0)
    covered = np.zeros((H, W), np.float32)
    for _ in range(1 if rng.random() < 0.75 else 2):
        person, alpha = _cut_out(rng, masks, pictures)
        gain = rng.uniform(0.4, 1) * (picture.mean() / max(float(person.mean()), 1) - 1) + 1
        person = np.clip(person.astype(np.float32) * np.clip(gain, 0.5, 1.7), 0, 255)
        height, width = alpha.shape
        left = rng.randint(-int(width * 0.15), max(0, W - int(width * 0.85)))
        top = H - height + rng.randint(0, int(height * 0.12))
        layer, alpha_layer = np.zeros((H, W, 3), np.float32), np.zeros((H, W), np.float32)
        x0, y0, x1, y1 = max(0, left), max(0, top), min(W, left + width), min(H, top + height)
        layer[y0:y1, x0:x1] = person[y0 - top : y1 - top, x0 - left : x1 - left]
        alpha_layer[y0:y1, x0:x1] = alpha[y0 - top : y1 - top, x0 - left : x1 - left]
        if rng.random() < 0.5:
            picture *= 1 - _shadow(rng, alpha_layer)[..., None]
        picture += alpha_layer[..., None] * (layer - picture)
        covered = np.maximum(covered, alpha_layer)
    person_share = resized(covered, LABEL_SIZE)
    return np.clip(picture, 0, 255).astype(np.uint8), (person_share * 255).round().astype(np.uint8)


def _blurred(image: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.float32) if sigma else image


def _cut_out(rng: random.Random, masks: list[Path], pictures: Path) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return a person as uint8 (h, w, 3) BGR and the alpha as float32 (h, w), 0 to 1, sized for a view."""
    while True:
        person = person_of(rng.choice(masks), pictures)
        if person is None:
            continue
        image, mask = person
        if mask.shape[0] > 1.6 * mask.shape[1] and rng.random() < 0.7:  # a whole figure: the upper body only
            rows_kept = int(mask.shape[0] * rng.uniform(0.35, 0.7))
            mask, image = mask[:rows_kept], image[:rows_kept]
        height = int(H * rng.uniform(0.4, 1.05))
        width = int(mask.shape[1] * height / mask.shape[0] * rng.uniform(0.85, 1.15))
        if not 30 <= width <= 0.95 * W:
            continue
        mask, image = resized(mask, (height, width)), resized(image, (height, width))
        if rng.random() < 0.5:
            mask, image = mask[:, ::-1], image[:, ::-1]
        # Steeper and narrower than the mask: a seam of the old background would betray the pasting.
        alpha = np.clip(_blurred(mask.astype(np.float32), 1.2) / 255 * 1.4 - 0.3, 0, 1)
        return image, alpha.astype(np.float32)


def person_of(path: Path, pictures: Path) -> tuple[NDArray[np.uint8], NDArray[np.uint8]] | None:
    """Return the part of a picture that a person fills, uint8 (h, w, 3) BGR, and its mask, uint8 (h, w).

    None if the mask shows hardly anybody. The picture in the folder `pictures` has the mask's name.
    """
    mask = read_grey(path)
    rows, columns = np.nonzero(mask > 127)
    if len(rows) < LEAST_PERSON:
        return None
    box = slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)
    return read_colour(pictures / f"{path.stem}.jpg")[box], mask[box]


def _shadow(rng: random.Random, alpha: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how much a person darkens what is around, float32 (288, 480), 0 to about 0.4."""
    offset = np.array([[1, 0, rng.uniform(-21, 21)], [0, 1, rng.uniform(-6, 12)]])
    moved = np.asarray(cv2.warpAffine(alpha, offset, (W, H)), np.float32)
    return _blurred(moved, rng.uniform(4.5, 13)) * np.float32(rng.uniform(0.1, 0.4))
