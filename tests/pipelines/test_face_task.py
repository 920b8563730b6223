"""The face task with real models on real pixels."""

import math

import cv2
import numpy as np
import pytest
from skimage import data

from benchmarks.face_pictures import astronaut, place
from pipelines.backends import get_backend
from pipelines.config import PipelineConfig, RunningMode
from pipelines.errors import ConfigError
from pipelines.frame import Frame, to_bgr
from pipelines.tasks import TASK_REGISTRY, TaskContext
from pipelines.timing import STAGES, StageTimes
from tests.pipelines.face_helpers import center, eye_distance, find, make_task, video

IMAGE, VIDEO = RunningMode.IMAGE, RunningMode.VIDEO
GREY = np.full((480, 640, 3), 96, np.uint8)


def portrait(x: float = 300.0, y: float = 220.0, scale: float = 1.3, degrees: float = 0.0) -> np.ndarray:
    return place(astronaut(), (640, 480), (x, y), scale, degrees)


def two_heads(front_x: int, back_x: int) -> np.ndarray:
    """Two heads, one the mirror image of the other, the first in front."""
    head = cv2.resize(astronaut()[:200, 130:320], None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA)
    height, width = head.shape[:2]
    scene = np.full((360, 640, 3), 110, np.uint8)
    for picture, x in ((head[:, ::-1], back_x), (head, front_x)):
        scene[100 : 100 + height, x : x + width] = picture
    return scene


@pytest.fixture(scope="module")
def image_task():
    task = make_task(IMAGE)
    yield task
    task.close()


@pytest.fixture(scope="module")
def video_models():
    task = make_task(VIDEO)
    yield task
    task.close()


@pytest.fixture
def video_task(video_models):
    video_models.reset()
    return video_models


def test_it_is_registered_and_reports_its_models() -> None:
    task = TASK_REGISTRY.get("face")(TaskContext(PipelineConfig(), get_backend("ort-cpu")))
    assert task.name == "face"
    assert [report.model for report in task.reports] == ["face_detection", "face_mesh"]
    times = StageTimes()
    task.process(Frame(portrait()), times)
    assert set(times.ms) == set(STAGES)
    assert min(times.ms.values()) > 0
    task.close()
    task.close()


def test_a_model_for_another_role_is_refused() -> None:
    with pytest.raises(ConfigError, match="selfie_square is for mask, not for landmarks"):
        make_task(IMAGE, mesh="selfie_square")


@pytest.mark.parametrize(("mesh", "count"), [("face_mesh", 478), ("face_mesh_468", 468)])
def test_a_portrait(mesh: str, count: int) -> None:
    task = make_task(IMAGE, mesh=mesh)
    (face,) = find(task, astronaut())
    task.close()
    assert face.landmarks.shape == (count, 3)
    assert face.landmarks.dtype == np.float32
    assert not face.landmarks.flags.writeable
    assert face.score > 0.99
    assert face.track_id == -1
    np.testing.assert_array_equal(face.box_xyxy[:2], face.landmarks[:, :2].min(axis=0))
    np.testing.assert_array_equal(face.box_xyxy[2:], face.landmarks[:, :2].max(axis=0))
    # By eye: pupils near (203, 101) and (247, 103), tip of the nose near (224, 124), the teeth near (224, 145).
    np.testing.assert_allclose(face.landmarks[[159, 386, 4, 13], :2].mean(axis=0), [223, 117], atol=4)
    np.testing.assert_allclose(face.landmarks[4, :2], [224, 122], atol=5)
    assert face.landmarks[4, 2] < face.landmarks[234, 2]  # the nose is nearer than the cheek's edge


@pytest.mark.parametrize("size_wh", [(1, 1), (64, 64), (65, 3), (3, 200), (333, 517), (1280, 720), (3840, 2160)])
def test_nobody(image_task, video_task, size_wh: tuple[int, int]) -> None:
    black = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    for task in (image_task, video_task):
        assert find(task, black) == ()
        assert find(task, np.full_like(black, 255), 1) == ()


@pytest.mark.parametrize("name", ["coins", "clock", "chelsea", "rocket", "gravel", "immunohistochemistry"])
def test_textures_are_no_faces(image_task, name: str) -> None:
    assert find(image_task, to_bgr(getattr(data, name)())) == ()


