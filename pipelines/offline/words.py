"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, word: str) -> str:
    """Return "1 frame" or "5 frames"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
