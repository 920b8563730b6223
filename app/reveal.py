"""Show a file in the system's file manager."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from models.errors import VisionError

TIMEOUT_S = 10


class RevealError(VisionError):
    """The file manager cannot be opened."""


def reveal_command(path: Path, platform: str = sys.platform) -> list[str]:
    """Return the command that shows `path` in its folder, marked where the system can."""
    if platform == "darwin":
        return ["open", "-R", str(path)]
    if platform == "win32":
        return ["explorer", f"/select,{path}"]
    return ["xdg-open", str(path.parent)]


def reveal(path: Path) -> None:
    """Open the folder of `path`. Blocks until the file manager was told; never call it in the GUI thread.

    Raises
    ------
    RevealError
        If there is no file manager, or it refuses. The message names the folder.
    """
    command = reveal_command(path)
    if shutil.which(command[0]) is None:
        raise RevealError(f"no file manager was found; the picture is in {path.parent}")
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RevealError(f"the file manager did not start; the picture is in {path.parent}") from error
    # Explorer returns 1 also when all went well.
    if done.returncode != 0 and sys.platform != "win32":
        raise RevealError(f"the file manager refused; the picture is in {path.parent}")
