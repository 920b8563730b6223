"""Faces: lines where the landmarks are, and nothing elsewhere."""

from dataclasses import replace

import numpy as np
import pytest

from models.face_topology import CONTOURS, IRIS_CENTERS, edges
from models.results import Face
from pipelines.overlay import FaceStyle, OverlayStyle, bgr, draw_results
from pipelines.overlay.colours import FACE_EYE, FACE_LINE, FACE_LIPS
from pipelines.overlay.curves import curve, curve_steps
from pipelines.overlay.faces import line_width

GREY = 110


def flat(width, height):
    return np.full((height, width, 3), GREY, np.uint8)


def drawn(make, faces, style=FaceStyle.CONTOURS, size=(640, 480), **options):
    """The picture, and which of its pixels changed."""
    picture = draw_results(make.result(flat(*size), faces=faces), OverlayStyle(face=style, **options))
    return picture, (picture != GREY).any(axis=2)


def at(array, point, reach=1):
    """What is within `reach` pixels of a point."""
    x, y = np.rint(point[:2]).astype(int)
    return array[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]


@pytest.mark.parametrize("points", [478, 468])
def test_contours_pass_through_their_landmarks_and_stay_near_them(make, points):
    face = make.face(200, 100, 240, points)
    _, changed = drawn(make, [face])
    for contour in CONTOURS:
        for index in contour.indices:
            assert at(changed, face.landmarks[index]).all(), (contour.name, index)
    y, x = np.nonzero(changed)
    x0, y0, x1, y1 = face.box_xyxy
    assert x.min() >= x0 - 8
    assert x.max() <= x1 + 8
    assert y.min() >= y0 - 8
    assert y.max() <= y1 + 8
    assert not at(changed, face.landmarks[205], reach=6).any(), "the cheek is left alone"


def test_one_moved_landmark_changes_only_its_surroundings(make):
    face = make.face(200, 100, 240)
    moved = face.landmarks.copy()
    moved[152, 1] += 12  # the chin
    before, _ = drawn(make, [face])
    after, _ = drawn(make, [Face(0.9, face.box_xyxy.copy(), moved)])
    y, x = np.nonzero((before != after).any(axis=2))
    assert len(y)
    assert np.hypot(x - face.landmarks[152, 0], y - face.landmarks[152, 1]).max() < 80
    assert at(after, moved[152], 0).min() > 180


def test_features_have_their_colours(make):
    face = make.face(300, 100, 900)
    picture, _ = drawn(make, [face], size=(1600, 1200))
    for index, colour in ((10, FACE_LINE), (17, FACE_LIPS), (145, FACE_EYE), (374, FACE_EYE)):
        assert np.abs(at(picture, face.landmarks[index], 0).astype(int) - bgr(colour)).max() < 12, index


def test_irises_are_circles_of_the_rims_radius(make):
    face = make.face(100, 50, 800)
    with_irises, _ = drawn(make, [face], size=(1000, 900))
    without, _ = drawn(make, [Face(0.9, face.box_xyxy.copy(), face.landmarks[:468].copy())], size=(1000, 900))
    changed = (with_irises != without).any(axis=2)
    y, x = np.nonzero(changed)
    for center_index, rim in zip(IRIS_CENTERS, ((469, 470, 471, 472), (474, 475, 476, 477)), strict=True):
        center = face.landmarks[center_index, :2]
        radius = np.linalg.norm(face.landmarks[list(rim), :2] - center, axis=1).mean()
        distance = np.hypot(x - center[0], y - center[1])
        own = distance < 3 * radius
        assert own.any()
        assert np.abs(distance[own] - radius).max() < 12
        for angle in np.linspace(0, 2 * np.pi, 12, endpoint=False):
            assert at(changed, center + radius * np.array([np.cos(angle), np.sin(angle)])).any()


def test_the_net_draws_its_edges(make):
    face = make.face(100, 50, 800)
    _, changed = drawn(make, [face], FaceStyle.MESH, size=(1000, 900))
    middles = face.landmarks[edges()].mean(axis=1)
    assert np.mean([at(changed, middle).any() for middle in middles]) == 1.0


def test_points_are_dots_at_the_landmarks_only(make):
    face = make.face(100, 50, 400)
    picture, changed = drawn(make, [face], FaceStyle.POINTS)
    assert all(at(changed, point, 0).all() for point in face.landmarks)
    y, x = np.nonzero(changed)
    nearest = np.min(np.hypot(x[:, None] - face.landmarks[:, 0], y[:, None] - face.landmarks[:, 1]), axis=1)
    assert nearest.max() < 4
    nose, ear = at(picture, face.landmarks[4], 0), at(picture, face.landmarks[234], 0)
    assert nose.mean() > ear.mean() + 30, "nearer points are brighter"


def test_a_dot_lies_at_a_fraction_of_a_pixel(make):
    point = np.array([[40.5, 30.0, 0.0]], np.float32)
    box = np.array([40, 30, 41, 31], np.float32)
    picture, _ = drawn(make, [Face(0.9, box, point)], FaceStyle.POINTS, size=(80, 60))
    row = picture[30, :, 1].astype(int) - GREY
    assert row[40] == row[41] > 100
    assert row[39] == row[42] < row[40]
    assert not row[:38].any()
    assert not row[44:].any()