# Size of the picture, middle and magnification of the face, turn in degrees.
PLACES = {
    "64x64": ((64, 64), (30.0, 26.0), 0.35, 0.0),
    "portrait": ((720, 1280), (330.0, 500.0), 2.0, 0.0),
    "tall strip": ((101, 999), (52.0, 400.0), 0.9, 0.0),
    "wide strip": ((1501, 103), (700.0, 50.0), 0.7, 0.0),
    "odd": ((517, 333), (201.0, 140.0), 0.9, 0.0),
    "4K, small": ((3840, 2160), (2900.0, 700.0), 2.0, 0.0),
    "turned 30": ((640, 480), (300.0, 220.0), 1.3, 30.0),
    "turned -30": ((640, 480), (300.0, 220.0), 1.3, -30.0),
    "cut off": ((640, 480), (30.0, 200.0), 1.6, 0.0),
}


@pytest.mark.parametrize("name", PLACES)
def test_the_same_face_anywhere(image_task, name: str) -> None:
    """The landmarks move with the picture: right for any aspect ratio, odd sizes, small faces, rolled heads."""
    size_wh, middle, scale, degrees = PLACES[name]
    (reference,) = find(image_task, astronaut())
    faces = find(image_task, place(astronaut(), size_wh, middle, scale, degrees))
    c, s = scale * math.cos(math.radians(degrees)), scale * math.sin(math.radians(degrees))
    moved = (reference.landmarks[:, :2] - (222.0, 118.0)) @ np.array([[c, s], [-s, c]]) + middle
    errors = [np.linalg.norm(face.landmarks[:, :2] - moved, axis=1).mean() for face in faces]
    assert min(errors) / eye_distance(moved) < 0.04
    assert len(faces) == 1


