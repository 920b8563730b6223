"""What the tests of the face task share."""

from pathlib import Path

import av
import numpy as np
import pytest

from models.results import Face
from pipelines.backends import get_backend
from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame
from pipelines.tasks.base import TaskContext
from pipelines.tasks.face import FaceTask
from pipelines.timing import StageTimes

MEDIA = Path(__file__).parents[2].parent / "shared/media"


def media(path: str) -> Path:
    """Path of a recording or photograph; skips the test where the folder is absent."""
    found = MEDIA / path
    if not found.exists():
        pytest.skip("the shared media are not here")
    return found


def make_task(mode: RunningMode, max_faces: int = 2, smooth: bool = False, mesh: str = "face_mesh") -> FaceTask:
    """A face task on the CPU with real models."""
    config = PipelineConfig(
        tasks=("face",), mode=mode, max_faces=max_faces, smooth=smooth, models={"landmarks": mesh}, parallel=False
    )
    return FaceTask(TaskContext(config, get_backend("ort-cpu")))


def find(task: FaceTask, image: np.ndarray, index: int = 0, fps: float = 30.0) -> tuple[Face, ...]:
    """The faces of one picture, as frame `index` of a stream."""
    return task.process(Frame(image, index, index / fps), StageTimes()).faces


def video(path: str) -> list[Frame]:
    """All frames of a recording."""
    with av.open(str(media(path))) as container:
        return [
            Frame(picture.to_ndarray(format="bgr24"), index, float(picture.time or 0.0))
            for index, picture in enumerate(container.decode(video=0))
        ]


def center(face: Face) -> np.ndarray:
    """Middle of a face's box, (2,)."""
    return (face.box_xyxy[:2] + face.box_xyxy[2:]) / 2


def eye_distance(landmarks: np.ndarray) -> float:
    """Distance of the outer corners of the eyes, in pixels."""
    return float(np.linalg.norm(landmarks[33, :2] - landmarks[263, :2]))
