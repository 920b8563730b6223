"""Tracks on invented fits: which face is which."""

import numpy as np
import pytest

from pipelines.tasks.face_models import Fit
from pipelines.tasks.face_tracking import FaceTracks, same_face


def fit(x: float, y: float = 0.0, size: float = 100.0, score: float = 1.0) -> Fit:
    """A face of this size centred at (x, y)."""
    landmarks = np.zeros((468, 3), np.float32)
    landmarks[:, :2] = np.random.default_rng(0).uniform(-size / 2, size / 2, (468, 2)) + np.array([x, y])
    half = size / 2
    return Fit(landmarks, score, np.array([x - half, y - half, x + half, y + half], np.float32))


def ids(tracks: FaceTracks) -> list[int]:
    return [track.id for track in tracks.active]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ((0.0, 0.0, 100.0), True),
        ((30.0, 0.0, 100.0), True),  # IoU 0.54
        ((40.0, 0.0, 100.0), False),  # IoU 0.43, as of faces cheek to cheek
        ((20.0, 20.0, 40.0), True),  # inside
        ((55.0, 0.0, 40.0), False),
    ],
)
def test_same_face(other: tuple[float, float, float], same: bool) -> None:
    assert same_face(fit(0).box_xyxy, [fit(500).box_xyxy, fit(*other).box_xyxy]) is same
    assert same_face(fit(0).box_xyxy, []) is False


def test_ids_count_up_and_a_tracked_face_is_not_started_twice() -> None:
    tracks = FaceTracks()
    assert tracks.start(fit(0), 0.0)
    assert tracks.start(fit(300), 0.0)
    assert not tracks.start(fit(310), 0.0)
    assert ids(tracks) == [0, 1]


def test_a_fit_that_is_no_face_ends_the_track() -> None:
    tracks = FaceTracks()
    tracks.start(fit(0), 0.0)
    assert not tracks.lost_lately
    tracks.update([fit(0, score=0.49)], 0.1)
    assert ids(tracks) == []
    assert tracks.lost_lately
    tracks.update([], 1.0)
    assert tracks.lost_lately
    tracks.update([], 1.1)
    assert not tracks.lost_lately


@pytest.mark.parametrize(
    ("x", "size", "at_s", "expected"),
    [
        (20.0, 100.0, 0.5, 0),
        (20.0, 100.0, 1.5, 1),  # too late
        (90.0, 100.0, 0.5, 1),  # too far
        (20.0, 170.0, 0.5, 1),  # too large
    ],
)
def test_a_face_that_comes_back(x: float, size: float, at_s: float, expected: int) -> None:
    tracks = FaceTracks()
    tracks.start(fit(0), 0.0)
    tracks.update([fit(0, score=0.0)], 0.03)
    tracks.update([], at_s)
    tracks.start(fit(x, size=size), at_s)
    assert ids(tracks) == [expected]


def test_a_hidden_face_is_expected_where_it_was_heading() -> None:
    tracks = FaceTracks()
    tracks.start(fit(0), 0.0)
    for step in range(1, 31):
        tracks.update([fit(10.0 * step)], step / 30)
    tracks.update([fit(300, score=0.0)], 31 / 30)
    # 300 px a second: after half a second near 450, more than a face's size from where it was seen last.
    tracks.update([], 1.5)
    tracks.start(fit(460), 1.5)
    assert ids(tracks) == [0]


def test_of_two_tracks_on_one_face_the_one_that_jumped_is_dropped() -> None:
    tracks = FaceTracks()
    tracks.start(fit(0), 0.0)
    tracks.start(fit(120), 0.0)
    tracks.update([fit(121), fit(120)], 0.03)
    assert ids(tracks) == [1]
    assert tracks.lost_lately
    tracks.start(fit(5), 0.1)
    assert ids(tracks) == [0, 1]


def test_crossing_faces_keep_their_ids() -> None:
    tracks = FaceTracks()
    tracks.start(fit(0), 0.0)
    tracks.start(fit(400), 0.0)
    for step in range(1, 61):
        now_s = step / 30
        left, right = 400 * step / 60, 400 - 400 * step / 60
        hidden = abs(left - right) < 60
        fits = [fit(left if track.id == 0 or hidden else right) for track in tracks.active]
        tracks.update(fits, now_s)
        if not hidden and len(tracks.active) < 2:
            tracks.start(fit(right), now_s)
    assert ids(tracks) == [0, 1]
    assert [float(track.fit.box_xyxy[0]) for track in tracks.active] == [350.0, -50.0]


def test_a_fit_with_nonsense_in_it_ends_the_track() -> None:
    tracks = FaceTracks()
    tracks.start(fit(0), 0.0)
    tracks.update([fit(float("nan"))], 0.1)
    assert ids(tracks) == []


def test_time_that_jumps_back_clears_the_memory() -> None:
    tracks = FaceTracks()
    tracks.start(fit(0), 10.0)
    tracks.update([fit(0, score=0.0)], 10.1)
    tracks.update([], 2.0)
    assert not tracks.lost_lately


def test_reset() -> None:
    tracks = FaceTracks()
    tracks.start(fit(0), 0.0)
    tracks.update([fit(0, score=0.0)], 0.1)
    tracks.reset()
    assert not tracks.lost_lately
    tracks.start(fit(0), 0.2)
    assert ids(tracks) == [0]
