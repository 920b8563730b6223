"""Clear up after a process that was killed."""

from __future__ import annotations

from pathlib import Path

from app.processing.options import Outputs
from pipelines.atomic import remove_parts
from pipelines.offline.layers import remove_empty
from pipelines.offline.place import Place
from pipelines.offline.plan import Job
from pipelines.offline.table import table_part


def sweep(path: Path, outputs: Outputs, process: int, keep_work: bool = False) -> None:
    """Remove what a process that is no more has left under construction.

    Parameters
    ----------
    path : Path
        The file that it worked on.
    outputs : Outputs
        Where it was to write.
    process : int
        Its number, which the names of such files tell.
    keep_work : bool
        Leave what it has finished, so that another one can go on with that.
    """
    if not keep_work:
        layers = ("overlay",) if outputs.layers_dir is not None else ()  # which of them does not matter to the place
        job = Job(path, output=outputs.video, layers=layers, layers_dir=outputs.layers_dir)
        Place(job, outputs.results).remove()
    if outputs.results is not None:
        table_part(outputs.results).unlink(missing_ok=True)
    for folder in {place.parent for place in outputs.places()}:
        remove_parts(folder, process)
    # Folders that were made for it.
    remove_empty([folder for folder in (outputs.layers_dir, outputs.pictures_dir) if folder is not None])
