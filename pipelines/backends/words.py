"""Runtimes' messages as one line for people."""

from __future__ import annotations

from typing import Final

MAX_LENGTH: Final = 300


def one_line(text: str) -> str:
    """Return `text` without line breaks, and not longer than a reader bears."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 3].rstrip() + "..."
