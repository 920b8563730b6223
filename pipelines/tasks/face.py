"""Faces: a detector finds them, a mesh on a turned crop gives their landmarks, the landmarks give the next crop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.face_mesh import box_of, drift, region_of_detection
from models.geometry import Square, overlaps
from models.results import Face, FaceLandmarks
from pipelines.backends.base import SessionReport
from pipelines.config import RunningMode
from pipelines.frame import Frame
from pipelines.state import State, take_size, take_state
from pipelines.tasks.base import TASK_REGISTRY, TaskContext
from pipelines.tasks.face_models import Detector, Fit, Mesher
from pipelines.tasks.face_search import SearchSchedule, tiles
from pipelines.tasks.face_tracking import FaceTracks, Track, same_face
from pipelines.timing import StageTimes

WHOLE_BONUS: Final = 0.25
"""Added to the score of what was found in the whole picture when it competes with the tiles. A large face is better
framed there, and comes out as MediaPipe has it; a small one found there only just (below 0.7) loses to its tile."""
CANDIDATE_IOU: Final = 0.3
CANDIDATE_NESTING: Final = 0.6
"""Detections that overlap an accepted one more than this are the same face, seen in another tile or cut off by it."""
SURE_SCORE: Final = 0.75
MAX_DRIFT: Final = 0.05
"""Textures in tiles can look like a face to the detector (up to 0.61 on coins, a clock, a cat) and then to the mesh as
well (flag 1.00). But a mesh fitted again to its own region stays where it is only on a face. Over 41 photographs and
video frames it moved by 0.01 to 0.04 eye distances on most faces and by 0.04 to 0.2 on textures; faces that moved more
were a dozen pixels wide, cut by a tile, or scored above `SURE_SCORE`, where no texture came. The test photographs are
among those 41: the two values were not chosen blind."""


@dataclass(frozen=True, eq=False, slots=True)
class _Candidate:
    box_xyxy: NDArray[np.float32]
    score: float
    region: Square
    from_tile: bool


@TASK_REGISTRY.register("face")
class FaceTask:
    """Face landmarks on pictures or on a video.

    Parameters
    ----------
    context : TaskContext
        Configuration and backend. Roles of its models: "detector" (default `face_detection`) and "landmarks"
        (default `face_mesh`, 478 points; `face_mesh_468` is lighter and has no irises).

    Raises
    ------
    VisionError
        If a model is damaged, made for another role, or refused by the backend.

    Notes
    -----
    IMAGE: the whole picture and all tiles are searched, each face is fitted from its detection, `track_id` is -1.
    VIDEO: faces are followed from their last landmarks; the detector runs as `SearchSchedule` says. What is followed
    are the measured landmarks; smoothing touches only what is handed out.
    """

    name = "face"

    def __init__(self, context: TaskContext) -> None:
        self._config = context.config
        _, detector = context.open_model("detector", "face_detection")
        self._sessions = [detector]
        try:
            _, mesher = context.open_model("landmarks", "face_mesh")
        except BaseException:
            self.close()
            raise
        self._sessions.append(mesher)
        self._detector = Detector(detector)
        self._mesher = Mesher(mesher)
        self._tracks = FaceTracks()
        self._schedule = SearchSchedule()
        self._size_wh = (0, 0)

    def process(self, frame: Frame, times: StageTimes) -> FaceLandmarks:
        """Find the faces of a frame.

        Raises
        ------
        BackendError
            If a model failed.
        """
        if self._config.mode is RunningMode.IMAGE:
            return self._search(frame, times)
        return self._follow(frame, times)

    def _search(self, frame: Frame, times: StageTimes) -> FaceLandmarks:
        image = frame.image_bgr
        whole = Square.letterbox(*frame.size_wh)
        found: list[Fit] = []
        accepted: list[NDArray[np.float32]] = []
        for candidate in self._candidates(image, (whole, *tiles(*frame.size_wh)), times):
            if len(found) == self._config.max_faces:
                break
            if _overlaps_any(candidate.box_xyxy, accepted):
                continue
            fit = self._verify(image, candidate, times)
            if fit is not None and not same_face(fit.box_xyxy, [other.box_xyxy for other in found]):
                found.append(fit)
                accepted.append(candidate.box_xyxy)
        return FaceLandmarks(tuple(Face(fit.score, fit.box_xyxy, fit.landmarks) for fit in found))

    def _follow(self, frame: Frame, times: StageTimes) -> FaceLandmarks:
        if frame.size_wh != self._size_wh:
            self.reset()
            self._size_wh = frame.size_wh
        image, now_s, tracks = frame.image_bgr, frame.timestamp_s, self._tracks
        fits = [self._mesher.fit(image, track.fit.region, times) for track in tracks.active]
        with times.stage("decode"):
            tracks.update(fits, now_s)
            wanted = self._config.max_faces
            squares = self._schedule.squares(frame.size_wh, len(tracks.active), wanted, tracks.lost_lately)
        for candidate in self._candidates(image, squares, times):
            if len(tracks.active) >= wanted:
                break
            if _overlaps_any(candidate.box_xyxy, [track.fit.box_xyxy for track in tracks.active]):
                continue
            fit = self._verify(image, candidate, times)
            if fit is not None:
                tracks.start(fit, now_s)
        with times.stage("decode"):
            return FaceLandmarks(tuple(self._face(track, now_s) for track in tracks.active))

    def _face(self, track: Track, now_s: float) -> Face:
        landmarks = track.fit.landmarks
        if self._config.smooth:
            landmarks = track.smoother(landmarks, now_s, track.size)
        return Face(track.fit.score, box_of(landmarks), landmarks, track.id)

    def _verify(self, image: NDArray[np.uint8], candidate: _Candidate, times: StageTimes) -> Fit | None:
        """Fit the mesh to a candidate; None when it is no face."""
        fit = self._mesher.fit(image, candidate.region, times)
        if not fit.is_face:
            return None
        if not candidate.from_tile:
            return fit
        # The box of a small face is a rough one; its own landmarks frame it better, as tracking does.
        again = self._mesher.fit(image, fit.region, times)
        sure = candidate.score >= SURE_SCORE or drift(fit.landmarks, again.landmarks) <= MAX_DRIFT
        return again if again.is_face and sure else None

    def _candidates(self, image: NDArray[np.uint8], squares: tuple[Square, ...], times: StageTimes) -> list[_Candidate]:
        """Detect in all squares and rank what was found, the best first."""
        height, width = image.shape[:2]
        ranked: list[tuple[float, _Candidate]] = []
        for square in squares:
            is_tile = square.side < max(width, height)
            bonus = 0.0 if is_tile else WHOLE_BONUS
            found = self._detector.find(image, square, times)
            for box, score, keypoints in zip(found.boxes_xyxy, found.scores, found.keypoints, strict=True):
                region = region_of_detection(box, keypoints)
                ranked.append((float(score) + bonus, _Candidate(box, float(score), region, is_tile)))
        ranked.sort(key=lambda item: -item[0])
        return [candidate for _, candidate in ranked]

    def reset(self) -> None:
        """Forget the faces of earlier frames; track ids start again at 0."""
        self._tracks.reset()
        self._schedule.reset()

    def state(self) -> State:
        """Everything that earlier frames left behind (see `Task`)."""
        return {"size_wh": self._size_wh, "tracks": self._tracks.state(), "schedule": self._schedule.state()}

    def restore(self, state: State) -> None:
        """Go on from a `state` (see `Task`)."""
        self._size_wh = take_size(state, "size_wh") or (0, 0)
        self._tracks.restore(take_state(state, "tracks"))
        self._schedule.restore(take_state(state, "schedule"))

    def close(self) -> None:
        """Release the models."""
        for session in self._sessions:
            session.close()
        self._sessions = []

    @property
    def reports(self) -> tuple[SessionReport, ...]:
        """The detector's and the mesh's report."""
        return tuple(session.report for session in self._sessions)


def _overlaps_any(box_xyxy: NDArray[np.float32], others_xyxy: list[NDArray[np.float32]]) -> bool:
    if not others_xyxy:
        return False
    iou, nesting = overlaps(box_xyxy, np.stack(others_xyxy))
    return bool(((iou > CANDIDATE_IOU) | (nesting > CANDIDATE_NESTING)).any())
