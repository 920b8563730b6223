"""What a pipeline shall do, as one immutable value that is handed to a worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from pipelines.errors import ConfigError

TASKS: Final = ("face", "segmentation", "depth")
"""The tasks in the order in which they are listed and drawn."""


class RunningMode(Enum):
    """How frames relate to each other (the field's usual distinction, as in MediaPipe Tasks)."""

    IMAGE = "image"
    """Frames are unrelated pictures: no tracking, no smoothing, the thorough search for small faces on each."""
    VIDEO = "video"
    """Frames follow each other in time, from a file or live: tracking and smoothing."""


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """Everything that decides what a pipeline computes.

    Parameters
    ----------
    tasks : tuple of str
        Which tasks run; names from the task registry.
    pipeline : str
        "auto", "cpu", "gpu", or a backend's own name; or one of these for single tasks, separated by commas:
        "face=ort-cpu,depth=gpu". An entry without a task is for all others, which otherwise are on "auto".
    models : mapping of str to str
        Role to model name where another than the default is wanted, such as {"landmarks": "face_mesh_468"} or
        {"mask": "selfie_square"}.
    mode : RunningMode
        Whether frames follow each other in time.
    max_faces : int
        At most so many faces are returned (1 to 100).
    smooth : bool
        Steady landmarks, masks and depth over time (VIDEO only).
    threads : int
        Threads of each inference session.
    parallel : bool
        Run the tasks of a frame at the same time, a thread each, while that is faster than one after the other.
    """

    tasks: tuple[str, ...] = TASKS
    pipeline: str = "auto"
    models: Mapping[str, str] = field(default_factory=dict)
    mode: RunningMode = RunningMode.VIDEO
    max_faces: int = 2
    smooth: bool = True
    threads: int = 1
    parallel: bool = True

    def __post_init__(self) -> None:
        if not self.tasks:
            raise ConfigError("no task was chosen: name at least one of " + ", ".join(TASKS))
        if len(set(self.tasks)) != len(self.tasks):
            raise ConfigError(f"a task is named twice: {', '.join(self.tasks)}")
        if not 1 <= self.max_faces <= 100:
            raise ConfigError(f"the number of faces must be between 1 and 100, not {self.max_faces}")
        if self.threads < 1:
            raise ConfigError(f"a session needs at least 1 thread, not {self.threads}")
        parse_pipeline(self.pipeline)

    def pipeline_of(self, task: str) -> str:
        """Return what a task is to run on: "auto", "cpu", "gpu" or a backend's own name."""
        by_task = parse_pipeline(self.pipeline)
        return by_task.get(task, by_task[""])


def parse_pipeline(text: str) -> dict[str, str]:
    """Parse the value of --pipeline.

    Returns
    -------
    dict of str to str
        By task; "" is for the tasks that are not named.

    Raises
    ------
    ConfigError
        If a part is empty, names an unknown task, or a task is named twice.
    """
    by_task: dict[str, str] = {}
    for part in text.split(","):
        task, equals, backend = (item.strip() for item in part.rpartition("="))
        if not backend or (equals and not task):
            raise ConfigError(f"the pipeline {text!r} has an empty part: write it as face=ort-cpu,depth=gpu")
        if task and task not in TASKS:
            raise ConfigError(f"the pipeline {text!r} names an unknown task {task!r} (choose from {', '.join(TASKS)})")
        if task in by_task:
            raise ConfigError(f"the pipeline {text!r} says twice where {task or 'the rest'} is to run")
        by_task[task] = backend
    return {"": "auto", **by_task}
