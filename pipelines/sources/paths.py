"""Texts that name files, without surprises."""

from __future__ import annotations

from pathlib import Path


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
