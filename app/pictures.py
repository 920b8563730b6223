"""Pictures for the screen: the part that is seen, scaled, in the screen's layout. Made outside the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from app.face_view import FaceView, face_view
from app.qimage import fitted, wrap_bgrx
from app.zoom import Layout, Zoom
from models.results import SegmentationMask
from pipelines.mirror import mirrored
from pipelines.overlay import Effect, OverlayStyle, draw_results, draw_split, effect_on

if TYPE_CHECKING:
    from pipelines.engine import View

PIXELS_FROM: float = 4.0
"""From so many screen pixels a picture pixel on, pixels are shown as squares."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How the window wants its pictures.

    Parameters
    ----------
    room_wh : tuple of int
        Room for the picture in device pixels.
    mirror : OverlayStyle or None
        Left and right swapped, drawn in this style; None for the picture as it is.
    effect : Effect
        What stands behind the person in a mirrored picture.
    zoom : Zoom
        Which part is seen, and how large.
    reads : bool
        The pointer is on the picture and wants to know what is there.
    pin : int or None
        Which face is looked at closely (`face_view.pin_of`).
    face_px : int
        Side of the picture of that face in device pixels.
    """

    room_wh: tuple[int, int] = (1, 1)
    mirror: OverlayStyle | None = None
    effect: Effect = field(default_factory=Effect)
    zoom: Zoom = field(default_factory=Zoom)
    reads: bool = False
    pin: int | None = None
    face_px: int = 1

    @property
    def place(self) -> tuple[tuple[int, int], Zoom]:
        """What decides where a picture lies."""
        return self.room_wh, self.zoom


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """A picture scaled for the screen, with the view it was made of.

    Parameters
    ----------
    image : QImage
        Format_RGB32, in device pixels: the part that is seen.
    view : View
        The view.
    wish : Wish
        The wish it fulfils.
    layout : Layout
        Which part it is, and where it lies.
    other : QImage or None
        The same part with B's results, in a split comparison; `image` itself where that shows both halves.
    face : FaceView or None
        The face that is looked at closely, where it is there.
    """

    image: QImage
    view: View
    wish: Wish
    layout: Layout
    other: QImage | None = None
    face: FaceView | None = None

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        height, width = self.view.plain_bgr.shape[:2]
        return width, height


def make_picture(view: View, wish: Wish) -> Picture:
    """Make the picture of a view that the window asks for."""
    height, width = view.plain_bgr.shape[:2]
    layout = wish.zoom.layout((width, height), wish.room_wh)
    drawn, other_drawn = _drawn(view, wish)
    image = _shown(drawn, layout)
    other = None
    if other_drawn is not None:
        other = image if other_drawn is drawn else _shown(other_drawn, layout)
    mask = view.result.results.get("segmentation")
    if wish.reads and isinstance(mask, SegmentationMask):
        _ = mask.alpha  # made here on first use, so that the GUI thread finds it made
    face = None
    if wish.pin is not None:
        face = face_view(view.result if wish.mirror is None else mirrored(view.result), wish.pin, wish.face_px)
    return Picture(image, view, wish, layout, other, face)


def _drawn(view: View, wish: Wish) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Return what is shown and, in a split comparison, what B's half is taken from: the same where it holds both."""
    if wish.mirror is None:
        return view.image_bgr, view.other_bgr
    if view.mirror_bgr is not None:
        return view.mirror_bgr, None if view.other is None else view.mirror_bgr
    # Drawn before the engine was told of the mirror.
    style, shown = wish.mirror, mirrored(view.result)
    base = effect_on(shown, wish.effect)
    if view.other is None:
        return draw_results(shown, style, base), None
    other = mirrored(view.other)
    base_b = effect_on(other, wish.effect)
    if view.divider is None:
        return draw_results(shown, style, base), draw_results(other, style, base_b)
    # The halves stay where they are, and what they show is mirrored.
    both = draw_split(shown, other, style, round(view.divider * shown.frame.width), (base, base_b))
    return both, both


def _shown(drawn_bgr: NDArray[np.uint8], layout: Layout) -> QImage:
    x0, y0, x1, y1 = layout.crop_xyxy
    width, height = layout.target_xywh[2:]
    return wrap_bgrx(resized_bgrx(drawn_bgr[y0:y1, x0:x1], (width, height)))


def scaled_bgrx(image_bgr: NDArray[np.uint8], room_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Scale a picture so that it fits into `room_wh`, in the layout of the screen (see `resized_bgrx`)."""
    height, width = image_bgr.shape[:2]
    return resized_bgrx(image_bgr, fitted((width, height), room_wh))


def resized_bgrx(image_bgr: NDArray[np.uint8], size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Scale a picture to `size_wh`, in the layout of the screen.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (H, W, 3)
        Any size.
    size_wh : tuple of int
        Width and height in device pixels.

    Returns
    -------
    ndarray of uint8, shape (h, w, 4)
        Blue, green, red, 255.
    """
    # Linear interpolation looks at 2x2 pixels and would skip some of a picture more than twice as large; halving
    # takes them all in and has a fast path (a single step of INTER_AREA to 1000 pixels takes 22 ms at 1080p).
    while image_bgr.shape[1] >= 2 * size_wh[0] and image_bgr.shape[0] >= 2 * size_wh[1]:
        half = max(1, image_bgr.shape[1] // 2), max(1, image_bgr.shape[0] // 2)
        image_bgr = np.asarray(cv2.resize(image_bgr, half, interpolation=cv2.INTER_AREA), np.uint8)
    if image_bgr.shape[1::-1] != size_wh:
        squares = size_wh[0] >= PIXELS_FROM * image_bgr.shape[1]
        how = cv2.INTER_NEAREST if squares else cv2.INTER_LINEAR
        image_bgr = np.asarray(cv2.resize(image_bgr, size_wh, interpolation=how), np.uint8)
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2BGRA), np.uint8)
