"""The edge goes where the picture has it, and nowhere else does anything change."""

import itertools

import cv2
import numpy as np
import pytest

from pipelines.matting import EPSILON, GAIN_AFTER, RADIUS, coefficients, evaluate, refine, refined

GRID_WH = (128, 72)
PERSON, WALL = (60, 90, 180), (200, 190, 150)


def two_colours(width: int, height: int, edge_px: float, noise: float = 2.0) -> np.ndarray:
    """A picture of two colours that meet at x = `edge_px`, antialiased, with a camera's noise."""
    share = np.clip(edge_px - np.arange(width), 0, 1)[None, :, None]
    picture = np.broadcast_to(share * np.array(PERSON) + (1 - share) * np.array(WALL), (height, width, 3))
    noisy = picture + np.random.default_rng(6).normal(0, noise, picture.shape)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def on_grid(image: np.ndarray, grid_wh: tuple[int, int] = GRID_WH) -> np.ndarray:
    return cv2.resize(image, grid_wh, interpolation=cv2.INTER_AREA)


def ramp(width: int, edge_px: float, soft_px: float, grid_wh: tuple[int, int] = GRID_WH) -> np.ndarray:
    """What a network might say: a soft step from person to wall around x = `edge_px`."""
    x = (np.arange(grid_wh[0]) + 0.5) * width / grid_wh[0]
    row = np.clip(0.5 + (edge_px - x) / soft_px, 0, 1).astype(np.float32)
    return np.broadcast_to(row, grid_wh[::-1]).copy()


def crossings(alpha: np.ndarray) -> np.ndarray:
    """Where each row falls below one half, in pixels from the left edge."""
    return (alpha >= 128).sum(axis=1)


@pytest.mark.parametrize("value", [0.0, 0.05, 1.0])
def test_a_confidence_without_edges_needs_no_picture(value):
    image = np.random.default_rng(7).integers(0, 256, (90, 160, 3), np.uint8)
    confidence = np.full((72, 128), value, np.float32)
    alpha = refine(confidence, on_grid(image), image)
    np.testing.assert_array_equal(alpha, 255 if value == 1.0 else 0)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (640, 480), (1919, 1081), (720, 1280)])
@pytest.mark.parametrize("off_px", [-8, 0, 8])
def test_the_edge_moves_to_where_the_colour_changes(width, height, off_px):
    """The network is wrong by some pixels, and three cells soft; the picture knows better."""
    edge = 0.4 * width + 0.3
    image = two_colours(width, height, edge)
    alpha = refine(ramp(width, edge + off_px * width / 1280, 3 * width / 128), on_grid(image), image)
    assert alpha.shape == (height, width)
    assert alpha.dtype == np.uint8
    found = crossings(alpha[height // 8 : -height // 8])
    tolerance = 1 + max(width, height) / 1280  # large pictures are evaluated at a fraction of their size
    assert np.abs(np.median(found) - edge) < tolerance
    assert np.percentile(np.abs(found - edge), 99) < 2 * tolerance
    # No halo: a little beside the edge it is all wall, or all person.
    beside = round(8 * width / 1280)
    assert alpha[:, round(edge) + beside :].mean() < 2
    assert alpha[:, : round(edge) - beside].mean() > 253


def test_without_a_colour_change_the_network_decides():
    image = np.full((720, 1280, 3), 120, np.uint8)
    for edge in (300.0, 555.0, 1000.0):
        alpha = refine(ramp(1280, edge, 40.0), on_grid(image), image)
        assert np.abs(crossings(alpha) - edge).max() <= 2


def test_where_the_network_is_sure_colour_does_not_overrule_it():
    """A spot on the person in the colour of the wall, close to the edge, does not become a hole; nor the reverse."""
    edge = 640
    image = two_colours(1280, 720, edge)
    image[300:330, edge - 60 : edge - 36] = WALL
    image[400:430, edge + 36 : edge + 60] = PERSON
    alpha = refine(ramp(1280, edge, 24.0), on_grid(image), image)
    assert alpha[300:330, edge - 60 : edge - 36].min() > 250
    assert alpha[400:430, edge + 36 : edge + 60].max() < 5


def test_the_side_of_a_person_is_the_side_of_its_region():
    """Regions above, below, left and right of all change keep their own level."""
    image = two_colours(1280, 720, 900.0)
    confidence = np.zeros((72, 128), np.float32)
    confidence[:, 90:] = 1.0
    alpha = refine(confidence, on_grid(image), image)
    assert alpha[:, :600].max() == 0
    assert alpha[:, -100:].min() == 255
    confidence = np.ones((72, 128), np.float32)
    confidence[30:34, 60:64] = 0.0
    alpha = refine(confidence, on_grid(image), image)
    assert alpha[:100].min() == alpha[-100:].min() == alpha[:, :300].min() == alpha[:, -300:].min() == 255
    assert alpha[320, 620] < 128


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 200), (200, 1), (2, 3), (64, 64), (129, 71), (3840, 2160)])
def test_any_size(width, height):
    image = np.random.default_rng(8).integers(0, 256, (height, width, 3), np.uint8)
    grid_wh = (min(GRID_WH[0], width), min(GRID_WH[1], height))
    confidence = np.random.default_rng(9).random(grid_wh[::-1], np.float32)
    alpha = refine(confidence, on_grid(image, grid_wh), image)
    assert alpha.shape == (height, width)
    assert alpha.dtype == np.uint8


