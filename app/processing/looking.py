"""What files are before any work on them starts: looked at in another process, for a disk may be slow."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2

from models.errors import VisionError
from pipelines.atomic import reason_of
from pipelines.errors import SourceError
from pipelines.export import JPEG_QUALITY
from pipelines.offline.plan import Job, Request, is_still, make_plan
from pipelines.offline.preflight import preflight
from pipelines.offline.selection import ReadState
from pipelines.sources import first_picture

THUMBNAIL_WH: Final = (192, 108)
"""Twice the size at which it is shown, for screens of high density."""


def expand(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Replace folders by the videos and pictures in them.

    Returns
    -------
    list of str
        Files.
    list of str
        A sentence for each folder that holds nothing or cannot be read.
    """
    files: dict[str, None] = {}
    problems = []
    for name in paths:
        try:
            # As `process` does it, whose outputs do not matter here.
            jobs = make_plan(Request(inputs=(Path(name),), overwrite=True)) if Path(name).is_dir() else ()
            files.update(dict.fromkeys([str(job.input) for job in jobs] if jobs else [name]))
        except VisionError as error:
            problems.append(str(error))
    return list(files), problems


def look(path: Path) -> dict[str, Any]:
    """Open a file and describe it.

    Returns
    -------
    dict
        "facts": list of str, what it is, piece by piece; "notices": list of str, what is special about it (turned, high
        dynamic range...); "expected": int or None, about how many frames it holds; "thumbnail": str, its first frame as
        a small JPEG in base64.

    Raises
    ------
    SourceError
        If it cannot be read.
    """
    try:
        if path.stat().st_size == 0:
            raise SourceError(f"{path} is empty (0 bytes)")
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read: {reason_of(error)}") from error
    job = Job(path, still=is_still(path))
    info, frame = first_picture(str(path.absolute()))
    width, height = frame.size_wh
    scale = min(THUMBNAIL_WH[0] / width, THUMBNAIL_WH[1] / height)
    size_wh = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(frame.image_bgr, size_wh, interpolation=cv2.INTER_AREA)
    data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    return {
        "facts": preflight(job, info).split(", "),
        "notices": list(info.notices),
        "expected": 1 if job.still else ReadState(info).expected(job),
        "thumbnail": base64.b64encode(data).decode(),
    }
