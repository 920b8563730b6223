"""Depth of real pictures: real disparity, points whose order anyone can see, any size, a range that does not pump."""

import math

import cv2
import numpy as np
import pytest
from scipy.stats import spearmanr
from skimage import data

from models.depth import MIN_SPAN, robust_range
from models.results import DepthMap
from pipelines.config import PipelineConfig, RunningMode
from pipelines.errors import ConfigError
from pipelines.frame import to_bgr
from pipelines.tasks.base import TASK_REGISTRY, Task
from pipelines.timing import STAGES, StageTimes
from tests.pipelines.mask_depth_helpers import SIZES, astronaut, frame, make_task


def measure(task: Task, image: np.ndarray, time_s: float = 0.0) -> DepthMap:
    result = task.process(frame(image, time_s), StageTimes())
    assert isinstance(result, DepthMap)
    return result


@pytest.fixture(scope="module")
def still() -> Task:
    """A task for unrelated pictures."""
    return make_task("depth")


def test_ranks_a_real_scene_as_a_stereo_rig_does(still):
    """The Middlebury motorcycle: Spearman correlation with the measured disparity; 0.711 was measured."""
    left, _, disparity = data.stereo_motorcycle()
    depth = measure(still, np.ascontiguousarray(left[:, :, ::-1])).at_source()
    valid = np.isfinite(disparity) & (disparity > 0)
    assert valid.mean() > 0.9
    assert spearmanr(depth[valid], disparity[valid]).statistic >= 0.70


# Points of the portrait, x and y, named and ordered by looking at it.
FACE, CHEST, PATCH, RING, HELMET = (227, 125), (165, 310), (165, 380), (220, 278), (380, 440)
WALL_LEFT, WALL_RIGHT, TANK, ORBITER, STARS, STRIPES = (115, 60), (340, 100), (415, 60), (405, 200), (25, 60), (70, 190)
NEARER = [
    (FACE, WALL_LEFT), (FACE, WALL_RIGHT), (FACE, TANK), (FACE, ORBITER), (FACE, STARS),
    (CHEST, WALL_LEFT), (CHEST, ORBITER), (PATCH, STRIPES), (PATCH, STARS), (RING, ORBITER), (RING, STRIPES),
    (HELMET, WALL_RIGHT), (HELMET, TANK), (HELMET, ORBITER), (STRIPES, WALL_LEFT),
]  # fmt: skip


@pytest.mark.parametrize("size_wh", [(512, 512), (1280, 720), (480, 640)])
def test_the_nearer_thing_is_nearer(still, size_wh):
    depth = measure(still, cv2.resize(astronaut(), size_wh, interpolation=cv2.INTER_AREA)).at_source()
    scale = np.array(size_wh) / 512

    def value(point: tuple[int, int]) -> float:
        x, y = np.rint(np.array(point) * scale).astype(int)
        return float(np.median(depth[y - 3 : y + 4, x - 3 : x + 4]))

    wrong = [(near, far) for near, far in NEARER if value(near) <= value(far)]
    assert wrong == []


@pytest.mark.parametrize("size_wh", SIZES)
def test_any_size_and_shape(still, size_wh):
    depth = measure(still, cv2.resize(astronaut(), size_wh, interpolation=cv2.INTER_AREA))
    assert depth.size_wh == size_wh
    assert depth.inverse_depth.shape == (192, 320)
    assert depth.inverse_depth.dtype == np.float32
    assert np.isfinite(depth.inverse_depth).all()
    assert depth.at_source().shape == size_wh[::-1]
    assert depth.near - depth.far >= MIN_SPAN - 1e-6


def test_grey_pictures(still):
    grey = to_bgr(cv2.cvtColor(astronaut(), cv2.COLOR_BGR2GRAY))
    one, other = measure(still, grey).inverse_depth, measure(still, astronaut()).inverse_depth
    assert spearmanr(one.ravel(), other.ravel()).statistic > 0.9


def test_no_side_is_favoured(still):
    """The map of the mirrored picture lies best on the mirrored map without a shift."""
    image = cv2.resize(astronaut()[:288], (1280, 720), interpolation=cv2.INTER_CUBIC)
    depth = measure(still, image).at_source()
    mirrored = measure(still, np.ascontiguousarray(image[:, ::-1])).at_source()[:, ::-1]
    errors = {shift: np.abs(np.roll(mirrored, shift, 1) - depth)[:, 20:-20].mean() for shift in range(-12, 13, 2)}
    assert abs(min(errors, key=errors.__getitem__)) <= 4  # one network pixel


