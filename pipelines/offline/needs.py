"""Which tasks have to run for what is written: an effect shows the mask alone, a layer one task."""

from __future__ import annotations

from collections.abc import Collection

from pipelines.export import LAYER_TASK
from pipelines.offline.jobs import Request


def needed_tasks(request: Request, shown: Collection[str]) -> tuple[str, ...]:
    """Return the tasks without which an output would be another one.

    Parameters
    ----------
    request : Request
        What the user asked for, checked already (`checks.check_options`): something is written.
    shown : collection of str
        Tasks whose results the picture shows.

    Returns
    -------
    tuple of str
        At least one of `request.tasks`, in their order. Results hold every task that was asked for.
    """
    if request.results is not None:
        return request.tasks
    needed = {LAYER_TASK[layer] for layer in request.layers if layer in LAYER_TASK}
    if request.video or "overlay" in request.layers:
        needed.update(shown)
    return tuple(task for task in request.tasks if task in needed)
