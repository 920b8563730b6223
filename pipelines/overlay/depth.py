"""Depth as colours: over the whole picture, or on a card in the lower right corner, with a legend."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.results import DepthMap
from pipelines.overlay.buffers import scratch
from pipelines.overlay.colours import CARD, TEXT, bgr
from pipelines.overlay.panel import Glass, blend, draw_card, draw_edge, paint, rounded_mask
from pipelines.overlay.part import Part
from pipelines.overlay.style import FAR_NEAR, DepthColours
from pipelines.overlay.text import CAP_HEIGHT, SEMIBOLD, draw_text, text_width

INSET_SHARE: Final = 0.26
"""Width of the card relative to the picture's."""
SMALLEST_INSET: Final = 12
"""Below this width in pixels a card shows nothing and is left out."""
LEGEND_FROM: Final = 84
"""Width in pixels from which a card has room for its legend."""
FULL_STRENGTH: Final = 0.88
"""Depth over the whole picture lets this much less than everything through, so that faces stay recognisable."""
LEGEND_OPACITY: Final = 0.78

_OPENCV_MAPS: Final = {
    DepthColours.INFERNO: cv2.COLORMAP_INFERNO,
    DepthColours.MAGMA: cv2.COLORMAP_MAGMA,
    DepthColours.VIRIDIS: cv2.COLORMAP_VIRIDIS,
    DepthColours.TURBO: cv2.COLORMAP_TURBO,
}


@cache
def colour_table(colours: DepthColours) -> NDArray[np.uint8]:
    """Return a colour map, uint8 (256, 1, 3) BGR, the farthest first. Read-only."""
    steps = np.arange(256, dtype=np.uint8)[:, None]
    code = _OPENCV_MAPS.get(colours)
    mapped = cv2.cvtColor(steps, cv2.COLOR_GRAY2BGR) if code is None else cv2.applyColorMap(steps, code)
    table = np.asarray(mapped, np.uint8)
    table.flags.writeable = False
    return table


def levels(depth: DepthMap) -> NDArray[np.uint8]:
    """Return the map as 0 (`far` or farther) to 255 (`near` or nearer) at the network's resolution, uint8 (h, w)."""
    scale = 255.0 / (depth.near - depth.far)
    # One pass that also clips: `normalised` takes four.
    stretched = cv2.addWeighted(depth.inverse_depth, scale, depth.inverse_depth, 0, -depth.far * scale, dtype=cv2.CV_8U)
    return np.asarray(stretched, np.uint8)