@pytest.mark.parametrize(("max_faces", "count"), [(1, 1), (2, 2), (3, 3), (20, 3)])
@pytest.mark.parametrize("mode", [IMAGE, VIDEO])
def test_many_faces(mode: RunningMode, max_faces: int, count: int) -> None:
    third = place(astronaut(), (320, 480), (150.0, 200.0), 1.3)
    picture = np.hstack([third, third[:, ::-1], third])
    task = make_task(mode, max_faces)
    faces = find(task, picture)
    task.close()
    assert len(faces) == count
    assert len({int(center(face)[0]) // 320 for face in faces}) == count
    assert len({face.track_id for face in faces}) == (1 if mode is IMAGE else count)


def test_a_small_face_is_found_in_a_picture_at_once(image_task) -> None:
    (face,) = find(image_task, place(astronaut(), (640, 480), (500.0, 320.0), 0.45))
    np.testing.assert_allclose(center(face), (500, 320), atol=8)


def test_a_small_face_is_found_in_a_video_within_two_seconds(video_task) -> None:
    find(video_task, GREY)
    picture = place(astronaut(), (640, 480), (500.0, 320.0), 0.45)
    counts = [len(find(video_task, picture, index)) for index in range(1, 61)]
    assert counts[-1] == 1
    assert sorted(counts) == counts


def test_a_face_that_leaves_and_returns(video_task) -> None:
    for index in range(5):
        assert [face.track_id for face in find(video_task, portrait(), index)] == [0]
    for index in range(5, 15):
        assert find(video_task, GREY, index) == ()
    # A third of a second later it is the same one; two seconds later, one cannot know.
    assert [face.track_id for face in find(video_task, portrait(), 15)] == [0]
    for index in range(16, 80):
        assert find(video_task, GREY, index) == ()
    assert [face.track_id for face in find(video_task, portrait(), 80)] == [1]


def test_a_face_that_jumps_is_found_in_the_same_frame(video_task) -> None:
    find(video_task, portrait(150.0), 0)
    (face,) = find(video_task, portrait(480.0), 1)
    assert center(face)[0] == pytest.approx(480, abs=15)


def test_a_second_face_joins(video_task) -> None:
    alone, both = two_heads(40, 40), two_heads(40, 440)
    for index in range(15):
        assert len(find(video_task, alone, index)) == 1
    counts = [len(find(video_task, both, index)) for index in range(15, 26)]
    assert counts[-1] == 2
    faces = find(video_task, both, 26)
    assert [face.track_id for face in faces] == [0, 1]
    assert center(faces[0])[0] < 200 < center(faces[1])[0]


def test_faces_that_cross_keep_their_ids(video_task) -> None:
    steps = 45
    start = {face.track_id: center(face)[0] < 320 for face in find(video_task, two_heads(20, 460), 0)}
    assert sorted(start) == [0, 1]
    for step in range(1, steps + 1):
        shift = 440 * step // steps
        faces = find(video_task, two_heads(20 + shift, 460 - shift), step)
    assert {face.track_id: center(face)[0] >= 320 for face in faces} == start


def test_tracking_costs_no_detection(video_task, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = two_heads(40, 440)
    assert len(find(video_task, picture, 0)) == 2
    searched = []
    monkeypatch.setattr(video_task._detector, "find", lambda *arguments: searched.append(arguments))
    for index in range(1, 20):
        assert len(find(video_task, picture, index)) == 2
    assert not searched


def test_pictures_do_not_remember(image_task) -> None:
    first = find(image_task, portrait(), 0)[0]
    find(image_task, portrait(350.0), 1)
    np.testing.assert_array_equal(find(image_task, portrait(), 2)[0].landmarks, first.landmarks)


def test_smoothing_steadies_a_still_face_and_follows_a_moving_one() -> None:
    rng = np.random.default_rng(0)
    raw_task, smooth_task = make_task(VIDEO, 1), make_task(VIDEO, 1, smooth=True)

    def both(picture: np.ndarray, index: int) -> tuple[np.ndarray, np.ndarray]:
        noisy = np.clip(picture + rng.normal(0, 5, picture.shape), 0, 255).astype(np.uint8)
        return find(raw_task, noisy, index)[0].landmarks, find(smooth_task, noisy, index)[0].landmarks

    still = [both(portrait(), index) for index in range(30)]
    raw, smooth = (np.stack(series)[10:, :, :2] for series in zip(*still, strict=True))
    trembling = [np.linalg.norm(np.diff(series, axis=0), axis=2).mean() for series in (raw, smooth)]
    assert trembling[1] < 0.35 * trembling[0]
    # At a face's size in half a second, the smoothed points are within 2 % of that size.
    for index in range(30, 45):
        raw_now, smooth_now = both(portrait(300.0 + 10 * (index - 29)), index)
    size = np.ptp(raw_now[:, 1])
    assert np.linalg.norm(smooth_now[:, :2] - raw_now[:, :2], axis=1).mean() < 0.02 * size
    raw_task.close()
    smooth_task.close()


def test_reset_forgets_faces_ids_and_smoothing() -> None:
    task = make_task(VIDEO, smooth=True)
    first = find(task, portrait(), 0)[0]
    for index in range(1, 4):
        find(task, portrait(300.0 + 3 * index), index)
    task.reset()
    again = find(task, portrait(), 4)[0]
    assert again.track_id == 0
    np.testing.assert_array_equal(again.landmarks, first.landmarks)
    task.close()


def test_a_change_of_size_starts_afresh(video_task) -> None:
    find(video_task, portrait(), 0)
    (face,) = find(video_task, cv2.resize(portrait(), (320, 240), interpolation=cv2.INTER_AREA), 1)
    assert center(face)[0] == pytest.approx(150, abs=5)
    assert face.track_id == 0


@pytest.mark.media
def test_two_turning_heads_keep_their_ids(video_task) -> None:
    sides: dict[int, set[bool]] = {}
    for frame in video("video/head-pose-face-detection-female-and-male.gif"):
        faces = video_task.process(frame, StageTimes()).faces
        assert len(faces) == 2
        for face in faces:
            sides.setdefault(face.track_id, set()).add(bool(center(face)[0] > frame.width / 2))
    assert sorted(sides) == [0, 1]
    assert [len(seen) for seen in sides.values()] == [1, 1]


@pytest.mark.media
@pytest.mark.parametrize("name", ["again", "bird", "eat", "walk"])
def test_a_person_signing_is_followed_throughout(name: str) -> None:
    task = make_task(VIDEO, 1, smooth=True)
    frames = video(f"video/{name}.mkv")
    ids = [[face.track_id for face in task.process(frame, StageTimes()).faces] for frame in frames]
    task.close()
    assert ids.count([0]) > 0.98 * len(frames)
