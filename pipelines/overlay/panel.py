"""Rounded translucent cards that text and small pictures stand on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.overlay.colours import CARD, CARD_EDGE, bgr

_OVERSAMPLING: Final = 8
_EDGE_ALPHA: Final = 0.22


@lru_cache(maxsize=16)
def rounded_mask(width: int, height: int, radius: int) -> NDArray[np.uint8]:
    """Return the coverage of a rectangle with round corners, uint8 (height, width), 255 inside. Read-only."""
    mask = np.full((height, width), 255, np.uint8)
    radius = max(0, min(radius, width // 2, height // 2))
    if radius:
        fine = np.zeros((radius * _OVERSAMPLING,) * 2, np.uint8)
        reach = radius * _OVERSAMPLING
        cv2.circle(fine, (reach, reach), reach, 255, cv2.FILLED)
        corner = np.asarray(cv2.resize(fine, (radius, radius), interpolation=cv2.INTER_AREA), np.uint8)
        mask[:radius, :radius] = corner
        mask[:radius, -radius:] = corner[:, ::-1]
        mask[-radius:, :radius] = corner[::-1]
        mask[-radius:, -radius:] = corner[::-1, ::-1]
    mask.flags.writeable = False
    return mask


@lru_cache(maxsize=16)
def _edge_mask(width: int, height: int, radius: int, line: int) -> NDArray[np.uint8]:
    """Coverage of a line along the inside of a rounded rectangle, already multiplied by its opacity."""
    edge = rounded_mask(width, height, radius).copy()
    if width > 2 * line and height > 2 * line:
        inner = rounded_mask(width - 2 * line, height - 2 * line, max(radius - line, 0))
        edge[line:-line, line:-line] = cv2.subtract(edge[line:-line, line:-line], inner)
    edge = np.rint(edge * _EDGE_ALPHA).astype(np.uint8)
    edge.flags.writeable = False
    return edge


def blend(target: NDArray[np.uint8], source: NDArray[np.uint8], alpha: NDArray[np.uint8]) -> None:
    """Lay `source` over `target` (in place): out = source * alpha + target * (1 - alpha).

    Parameters
    ----------
    target, source : ndarray of uint8, shape (h, w, 3)
        Pictures of one size.
    alpha : ndarray of uint8, shape (h, w)
        Opacity of `source`, 255 = opaque.
    """
    over = cv2.cvtColor(alpha, cv2.COLOR_GRAY2BGR)
    under = cv2.bitwise_not(over)
    cv2.multiply(target, under, dst=under, scale=1 / 255)
    cv2.multiply(source, over, dst=over, scale=1 / 255)
    cv2.add(under, over, dst=target)


def paint(target: NDArray[np.uint8], colour: tuple[int, int, int], alpha: NDArray[np.uint8]) -> None:
    """Lay one colour over `target` (in place) with the opacity `alpha`, uint8 (h, w)."""
    blend(target, np.full(target.shape, colour, np.uint8), alpha)


def draw_card(image: NDArray[np.uint8], x: int, y: int, width: int, height: int, radius: int, opacity: float) -> None:
    """Draw an empty card into `image` (in place). It must lie within the picture."""
    area = image[y : y + height, x : x + width]
    alpha = cv2.convertScaleAbs(rounded_mask(width, height, radius), alpha=opacity)
    paint(area, bgr(CARD), np.asarray(alpha, np.uint8))


def draw_edge(image: NDArray[np.uint8], x: int, y: int, width: int, height: int, radius: int, line: int) -> None:
    """Draw the fine light edge of a card into `image` (in place), `line` pixels wide."""
    paint(image[y : y + height, x : x + width], bgr(CARD_EDGE), _edge_mask(width, height, radius, line))


@dataclass(frozen=True, eq=False, slots=True)
class Glass:
    """A drawing that is laid over other pictures: out = picture * keep / 255 + add. Both uint8 (h, w, 3)."""

    keep: NDArray[np.uint8]
    add: NDArray[np.uint8]

    @classmethod
    def of(cls, draw: Callable[[NDArray[np.uint8]], None], size_wh: tuple[int, int]) -> Glass:
        """Record what `draw` does: where its drawings on white and on black differ, it lets the picture through."""
        width, height = size_wh
        black = np.zeros((height, width, 3), np.uint8)
        white = np.full((height, width, 3), 255, np.uint8)
        draw(black)
        draw(white)
        return cls(np.asarray(cv2.subtract(white, black), np.uint8), black)

    def lay(self, image: NDArray[np.uint8], rows: slice = slice(None), columns: slice = slice(None)) -> None:
        """Lay the given part over the same part of `image` (in place), which has the size of the recording."""
        target = image[rows, columns]
        if target.size:
            cv2.multiply(target, self.keep[rows, columns], dst=target, scale=1 / 255)
            cv2.add(target, self.add[rows, columns], dst=target)
