"""Tasks: what is looked for in a frame. One file a task, found through `TASK_REGISTRY`."""

from pipelines.tasks.base import TASK_REGISTRY, Task, TaskContext

__all__ = ["TASK_REGISTRY", "Task", "TaskContext"]
