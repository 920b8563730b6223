"""What lies under the pointer: how deep, how much of it is a person."""

from __future__ import annotations

import math

from app.i18n import tr
from app.pictures import Picture
from app.words import DOT, task_word
from models.results import DepthMap, SegmentationMask
from pipelines.pipeline import FrameResult


def told_on(picture: Picture, at: tuple[float, float], divider: float) -> str:
    """Say what was found at a place of the picture that is shown, with the result of the half that it lies in.

    Parameters
    ----------
    picture : Picture
        What is shown.
    at : tuple of float
        Column and row, in pixels of the picture.
    divider : float
        Where B's half begins in a split comparison, as a share of the width.
    """
    x, y = (math.floor(value) for value in at)
    result = picture.view.result
    if picture.other is not None and picture.view.other is not None and x >= divider * result.frame.width:
        result = picture.view.other
    if picture.wish.mirror is not None:
        x = result.frame.width - 1 - x
    return told_at(result, x, y)


def told_at(result: FrameResult, x: int, y: int) -> str:
    """Say in one line what was found at a pixel.

    Parameters
    ----------
    result : FrameResult
        Of the frame as it is, not mirrored.
    x, y : int
        Pixel of the frame.

    Returns
    -------
    str
        Place; depth from 0, the farthest, to 1, the nearest; how surely there is a person, and how much of the whole
        picture is one. Only what was analysed; "" beside the frame.
    """
    if not (0 <= x < result.frame.width and 0 <= y < result.frame.height):
        return ""
    parts = [f"{x}, {y}"]
    depth = result.results.get("depth")
    if isinstance(depth, DepthMap):
        rows, columns = depth.inverse_depth.shape
        value = depth.inverse_depth[y * rows // depth.size_wh[1], x * columns // depth.size_wh[0]]
        share = min(1.0, max(0.0, float((value - depth.far) / (depth.near - depth.far))))
        parts.append(f"{task_word('depth')} {share:.2f}")
    mask = result.results.get("segmentation")
    if isinstance(mask, SegmentationMask):
        here, all_of_it = mask.alpha[y, x] / 255, mask.coverage
        words = tr("{person} {here} here, {all} of the picture")
        parts.append(words.format(person=task_word("segmentation"), here=f"{here:.0%}", all=f"{all_of_it:.0%}"))
    return f" {DOT} ".join(parts)
