"""A task: preprocessing, a model, and decoding into a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from models.manifest import Manifest, load_manifest, manifests
from models.registry import Registry
from models.results import TaskResult
from pipelines.backends.base import Backend, Session, SessionReport
from pipelines.backends.guarded import Binding
from pipelines.config import PipelineConfig
from pipelines.errors import BackendError, ConfigError
from pipelines.frame import Frame
from pipelines.qualify import require
from pipelines.state import State
from pipelines.timing import StageTimes


@dataclass(frozen=True, slots=True)
class TaskContext:
    """What a task is built from.

    Parameters
    ----------
    config : PipelineConfig
        What to compute.
    backend : Backend
        Where.
    binding : Binding or None
        Holds the task's sessions and takes over when the backend fails; without one a failure is the task's.
    notes : list of str
        Filled with what the user should know: a model that another one had to stand in for.
    """

    config: PipelineConfig
    backend: Backend
    binding: Binding | None = None
    notes: list[str] = field(default_factory=list)

    def open_model(self, role: str, default: str) -> tuple[Manifest, Session]:
        """Load the model that the configuration names for `role`, or `default`.

        Where the backend has no form of the default model, another one of the same role stands in, and `notes` says
        so. A model that was chosen by name is never replaced.

        Raises
        ------
        ConfigError
            If the chosen model is made for another role.
        ModelError
            If its file is missing or damaged.
        BackendError
            If the backend has no form of it, or does not run it correctly on this machine.
        """
        chosen = self.config.models.get(role)
        manifest = load_manifest(chosen or default)
        if manifest.role != role:
            raise ConfigError(f"the model {manifest.name} is for {manifest.role}, not for {role}")
        refusal = self.backend.refusal(manifest)
        if refusal is not None:
            manifest = self._stand_in(manifest, refusal, pinned=chosen is not None)
        if self.binding is not None:
            return manifest, self.binding.open(manifest, self.config.threads)
        require(self.backend, manifest)
        return manifest, self.backend.open(manifest, self.config.threads)

    def _stand_in(self, wanted: Manifest, refusal: str, pinned: bool) -> Manifest:
        if not pinned:
            for other in manifests(wanted.task):
                if other.role == wanted.role and self.backend.refusal(other) is None:
                    self.notes.append(f"{self.backend.id} runs {other.name} ({other.title}) instead: {refusal}")
                    return other
        raise BackendError(f"{self.backend.id} cannot run {wanted.name}: {refusal}")


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

    def state(self) -> State:
        """Return everything that earlier frames left behind, so that `restore` goes on to the bit."""
        ...

    def restore(self, state: State) -> None:
        """Go on from a `state` of a task of the same configuration.

        Raises
        ------
        VisionError
            If it does not fit, or a model that it needs cannot be loaded.
        """
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
