"""Person masks of real pictures: agreement with MediaPipe, place of the edge, any size, behaviour over time.

The reference masks are what MediaPipe 0.10.21's own solution gives (benchmarks/mediapipe_masks.py). The project
promises an IoU of 0.95; measured: 0.960 to 0.993.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest
from skimage import data

from benchmarks.mask_pictures import pictures
from models.results import SegmentationMask
from pipelines.config import PipelineConfig, RunningMode
from pipelines.errors import ConfigError
from pipelines.frame import Frame, to_bgr
from pipelines.tasks.base import TASK_REGISTRY, Task
from pipelines.timing import STAGES, StageTimes
from tests.pipelines.face_helpers import video
from tests.pipelines.mask_depth_helpers import SIZES, astronaut, frame, make_task

NETWORKS = ("selfie_landscape", "selfie_square")
REFERENCE = Path(__file__).parents[1] / "data/mediapipe_masks.npz"


def segment(task: Task, image: np.ndarray, time_s: float = 0.0) -> SegmentationMask:
    result = task.process(frame(image, time_s), StageTimes())
    assert isinstance(result, SegmentationMask)
    return result


def iou(one: np.ndarray, other: np.ndarray) -> float:
    return float((one & other).sum() / (one | other).sum())


@pytest.fixture(scope="module")
def still() -> Task:
    """A task for unrelated pictures that chooses its network by the picture's shape."""
    return make_task("segmentation")


@pytest.mark.parametrize("network", NETWORKS)
def test_agrees_with_mediapipe(network):
    task = make_task("segmentation", models={"mask": network})
    with np.load(REFERENCE) as reference:
        for name, image in pictures().items():
            shape = image.shape[:2]
            packed = reference[f"{network}/{name}"]
            expected = np.unpackbits(packed, count=shape[0] * shape[1]).reshape(shape).astype(bool)
            assert iou(segment(task, image).alpha > 127, expected) > 0.955, name
    task.close()


def pasted(wall: np.ndarray, left: int) -> tuple[np.ndarray, np.ndarray]:
    """The portrait on another wall, 1280x720, and the outline by which it was cut out: true by construction."""
    person = cv2.resize(astronaut(), (720, 720), interpolation=cv2.INTER_CUBIC)
    cut = np.zeros((720, 720), np.uint8)
    # Outline of hair, helmet ring and suit, drawn by hand.
    outline = [
        [154, 90], [158, 62], [178, 42], [200, 25], [230, 15], [262, 22], [288, 45], [300, 80], [298, 105], [282, 128],
        [270, 135], [258, 175], [285, 195], [303, 232], [335, 255], [352, 285], [362, 345], [400, 344], [450, 358],
        [480, 390], [497, 440], [498, 512], [30, 512], [22, 430], [40, 290], [60, 255], [112, 222], [118, 190],
        [140, 160], [182, 148], [178, 125], [163, 112],
    ]  # fmt: skip
    cv2.fillPoly(cut, [np.rint(np.array(outline) * (720 / 512)).astype(np.int32)], 255, lineType=cv2.LINE_AA)
    image, truth = wall.copy(), np.zeros((720, 1280), np.uint8)
    share = cut[:, :, None] / 255.0
    image[:, left : left + 720] = person * share + image[:, left : left + 720] * (1 - share)
    truth[:, left : left + 720] = cut
    return image, truth > 127


