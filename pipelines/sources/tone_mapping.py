"""High dynamic range (PQ and HLG) as ordinary pictures: BT.2390's curve, from BT.2020 to BT.709.

Each channel goes through the transfer function (SMPTE ST 2084, or ARIB STD-B67 with BT.2100's system gamma 1.2 for a
screen of 1000 cd/m2, applied to each channel), then through the EETF of Report ITU-R BT.2390 (section 5.4.1) from a
peak of 1000 cd/m2 to 203 cd/m2, the white of ordinary pictures in HDR ones (Report ITU-R BT.2408). The rest is the
matrix of the primaries (Recommendation ITU-R BT.2087, inverted; colours outside of BT.709 are clipped) and the gamma
2.4 of Recommendation ITU-R BT.1886.

Everything that acts on one channel is a table, so that a frame costs two look-ups and one matrix.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

PEAK_NITS: Final = 1000.0
"""Brightest light that is kept apart, in cd/m2: what nearly all content is graded for, and the screen HLG assumes."""
WHITE_NITS: Final = 203.0
"""Light that ordinary pictures show at most, in cd/m2."""
DISPLAY_GAMMA: Final = 2.4
SYSTEM_GAMMA: Final = 1.2
BT2020_TO_BT709: Final = (
    (1.660491, -0.587641, -0.072850),
    (-0.124550, 1.132900, -0.008349),
    (-0.018151, -0.100579, 1.118730),
)
"""For linear light, R, G, B; the rows sum to 1, so that white stays white."""
_LEVELS: Final = 65_536
_BAND: Final = 1 << 16
"""Pixels worked on at a time: their intermediate values stay in the processor's cache."""
# SMPTE ST 2084, equation 4.1
_M1, _M2 = 2610 / 16384, 2523 / 4096 * 128
_C1, _C2, _C3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
# ARIB STD-B67
_A, _B, _C = 0.17883277, 0.28466892, 0.55991073


class Transfer(Enum):
    """How light is coded, with FFmpeg's number."""

    PQ = 16
    HLG = 18


def pq_light(signal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the light in cd/m2, at most 10,000, of a PQ signal in [0, 1]."""
    root = np.power(np.clip(signal, 0.0, 1.0), 1 / _M2)
    light: NDArray[np.float64] = 10_000 * np.power(np.maximum(root - _C1, 0.0) / (_C2 - _C3 * root), 1 / _M1)
    return light


def pq_signal(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the PQ signal, in [0, 1], of light in cd/m2."""
    power = np.power(np.clip(light, 0.0, 10_000.0) / 10_000, _M1)
    signal: NDArray[np.float64] = np.power((_C1 + _C2 * power) / (1 + _C3 * power), _M2)
    return signal


def hlg_light(signal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the light in cd/m2, at most `PEAK_NITS`, that a screen of this peak shows of an HLG signal in [0, 1]."""
    signal = np.clip(signal, 0.0, 1.0)
    scene = np.where(signal <= 0.5, signal**2 / 3, (np.exp((signal - _C) / _A) + _B) / 12)
    light: NDArray[np.float64] = PEAK_NITS * np.power(np.minimum(scene, 1.0), SYSTEM_GAMMA)
    return light


def compressed(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return light of at most `PEAK_NITS` brought down to `WHITE_NITS`, both in cd/m2.

    The curve of BT.2390: the identity in the shadows and mid-tones, from its knee on a Hermite spline (in PQ) that
    reaches the new peak with the slope 0.
    """
    peak, white = (float(pq_signal(np.array(nits))) for nits in (PEAK_NITS, WHITE_NITS))
    source = np.minimum(pq_signal(light) / peak, 1.0)
    top = white / peak
    knee = 1.5 * top - 0.5
    t = np.maximum(source - knee, 0.0) / (1 - knee)
    spline = (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (-2 * t**3 + 3 * t**2) * top
    return pq_light(np.where(source < knee, source, spline) * peak)


@lru_cache(maxsize=2)
def _to_light(transfer: Transfer) -> NDArray[np.float32]:
    """Table from a 16-bit signal to the light of an ordinary picture, 0 to 1."""
    signal = np.arange(_LEVELS, dtype=np.float64) / (_LEVELS - 1)
    light = pq_light(signal) if transfer is Transfer.PQ else hlg_light(signal)
    return (compressed(light) / WHITE_NITS).astype(np.float32)


@lru_cache(maxsize=1)
def _to_code() -> NDArray[np.uint8]:
    """Table from the square root of light, in 16 bits, to a value of the picture.

    The root spreads the shadows over enough entries: the first step of the picture begins at the 27th.
    """
    light = np.square(np.arange(_LEVELS, dtype=np.float64) / (_LEVELS - 1))
    return np.rint(255 * np.power(light, 1 / DISPLAY_GAMMA)).astype(np.uint8)


def tone_mapped(signal_rgb: NDArray[np.uint16], transfer: Transfer, wide: bool = True) -> NDArray[np.uint8]:
    """Return an HDR picture as an ordinary one.

    Parameters
    ----------
    signal_rgb : ndarray of uint16, shape (H, W, 3)
        Red, green, blue, full range.
    transfer : Transfer
        How light is coded in it.
    wide : bool
        Its primaries are those of BT.2020; else of BT.709 already.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
        Blue, green, red with the primaries of BT.709, for a screen of gamma 2.4.
    """
    height, width = signal_rgb.shape[:2]
    image = np.empty((height, width, 3), np.uint8)
    rgb = np.array(BT2020_TO_BT709 if wide else np.eye(3), np.float32)
    matrix = np.ascontiguousarray(rgb[::-1])
    to_light, to_code = _to_light(transfer), _to_code()
    rows = max(1, _BAND // max(1, width))
    for top in range(0, height, rows):
        light = cv2.transform(np.take(to_light, signal_rgb[top : top + rows]), matrix)
        root = cv2.sqrt(np.clip(light, 0.0, 1.0, out=light))
        np.multiply(root, _LEVELS - 1, out=root)
        np.take(to_code, root.astype(np.uint16), out=image[top : top + rows])
    return image
