"""Sources as the window speaks of them: what kind a SRC is, what to call it, and the modes of cameras."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from app.i18n import tr
from app.words import TIMES
from pipelines.sources.base import SourceInfo, SourceOptions
from pipelines.sources.paths import is_address, public_name

DEMO: Final = "demo"
PICTURE_SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")
VIDEO_SUFFIXES: Final = (".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v", ".mpg", ".mpeg", ".ts", ".gif")
_MODE: Final = re.compile(r"(\d+)x(\d+)(?:@(\d+(?:\.\d+)?))?")


def is_camera(source: str) -> bool:
    """Whether SRC means a camera."""
    return source == "camera" or source.startswith("camera:")


def is_file(source: str) -> bool:
    """Whether SRC means a file or folder."""
    return bool(source) and source != DEMO and not is_camera(source) and not is_address(source)


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
    return SourceOptions(size_wh=(int(width), int(height)), fps=float(fps) if fps else None)


def mode_label(mode: str) -> str:
    """What to call a camera mode: "1280 x 720, 30 fps"."""
    match = _MODE.match(mode)
    if match is None:
        return mode
    width, height, fps = match.groups()
    rest = mode[match.end() :].strip()
    rate = ", " + tr("{fps} fps").format(fps=f"{float(fps):g}") if fps else ""
    return f"{width} {TIMES} {height}{rate}" + (f"  {rest}" if rest else "")


def facts(info: SourceInfo | None) -> str:
    """Return size and nominal rate in one line: "1280 x 720 · 29.97 fps"; "" before it is open."""
    if info is None:
        return ""
    parts = [f"{info.size_wh[0]} {TIMES} {info.size_wh[1]}"]
    if info.fps and not info.still:
        parts.append(tr("{fps} fps").format(fps=f"{round(float(info.fps), 2):g}"))
    if info.still and info.frame_count and info.frame_count > 1:
        parts.append(tr("%n picture(s)", "", info.frame_count))
    return " · ".join(parts)