@pytest.mark.parametrize("left", [60, 283, 500])
def test_the_edge_is_within_two_pixels_of_the_true_one(still, left):
    y, x = np.mgrid[:720, :1280]
    wall = np.dstack([90 + x * 0.05, 120 + y * 0.06, 70 + x * 0.02]).astype(np.uint8)
    wall[:, ::160] = 60
    image, truth = pasted(wall, left)
    found = segment(still, image).alpha > 127
    assert iou(found, truth) > 0.97
    outline = cv2.morphologyEx(truth.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    away = cv2.distanceTransform(1 - outline, cv2.DIST_L2, 5)
    mine = cv2.morphologyEx(found.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    assert np.median(away[mine]) < 2


@pytest.mark.parametrize("name", ["wide", "on_grey", "full_hd"])
def test_no_side_is_favoured(still, name):
    """The mask of the mirrored picture is the mirrored mask: a mask half a network pixel too far right is not."""
    image = pictures()[name]
    mask = segment(still, image).alpha > 127
    mirrored = segment(still, image[:, ::-1]).alpha[:, ::-1] > 127
    width = image.shape[1]
    scores = {shift: iou(np.roll(mirrored, shift, axis=1), mask) for shift in range(-8, 9)}
    # MediaPipe's way of enlarging shifts by (W / 256 - 1) / 2 and would show twice that here, 4 px at 1280.
    assert abs(max(scores, key=scores.__getitem__)) <= 1.5 * width / 1280


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_any_size_and_shape(still, width, height):
    image = cv2.resize(astronaut(), (width, height), interpolation=cv2.INTER_AREA)
    mask = segment(still, image)
    assert mask.alpha.shape == (height, width)
    # By the confidence, with the contrast of the mask: the edge's way through the picture changes it by a little.
    assert mask.coverage == pytest.approx(mask.alpha.mean() / 255, abs=0.01)
    wide = width >= 1.15 * height
    assert still.reports[0].model == ("selfie_landscape" if wide else "selfie_square")
    if min(width, height) >= 64 and max(width, height) < 3 * min(width, height):
        assert 0.25 < mask.coverage < 0.65
        assert mask.alpha[round(0.25 * height), round(0.44 * width)] == 255
        assert mask.alpha[round(0.1 * height), round(0.65 * width)] == 0


def test_grey_pictures(still):
    grey = to_bgr(cv2.cvtColor(astronaut(), cv2.COLOR_BGR2GRAY))
    assert iou(segment(still, grey).alpha > 127, segment(still, astronaut()).alpha > 127) > 0.95


@pytest.mark.parametrize("name", ["brick", "gravel", "rocket", "black", "white", "noise"])
@pytest.mark.parametrize("network", NETWORKS)
def test_nobody_there(name, network):
    if name in ("brick", "gravel", "rocket"):
        picture = getattr(data, name)()
        image = to_bgr(picture if picture.ndim == 2 else np.ascontiguousarray(picture[:, :, ::-1]))
    elif name == "noise":
        image = np.random.default_rng(12).integers(0, 256, (480, 640, 3), np.uint8)
    else:
        image = np.full((480, 640, 3), 0 if name == "black" else 255, np.uint8)
    task = make_task("segmentation", models={"mask": network})
    assert segment(task, image).coverage < 0.02
    task.close()


def test_stages_are_timed_and_results_are_frozen(still):
    times = StageTimes()
    mask = still.process(frame(astronaut()), times)
    assert tuple(times.ms) == STAGES
    assert all(value > 0 for value in times.ms.values())
    assert not mask.alpha.flags.writeable


def test_a_named_model_is_used_for_every_shape():
    task = make_task("segmentation", models={"mask": "selfie_landscape"})
    segment(task, cv2.resize(astronaut(), (200, 400)))
    assert [report.model for report in task.reports] == ["selfie_landscape"]
    task.close()


def test_a_model_for_something_else_is_refused():
    with pytest.raises(ConfigError, match="face_mesh is for landmarks, not for mask"):
        make_task("segmentation", models={"mask": "face_mesh"})


def test_it_is_registered():
    assert "segmentation" in TASK_REGISTRY
    assert "segmentation" in PipelineConfig().tasks


def noisy(index: int) -> np.ndarray:
    """The portrait as a cheap camera sees it, another noise in every frame."""
    noise = np.random.default_rng(index).normal(0, 12, (288, 512, 3))
    return np.clip(astronaut()[100:388] + noise, 0, 255).astype(np.uint8)


def flicker(task: Task) -> float:
    """Mean change of a mask from frame to frame, in levels, of a scene that does not change."""
    masks = [segment(task, noisy(index), index / 30).alpha.astype(np.int16) for index in range(24)]
    return float(np.abs(np.diff(masks[8:], axis=0)).mean())


def test_smoothing_calms_the_mask_and_can_be_switched_off():
    smooth, raw = make_task("segmentation", RunningMode.VIDEO), make_task("segmentation", RunningMode.VIDEO, False)
    assert flicker(smooth) < 0.8 * flicker(raw)
    expected = segment(make_task("segmentation"), noisy(5)).alpha
    np.testing.assert_array_equal(segment(raw, noisy(5), 5.0).alpha, expected)


def test_who_leaves_is_gone_in_the_same_frame():
    task = make_task("segmentation", RunningMode.VIDEO)
    wall = np.full((288, 512, 3), 128, np.uint8)
    for index in range(3):
        assert segment(task, astronaut()[100:388], index / 30).coverage > 0.4
    gone = segment(task, wall, 3 / 30)
    assert gone.coverage < 0.01
    assert gone.alpha.max() < 60
    assert segment(task, astronaut()[100:388], 4 / 30).coverage > 0.4


@pytest.mark.parametrize("how", ["reset", "jump", "size"])
def test_a_new_scene_starts_afresh(how):
    task, alone = make_task("segmentation", RunningMode.VIDEO), make_task("segmentation")
    for index in range(3):
        segment(task, astronaut()[100:388], index / 30)
    new, time_s = noisy(1), 3 / 30
    if how == "reset":
        task.reset()
    elif how == "jump":
        time_s = 60.0
    else:
        new = new[:280, :500]
    np.testing.assert_array_equal(segment(task, new, time_s).alpha, segment(alone, new).alpha)


@pytest.mark.media
def test_a_recording_has_a_person_in_every_frame():
    task = make_task("segmentation", RunningMode.VIDEO)
    frames: list[Frame] = video("video/again.mkv")
    coverages = [task.process(item, StageTimes()).coverage for item in frames[::3]]
    assert len(coverages) > 20
    assert min(coverages) > 0.1
    assert max(coverages) < 0.6
