"""What a webcam does to a picture; the label stays that of the clean one."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.teacher import SIZE

_MARGIN: Final = 64
_RAMP: Final = np.arange(256, dtype=np.float32)[:, None] / 255
DARK: Final = 0.18
"""Share of pictures that are darkened as in a room at night, with much noise."""


class Photographer:
    """Changes pictures at random, always the same way for the same seed."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        # Noise is drawn once and cut out at random places: drawing it for each picture would take half of the time.
        size = (SIZE[0] + _MARGIN, SIZE[1] + _MARGIN, 3)
        fine = [self._rng.standard_normal(size, np.float32) * 32 for _ in range(8)]
        coarse = [cv2.GaussianBlur(noise, (0, 0), 0.8) * 2 for noise in fine[4:]]
        self._noise = [noise.astype(np.int16) for noise in (*fine[:4], *coarse)]

    def __call__(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a changed picture, uint8 (h, w, 3) RGB, at most of the network's size."""
        rng = self._rng
        dark = rng.random() < DARK
        if dark or rng.random() < 0.8:
            image = self._exposed(image, dark)
        if rng.random() < 0.3:
            grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
            share = 0 if rng.random() < 0.13 else rng.uniform(0.2, 1.6)
            image = cv2.addWeighted(image, share, grey, 1 - share, 0)  # type: ignore[assignment]
        image = self._blurred(image)
        if dark or rng.random() < 0.3:
            height, width = image.shape[:2]
            top, left = rng.integers(0, _MARGIN, 2)
            noise = self._noise[rng.integers(len(self._noise))][top : top + height, left : left + width]
            amount = rng.uniform(0.05, 0.5 if dark else 0.3)
            image = cv2.addWeighted(image, 1, noise, amount, 0, dtype=cv2.CV_8U)  # type: ignore[assignment]
        if rng.random() < 0.2:
            _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))])
            image = cv2.imdecode(packed, cv2.IMREAD_COLOR)  # type: ignore[assignment]
        return image

    def _exposed(self, image: NDArray[np.uint8], dark: bool) -> NDArray[np.uint8]:
        """Gamma, gain, white balance, offset."""
        rng = self._rng
        gain = rng.uniform(0.2, 0.6) if dark else np.exp(rng.normal(0, 0.18))
        balance = np.exp(rng.normal(0, 0.08, 3))
        curve = _RAMP ** np.exp(rng.normal(0, 0.25)) * gain * balance + rng.normal(0, 0.04)
        table = (np.clip(curve, 0, 1) * 255).astype(np.uint8)[:, None, :]
        return cv2.LUT(image, table)  # type: ignore[return-value]

    def _blurred(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Out of focus, enlarged from fewer pixels, moved, or as it was."""
        rng = self._rng
        height, width = image.shape[:2]
        match rng.choice(4, p=[0.15, 0.1, 0.05, 0.7]):
            case 0:
                image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.5))  # type: ignore[assignment]
            case 1:
                factor = rng.uniform(0.4, 0.8)
                small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
                image = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)  # type: ignore[assignment]
            case 2:
                length = int(rng.integers(3, 9))
                image = cv2.blur(image, (length, 1) if rng.random() < 0.5 else (1, length))  # type: ignore[assignment]
        return image
