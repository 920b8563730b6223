"""Which face is which from frame to frame. Knows geometry and time, no network."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.geometry import overlaps
from pipelines.errors import ConfigError
from pipelines.smoothing import OneEuroFilter, blend_weight
from pipelines.state import State, take_array, take_float, take_int, take_state, take_states
from pipelines.tasks.face_models import Fit
from pipelines.tasks.face_search import URGENT_S

SAME_IOU: Final = 0.5
SAME_NESTING: Final = 0.75
"""Two meshes that overlap more than this lie on one face. Faces cheek to cheek stay well below both."""
MEMORY_S: Final = URGENT_S
"""Seconds after which a face that comes back is a new one."""
REACH: Final = 0.7
"""A face is the one that was lost if it shows up this near (in face sizes) to where that one would be by now..."""
SIZE_RATIO: Final = 1.6
"""...and its size differs by no more than this factor."""
VELOCITY_TIME_S: Final = 0.15
"""Time constant of a track's velocity: a few frames, so that jitter of the box does not count as motion."""

# Tuned on a noisy still portrait and on recordings of people signing, 30 frames a second. At rest the points move a
# fifth as much from frame to frame as the measured ones. Swung to and fro at 3 face sizes a second, their mean distance
# from where the face really is rises from 0.66 to 0.69 % of its size: no lag that could be seen.
MIN_CUTOFF_HZ: Final = 0.5
BETA_HZ: Final = 20.0
DERIVATIVE_CUTOFF_HZ: Final = 3.0


def same_face(box_xyxy: NDArray[np.float32], others_xyxy: list[NDArray[np.float32]]) -> bool:
    """Whether a mesh's box lies on a face that one of `others_xyxy` already covers."""
    if not others_xyxy:
        return False
    iou, nesting = overlaps(box_xyxy, np.stack(others_xyxy))
    return bool(((iou > SAME_IOU) | (nesting > SAME_NESTING)).any())


@dataclass(slots=True)
class Track:
    """One face through time; `fit` is what was measured last, unsmoothed."""

    id: int
    fit: Fit
    seen_s: float
    velocity: NDArray[np.float32] = field(default_factory=lambda: np.zeros(2, np.float32))
    smoother: OneEuroFilter = field(default_factory=lambda: OneEuroFilter(MIN_CUTOFF_HZ, BETA_HZ, DERIVATIVE_CUTOFF_HZ))

    @property
    def size(self) -> float:
        """Longer side of the face's box, in pixels."""
        return _size(self.fit)

    def surprise(self, fit: Fit, now_s: float) -> float:
        """Distance of `fit` from where the face should be by now, in face sizes."""
        ahead = _center(self.fit) + self.velocity * np.float32(max(now_s - self.seen_s, 0.0))
        return float(np.linalg.norm(_center(fit) - ahead)) / self.size

    def move(self, fit: Fit, now_s: float) -> None:
        """Take over what was measured now."""
        dt = now_s - self.seen_s
        if dt > 0:
            step = (_center(fit) - _center(self.fit)) / np.float32(dt)
            self.velocity += np.float32(blend_weight(dt, VELOCITY_TIME_S)) * (step - self.velocity)
        self.fit, self.seen_s = fit, now_s

    def state(self) -> State:
        """Return everything that is known of it (`pipelines.state`)."""
        return {
            "id": self.id,
            "landmarks": self.fit.landmarks,
            "score": self.fit.score,
            "box": self.fit.box_xyxy,
            "seen_s": self.seen_s,
            "velocity": self.velocity.copy(),
            "smoother": self.smoother.state(),
        }

    @classmethod
    def from_state(cls, state: State) -> Track:
        """Return the track that a `state` describes.

        Raises
        ------
        ConfigError
            If it describes none.
        """
        landmarks, box, velocity = (take_array(state, key) for key in ("landmarks", "box", "velocity"))
        if landmarks is None or box is None or velocity is None:
            raise ConfigError("the saved state does not fit: a face lacks its landmarks")
        fit = Fit(landmarks, take_float(state, "score"), box)
        track = cls(take_int(state, "id"), fit, take_float(state, "seen_s"), velocity)
        track.smoother.restore(take_state(state, "smoother"))
        return track


def _center(fit: Fit) -> NDArray[np.float32]:
    return np.asarray((fit.box_xyxy[:2] + fit.box_xyxy[2:]) / 2, np.float32)


def _size(fit: Fit) -> float:
    return float((fit.box_xyxy[2:] - fit.box_xyxy[:2]).max())


class FaceTracks:
    """The faces in view, the oldest first, and those that left a moment ago."""

    def __init__(self) -> None:
        self.active: list[Track] = []
        self._lost: list[Track] = []
        self._next_id = 0

    def reset(self) -> None:
        """Forget all faces; ids start again at 0."""
        self.active, self._lost, self._next_id = [], [], 0

    def state(self) -> State:
        """Return what is remembered (`pipelines.state`)."""
        return {
            "active": [track.state() for track in self.active],
            "lost": [track.state() for track in self._lost],
            "next_id": self._next_id,
        }

    def restore(self, state: State) -> None:
        """Go on from a `state`."""
        self.active = [Track.from_state(item) for item in take_states(state, "active")]
        self._lost = [Track.from_state(item) for item in take_states(state, "lost")]
        self._next_id = take_int(state, "next_id")

    def update(self, fits: list[Fit], now_s: float) -> None:
        """Move every active track to what the mesh found in its region; drop those that found no face.

        Where two tracks ended on the same face, the one that did not expect to be there is dropped.

        Parameters
        ----------
        fits : list of Fit
            One for each of `active`, in its order.
        now_s : float
            Time of the frame.
        """
        self._lost = [track for track in self._lost if 0 <= now_s - track.seen_s <= MEMORY_S]
        candidates = [(track.surprise(fit, now_s), track, fit) for track, fit in zip(self.active, fits, strict=True)]
        kept: list[Track] = []
        for surprise, track, fit in sorted(candidates, key=lambda item: item[0]):
            if fit.is_face and math.isfinite(surprise) and not self._covered(fit, kept):
                track.move(fit, now_s)
                kept.append(track)
            else:
                self._lost.append(track)
        self.active = [track for track in self.active if track in kept]

    @staticmethod
    def _covered(fit: Fit, tracks: list[Track]) -> bool:
        return same_face(fit.box_xyxy, [track.fit.box_xyxy for track in tracks])

    def start(self, fit: Fit, now_s: float) -> bool:
        """Begin to track a face that was detected; under its old id if it was lost a moment ago.

        Returns
        -------
        bool
            False when the face is tracked already.
        """
        if self._covered(fit, self.active):
            return False
        known = [
            (track.surprise(fit, now_s), track)
            for track in self._lost
            if max(track.size, _size(fit)) <= SIZE_RATIO * min(track.size, _size(fit))
        ]
        surprise, lost = min(known, key=lambda item: item[0], default=(math.inf, None))
        if lost is not None and surprise <= REACH:
            self._lost.remove(lost)
            self.active.append(Track(lost.id, fit, now_s))
            self.active.sort(key=lambda track: track.id)
        else:
            self.active.append(Track(self._next_id, fit, now_s))
            self._next_id += 1
        return True

    @property
    def lost_lately(self) -> bool:
        """Whether a face left within the last second and has not come back."""
        return bool(self._lost)
