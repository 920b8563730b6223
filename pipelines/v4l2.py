"""Modes of a Linux camera, asked from the driver (Video4Linux2) without starting a capture.

Layouts and request numbers: linux/videodev2.h, a stable kernel interface.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Final

Ioctl = Callable[[int, int, bytearray], int]

CAPTURE: Final = 1
DISCRETE: Final = 1
ENUM_FMT: Final = 0xC0405602
ENUM_FRAMESIZES: Final = 0xC02C564A
ENUM_FRAMEINTERVALS: Final = 0xC034564B
STANDARD_SIZES: Final = ((640, 480), (1280, 720), (1920, 1080), (3840, 2160))
"""Offered when a driver takes any size of a range."""
MOST: Final = 256
"""More entries of a kind than any camera has; ends the loop on a driver that never says no."""


def _ioctl(descriptor: int, request: int, buffer: bytearray) -> int:
    if sys.platform != "linux":
        raise OSError("Video4Linux2 exists on Linux only")
    import fcntl

    return fcntl.ioctl(descriptor, request, buffer, True)


def _ask(ioctl: Ioctl, descriptor: int, request: int, size: int, *head: int) -> Iterator[bytearray]:
    """Yield the answers for index 0, 1, 2... until the driver has no more."""
    for index in range(MOST):
        buffer = bytearray(size)
        struct.pack_into(f"{1 + len(head)}I", buffer, 0, index, *head)
        try:
            ioctl(descriptor, request, buffer)
        except OSError:
            return
        yield buffer


def _formats(ioctl: Ioctl, descriptor: int) -> Iterator[tuple[int, str]]:
    for answer in _ask(ioctl, descriptor, ENUM_FMT, 64, CAPTURE):
        code = struct.unpack_from("I", answer, 44)[0]
        yield code, struct.pack("<I", code).decode("ascii", "replace").strip()


def _sizes(ioctl: Ioctl, descriptor: int, code: int) -> Iterator[tuple[int, int]]:
    for answer in _ask(ioctl, descriptor, ENUM_FRAMESIZES, 44, code):
        kind = struct.unpack_from("I", answer, 8)[0]
        if kind == DISCRETE:
            yield struct.unpack_from("2I", answer, 12)
            continue
        low_w, high_w, _, low_h, high_h, _ = struct.unpack_from("6I", answer, 12)
        yield from ((w, h) for w, h in STANDARD_SIZES if low_w <= w <= high_w and low_h <= h <= high_h)
        return


def _rates(ioctl: Ioctl, descriptor: int, code: int, width: int, height: int) -> list[float]:
    """Rates of a mode; only the fastest of a range, and 0 where the driver tells none."""
    found = []
    for answer in _ask(ioctl, descriptor, ENUM_FRAMEINTERVALS, 52, code, width, height):
        kind, numerator, denominator = struct.unpack_from("3I", answer, 16)
        if numerator:
            found.append(denominator / numerator)
        if kind != DISCRETE:
            break
    return found or [0.0]


def camera_modes(path: str, ioctl: Ioctl = _ioctl) -> tuple[str, ...]:
    """Return the modes of a camera as "1280x720@30 MJPG", the largest and fastest first; "1280x720 MJPG" without rate.

    Parameters
    ----------
    path : str
        Device file.
    ioctl : callable, optional
        Stand-in for tests.

    Returns
    -------
    tuple of str
        Empty where the driver does not tell, the device cannot be opened, or the system is not Linux.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ()
    try:
        modes = {
            (width, height, round(rate, 2), name)
            for code, name in _formats(ioctl, descriptor)
            for width, height in _sizes(ioctl, descriptor, code)
            for rate in _rates(ioctl, descriptor, code, width, height)
        }
    finally:
        os.close(descriptor)
    ordered = sorted(modes, key=lambda mode: (-mode[0] * mode[1], -mode[2], mode[3]))
    return tuple(
        f"{width}x{height}{f'@{rate:g}' if rate else ''} {name}".strip() for width, height, rate, name in ordered
    )
