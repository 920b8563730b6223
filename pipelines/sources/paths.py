"""Texts that name files, without surprises."""

from __future__ import annotations

import stat
from pathlib import Path

from pipelines.errors import SourceError


def local_path(text: str) -> Path:
    """Return the path that `text` means, with `~` for the home folder."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        # "~nobody/clip.mp4": there is no such user, but there may be such a file.
        return Path(text)


def is_folder(path: Path) -> bool:
    """Whether there is a folder. False where the system refuses to say; opening the path tells why."""
    try:
        return path.is_dir()
    except OSError:
        return False


def check_file(path: Path) -> int:
    """Return the length of a file in bytes.

    Raises
    ------
    SourceError
        If it is missing, empty, no ordinary file, or may not be read.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise SourceError(f"{path} is a folder, not a file")
        if not stat.S_ISREG(status.st_mode):
            # Opening a pipe would wait for a writer.
            raise SourceError(f"{path} is neither a file nor a folder")
        with path.open("rb"):
            pass
    except FileNotFoundError:
        raise SourceError(f"{path}: there is no such file or folder") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if status.st_size == 0:
        raise SourceError(f"{path} is empty (0 bytes)")
    return status.st_size