def test_the_scale_is_the_networks_own(still):
    """Not rescaled by frame: a part without near things has smaller values, not the same range again."""
    whole, wall = measure(still, astronaut()), measure(still, astronaut()[:110, 300:])
    assert whole.percentiles[2] > 0.6
    assert wall.percentiles[2] < 0.75 * whole.percentiles[2]


@pytest.mark.parametrize("level", [0, 128, 255])
@pytest.mark.parametrize("mode", RunningMode)
def test_a_flat_picture_has_a_range(level, mode):
    task = make_task("depth", mode)
    for index in range(3):
        depth = measure(task, np.full((120, 200, 3), level, np.uint8), index / 30)
        assert depth.near - depth.far >= MIN_SPAN - 1e-6
        assert np.isfinite(depth.normalised()).all()
    task.close()


def test_pictures_stand_alone(still):
    wall = np.ascontiguousarray(astronaut()[:110, 300:])
    first = measure(still, wall, 0.0)
    measure(still, astronaut(), 1 / 30)
    again = measure(still, wall, 2 / 30)
    np.testing.assert_array_equal(again.inverse_depth, first.inverse_depth)
    assert (again.near, again.far) == (first.near, first.far) == robust_range(first.inverse_depth)


def test_a_constant_scene_has_a_constant_range():
    task = make_task("depth", RunningMode.VIDEO)
    ranges = {(depth.near, depth.far) for depth in (measure(task, astronaut(), index / 30) for index in range(10))}
    assert len(ranges) == 1
    task.close()


@pytest.mark.parametrize("fps", [5, 30])
@pytest.mark.parametrize("smooth", [True, False])
def test_a_new_scene_moves_the_range_slowly(fps, smooth):
    """By the clock, with a time constant of 2 s, whether the map itself is smoothed or not."""
    task, alone = make_task("depth", RunningMode.VIDEO, smooth), make_task("depth")
    near_view = np.ascontiguousarray(astronaut()[256:, 128:384])
    far_view = np.ascontiguousarray(astronaut()[:256, 256:])
    before, after = measure(alone, near_view), measure(alone, far_view)
    assert before.near - after.near > 0.1
    measure(task, near_view, 0.0)
    for index in range(1, fps + 1):
        found = measure(task, far_view, index / fps)
    expected = after.near + (before.near - after.near) * math.exp(-1 / 2.0)
    # The first few frames of the smoothed map are not quite those of the new scene yet.
    assert found.near == pytest.approx(expected, abs=0.01)
    task.reset()
    restarted = measure(task, far_view, 1.1)
    assert (restarted.near, restarted.far) == (after.near, after.far)


def test_smoothing_leaves_no_ghost():
    task, alone = make_task("depth", RunningMode.VIDEO), make_task("depth")
    views = [np.ascontiguousarray(astronaut()[top : top + 256, 128:384]) for top in (0, 256)]
    for index in range(6):
        view = views[index % 2]
        found, raw = measure(task, view, index / 30), measure(alone, view)
        assert np.abs(found.inverse_depth - raw.inverse_depth).max() < 0.025


def test_smoothing_calms_the_map_and_can_be_switched_off():
    def flicker(task: Task) -> float:
        maps = []
        for index in range(16):
            noise = np.random.default_rng(index).normal(0, 6, (256, 400, 3))
            view = np.clip(astronaut()[100:356, 56:456] + noise, 0, 255).astype(np.uint8)
            maps.append(measure(task, view, index / 30).inverse_depth)
        return float(np.abs(np.diff(maps[6:], axis=0)).mean())

    smooth, raw = make_task("depth", RunningMode.VIDEO), make_task("depth", RunningMode.VIDEO, smooth=False)
    assert flicker(smooth) < 0.5 * flicker(raw)


def test_another_size_starts_afresh():
    task, alone = make_task("depth", RunningMode.VIDEO), make_task("depth")
    measure(task, astronaut(), 0.0)
    view = np.ascontiguousarray(astronaut()[:200])
    found, expected = measure(task, view, 1 / 30), measure(alone, view)
    np.testing.assert_array_equal(found.inverse_depth, expected.inverse_depth)
    assert found.near == expected.near


def test_stages_are_timed_and_results_are_frozen(still):
    times = StageTimes()
    depth = still.process(frame(astronaut()), times)
    assert tuple(times.ms) == STAGES
    assert all(value > 0 for value in times.ms.values())
    assert not depth.inverse_depth.flags.writeable
    assert [report.model for report in still.reports] == ["depth_v2"]


def test_it_is_registered_and_takes_only_depth_models():
    assert "depth" in TASK_REGISTRY
    assert "depth" in PipelineConfig().tasks
    with pytest.raises(ConfigError, match="selfie_square is for mask, not for depth"):
        make_task("depth", models={"depth": "selfie_square"})
