"""What stands behind the person: a blurred, replaced or plain background. Needs the person mask; bokeh also uses depth.

Effects change the frame before results are drawn on it: ``draw_results(result, style, base=apply_effect(...))``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from pipelines.errors import ConfigError
from pipelines.overlay.background import blurred_background, bokeh_background
from pipelines.overlay.buffers import scratch
from pipelines.overlay.colours import bgr
from pipelines.overlay.mask import draw_cutout
from pipelines.pipeline import FrameResult

HELP: Final = "none, blur, bokeh, color:#RRGGBB, or replace: and a picture file"


class EffectKind(Enum):
    """What happens to the background."""

    NONE = "none"
    BLUR = "blur"
    BOKEH = "bokeh"
    COLOR = "color"
    REPLACE = "replace"


@dataclass(frozen=True, eq=False, slots=True)
class Effect:
    """An effect, ready to be applied. Made by `parse_effect`.

    Parameters
    ----------
    kind : EffectKind
        What happens to the background.
    colour_bgr : tuple of int
        Blue, green, red of the plain background (COLOR).
    picture_bgr : ndarray of uint8, shape (H, W, 3), or None
        The picture to put behind the person (REPLACE); it is cut to the frame's shape from its centre.
    """

    kind: EffectKind = EffectKind.NONE
    colour_bgr: tuple[int, int, int] = (0, 0, 0)
    picture_bgr: NDArray[np.uint8] | None = None

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks without which the effect cannot be applied."""
        return () if self.kind is EffectKind.NONE else ("segmentation",)

    @property
    def used_tasks(self) -> tuple[str, ...]:
        """The tasks whose results change how the effect looks; those in `tasks` among them."""
        return (*self.tasks, "depth") if self.kind is EffectKind.BOKEH else self.tasks


def parse_effect(text: str) -> Effect:
    """Read an effect as it is given on the command line.

    Parameters
    ----------
    text : str
        "none", "blur", "bokeh", "color:#RRGGBB" or "replace:IMAGE".

    Raises
    ------
    ConfigError
        If there is no such effect, the colour is none, or the picture cannot be read.
    """
    name, colon, value = text.strip().partition(":")
    try:
        kind = EffectKind(name.strip().lower())
    except ValueError:
        raise ConfigError(f"there is no effect {text!r}: use {HELP}") from None
    if kind is EffectKind.COLOR:
        try:
            return Effect(kind, colour_bgr=bgr(value.strip()))
        except ValueError:
            raise ConfigError(f"the effect color needs a colour like color:#1e90ff, not {text!r}") from None
    if kind is EffectKind.REPLACE:
        if not value:
            raise ConfigError("the effect replace needs a picture, as in replace:beach.jpg")
        return Effect(kind, picture_bgr=_read_picture(Path(value).expanduser()))
    if colon:
        raise ConfigError(f"the effect {kind.value} takes nothing after a colon, not {text!r}")
    return Effect(kind)


def picture_path(text: str) -> Path | None:
    """Return the file that an effect as given on the command line reads, None where it reads none."""
    name, _, value = text.strip().partition(":")
    is_picture = name.strip().lower() == EffectKind.REPLACE.value and value != ""
    return Path(value).expanduser() if is_picture else None


def _read_picture(path: Path) -> NDArray[np.uint8]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read the background {path}: {error.strerror or error}") from None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error as error:
        raise ConfigError(f"cannot read the background {path}: {error.err}") from None
    if picture is None:
        raise ConfigError(f"cannot read the background {path}: " + ("not a picture" if data else "the file is empty"))
    return np.asarray(picture, np.uint8)


@lru_cache(maxsize=2)
def _covering(effect: Effect, size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the effect's picture enlarged or shrunk to cover `size_wh` and cut to it. Read-only."""
    picture = effect.picture_bgr
    assert picture is not None
    width, height = size_wh
    have_height, have_width = picture.shape[:2]
    scale = max(width / have_width, height / have_height)
    # Cut first, so that a long strip is not enlarged as a whole.
    cut_width = min(have_width, max(1, round(width / scale)))
    cut_height = min(have_height, max(1, round(height / scale)))
    x, y = (have_width - cut_width) // 2, (have_height - cut_height) // 2
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    fitted = np.asarray(
        cv2.resize(picture[y : y + cut_height, x : x + cut_width], size_wh, interpolation=how), np.uint8
    )
    fitted.flags.writeable = False
    return fitted


def apply_effect(result: FrameResult, effect: Effect) -> NDArray[np.uint8]:
    """Return the frame with the effect applied.

    Parameters
    ----------
    result : FrameResult
        The frame and what was found on it.
    effect : Effect
        What to do.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        A new picture; for the effect "none" the frame's own, read-only one.

    Raises
    ------
    ConfigError
        If the effect needs the person mask and the task is off.
    """
    frame = result.frame.image_bgr
    if effect.kind is EffectKind.NONE:
        return frame
    if result.mask is None:
        raise ConfigError(f"the effect {effect.kind.value} needs the task segmentation")
    alpha = result.mask.alpha
    size_wh = result.frame.size_wh
    if effect.kind is EffectKind.COLOR:
        image = frame.copy()
        draw_cutout(image, alpha, effect.colour_bgr)
        return image
    if effect.kind is EffectKind.REPLACE:
        return _over(frame, _covering(effect, size_wh).copy(), alpha)
    if effect.kind is EffectKind.BLUR:
        return _over(frame, blurred_background(frame, alpha), alpha)
    background, sharpness = bokeh_background(frame, alpha, result.depth)
    return _over(frame, background, sharpness)


def effect_on(result: FrameResult, effect: Effect) -> NDArray[np.uint8] | None:
    """Return the frame with the effect applied, or None where there is none, or a task that it needs is off.

    For a live view, where tasks come and go while the effect stays chosen.
    """
    if effect.kind is EffectKind.NONE or any(task not in result.results for task in effect.tasks):
        return None
    return apply_effect(result, effect)


def _over(frame: NDArray[np.uint8], background: NDArray[np.uint8], alpha: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay the frame over `background` (in place) where `alpha` says so; only the mask's bounding box is touched."""
    x, y, width, height = cv2.boundingRect(alpha)
    if not width or not height:
        return background
    area = (slice(y, y + height), slice(x, x + width))
    over = scratch("over", (height, width, 3))
    under = scratch("under", (height, width, 3))
    target = background[area]
    cv2.cvtColor(alpha[area], cv2.COLOR_GRAY2BGR, dst=over)
    cv2.bitwise_not(over, dst=under)
    cv2.multiply(frame[area], over, dst=over, scale=1 / 255)
    cv2.multiply(target, under, dst=under, scale=1 / 255)
    cv2.add(over, under, dst=target)
    return background
