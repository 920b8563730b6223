"""What well-known families of depth networks want, so that nobody has to look it up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from models.adopt.request import Request
from models.errors import ModelError

_IMAGENET: Final = Request(Path(), color="RGB", pixel_max=1.0, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225))
PRESETS: Final = {
    # Ranftl et al., "Towards Robust Monocular Depth Estimation", 2020; the small network works on 256x256.
    "midas": replace(_IMAGENET, task="depth", meaning="inverse-depth", licence="MIT"),
    # Yang et al., "Depth Anything V2", 2024; sides are multiples of 14. Its metric variants give a distance.
    "depth-anything": replace(_IMAGENET, task="depth", meaning="inverse-depth"),
    # Li et al., "Enforcing Temporal Consistency in Video Depth Estimation", 2021.
    "tcmonodepth": Request(
        Path(),
        task="depth",
        color="RGB",
        pixel_max=255.0,
        mean=(0.0,),
        std=(1.0,),
        meaning="inverse-depth",
        licence="MIT",
    ),
}
FREE_SIZE: Final = {"midas": (256, 256), "depth-anything": (518, 518), "tcmonodepth": (320, 192)}
"""Width and height to use where the file leaves them open."""


def preset(name: str) -> Request:
    """Return a preset.

    Raises
    ------
    ModelError
        If there is none of this name.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise ModelError(f"there is no preset called {name!r} (choose from {', '.join(PRESETS)})") from None
