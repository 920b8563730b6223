"""From what was found on a frame to what is seen of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pipelines.engine.pair import Analysed
from pipelines.engine.state import Drawing, View
from pipelines.mirror import mirrored
from pipelines.overlay import Effect, OverlayStyle, draw_results, draw_split, effect_on
from pipelines.pipeline import FrameResult


@dataclass(frozen=True, slots=True)
class Looks:
    """How the pictures of a run are drawn.

    Parameters
    ----------
    style : OverlayStyle
        How results are drawn.
    effect : Effect
        What stands behind the person.
    divider : float
        Where B's half begins in a split comparison, as a share of the width.
    is_mirror : bool
        What is seen is the mirror image.
    """

    style: OverlayStyle
    effect: Effect = field(default_factory=Effect)
    divider: float = 0.5
    is_mirror: bool = False

    def draw(self, a: FrameResult, b: FrameResult | None, first: int) -> NDArray[np.uint8]:
        """Draw A's results, with those of B on the same frame from column `first` on."""
        base = effect_on(a, self.effect)
        if b is None:
            return draw_results(a, self.style, base)
        return draw_split(a, b, self.style, first, (base, effect_on(b, self.effect)))


def view_of(analysed: Analysed, serial: int, looks: Looks) -> View:
    """Draw what is seen; what only files may want is left to whoever writes them."""
    result, other = analysed.result, analysed.other
    width = result.frame.width
    # One picture: what of A's lies right of the divider is not seen, nor what of B's lies left of it.
    first = min(max(round(looks.divider * width), 1), width - 1) if width > 1 else 0
    later = Drawing(lambda: looks.draw(result, other, first))
    drawn: NDArray[np.uint8] | Drawing = later if looks.is_mirror else later.image()
    mirror = None
    if looks.is_mirror:
        mirror = looks.draw(mirrored(result), mirrored(other) if other is not None else None, first)
    if other is None:
        return View(drawn, result, serial, analysed.side, mirror_bgr=mirror)
    return View(drawn, result, serial, analysed.side, other, drawn, first / width, mirror)