def test_a_box_marks_corners_and_writes_the_score(make):
    face = make.face(250, 150, 200)
    _, changed = drawn(make, [face], FaceStyle.BOX)
    x0, y0, x1, y1 = face.box_xyxy
    for corner in ((x0, y0), (x1, y0), (x0, y1), (x1, y1)):
        assert at(changed, np.array(corner)).all()
    assert not at(changed, face.landmarks[4], 40).any(), "the face itself is left alone"
    assert not changed[round(float((y0 + y1) / 2)), :].any(), "the sides are open"
    tag = changed[: round(float(y0)) - 4]
    assert tag.any()
    other, _ = drawn(make, [replace(face, score=0.61)], FaceStyle.BOX)
    one, _ = drawn(make, [face], FaceStyle.BOX)
    y, x = np.nonzero((one != other).any(axis=2))
    assert len(y)
    assert y.max() < y0
    assert x.max() < x0 + 60


def test_the_score_of_a_face_at_the_top_moves_inside(make):
    face = make.face(250, 2, 200)
    one, _ = drawn(make, [face], FaceStyle.BOX)
    other, _ = drawn(make, [replace(face, score=0.61)], FaceStyle.BOX)
    y, _ = np.nonzero((one != other).any(axis=2))
    assert len(y)
    assert y.min() > 2


@pytest.mark.parametrize("style", list(FaceStyle))
@pytest.mark.parametrize(
    ("x", "y", "size"),
    [(-5000, 10, 200), (700, 500, 200), (-100, -100, 200), (600, 440, 200), (-400, -500, 2000), (100, 100, 0.01)],
    ids=["far left", "below", "over the corner", "over the other corner", "larger than the picture", "a point"],
)
def test_faces_anywhere_are_drawn_or_left_out(make, style, x, y, size):
    _, changed = drawn(make, [make.face(x, y, size)], style)
    if x in (-5000, 700):
        assert not changed.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_face_without_numbers_is_left_out_and_the_other_drawn(make, bad):
    broken = make.face(20, 20, 100)
    landmarks = broken.landmarks.copy()
    landmarks[100, 0] = bad
    good = make.face(300, 200, 200)
    _, changed = drawn(make, [Face(0.9, broken.box_xyxy.copy(), landmarks), good])
    _, alone = drawn(make, [good])
    assert alone.any()
    assert np.array_equal(changed, alone)


def test_a_face_of_another_model_is_drawn_as_points(make):
    few = np.array([[100, 100, 0], [200, 150, 0], [150, 220, 5]], np.float32)
    _, changed = drawn(make, [Face(0.9, np.array([100, 100, 200, 220], np.float32), few)])
    assert all(at(changed, point, 0).all() for point in few)


def test_small_faces_stay_legible(make):
    face = make.face(100, 100, 37)
    picture, changed = drawn(make, [face], size=(500, 375))
    assert 0.1 < at(changed, face.box_xyxy.reshape(2, 2).mean(axis=0), 18).mean() < 0.6, "drawn, but not a blot"
    assert picture.min() >= GREY - 1, "no shadow"


def test_the_best_face_lies_on_top(make):
    first, second = make.face(200, 100, 200), make.face(230, 100, 200)
    together, _ = drawn(make, [first, second], FaceStyle.POINTS)
    alone, changed = drawn(make, [first], FaceStyle.POINTS)
    solid = changed & ((alone.max(axis=2) - GREY) > 100)
    assert (together[solid] == alone[solid]).mean() > 0.95


@pytest.mark.parametrize(
    ("face", "size", "scale", "expected"),
    [
        (37, (500, 375), 1.0, 1),
        (290, (1280, 720), 1.0, 2),
        (120, (3840, 2160), 1.0, 2),
        (1000, (3840, 2160), 1.0, 6),
        (2000, (640, 480), 1.0, 3),
        (290, (1280, 720), 2.0, 3),
        (50, (320, 240), 0.5, 1),
    ],
)
def test_line_width_follows_face_and_picture(face, size, scale, expected):
    assert line_width(face, size, scale) == expected


@pytest.mark.parametrize("contour", CONTOURS, ids=lambda contour: contour.name)
@pytest.mark.parametrize("steps", [1, 2, 4])
def test_curves_pass_through_the_landmarks_and_keep_straight_lines(contour, steps):
    matrix = curve(contour, steps)
    assert np.array_equal(matrix[::steps], np.eye(len(contour.indices), dtype=np.float32))
    assert np.allclose(matrix.sum(axis=1), 1, atol=1e-6), "moves with the face"


def test_a_curve_through_points_of_a_circle_is_nearly_the_circle():
    oval = CONTOURS[0]
    angle = np.linspace(0, 2 * np.pi, len(oval.indices), endpoint=False)
    radius = np.linalg.norm(curve(oval, 4) @ np.stack([np.cos(angle), np.sin(angle)], axis=1), axis=1)
    chord = np.cos(np.pi / len(oval.indices))
    assert np.abs(radius - 1).max() < 0.2 * (1 - chord), "far nearer to it than straight lines"


@pytest.mark.parametrize(("size", "steps"), [(37, 1), (290, 2), (600, 3), (1500, 4)])
def test_large_faces_get_finer_curves(size, steps):
    assert curve_steps(size) == steps
