"""Make assets/demo.mp4: five seconds of a person, moving sideways, in depth and by herself, that loop without a jump.

``python assets/make_demo.py`` (a developer tool; a minute or two; reads assets/portrait.png)

The portrait is taken apart (demo_layers.py) into a person and what is behind her. The person comes nearer and goes
back, leans, turns and tilts her head; the background recedes a little as she comes, and everything drifts as in front
of a hand-held camera. All motions are sine waves with a whole number of periods in the clip: its end leads to its
start like any frame to the next.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc
from numpy.typing import NDArray

from assets.demo_layers import LEFT, ZOOM, Layers, load_layers

SIZE_WH: Final = (1280, 720)
RATE: Final = 30
FRAMES: Final = 150
CLIP: Final = Path(__file__).resolve().parent / "demo.mp4"

FACE: Final = (228.0, 100.0)
"""The middle between the eyes, in pixels of the portrait: what a camera at eye level zooms about."""
FACE_AT: Final = (612.0, 198.0)
"""Where it is in the clip, on average."""
HIPS: Final = (240.0, 560.0)
NECK: Final = (218.0, 192.0)
HEAD: Final = ((226.0, 92.0), (84.0, 92.0))
"""Centre and half axes of an ellipse around the head."""
BACKGROUND_AT: Final = (612.0, -24.0)
"""Where the top of the background above the face is in the clip, on average."""


def wave(index: float, periods: int, phase: float) -> float:
    """Return a sine in [-1, 1] that has a whole number of periods in the clip, starting at `phase` of a period."""
    return math.sin(2 * math.pi * (periods * index / FRAMES + phase))


def person_scale(index: float) -> float:
    """Return how many pixels of frame `index` a pixel of the portrait is wide on the person: 1.42 to 1.92."""
    return 1.67 + 0.25 * wave(index, 1, 0.0)


def render(layers: Layers, index: int) -> NDArray[np.uint8]:
    """Paint one frame.

    Parameters
    ----------
    layers : Layers
        From `load_layers`.
    index : int
        Number of the frame; `FRAMES` is 0 again.

    Returns
    -------
    ndarray of uint8, shape (720, 1280, 3)
        BGR.
    """
    person = _sample_person(layers, index)
    background = _sample_background(layers, index)
    alpha = person[..., 3:]
    # She keeps some light off the backdrop; without the shadow she would look cut out.
    shadow = cv2.warpAffine(
        cv2.GaussianBlur(cv2.resize(person[..., 3], None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA), (0, 0), 6),
        np.array([[8.0, 0.0, 14.0], [0.0, 8.0, 20.0]]),
        SIZE_WH,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    background *= (1 - 0.30 * shadow)[..., None]
    # The light swells a little, warmer as it does.
    light = 1 + 0.018 * wave(index, 1, 0.2) * np.array([0.6, 1.0, 1.3], np.float32)
    image = (person[..., :3] + background * (1 - alpha)) * light
    return np.rint(np.clip(image, 0, 255)).astype(np.uint8)


def person_mask(layers: Layers, index: int) -> NDArray[np.float32]:
    """Return how much of each pixel of frame `index` is the person: float32 (720, 1280), in [0, 1]."""
    return np.clip(_sample_person(layers, index)[..., 3], 0, 1)


def _drift(index: float) -> NDArray[np.float64]:
    """Where the camera has drifted to, in pixels of the frame."""
    return np.array([6 * wave(index, 1, 0.35) + 2 * wave(index, 3, 0.1), 4 * wave(index, 2, 0.6)])


def _sample_person(layers: Layers, index: int) -> NDArray[np.float32]:
    """Bring the person's layer into the frame: (720, 1280, 4), BGR multiplied by alpha, alpha."""
    scale = person_scale(index)
    lean = math.radians(0.9 * wave(index, 1, 0.3))
    at = np.array(FACE_AT) + 2 * _drift(index) + [10 * wave(index, 1, 0.55), 0]
    # From the frame back to the portrait: undo place and scale, then the lean about the hips, then the head's own
    # motion.
    width, height = SIZE_WH
    xs, ys = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    x = (xs - at[0]) / scale + FACE[0]
    y = (ys - at[1]) / scale + FACE[1]
    x, y = _turned(x, y, HIPS, -lean)
    x, y = _head_back(x, y, index)
    # Pixel i of the layer is the portrait's i / ZOOM, both counted from their pixels' corners.
    map_x = ((x + 0.5) * ZOOM - 0.5).astype(np.float32)
    map_y = ((y + 0.5) * ZOOM - 0.5).astype(np.float32)
    return np.asarray(
        cv2.remap(layers.person_bgra, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _head_back(
    x: NDArray[np.float64], y: NDArray[np.float64], index: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Undo the head's motion: it tilts about the neck, and it turns and nods, which moves the nose more than the ears.

    All of it fades from the chin to the collar, so that nothing tears.
    """
    (cx, cy), (rx, ry) = HEAD
    radius2 = ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2
    weight = 1 - np.clip((np.sqrt(radius2) - 0.95) / 0.5, 0, 1)
    weight = weight * weight * (3 - 2 * weight)
    tilt = math.radians(2.2 * wave(index, 2, 0.1) + 1.2 * wave(index, 1, 0.4))
    tilted_x, tilted_y = _turned(x, y, NECK, -tilt)
    x = x + weight * (tilted_x - x)
    y = y + weight * (tilted_y - y)
    # As on an ellipsoid seen from the front: the middle is nearest and moves most.
    bulge = np.exp(-1.6 * (((x - cx) / rx) ** 2 + ((y - cy - 10) / ry) ** 2))
    x = x - (4.5 * wave(index, 1, 0.8)) * bulge
    y = y - (2.2 * wave(index, 2, 0.45)) * bulge
    return x, y


def _turned(
    x: NDArray[np.float64], y: NDArray[np.float64], pivot: tuple[float, float], angle: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    cos, sin = math.cos(angle), math.sin(angle)
    dx, dy = x - pivot[0], y - pivot[1]
    return pivot[0] + cos * dx - sin * dy, pivot[1] + sin * dx + cos * dy


def _sample_background(layers: Layers, index: int) -> NDArray[np.float32]:
    """Bring the background's layer into the frame: (720, 1280, 3)."""
    scale = 1.66 - 0.035 * wave(index, 1, 0.0)
    at = np.array(BACKGROUND_AT) + _drift(index) - [12 * wave(index, 1, 0.55), 0]
    step = ZOOM / scale
    matrix = np.array(
        [
            [step, 0.0, (FACE[0] + LEFT + 0.5) * ZOOM - 0.5 - step * at[0]],
            [0.0, step, 0.5 * ZOOM - 0.5 - step * at[1]],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(layers.background_bgr, matrix, SIZE_WH, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def main() -> int:
    """Write the clip."""
    layers = load_layers()
    with av.open(str(CLIP), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=RATE, options={"crf": "17", "preset": "veryslow"})
        stream.width, stream.height = SIZE_WH
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        context.colorspace = Colorspace.ITU709
        context.color_primaries = ColorPrimaries.BT709
        context.color_trc = ColorTrc.BT709
        context.color_range = ColorRange.MPEG
        for index in range(FRAMES):
            frame = av.VideoFrame.from_ndarray(render(layers, index), format="bgr24").reformat(
                format="yuv420p",
                dst_colorspace=Colorspace.ITU709,
                src_color_range=ColorRange.JPEG,
                dst_color_range=ColorRange.MPEG,
            )
            frame.pts, frame.time_base = index, Fraction(1, RATE)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    print(f"{CLIP.name}: {FRAMES} frames, {CLIP.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
