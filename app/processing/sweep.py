"""Clear up after a process that was killed."""

from __future__ import annotations

from pathlib import Path

from pipelines.atomic import remove_parts
from pipelines.offline.layers import remove_empty
from pipelines.offline.plan import INFIX


def sweep(folder: Path, process: int) -> None:
    """Remove what a process that is no more has left under construction.

    Parameters
    ----------
    folder : Path
        Where its outputs were to go.
    process : int
        Its number, which the names of such files tell.
    """
    remove_parts(folder, process)
    for inner in folder.glob(f"*{INFIX}*"):
        # Numbered pictures and layers are built inside of the folder that gets them.
        if inner.is_dir():
            remove_parts(inner, process)
            remove_empty([inner])
