"""All results of a frame on one picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pipelines.overlay.depth import draw_full, draw_full_legend, draw_inset
from pipelines.overlay.faces import draw_faces
from pipelines.overlay.mask import dimmed, draw_mask
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
    size_wh = result.frame.size_wh
    depth = result.depth if style.depth_opacity > 0 else None
    where = style.depth
    if where is DepthStyle.AUTO:
        where = DepthStyle.FULL if result.faces is None and result.mask is None else DepthStyle.INSET
    mask_style = style.mask
    if depth is not None and where is DepthStyle.FULL and mask_style is MaskStyle.TINT:
        mask_style = MaskStyle.OUTLINE  # a tint would turn the colours into others than the legend's
    tinted = result.mask is not None and mask_style is MaskStyle.TINT and style.mask_opacity > 0
    image = dimmed(picture, style.mask_opacity) if tinted else picture.copy()
    if depth is not None and where is DepthStyle.FULL:
        draw_full(image, depth, style.depth_colours, style.depth_opacity)
    if result.mask is not None:
        line = mask_line_width(size_wh, style.line_scale)
        draw_mask(image, result.mask.alpha, mask_style, style.mask_tint, style.mask_opacity, line)
    if result.faces is not None:
        draw_faces(image, result.faces, style.face, style.face_opacity, style.line_scale)
    if depth is not None and where is DepthStyle.FULL:
        draw_full_legend(image, style.depth_colours)
    elif depth is not None and where is DepthStyle.INSET:
        draw_inset(image, depth, style.depth_colours, style.depth_opacity)
    return image
