"""The largest resident size of this process.

Linux's `ru_maxrss` is not it: a program that another one starts begins with the size of that one, and it cannot be
set back. `VmHWM` of `/proc/self/status` belongs to the program alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

PROC: Final = Path("/proc/self")


def forget_peak() -> None:
    """Begin anew, where the system can; otherwise the peak is that of the whole process."""
    try:
        (PROC / "clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


def peak_mb() -> float | None:
    """Return the peak in MB (2^20 bytes), or None where the system does not tell."""
    try:
        lines = (PROC / "status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    sizes = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return sizes[0] / 1024 if sizes else None


def peak_words() -> str:
    """Return the peak for a sentence: "391 MB", or "not known on this system"."""
    peak = peak_mb()
    return f"{peak:.0f} MB" if peak is not None else "not known on this system"