def test_coefficients_are_the_least_squares_ones():
    """Against NumPy's solver in float64, window by window."""
    rng = np.random.default_rng(10)
    guide = cv2.GaussianBlur(rng.integers(0, 256, (24, 30, 3), np.uint8), (0, 0), 1.5)
    confidence = cv2.GaussianBlur(rng.random((24, 30), np.float32), (0, 0), 2.0)
    factors, offset = coefficients(confidence, guide)
    colour = guide / 255.0

    def window(row: int, column: int) -> tuple[np.ndarray, float]:
        part = (slice(row - RADIUS, row + RADIUS + 1), slice(column - RADIUS, column + RADIUS + 1))
        c, p = colour[part].reshape(-1, 3), confidence[part].ravel().astype(np.float64)
        covariance = np.cov(c.T, bias=True) + EPSILON * np.eye(3)
        a = np.linalg.solve(covariance, ((c - c.mean(0)) * (p - p.mean())[:, None]).mean(0))
        return a, p.mean() - a @ c.mean(0)

    for row, column in ((6, 6), (12, 20), (17, 9)):
        near = [window(row + i, column + j) for i in range(-RADIUS, RADIUS + 1) for j in range(-RADIUS, RADIUS + 1)]
        a = np.mean([item[0] for item in near], axis=0)
        b = np.mean([item[1] for item in near])
        np.testing.assert_allclose(factors[row, column], GAIN_AFTER * a, rtol=2e-3, atol=2e-3)
        assert offset[row, column] == pytest.approx(255 * (GAIN_AFTER * b + 0.5 - 0.5 * GAIN_AFTER), abs=0.3)


def test_a_window_of_one_colour_is_solved_too():
    """Black, white and any flat colour: the covariance is zero, and the confidence itself comes out."""
    confidence = np.linspace(0.2, 0.8, 30, dtype=np.float32)[None].repeat(24, axis=0)
    for value in (0, 130, 255):
        guide = np.full((24, 30, 3), value, np.uint8)
        factors, offset = coefficients(confidence, guide)
        level = evaluate(factors, offset, guide, (30, 24))
        expected = 255 * (GAIN_AFTER * (confidence - 0.5) + 0.5)
        assert np.abs(level[6:-6, 6:-6] - expected[6:-6, 6:-6]).max() <= 1.5


def test_evaluation_is_a_product_with_the_picture():
    rng = np.random.default_rng(11)
    image = rng.integers(0, 256, (40, 50, 3), np.uint8)
    factors = rng.normal(0, 0.5, (40, 50, 3)).astype(np.float32)
    offset = rng.normal(60, 60, (40, 50)).astype(np.float32)
    expected = np.clip((factors * image).sum(-1) + offset, 0, 255)
    assert np.abs(evaluate(factors, offset, image, (50, 40)) - expected).max() <= 0.51


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (640, 480), (1919, 1081), (300, 500)])
def test_a_part_is_what_the_whole_is_there(width, height):
    """To the bit but for sizes that are no multiple of what the picture is reduced by: there within a level or so."""
    image = two_colours(width, height, 0.4 * width + 0.3)
    cv2.circle(image, (round(0.6 * width), round(0.5 * height)), round(0.2 * height), PERSON, cv2.FILLED)
    confidence = ramp(width, 0.42 * width, 5 * width / 128)
    cv2.circle(confidence, (76, 36), 13, 1.0, cv2.FILLED)
    guide = on_grid(image)
    whole = refine(confidence, guide, image).astype(int)
    cuts = [0, 1, width // 5, width // 2, width // 2 + 1, width - 1, width]
    parts = [refined(confidence, guide, image, first, end).pixels() for first, end in itertools.pairwise(cuts)]
    difference = np.abs(np.hstack(parts) - whole)
    assert difference.mean() < 0.5
    if (width, height) == (1280, 720):
        assert not difference.any()


def test_columns_without_a_change_lie_on_their_side_of_it():
    image = two_colours(1280, 720, 640.0)
    confidence = ramp(1280, 640.0, 30.0)
    guide = on_grid(image)
    for first, end, level in ((0, 200, 255), (1000, 1280, 0)):
        part = refined(confidence, guide, image, first, end)
        assert part.levels.size == 0
        assert (part.pixels() == level).all()
