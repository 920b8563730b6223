"""The two networks of the face task with their input buffers, each step timed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import face_detection, face_mesh
from models.geometry import Square, sample
from pipelines.backends.base import Session
from pipelines.timing import StageTimes


class Detector:
    """Face detector on any square of a picture."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._input = np.zeros((1, face_detection.INPUT_SIZE, face_detection.INPUT_SIZE, 3), np.uint8)

    def find(self, image: NDArray[np.uint8], square: Square, times: StageTimes) -> face_detection.Detections:
        """Return the faces in one upright square of `image` (H, W, 3), in pixels of the image.

        Raises
        ------
        BackendError
            If the model failed.
        """
        with times.stage("preprocess"):
            sample(image, square, self._input[0])
        with times.stage("inference"):
            outputs = self._session.run(self._input)
        with times.stage("decode"):
            return face_detection.decode(outputs["regressors"], outputs["scores"], square)


@dataclass(frozen=True, eq=False, slots=True)
class Fit:
    """The mesh on one region.

    Parameters
    ----------
    landmarks : ndarray of float32, shape (478 or 468, 3)
        In pixels of the picture, as measured.
    score : float
        Confidence in [0, 1] that the region shows a face.
    box_xyxy : ndarray of float32, shape (4,)
        Box of the landmarks.
    """

    landmarks: NDArray[np.float32]
    score: float
    box_xyxy: NDArray[np.float32]

    @property
    def is_face(self) -> bool:
        """Whether the mesh itself believes that it looks at a face."""
        return self.score >= face_mesh.PRESENCE_THRESHOLD

    @property
    def region(self) -> Square:
        """Where to look for this face again."""
        return face_mesh.region_of_landmarks(self.landmarks, self.box_xyxy)


class Mesher:
    """Face mesh on a region of a picture."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._input = np.zeros((1, face_mesh.INPUT_SIZE, face_mesh.INPUT_SIZE, 3), np.uint8)

    def fit(self, image: NDArray[np.uint8], region: Square, times: StageTimes) -> Fit:
        """Fit the mesh to what `image` (H, W, 3) shows in `region`.

        Raises
        ------
        BackendError
            If the model failed.
        """
        with times.stage("preprocess"):
            sample(image, region, self._input[0], cv2.BORDER_REPLICATE)
        with times.stage("inference"):
            outputs = self._session.run(self._input)
        with times.stage("decode"):
            landmarks, score = face_mesh.decode(outputs["landmarks"], outputs["face_flag"], region)
            return Fit(landmarks, score, face_mesh.box_of(landmarks))
