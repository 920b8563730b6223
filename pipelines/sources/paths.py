"""Texts that name files and addresses, without surprises."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from pipelines.errors import SourceError

FILE_ADDRESS: Final = "file://"
OTHER_KIND: Final = "addresses of this kind cannot be opened (http, https and rtsp can)"
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
"""A scheme (RFC 3986) of two letters at least: "C://clip.mp4" is a file on a drive."""


def is_address(text: str) -> bool:
    """Whether a text is a network address, which needs no file of that name. "file://" is no network."""
    return _ADDRESS.match(text) is not None and not text.lower().startswith(FILE_ADDRESS)


def public_name(url: str) -> str:
    """Return the address without user name, password and query, which may hold secrets."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("://")[0] + " address"
    # Everything after the last @ is the host, brackets of IPv6 and port included.
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def shown_name(text: str) -> str:
    """Return the text of a source as it may be shown: an address without its secrets, anything else as it is."""
    return public_name(text) if is_address(text) else text


def local_path(text: str) -> Path:
    """Return the path that `text` means: with `~` for the home folder, or as browsers give it ("file://")."""
    if text.lower().startswith(FILE_ADDRESS):
        # Imported when needed: it takes 20 ms, for it brings HTTP and TLS along.
        from urllib.request import url2pathname

        return Path(url2pathname("/" + text[len(FILE_ADDRESS) :].partition("/")[2]))
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


def is_there(path: Path) -> bool:
    """Whether there is something of this name. False where the system refuses to say; opening the path tells why."""
    try:
        return path.exists()
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
