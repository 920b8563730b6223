"""All results of a frame on one picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pipelines.overlay.depth import card_layout, draw_full, draw_full_legend, draw_inset
from pipelines.overlay.faces import draw_faces
from pipelines.overlay.mask import dimmed, draw_mask
from pipelines.overlay.part import Part
from pipelines.overlay.relief import draw_relief
from pipelines.overlay.style import DepthStyle, MaskStyle, OverlayStyle
from pipelines.pipeline import FrameResult


def mask_line_width(size_wh: tuple[int, int], line_scale: float) -> int:
    """Width of the mask's outline in pixels: 2 at 720p, 5 at 4K."""
    return max(1, round(min(size_wh) / 420 * line_scale))


def draw_results(result: FrameResult, style: OverlayStyle, base: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
    """Draw what was found on a copy of the frame: depth below, then the person mask, the faces on top.

    Parameters
    ----------
    result : FrameResult
        The frame and what was found on it; a task that is off draws nothing.
    style : OverlayStyle
        What is drawn and how.
    base : ndarray of uint8, shape (H, W, 3), optional
        Drawn on instead of the frame, such as the frame after a background effect. Not changed.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        A new BGR picture of the frame's size.

    Raises
    ------
    ValueError
        If `base` is not of the frame's size.
    """
    frame = result.frame.image_bgr
    if base is not None and base.shape != frame.shape:
        raise ValueError(f"the picture to draw on is {base.shape}, the frame {frame.shape}")
    picture = frame if base is None else base
    image = dimmed(picture, style.mask_opacity) if _mask_style(result, style) is MaskStyle.TINT else picture.copy()
    _draw(image, result, style, Part.whole(result.frame.size_wh))
    if result.depth is not None and _depth_style(result, style) is DepthStyle.RELIEF:
        draw_relief(image, result.depth, style.relief_yaw, style.relief_pitch, style.depth_opacity)
    return image


def draw_split(
    a: FrameResult,
    b: FrameResult,
    style: OverlayStyle,
    first: int,
    bases: tuple[NDArray[np.uint8] | None, NDArray[np.uint8] | None] = (None, None),
) -> NDArray[np.uint8]:
    """Draw what two pipelines found on the same frame: A's left of a column, B's from there on.

    Each half is what `draw_results` makes of it, and costs about half as much; all of it where it is a relief, whose
    halves are not those of the frame.

    Parameters
    ----------
    a, b : FrameResult
        What was found on the same frame.
    style : OverlayStyle
        What is drawn and how.
    first : int
        First column of B's half, from 0 (all of it) to the width of the frame (nothing).
    bases : tuple of ndarray or None
        As for `draw_results`, for A and for B.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        A new BGR picture of the frame's size.
    """
    if style.depth is DepthStyle.RELIEF:
        both = draw_results(a, style, bases[0])
        both[:, first:] = draw_results(b, style, bases[1])[:, first:]
        return both
    frame = a.frame.image_bgr
    size_wh = a.frame.size_wh
    sides = [(a, bases[0], Part(size_wh, 0, first)), (b, bases[1], Part(size_wh, first, size_wh[0]))]
    tinted = [_mask_style(result, style) is MaskStyle.TINT for result, _, _ in sides]
    if all(tinted) and bases[0] is None and bases[1] is None:
        image = dimmed(frame, style.mask_opacity)
    else:
        image = np.empty_like(frame)
        for (_, base, part), is_tinted in zip(sides, tinted, strict=True):
            picture = (frame if base is None else base)[:, part.columns]
            image[:, part.columns] = dimmed(picture, style.mask_opacity) if is_tinted else picture
    for result, _, part in sides:
        if part.first < part.end:
            _draw(image[:, part.columns], result, style, part)
    return image


def depth_place(result: FrameResult, style: OverlayStyle) -> tuple[int, int, int, int] | None:
    """Return what the depth card, or the legend alone, covers: left, top, width, height in pixels; None for nothing."""
    where = _depth_style(result, style)
    layout = card_layout(result.frame.size_wh, style.legend)
    if layout is None or where not in (DepthStyle.INSET, DepthStyle.FULL):
        return None
    if where is DepthStyle.INSET:
        return layout.x, layout.y, layout.width, layout.height
    return (
        (layout.x, layout.y + layout.picture_height, layout.width, layout.legend_height)
        if layout.legend_height
        else None
    )


def _depth_style(result: FrameResult, style: OverlayStyle) -> DepthStyle:
    """How depth is drawn, if it is there and can be seen."""
    if result.depth is None or style.depth_opacity <= 0:
        return DepthStyle.OFF
    if style.depth is DepthStyle.AUTO:
        return DepthStyle.FULL if result.faces is None and result.mask is None else DepthStyle.INSET
    return style.depth


def _mask_style(result: FrameResult, style: OverlayStyle) -> MaskStyle:
    """How the mask is drawn, if it is there and can be seen."""
    if result.mask is None or style.mask_opacity <= 0:
        return MaskStyle.OFF
    if style.mask is MaskStyle.TINT and _depth_style(result, style) is DepthStyle.FULL:
        return MaskStyle.OUTLINE  # a tint would turn the colours into others than the legend's
    return style.mask


def _draw(image: NDArray[np.uint8], result: FrameResult, style: OverlayStyle, part: Part) -> None:
    """Draw what was found into a part of the picture, which is dimmed already where the mask is a tint."""
    depth, where = result.depth, _depth_style(result, style)
    if depth is not None and where is DepthStyle.FULL:
        draw_full(image, depth, style.depth_colours, style.depth_opacity, part)
    if result.mask is not None:
        line = mask_line_width(part.size_wh, style.line_scale)
        draw_mask(image, result.mask, _mask_style(result, style), style.mask_tint, style.mask_opacity, line, part)
    if result.faces is not None:
        draw_faces(image, result.faces, style.face, style.face_opacity, style.line_scale, part)
    if depth is not None and where is DepthStyle.FULL:
        draw_full_legend(image, style.depth_colours, part, style.legend)
    elif depth is not None and where is DepthStyle.INSET:
        draw_inset(image, depth, style.depth_colours, style.depth_opacity, part, style.legend)
