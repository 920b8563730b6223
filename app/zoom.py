"""Where a picture lies in the room there is for it: fitted in, filling it, or at a scale of its own. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal

LARGEST: Final = 16.0
"""Screen pixels a picture pixel: single pixels can be counted."""
STEP: Final = 1.25
"""What one turn of the wheel, or one press of a key, makes of the scale."""
Kind = Literal["fit", "fill", "free"]


@dataclass(frozen=True, slots=True)
class Layout:
    """What of a picture is seen, and where.

    Parameters
    ----------
    crop_xyxy : tuple of int
        Part of the picture that is seen, in its pixels, to whole pixels outwards.
    target_xywh : tuple of int
        Where that part lies in the room, in screen pixels; may stand over the edge by less than a picture pixel.
    scale : float
        Screen pixels a picture pixel.
    """

    crop_xyxy: tuple[int, int, int, int]
    target_xywh: tuple[int, int, int, int]
    scale: float

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the picture lies in the room, in screen pixels."""
        left, top, width, height = self.target_xywh
        x0, y0, x1, y1 = self.crop_xyxy
        return left + (x - x0) * width / (x1 - x0), top + (y - y0) * height / (y1 - y0)

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """Which point of the picture lies at a point of the room; may lie outside of it."""
        left, top, width, height = self.target_xywh
        x0, y0, x1, y1 = self.crop_xyxy
        return x0 + (x - left) * (x1 - x0) / width, y0 + (y - top) * (y1 - y0) / height


@dataclass(frozen=True, slots=True)
class Zoom:
    """How large a picture is shown, and which part of it.

    Parameters
    ----------
    kind : "fit", "fill" or "free"
        The whole picture; as large as leaves no bars; or at `scale`.
    scale : float
        Screen pixels a picture pixel, for "free".
    center : tuple of float
        Which point is in the middle, as shares of width and height; what there is room for is never left out.
    """

    kind: Kind = "fit"
    scale: float = 1.0
    center: tuple[float, float] = (0.5, 0.5)

    def scale_for(self, size_wh: tuple[int, int], room_wh: tuple[int, int]) -> float:
        """Return the screen pixels a picture pixel."""
        across, down = room_wh[0] / size_wh[0], room_wh[1] / size_wh[1]
        if self.kind == "free":
            return self.scale
        return max(across, down) if self.kind == "fill" else min(across, down)

    def layout(self, size_wh: tuple[int, int], room_wh: tuple[int, int]) -> Layout:
        """Place a picture of `size_wh` pixels in a room of `room_wh` pixels of the screen."""
        scale = self.scale_for(size_wh, room_wh)
        spans = [
            _span(size, room, scale, center) for size, room, center in zip(size_wh, room_wh, self.center, strict=True)
        ]
        (x0, x1, x, width), (y0, y1, y, height) = spans
        return Layout((x0, y0, x1, y1), (x, y, width, height), scale)

    def around(
        self, factor: float, point: tuple[float, float], size_wh: tuple[int, int], room_wh: tuple[int, int]
    ) -> Zoom:
        """Return a zoom `factor` times as large in which the picture's point under `point` stays there.

        Parameters
        ----------
        factor : float
            Larger than 1 to see less, and larger.
        point : tuple of float
            In the room, in screen pixels.
        size_wh, room_wh : tuple of int
            Sizes of the picture and of the room.
        """
        fit = Zoom("fit").scale_for(size_wh, room_wh)
        old = self.scale_for(size_wh, room_wh)
        scale = min(max(old * factor, min(fit, 1.0)), max(LARGEST, fit))
        if math.isclose(scale, fit, rel_tol=1e-3) or scale < fit <= 1.0:
            return Zoom("fit")
        x, y = self.layout(size_wh, room_wh).to_picture(*point)
        middle = (x - (point[0] - room_wh[0] / 2) / scale, y - (point[1] - room_wh[1] / 2) / scale)
        return Zoom("free", scale)._at(middle, size_wh, room_wh)

    def moved(self, dx: float, dy: float, size_wh: tuple[int, int], room_wh: tuple[int, int]) -> Zoom:
        """Return the zoom after the picture was dragged by so many screen pixels."""
        scale = self.scale_for(size_wh, room_wh)
        middle = (self.center[0] * size_wh[0] - dx / scale, self.center[1] * size_wh[1] - dy / scale)
        return self._at(middle, size_wh, room_wh)

    def can_move(self, size_wh: tuple[int, int], room_wh: tuple[int, int]) -> bool:
        """Whether a part of the picture is out of sight."""
        scale = self.scale_for(size_wh, room_wh)
        return any(size * scale > room + 0.5 for size, room in zip(size_wh, room_wh, strict=True))

    def _at(self, middle: tuple[float, float], size_wh: tuple[int, int], room_wh: tuple[int, int]) -> Zoom:
        """The same scale with this point of the picture in the middle, or as near to it as the edges allow."""
        scale = self.scale_for(size_wh, room_wh)
        center = tuple(
            _bounded(point, room / scale / 2, size) / size
            for point, room, size in zip(middle, room_wh, size_wh, strict=True)
        )
        return replace(self, center=(center[0], center[1]))


def _bounded(point: float, half: float, size: int) -> float:
    """The middle of what is seen so that nothing beyond the edges is: in the middle where all can be seen."""
    return size / 2 if 2 * half >= size else min(max(point, half), size - half)


def _span(size: int, room: int, scale: float, center: float) -> tuple[int, int, int, int]:
    """In one direction: first and last pixel that is seen, and where they lie in the room."""
    if size * scale <= room + 0.5:
        width = max(1, round(size * scale))
        return 0, size, (room - width) // 2, width
    seen = room / scale
    first = _bounded(center * size, seen / 2, size) - seen / 2
    start, end = math.floor(first), min(size, math.ceil(first + seen))
    left = round((start - first) * scale)
    return start, end, left, max(1, round((end - start) * scale))
