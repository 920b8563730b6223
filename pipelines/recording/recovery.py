"""Recordings that a crash has left unfinished get their names."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import BinaryIO, Final

from pipelines.atomic import publish
from pipelines.errors import ExportError
from pipelines.recording.part import PART_SUFFIX, lock

log = logging.getLogger(__name__)

PATTERN: Final = f"twinlens-*.mp4{PART_SUFFIX}"


def playable_length(file: BinaryIO) -> tuple[int, bool]:
    """Return how much of an MP4 file in fragments (ISO/IEC 14496-12) is whole: up to the end of its last data.

    Parameters
    ----------
    file : binary file
        Open for reading.

    Returns
    -------
    int
        Bytes; 0 where there is nothing that can be played.
    bool
        Whether there are data at all, played or not.
    """
    size = file.seek(0, os.SEEK_END)
    at, whole = 0, 0
    has_index = has_data = False
    while at + 8 <= size:
        file.seek(at)
        head = file.read(16)
        length = int.from_bytes(head[:4], "big")
        if length == 1 and len(head) == 16:
            length = int.from_bytes(head[8:], "big")
        if length < 8 or at + length > size:
            break
        at += length
        kind = head[4:8]
        if kind == b"moov" and has_data:
            return at, True  # only a finished file has its index behind its data
        has_index |= kind == b"moov"
        has_data |= kind == b"mdat"
        if has_index and kind == b"mdat":
            whole = at
    return whole, has_data


def recover(folder: Path) -> tuple[Path, ...]:
    """Give the recordings their names that nobody is writing any more; remove those without a picture.

    Parameters
    ----------
    folder : Path
        Where recordings go; need not exist.

    Returns
    -------
    tuple of Path
        The files that were saved. A recording whose name is taken, or that the system refuses to rename, stays as it
        is and is not among them.
    """
    saved = []
    for part in sorted(folder.glob(PATTERN)):
        try:
            path = recover_one(part)
        except (OSError, ExportError) as error:
            log.warning("%s is left as it is: %s", part, error)
            continue
        if path is not None:
            saved.append(path)
    return tuple(saved)


def recover_one(part: Path) -> Path | None:
    """Give one recording its name, cut after its last whole fragment.

    Returns
    -------
    Path or None
        None where somebody is still writing it, there was no picture and it was removed, or it cannot be played and was
        left as it is.

    Raises
    ------
    OSError
        If it cannot be read or cut.
    ExportError
        If its name is taken or the system refuses.
    """
    with part.open("r+b") as file:
        if not lock(file):
            return None
        length, has_data = playable_length(file)
        if length:
            file.truncate(length)
    if not length:
        if not has_data:
            part.unlink()
        return None
    final = part.with_name(part.name.removesuffix(PART_SUFFIX))
    publish(part, final, overwrite=False)
    return final
