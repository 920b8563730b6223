"""A task: preprocessing, a model, and decoding into a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from models.manifest import Manifest, load_manifest
from models.registry import Registry
from models.results import TaskResult
from pipelines.backends.base import Backend, Session, SessionReport
from pipelines.config import PipelineConfig
from pipelines.errors import ConfigError
from pipelines.frame import Frame
from pipelines.timing import StageTimes


@dataclass(frozen=True, slots=True)
class TaskContext:
    """What a task is built from."""

    config: PipelineConfig
    backend: Backend

    def open_model(self, role: str, default: str) -> tuple[Manifest, Session]:
        """Load the model that the configuration names for `role`, or `default`.

        Raises
        ------
        ConfigError
            If the chosen model is made for another role.
        """
        manifest = load_manifest(self.config.models.get(role, default))
        if manifest.role != role:
            raise ConfigError(f"the model {manifest.name} is for {manifest.role}, not for {role}")
        return manifest, self.backend.open(manifest, self.config.threads)


class Task(Protocol):
    """State and models of one task on one stream of frames. Used by one thread at a time."""

    name: str

    def process(self, frame: Frame, times: StageTimes) -> TaskResult:
        """Analyse a frame; note the stages "preprocess", "inference" and "decode" in `times`.

        Raises
        ------
        BackendError
            If a model failed.
        """
        ...

    def reset(self) -> None:
        """Forget what earlier frames showed: after a seek, a loop or a change of source."""
        ...

    def close(self) -> None:
        """Release the models."""
        ...

    @property
    def reports(self) -> tuple[SessionReport, ...]:
        """One report for each model in use."""
        ...


TaskFactory = Callable[[TaskContext], Task]
TASK_REGISTRY: Registry[TaskFactory] = Registry("task", "pipelines.tasks")
