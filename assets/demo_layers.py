"""Take the portrait apart for make_demo.py: a person, and what is behind her.

All coordinates are pixels of the portrait (512x512) unless a name says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.manifest import load_manifest
from models.selfie import decode, preprocess, to_frame
from pipelines.backends import get_backend

PORTRAIT: Final = Path(__file__).resolve().parent / "portrait.png"
SIZE: Final = 512
ZOOM: Final = 2
"""Layers hold so many pixels per pixel of the portrait: more than the clip shows of it, so that it only ever shrinks
them."""
LEFT: Final = 190
RIGHT: Final = 170
"""How far the background goes on beyond the portrait at either side."""
OUTLINE: Final = (
    (39, 512), (35, 500), (29, 490), (26.5, 480), (25, 470), (24, 455), (24, 440), (22.5, 430), (21, 420), (20, 410),
    (19.5, 398), (20.5, 390), (23, 380), (25, 370), (25.5, 360), (25.5, 350), (26, 342), (29, 335), (31, 328),
    (34, 318), (38, 306), (40.5, 298), (41, 290), (43, 283), (46, 276), (52, 268), (56, 260), (60, 252), (66, 245),
    (70, 240), (76, 235), (84, 230), (92, 224), (99, 218), (106, 212), (113, 206), (114.5, 202), (113.5, 195),
    (112.7, 188), (116.4, 186), (121, 185.5), (124.2, 178.6), (126.7, 169.4), (132.9, 161.2), (141, 154),
    (151.3, 150), (165.7, 147.8), (182, 148.3), (190, 150), (220, 165), (250, 172), (254.4, 173.5), (264.3, 178.6),
    (274.5, 185.8), (284.8, 196), (293, 207.4), (299, 218.7), (305, 234), (312.5, 237.5), (322.5, 244),
    (332.5, 251), (340, 260), (345, 270), (349, 282.5), (352, 284.5), (355.5, 299), (357.5, 312.5), (360, 325),
    (363, 330.5), (361, 334), (362, 341), (365, 349), (372.5, 348), (385, 344.5), (400, 343.2), (417.5, 344.2),
    (432.5, 348.8), (447.5, 356), (462.5, 367), (475, 379.5), (485, 394.5), (491, 410), (494.5, 425), (496, 440),
    (497.5, 451), (503.5, 455.5), (503.5, 460), (502, 464), (505.5, 469), (507.5, 477.5), (512, 486), (512, 512),
)  # fmt: skip
"""Suit and helmet, traced by hand: black on black and red on red are no task for a network. The head is not in it."""
HEAD_BOTTOM: Final = 184
"""The head's matte counts above this line, inside the collar's ring."""
EAR: Final = (
    (173, 112), (171, 117.5), (172.8, 123), (175.5, 127.2), (179, 130.5), (182, 131.3), (190, 125), (186, 108),
)  # fmt: skip
"""The ear at the left, traced too: it has the backdrop's colour."""
FLAG: Final = ((0, 0), (62, 0), (72, 60), (84, 120), (102, 175), (112, 240), (112, 512), (0, 512))
"""Around the flag. It is left out: cut off by the portrait's edge as it is, there is nothing to continue it with."""
OBJECTS: Final = ((338, 268), (338, 0), (475, 0), (475, 258), (530, 262), (530, 512), (358, 512), (352, 300))
"""Around the model of the shuttle and its table."""
TABLE: Final = ((366, 600), (366, 312), (370, 299), (378, 291), (470, 274), (512, 274), (900, 274), (900, 600))
"""The table, as far as it is not hidden and beyond."""
TABLE_BGR: Final = (46.0, 41.0, 40.0)
"""It is black in the portrait, and so is the helmet in front of it: dark grey sets them apart."""


@dataclass(frozen=True, eq=False, slots=True)
class Layers:
    """The portrait in two layers.

    Parameters
    ----------
    person_bgra : ndarray of float32, shape (1024, 1024, 4)
        The person: BGR in [0, 255] multiplied by alpha, then alpha in [0, 1]. `ZOOM` pixels per pixel of the portrait.
    background_bgr : ndarray of float32, shape (1024, 1744, 3)
        What is behind her, continued to the sides by `LEFT` and `RIGHT`. In [0, 255].
    """

    person_bgra: NDArray[np.float32]
    background_bgr: NDArray[np.float32]


