"""What the tests of the segmentation and the depth task share."""

from collections.abc import Mapping
from functools import cache

import numpy as np
from skimage import data

from pipelines.backends import get_backend
from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame
from pipelines.tasks.base import TASK_REGISTRY, Task, TaskContext

SIZES = [(1, 1), (1, 500), (500, 1), (2, 3), (64, 64), (333, 257), (720, 1280), (1281, 719), (3840, 2160)]
"""Width and height."""


def make_task(
    name: str, mode: RunningMode = RunningMode.IMAGE, smooth: bool = True, models: Mapping[str, str] | None = None
) -> Task:
    """A task on the CPU with real models."""
    config = PipelineConfig(tasks=(name,), mode=mode, smooth=smooth, models=models or {}, parallel=False)
    return TASK_REGISTRY.get(name)(TaskContext(config, get_backend("ort-cpu")))


@cache
def astronaut() -> np.ndarray:
    """scikit-image's portrait of Eileen Collins, BGR uint8 (512, 512, 3)."""
    image = np.ascontiguousarray(data.astronaut()[:, :, ::-1])
    image.flags.writeable = False
    return image


def frame(image: np.ndarray, time_s: float = 0.0) -> Frame:
    """A frame of its own: pixels and time."""
    return Frame(image.copy(), timestamp_s=time_s)
