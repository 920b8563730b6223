"""Sources as the window speaks of them: what kind a SRC is, what to call it, and the modes of cameras."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from app.i18n import tr
from app.i18n.families import sentence_words
from app.words import TIMES
from pipelines.sources.base import SourceInfo, SourceOptions
from pipelines.sources.paths import is_address, local_path, public_name
from pipelines.timing import format_rate

DEMO: Final = "demo"
PICTURE_SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")
VIDEO_SUFFIXES: Final = (".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v", ".mpg", ".mpeg", ".ts", ".gif")
COMMON_MODES: Final = ("1920x1080@30", "1280x720@30", "640x480@30")
"""Asked for where the system does not tell the modes of a camera; what it gives is told beside them."""
OFF_BY: Final = 0.15
"""Rates that differ by more are told apart: the clocks of cameras are good to a percent, and meters sway by some."""
_MODE: Final = re.compile(r"(\d+)x(\d+)(?:@(\d+(?:\.\d+)?))?")


def is_camera(source: str) -> bool:
    """Whether SRC means a camera."""
    return source == "camera" or source.startswith("camera:")


def is_file(source: str) -> bool:
    """Whether SRC means a file or folder."""
    return bool(source) and source != DEMO and not is_camera(source) and not is_address(source)


def lasting(source: str) -> str:
    """Return SRC as it can be remembered: a file by its whole path, which means the same wherever the program starts.

    `~` and "file://" are resolved too, so that one file is among the recent ones once, under its own name.
    """
    if not is_file(source):
        return source
    try:
        return str(local_path(source).absolute())
    except OSError:
        return source  # the folder that the program was started in is gone


def source_label(source: str) -> str:
    """What to call a source: "Demo", "Logitech C920", "clip.mp4", "cam.local"."""
    if not source:
        return tr("No source")
    if source == DEMO:
        return tr("Demo")
    if is_camera(source):
        name = source.partition(":")[2]
        return tr("Camera") if not name else tr("Camera {name}").format(name=name) if name.isdigit() else name
    if is_address(source):
        # Without the user name and password that an address may carry, also where it is not valid.
        try:
            return urlsplit(source).hostname or public_name(source)
        except ValueError:
            return public_name(source)
    return Path(source).name or source


def source_icon(source: str) -> str:
    """Name of the icon for a source."""
    if source == DEMO:
        return "demo"
    if is_camera(source):
        return "camera"
    if is_address(source):
        return "globe"
    suffix = Path(source).suffix.lower()
    return "folder" if not suffix else "image" if suffix in PICTURE_SUFFIXES else "film"


def mode_options(mode: str) -> SourceOptions:
    """Return the wishes that a camera mode such as "1280x720@30 MJPG" stands for; none for ""."""
    match = _MODE.match(mode)
    if match is None:
        return SourceOptions()
    width, height, fps = match.groups()
    rest = mode[match.end() :].strip()
    return SourceOptions((int(width), int(height)), float(fps) if fps else None, rest if len(rest) == 4 else "")


def mode_label(mode: str) -> str:
    """What to call a camera mode: "1280 x 720, 30 fps"."""
    match = _MODE.match(mode)
    if match is None:
        return mode
    width, height, fps = match.groups()
    rest = mode[match.end() :].strip()
    rate = ", " + tr("{fps} fps").format(fps=f"{float(fps):g}") if fps else ""
    return f"{width} {TIMES} {height}{rate}" + (f"  {rest}" if rest else "")


def facts(info: SourceInfo | None, asked: SourceOptions | None = None, measured_fps: float = 0.0) -> str:
    """Return size and rate in one line: "1280 x 720 · 29.97 fps"; "" before it is open.

    Parameters
    ----------
    info : SourceInfo or None
        What the source says.
    asked : SourceOptions, optional
        What was asked of a camera.
    measured_fps : float
        What a live source really gives; 0 before that is known. Where it is something else, both are told.
    """
    if info is None:
        return ""
    parts = [f"{info.size_wh[0]} {TIMES} {info.size_wh[1]}"]
    if not info.still:
        expected = (asked.fps if asked is not None else None) or float(info.fps or 0)
        if info.live and measured_fps and expected and abs(measured_fps - expected) > OFF_BY * expected:
            parts.append(
                tr("{fps} of {asked} fps").format(fps=format_rate(measured_fps), asked=f"{round(expected, 2):g}")
            )
        elif info.fps:
            parts.append(tr("{fps} fps").format(fps=f"{round(float(info.fps), 2):g}"))
    if info.still and info.frame_count and info.frame_count > 1:
        parts.append(tr("%n picture(s)", "", info.frame_count))
    return " · ".join(parts)


def facts_in_full(info: SourceInfo | None, asked: SourceOptions | None = None, measured_fps: float = 0.0) -> str:
    """Return what was asked of a camera, what it says and what it gives, a line each; then the source's notices."""
    if info is None:
        return ""
    lines = []
    if info.kind == "camera":
        wish = asked or SourceOptions()
        own = tr("the camera's choice")
        lines = [
            tr("Asked for: {mode}").format(mode=_mode(wish.size_wh, wish.fps, wish.pixel_format) or own),
            tr("The camera says: {mode}").format(mode=_mode(info.size_wh, float(info.fps or 0), info.pixel_format)),
        ]
    if info.live and measured_fps:
        lines.append(tr("Measured: {fps} fps").format(fps=f"{measured_fps:.1f}"))
    return "\n".join([*lines, *map(sentence_words, info.notices)])


def _mode(size_wh: tuple[int, int] | None, fps: float | None, pixel_format: str) -> str:
    parts = [f"{size_wh[0]} {TIMES} {size_wh[1]}"] if size_wh is not None else []
    if fps:
        parts.append(tr("{fps} fps").format(fps=f"{round(fps, 2):g}"))
    return ", ".join([*parts, *([pixel_format] if pixel_format else [])])