def load_layers() -> Layers:
    """Read the portrait and take it apart.

    Raises
    ------
    FileNotFoundError
        If assets/portrait.png is missing.
    VisionError
        If the segmentation network cannot be run.
    """
    portrait = cv2.imdecode(np.frombuffer(PORTRAIT.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    matte = person_matte(portrait)
    return Layers(_person(portrait, matte), _background(portrait, matte))


def person_matte(portrait_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return how much of each pixel is the person.

    The suit comes from the traced outline. The head comes from the network, to within some pixels; there the backdrop
    is so even that the colours tell the share of hair: alpha is where the pixel lies between the backdrop's colour and
    the head's (the compositing equation solved for alpha, both colours continued from where they are certain).

    Parameters
    ----------
    portrait_bgr : ndarray of uint8, shape (512, 512, 3)
        The portrait.

    Returns
    -------
    ndarray of float32, shape (512, 512)
        In [0, 1].
    """
    session = get_backend("ort-cpu").open(load_manifest("selfie_square"))
    side = 256
    confidence = decode(session.run(preprocess(portrait_bgr, (side, side)))["mask"], (side, side))
    network = np.asarray(to_frame(confidence, (SIZE, SIZE), (SIZE, SIZE)), np.float32)
    # As soft as edges are in the picture.
    body = _soft(_polygon(OUTLINE, (SIZE, SIZE)), 0.7)
    body = np.maximum(body, _soft(_polygon(EAR, (SIZE, SIZE)), 0.7))
    certain = np.maximum(network > 0.5, body > 0.5).astype(np.uint8)
    inside = cv2.erode(certain, _disc(6)) > 0
    outside = cv2.dilate(certain, _disc(9)) == 0
    image = portrait_bgr.astype(np.float32)
    back, front = fill(image, outside), fill(image, inside)
    span = front - back
    length2 = (span * span).sum(axis=2)
    share = ((image - back) * span).sum(axis=2) / np.maximum(length2, 1.0)
    # A pixel counts as wholly hers from 85 %, wholly backdrop up to 10 %: hair and backdrop are not of one colour each.
    share = np.clip((share - 0.10) / 0.75, 0.0, 1.0)
    head = np.where(inside, 1.0, np.where(outside, 0.0, share)).astype(np.float32)
    rows = np.arange(SIZE, dtype=np.float32)[:, None]
    head *= np.clip((HEAD_BOTTOM - rows) / 4, 0.0, 1.0)
    return np.maximum(body, head)


def fill(image: NDArray[np.float32], known: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Continue a picture smoothly from where it is known to where it is not.

    Known pixels are averaged over ever larger neighbourhoods; each unknown pixel takes the smallest neighbourhood that
    holds known ones (the push-pull scheme of Gortler et al., "The Lumigraph", 1996).

    Parameters
    ----------
    image : ndarray of float32, shape (H, W, 3)
        The picture.
    known : ndarray of bool, shape (H, W)
        Where it counts; at least one pixel.

    Returns
    -------
    ndarray of float32, shape (H, W, 3)
    """
    weight = known.astype(np.float32)
    if min(weight.shape) <= 2:
        return np.broadcast_to((image * weight[..., None]).sum((0, 1)) / max(weight.sum(), 1e-6), image.shape).copy()
    weighted = cv2.pyrDown(np.dstack([image * weight[..., None], weight]))
    smaller = weighted[..., 3]
    mean = weighted[..., :3] / np.maximum(smaller, 1e-6)[..., None]
    coarse = fill(mean, smaller > 0.02)
    rough = cv2.pyrUp(coarse, dstsize=(image.shape[1], image.shape[0]))
    return np.where(known[..., None], image, rough).astype(np.float32)


def _person(portrait: NDArray[np.uint8], matte: NDArray[np.float32]) -> NDArray[np.float32]:
    # What shines through at the edge is the old backdrop: there her own colour is continued from further in.
    colour = fill(portrait.astype(np.float32), matte > 0.97)
    size = (SIZE * ZOOM, SIZE * ZOOM)
    large = cv2.resize(colour, size, interpolation=cv2.INTER_LANCZOS4)
    large = np.clip(large + 0.6 * (large - cv2.GaussianBlur(large, (0, 0), 1.6)), 0, 255)
    alpha = np.clip(cv2.resize(matte, size, interpolation=cv2.INTER_CUBIC), 0, 1)
    return np.dstack([large * alpha[..., None], alpha]).astype(np.float32)


def _background(portrait: NDArray[np.uint8], matte: NDArray[np.float32]) -> NDArray[np.float32]:
    """The backdrop, continued to all sides, with the shuttle's model and the table in front of it."""
    wide = (LEFT + SIZE + RIGHT, SIZE)
    picture = cv2.copyMakeBorder(portrait.astype(np.float32), 0, 0, LEFT, RIGHT, cv2.BORDER_REPLICATE)
    hidden = cv2.dilate((matte > 0.02).astype(np.uint8), _disc(5)) > 0
    objects = _polygon(OBJECTS, (SIZE, SIZE)) > 0.5
    known = np.zeros((SIZE, wide[0]), np.bool_)
    known[:, LEFT : LEFT + SIZE] = ~hidden & ~objects & (_polygon(FLAG, (SIZE, SIZE)) < 0.5)
    backdrop = _calm(fill(picture, known)) + _mottle(wide)
    table = _soft(_polygon(TABLE, wide, LEFT), 0.8)[..., None]
    scene = backdrop + (np.array(TABLE_BGR, np.float32) + 0.5 * _mottle(wide) - backdrop) * table
    # The objects as they are, faded in over some pixels where they come out from behind the person.
    seen = np.zeros((SIZE, wide[0]), np.float32)
    seen[:, LEFT : LEFT + SIZE] = objects & ~hidden
    seen = _soft(cv2.erode(seen, _disc(7), borderType=cv2.BORDER_REPLICATE), 4.0)[..., None]
    lifted = picture + np.maximum(scene - picture, 0) * table
    scene = scene + (lifted - scene) * seen
    scene = cv2.resize(scene, (wide[0] * ZOOM, wide[1] * ZOOM), interpolation=cv2.INTER_CUBIC)
    # Slightly out of focus, and darker towards the sides: the eye stays with the person.
    scene = _soft(scene, 2.2)
    columns = (np.arange(scene.shape[1], dtype=np.float32) / ZOOM - LEFT - 228) / 330
    shade = 1 - 0.5 * _smoothstep(np.abs(columns) - 0.25)
    return np.clip(scene * shade[None, :, None], 0, 255).astype(np.float32)


def _calm(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Without small detail: where the backdrop is known its grain would end at an edge."""
    return _soft(image, 9.0)


def _mottle(size_wh: tuple[int, int]) -> NDArray[np.float32]:
    """Clouds such as painted studio backdrops have, (H, W, 1), some levels strong; always the same ones."""
    noise = np.random.default_rng(1995)
    total = np.zeros((size_wh[1], size_wh[0]), np.float32)
    for cells, levels in ((5, 7.0), (11, 5.0), (23, 3.0), (47, 1.5)):
        grid = noise.standard_normal((cells, 2 * cells)).astype(np.float32)
        total += levels * cv2.resize(grid, size_wh, interpolation=cv2.INTER_CUBIC)
    return total[..., None]


def _soft(values: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE), np.float32)


def _polygon(outline: tuple[tuple[float, float], ...], size_wh: tuple[int, int], left: int = 0) -> NDArray[np.float32]:
    """Return how much of each pixel lies inside a polygon whose x count from column `left`: (H, W), in [0, 1]."""
    fine = 8
    width, height = size_wh
    canvas = np.zeros((height * fine, width * fine), np.uint8)
    cv2.fillPoly(canvas, [np.rint((np.asarray(outline) + np.array([left, 0])) * fine).astype(np.int32)], 255)
    return cv2.resize(canvas, size_wh, interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _disc(radius: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)), np.uint8)


def _smoothstep(values: NDArray[np.float32]) -> NDArray[np.float32]:
    clipped = np.clip(values, 0.0, 1.0)
    return clipped * clipped * (3 - 2 * clipped)