def colourise(depth: DepthMap, colours: DepthColours, size_wh: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """Return the map in colours, uint8 (h, w, 3); near is bright. Of the network's resolution, or of `size_wh`.

    Colours are looked up where there are fewer pixels: for a small card after it was brought to its size, since a level
    is a third of a colour's bytes; for anything larger before, which is a tenth of the work at the frame's size.
    """
    steps = levels(depth)
    if size_wh is not None and size_wh[0] * size_wh[1] < 2 * steps.size:
        steps = np.asarray(cv2.resize(steps, size_wh, interpolation=cv2.INTER_LINEAR), np.uint8)
        size_wh = None
    coloured = cv2.applyColorMap(steps, colour_table(colours))
    if size_wh is not None:
        coloured = cv2.resize(coloured, size_wh, interpolation=cv2.INTER_LINEAR)
    return np.asarray(coloured, np.uint8)


@dataclass(frozen=True, slots=True)
class CardLayout:
    """Where the depth card lies, in pixels, and the words at the ends of its legend."""

    x: int
    y: int
    width: int
    picture_height: int
    legend_height: int
    type_size: int
    radius: int
    line: int
    words: tuple[str, str]

    @property
    def height(self) -> int:
        """Height of the picture and the legend together."""
        return self.picture_height + self.legend_height


@lru_cache(maxsize=8)
def card_layout(size_wh: tuple[int, int], words: tuple[str, str] = FAR_NEAR) -> CardLayout | None:
    """Place the depth card in a picture of `size_wh` pixels; None where it is too small for one."""
    width, height = size_wh
    card = round(INSET_SHARE * width)
    margin = round(0.022 * min(width, height))
    # Panoramas and slits: the card keeps the picture's shape and takes half of its height at most.
    picture_height = round(card * height / width)
    if card < SMALLEST_INSET or picture_height < SMALLEST_INSET:
        return None
    type_size = max(9, round(card * 0.042))
    legend_height = round(1.9 * type_size) if card >= LEGEND_FROM else 0
    if picture_height + legend_height + margin > height:
        return None
    return CardLayout(
        x=width - margin - card,
        y=height - margin - picture_height - legend_height,
        width=card,
        picture_height=picture_height,
        legend_height=legend_height,
        type_size=type_size,
        radius=max(2, round(0.028 * card)),
        line=max(1, round(min(width, height) / 720)),
        words=words,
    )


def _draw_legend(image: NDArray[np.uint8], layout: CardLayout, top: int, colours: DepthColours) -> None:
    """Draw the word for far, the colours and the word for near below row `top` of a card, `image` (in place)."""
    size = layout.type_size
    pad = round(0.75 * size)
    middle = top + layout.legend_height / 2
    baseline = middle + CAP_HEIGHT * size / 2
    far, near = layout.words
    near_left = layout.width - pad - text_width(near, size, SEMIBOLD)
    draw_text(image, far, pad, baseline, size, bgr(TEXT), SEMIBOLD)
    draw_text(image, near, near_left, baseline, size, bgr(TEXT), SEMIBOLD)
    gap = round(0.55 * size)
    x0 = pad + text_width(far, size, SEMIBOLD) + gap
    bar_wh = (near_left - gap - x0, max(3, round(0.42 * size)))
    y0 = round(middle - bar_wh[1] / 2)
    ramp = cv2.resize(colour_table(colours).transpose(1, 0, 2), bar_wh, interpolation=cv2.INTER_LINEAR)
    area = image[y0 : y0 + bar_wh[1], x0 : x0 + bar_wh[0]]
    blend(area, np.asarray(ramp, np.uint8), rounded_mask(*bar_wh, bar_wh[1] // 2))


@lru_cache(maxsize=8)
def _frame_of_inset(layout: CardLayout, colours: DepthColours) -> Glass:
    """Everything on the card but the depth picture: the legend and the fine edge."""

    def draw(image: NDArray[np.uint8]) -> None:
        if layout.legend_height:
            legend = image[layout.picture_height :]
            card = rounded_mask(layout.width, layout.height, layout.radius)[layout.picture_height :]
            paint(legend, bgr(CARD), np.asarray(cv2.convertScaleAbs(card, alpha=LEGEND_OPACITY), np.uint8))
            _draw_legend(image, layout, layout.picture_height, colours)
        draw_edge(image, 0, 0, layout.width, layout.height, layout.radius, layout.line)

    return Glass.of(draw, (layout.width, layout.height))


@lru_cache(maxsize=8)
def _legend_alone(layout: CardLayout, colours: DepthColours) -> Glass:
    """The legend of depth over the whole picture, on a card of its own."""
    width, height = layout.width, layout.legend_height

    def draw(image: NDArray[np.uint8]) -> None:
        draw_card(image, 0, 0, width, height, height // 2, LEGEND_OPACITY)
        _draw_legend(image, layout, 0, colours)
        draw_edge(image, 0, 0, width, height, height // 2, layout.line)

    return Glass.of(draw, (width, height))


def draw_inset(
    image: NDArray[np.uint8],
    depth: DepthMap,
    colours: DepthColours,
    opacity: float,
    part: Part,
    words: tuple[str, str] = FAR_NEAR,
) -> None:
    """Draw the depth card into `image` (in place); nothing where the picture is too small for it."""
    layout = card_layout(part.size_wh, words)
    if layout is None or opacity <= 0:
        return
    with part.area(image, layout.x, layout.y, layout.width, layout.height) as card:
        if card is not None:
            _draw_card(card, layout, depth, colours, opacity)


def _draw_card(
    card: NDArray[np.uint8], layout: CardLayout, depth: DepthMap, colours: DepthColours, opacity: float
) -> None:
    below = card.copy() if opacity < 1 else None
    picture = colourise(depth, colours, (layout.width, layout.picture_height))
    # Only the rows with round corners need blending, and only the outermost columns have an edge.
    round_rows = [slice(0, layout.radius)]
    if not layout.legend_height:
        round_rows.append(slice(layout.picture_height - layout.radius, layout.picture_height))
    straight = slice(layout.radius, layout.picture_height - (0 if layout.legend_height else layout.radius))
    shape = rounded_mask(layout.width, layout.height, layout.radius)
    frame = _frame_of_inset(layout, colours)
    for rows in round_rows:
        blend(card[rows], picture[rows], shape[rows])
        frame.lay(card, rows)
    card[straight] = picture[straight]
    frame.lay(card, straight, slice(0, layout.line))
    frame.lay(card, straight, slice(layout.width - layout.line, None))
    frame.lay(card, slice(layout.picture_height, None))
    if below is not None:
        cv2.addWeighted(card, opacity, below, 1 - opacity, 0, dst=card)


def draw_full(image: NDArray[np.uint8], depth: DepthMap, colours: DepthColours, opacity: float, part: Part) -> None:
    """Lay the depth colours over the whole of `image` (in place)."""
    width, height = part.size_wh
    strength = FULL_STRENGTH * opacity
    colour = scratch("depth", (height, width, 3))
    cv2.resize(colourise(depth, colours), (width, height), dst=colour, interpolation=cv2.INTER_LINEAR)
    cv2.addWeighted(colour[:, part.columns], strength, image, 1 - strength, 0, dst=image)


def draw_full_legend(
    image: NDArray[np.uint8], colours: DepthColours, part: Part, words: tuple[str, str] = FAR_NEAR
) -> None:
    """Draw the legend of `draw_full` into the lower right corner (in place) where there is room."""
    layout = card_layout(part.size_wh, words)
    if layout is None or not layout.legend_height:
        return
    top = layout.y + layout.picture_height
    with part.area(image, layout.x, top, layout.width, layout.legend_height) as area:
        if area is not None:
            _legend_alone(layout, colours).lay(area)
