"""The relief: places against the projection of points in space, what hides what, and the light."""

import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.results import DepthMap
from pipelines.overlay.relief import BEND, DISTANCE, HEIGHT, MARGIN, draw_relief

SIZE = (640, 360)
PORTRAIT = Path(__file__).parents[3] / "assets" / "portrait.png"


def depth_of(values, size_wh=SIZE):
    return DepthMap(np.asarray(values, np.float32), size_wh, 1.0, 0.0)


def level(value, size_wh=SIZE):
    return depth_of(np.full((90, 160), value), size_wh)


def block(value=1.0, ground=0.0):
    """A square that stands out in the middle, 40 of 160 columns wide."""
    values = np.full((90, 160), ground)
    values[25:65, 60:100] = value
    return depth_of(values)


def dot_at(share_x, share_y, size_wh=SIZE):
    """A dark picture with a bright dot."""
    image = np.full((size_wh[1], size_wh[0], 3), 40, np.uint8)
    cv2.circle(image, (round(share_x * size_wh[0]), round(share_y * size_wh[1])), 9, (255, 255, 255), -1)
    return image


def brightest(image):
    """Middle of the bright pixels."""
    rows, columns = np.nonzero(image[..., 1] > 150)
    return columns.mean(), rows.mean()


def in_space(share_x, share_y, height, yaw, pitch, size_wh=SIZE):
    """Where a point of the relief is seen, in pixels, by turning it in space; the plate alone has a perspective."""
    turn, tilt, shape = math.radians(yaw), math.radians(pitch), size_wh[1] / size_wh[0]
    turned = np.array([[math.cos(turn), 0, -math.sin(turn)], [0, 1, 0], [math.sin(turn), 0, math.cos(turn)]])
    tilted = np.array([[1, 0, 0], [0, math.cos(tilt), math.sin(tilt)], [0, -math.sin(tilt), math.cos(tilt)]])

    def flat(x, y, out=0.0):
        # Out of the plate is towards the eye: z grows away from it.
        return tilted @ turned @ np.array([x - 0.5, (y - 0.5) * shape, -out])

    def seen(point):
        return point[:2] * DISTANCE / (DISTANCE + point[2])

    corners = np.array([seen(flat(*corner)) for corner in ((0, 0), (1, 0), (1, 1), (0, 1))])
    low, high = corners.min(axis=0), corners.max(axis=0)
    scale = (1 - 2 * MARGIN) * min(1 / (high[0] - low[0]), shape / (high[1] - low[1]))
    # The place on the plate behind which the raised point is seen, without perspective.
    raised = flat(share_x, share_y, height)[:2]
    across, down = flat(1.5, 0.5)[:2], flat(0.5, 0.5 + 1 / shape)[:2]
    behind = np.linalg.solve(np.column_stack([across, down]), raised)
    point = seen(flat(behind[0] + 0.5, behind[1] / shape + 0.5)) - (low + high) / 2
    return (point * scale + np.array([1, shape]) / 2) * size_wh[0]


@pytest.mark.parametrize(("yaw", "pitch"), [(0.0, 0.0), (25.0, 0.0), (-30.0, 0.0), (0.0, 20.0), (20.0, 12.0)])
@pytest.mark.parametrize("depth", [0.0, 0.4, 1.0])
def test_points_are_seen_where_they_are_in_space(yaw, pitch, depth):
    for place in ((0.5, 0.5), (0.3, 0.6), (0.7, 0.35)):
        image = dot_at(*place)
        draw_relief(image, level(depth), yaw, pitch, 1.0)
        height = (depth**BEND - 0.5) * HEIGHT
        assert brightest(image) == pytest.approx(tuple(in_space(*place, height, yaw, pitch)), abs=1.6)


def test_flat_and_straight_it_is_the_picture_with_a_margin():
    image = cv2.resize(cv2.imread(str(PORTRAIT)), SIZE, interpolation=cv2.INTER_AREA)
    inside = cv2.resize(image, None, fx=1 - 2 * MARGIN, fy=1 - 2 * MARGIN, interpolation=cv2.INTER_AREA)
    top, left = (SIZE[1] - inside.shape[0]) // 2, (SIZE[0] - inside.shape[1]) // 2
    draw_relief(image, block(), 0.0, 0.0, 0.0)
    shown = image[top : top + inside.shape[0], left : left + inside.shape[1]]
    assert np.abs(shown.astype(int) - inside)[4:-4, 4:-4].mean() < 6
    assert image[: top - 3].max() == 0
    assert image[:, : left - 3].max() == 0


def test_what_is_near_moves_against_what_is_behind_it_and_hides_it():
    image = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    image[100:260, 240:400] = (0, 0, 255)
    turned = {}
    for yaw in (-25.0, 25.0):
        turned[yaw] = image.copy()
        draw_relief(turned[yaw], block(), yaw, 0.0, 1.0)
    red = {
        yaw: np.nonzero(picture[180, :, 2] > picture[180, :, 0].astype(int) + 80)[0] for yaw, picture in turned.items()
    }
    # The right edge turns away: what stands out goes to the right.
    assert red[25.0].mean() - red[-25.0].mean() > 0.5 * HEIGHT * SIZE[0] * math.sin(math.radians(25))
    for picture in turned.values():
        row = picture[180].max(axis=1)
        covered = np.nonzero(row)[0]
        assert np.array_equal(covered, np.arange(covered[0], covered[-1] + 1)), "a hole in the surface"


def test_slopes_towards_the_light_are_brighter():
    image = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    values = np.tile(0.5 + 0.4 * np.sin(np.linspace(0, 2 * np.pi, 160)), (90, 1))
    draw_relief(image, depth_of(values), 0.0, 0.0, 1.0)
    left, right = image[180, 60:110].mean(), image[180, 300:340].mean()  # rises to the right, falls to the right
    assert left > 120 + 4
    assert right < 120 - 4
    flat = np.full_like(image, 120)
    draw_relief(flat, level(0.7), 0.0, 0.0, 1.0)
    assert abs(flat[180, 320].astype(int) - 120).max() <= 1


@pytest.mark.parametrize("size_wh", [(17, 13), (64, 48), (101, 333), (1280, 720), (5, 3)])
def test_pictures_of_all_sizes(size_wh):
    image = np.full((size_wh[1], size_wh[0], 3), 200, np.uint8)
    draw_relief(image, level(0.5, size_wh), 20.0, 10.0, 1.0)
    assert image.shape == (size_wh[1], size_wh[0], 3)
    assert image[size_wh[1] // 2, size_wh[0] // 2].min() > 150
