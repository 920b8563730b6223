"""Squares and their maps, against closed forms."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.geometry import Square, apply_affine, overlaps, sample

lengths = st.integers(1, 4000)
angles = st.floats(-math.pi, math.pi)


@pytest.mark.parametrize(
    ("width", "height", "matrix"),
    [
        (128, 128, [[1, 0, 0], [0, 1, 0]]),
        (256, 128, [[2, 0, 0], [0, 2, -64]]),
        (720, 1280, [[10, 0, -280], [0, 10, 0]]),
        (1, 1, [[1 / 128, 0, 0], [0, 1 / 128, 0]]),
    ],
)
def test_letterbox_keeps_the_aspect_and_centres(width: int, height: int, matrix: list[list[float]]) -> None:
    np.testing.assert_allclose(Square.letterbox(width, height).matrix(128), matrix, atol=1e-12)


@given(lengths, lengths, st.floats(0, 1), st.floats(0, 1))
def test_letterbox_and_back(width: int, height: int, u: float, v: float) -> None:
    point = np.array([u * width, v * height], np.float32)
    square = Square.letterbox(width, height)
    inside = square.from_picture(point, 128)
    assert (inside >= -1e-3).all()
    assert (inside <= 128 + 1e-3).all()
    np.testing.assert_allclose(square.to_picture(inside, 128), point, atol=2e-3)


@given(st.floats(-500, 4000), st.floats(-500, 4000), st.floats(1, 3000), angles)
def test_corners_of_a_turned_square(x: float, y: float, side: float, rotation: float) -> None:
    square = Square(x, y, side, rotation)
    corners = square.to_picture(np.array([[0, 0], [192, 0], [192, 192], [0, 192], [96, 96]], np.float32), 192)
    steps = np.diff(corners[[0, 1, 2, 3, 0]], axis=0)
    np.testing.assert_allclose(np.linalg.norm(steps, axis=1), side, rtol=1e-3, atol=2e-3)
    np.testing.assert_allclose(corners[4], [x, y], atol=2e-3)
    along_x = np.array([math.cos(rotation), math.sin(rotation)]) * side
    np.testing.assert_allclose(steps[0], along_x, rtol=1e-3, atol=2e-3)


@pytest.mark.parametrize("side", [0.0, -1.0, math.nan, math.inf])
def test_a_square_needs_a_side(side: float) -> None:
    with pytest.raises(ValueError, match="larger than 0"):
        Square(0, 0, side)


def test_affine_maps_any_shape_of_points() -> None:
    matrix = np.array([[2.0, 0.0, 1.0], [0.0, 3.0, -1.0]])
    points = np.ones((4, 5, 2), np.float32)
    mapped = apply_affine(matrix, points)
    assert mapped.dtype == np.float32
    np.testing.assert_array_equal(mapped, np.broadcast_to([3.0, 2.0], (4, 5, 2)))


def test_sample_of_the_whole_is_the_picture_itself() -> None:
    image = np.random.default_rng(0).integers(0, 256, (16, 16, 3), dtype=np.uint8)
    out = np.zeros_like(image)
    sample(image, Square.letterbox(16, 16), out)
    np.testing.assert_array_equal(out, image)


def test_sample_writes_into_the_given_buffer_and_blackens_the_border() -> None:
    image = np.full((8, 16, 3), 200, np.uint8)
    image.flags.writeable = False
    batch = np.full((1, 16, 16, 3), 7, np.uint8)
    sample(image, Square.letterbox(16, 8), batch[0])
    assert (batch[0, 5:11] == 200).all()
    assert (batch[0, :3] == 0).all()
    assert (batch[0, 13:] == 0).all()
    sample(image, Square.letterbox(16, 8), batch[0], cv2.BORDER_REPLICATE)
    assert (batch == 200).all()


def test_sample_turns_with_the_square() -> None:
    image = np.zeros((32, 32, 3), np.uint8)
    image[:, 16:] = 255
    out = np.zeros((16, 16, 3), np.uint8)
    # The square's x axis points down in the picture: the picture's bright right half is the top of the sample.
    sample(image, Square(16, 16, 16, math.pi / 2), out)
    assert out[:6].min() == 255
    assert out[-6:].max() == 0


def test_overlaps_by_hand() -> None:
    box = np.array([0, 0, 2, 2], np.float32)
    others = np.array([[0, 0, 2, 2], [1, 0, 3, 2], [0, 0, 1, 1], [2, 2, 3, 3], [1, 1, 1, 1]], np.float32)
    iou, nesting = overlaps(box, others)
    np.testing.assert_allclose(iou, [1, 1 / 3, 1 / 4, 0, 0], atol=1e-6)
    np.testing.assert_allclose(nesting, [1, 1 / 2, 1, 0, 0], atol=1e-6)


@pytest.mark.parametrize("border", [cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE])
def test_a_sample_is_what_opencv_makes_of_the_whole_picture(border: int) -> None:
    """Squares of all sizes, within the picture, across its edges and beyond them; small ones are cut out first."""
    rng = np.random.default_rng(13)
    image = cv2.GaussianBlur(rng.integers(0, 256, (180, 320, 3), np.uint8), (0, 0), 1.0)
    out = np.empty((48, 48, 3), np.uint8)
    for _ in range(200):
        x, y = rng.uniform(-60, 380), rng.uniform(-60, 240)
        square = Square(x, y, rng.uniform(10, 300), rng.uniform(-math.pi, math.pi))
        sample(image, square, out, border)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        expected = cv2.warpAffine(image, square.matrix(48), (48, 48), flags=flags, borderMode=border)
        # Coordinates from another origin round differently now and then: by a level, at a pixel in a thousand.
        assert np.abs(out.astype(int) - expected).max() <= 1
        assert (out != expected).mean() < 1e-2
