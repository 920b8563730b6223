"""Views that are made and labelled while the training runs, each seen only a few times.

A student of this size sooner or later learns the cached views by heart: what it gains on them it no longer gains on
pictures that it has not seen. A teacher can be asked about anything, though, also about what no camera would take:
parts of pictures seen askew, blends of two pictures, things pasted where they do not belong, colours changed. Student
and teacher see the very same pixels here, which is "function matching" (Beyer et al., Knowledge distillation: A good
teacher is patient and consistent, 2022).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.augment import Photographer
from models.training.labels import plan
from models.training.pictures import read_colour, read_with_alpha, resized
from models.training.teacher import SIZE, Teacher
from models.training.views import crop, kind, person_of

H, W = SIZE
SHARES: Final = {"in": 3.0, "coco": 3.0, "u2": 3.0, "da": 3.0, "human": 2.5, "wall": 2.0, "house": 1.5, "face": 0.6}
"""How often a picture of a collection is taken, 1 where it is not named; the frames of clips, which resemble each
other, rarely."""
CLIP_SHARE: Final = 0.4
CLIPS: Final = frozenset({"gif", "vid", "asl"})
LEAST_AREA: Final = 0.12
"""Of a part of a picture; the cached views go down to 0.2."""
ASKEW, PASTED, BLENDED, COLOURED, BLURRED, CHANGED = 0.25, 0.3, 0.2, 0.5, 0.1, 0.25
"""Shares of the views: seen askew, with things pasted in, or else blended with another, with other colours, out of
focus; and of those shown to the student as a webcam might take them, with the label of the clean one."""
TRIES: Final = 100

View = tuple[NDArray[np.uint8], NDArray[np.float16]]


@dataclass(frozen=True)
class Anew:
    """What views are made of while the training runs.

    Parameters
    ----------
    images : Path
        Folder with train/*.jpg and, for what is pasted, masks/*.png (of people, named like their picture) and
        cutouts/*.png (anything, with an alpha channel).
    teacher : Path
        The teacher's ONNX file.
    share : float
        Of the views of a batch.
    uses : int
        How often one is seen in the mean: labelling takes about as long as learning.
    kept : int
        How many are kept for that, 215 KB each.
    """

    images: Path
    teacher: Path
    share: float
    uses: int = 2
    kept: int = 14_000


class Fresh:
    """Makes views and remembers some.

    Parameters
    ----------
    anew : Anew
        What from.
    seed : int
        Of all that is left to chance.

    Raises
    ------
    ModelError
        If there are no pictures, or the teacher cannot be used.
    """

    def __init__(self, anew: Anew, seed: int) -> None:
        self._anew, self._rng = anew, random.Random(seed)
        self._teacher, self._photographer = Teacher(anew.teacher), Photographer(seed)
        self._pictures = sorted({path for path, _ in plan(anew.images, 0, 0) if path is not None})
        self._chances = np.cumsum([_share(path) for path in self._pictures]).tolist()
        self._masks = sorted((anew.images / "masks").glob("*.png"))
        self._cutouts = sorted((anew.images / "cutouts").glob("*.png"))
        self._kept: list[View] = []
        self._made, self._owed = 0, 0.0

    def next(self) -> View:
        """Return a view to learn from: a new one every `uses` times, else one of those that are kept."""
        self._owed += 1 / self._anew.uses
        if self._owed < 1 and self._kept:
            image, label = self._rng.choice(self._kept)
        else:
            self._owed = max(0.0, self._owed - 1)
            image, label = self.view()
            if len(self._kept) < self._anew.kept:
                self._kept.append((image, label))
            else:
                self._kept[self._made % self._anew.kept] = (image, label)
            self._made += 1
        return (self._photographer(image) if self._rng.random() < CHANGED else image), label

    def view(self) -> View:
        """Make a view.

        Returns
        -------
        image_rgb : ndarray of uint8, shape (192, 320, 3)
        label : ndarray of float16, shape (96, 160)
            What the teacher says about this very picture.
        """
        rng = self._rng
        image, chance = self._part(), rng.random()
        if chance < PASTED:
            for _ in range(rng.choice((1, 1, 2, 3))):
                image = self._with_thing(image)
        elif chance < PASTED + BLENDED:
            share = rng.uniform(0.5, 0.95)
            image = cv2.addWeighted(image, share, self._part(), 1 - share, 0)  # type: ignore[assignment]
        if rng.random() < COLOURED:
            image = self._coloured(image)
        if rng.random() < BLURRED:
            image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.5, 2))  # type: ignore[assignment]
        rgb = np.ascontiguousarray(image[:, :, ::-1])
        return rgb, self._teacher(rgb).astype(np.float16)

    def _part(self) -> NDArray[np.uint8]:
        """Return a part of a picture, uint8 (192, 320, 3) BGR, often mirrored, at times seen askew."""
        rng = self._rng
        image = read_colour(rng.choices(self._pictures, cum_weights=self._chances)[0])
        if rng.random() > 0.12:
            image = image[crop(image, rng, LEAST_AREA)]
        if rng.random() < 0.5:
            image = image[:, ::-1]
        image = np.ascontiguousarray(image)
        if rng.random() >= ASKEW:
            return resized(image, SIZE)
        height, width = image.shape[:2]
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
        inwards = np.array([[rng.uniform(0, 0.16) * (1 - 2 * end) for end in corner] for corner in corners], np.float32)
        seen = ((corners + inwards) * (width, height)).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(seen, (corners * (W, H)).astype(np.float32))
        warped = cv2.warpPerspective(image, matrix, (W, H), borderMode=cv2.BORDER_REFLECT_101)
        return np.asarray(warped, np.uint8)

    def _with_thing(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Paste a thing or a person somewhere, turned a little, perhaps with a shadow."""
        rng = self._rng
        thing = self._thing()
        if thing is None:
            return image
        colour, alpha = thing
        height, width = alpha.shape
        scale = rng.uniform(0.25, 1) * H / max(height, width * 0.8)
        if scale < 0.6:  # averaged first: what is warped to so much less would flicker
            alpha = resized(alpha, (max(2, int(height * scale * 1.2)), max(2, int(width * scale * 1.2))))
            colour = resized(colour, alpha.shape)
            scale *= height / alpha.shape[0]
            height, width = alpha.shape
        across = scale * rng.uniform(0.8, 1.25) * rng.choice((-1, 1))
        angle = rng.gauss(0, 0.2)
        turn = np.array(
            [[across * np.cos(angle), -scale * np.sin(angle)], [across * np.sin(angle), scale * np.cos(angle)]]
        )
        centre = np.array([rng.uniform(0, W), np.clip(rng.gauss(0.6, 0.25), 0.1, 0.98) * H])
        matrix = np.hstack([turn, (centre - turn @ (width / 2, height / 2))[:, None]])
        covered = (
            cv2.GaussianBlur(cv2.warpAffine(alpha, matrix, (W, H)), (0, 0), 0.6).astype(np.float32)[..., None] / 255
        )
        layer = cv2.warpAffine(colour, matrix, (W, H), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        gain = rng.uniform(0.3, 1) * (float(image.mean()) / max(float(layer.mean()), 20) - 1) + 1
        layer = np.clip(layer * np.clip(gain, 0.4, 2), 0, 255)
        below = image.astype(np.float32)
        if rng.random() < 0.5:
            offset = np.array([[1, 0, rng.uniform(-12, 12)], [0, 1, rng.uniform(-3, 10)]])
            shadow = cv2.GaussianBlur(cv2.warpAffine(covered, offset, (W, H)), (0, 0), rng.uniform(2, 8))
            below *= 1 - shadow[..., None] * np.float32(rng.uniform(0.1, 0.5))
        return np.clip(below + covered * (layer - below), 0, 255).astype(np.uint8)

    def _thing(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]] | None:
        """Return something to paste, uint8 (h, w, 3) BGR and alpha (h, w); None if there is nothing."""
        rng = self._rng
        if self._cutouts and (not self._masks or rng.random() < 0.6):
            return read_with_alpha(rng.choice(self._cutouts))
        for _ in range(TRIES if self._masks else 0):
            person = person_of(rng.choice(self._masks), self._anew.images / "train")
            if person is not None:
                image, mask = person
                return np.ascontiguousarray(image), np.ascontiguousarray(mask)
        return None

    def _coloured(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Turn the hue a little, change saturation, gamma and contrast."""
        rng = self._rng
        changed: Any = image
        if rng.random() < 0.5:
            hsv = cv2.cvtColor(changed, cv2.COLOR_BGR2HSV).astype(np.int16)
            hsv[..., 0] = (hsv[..., 0] + int(rng.gauss(0, 8))) % 180
            hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.2, 1.5), 0, 255)
            changed = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)
        curve = (np.arange(256) / 255) ** np.exp(rng.gauss(0, 0.3))
        curve = (curve - 0.5) * np.exp(rng.gauss(0, 0.2)) + 0.5
        table = np.clip(curve * 255, 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(changed, table), np.uint8)


def _share(path: Path) -> float:
    return CLIP_SHARE if kind(path) in CLIPS else SHARES.get(kind(path), 1.0)
