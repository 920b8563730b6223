"""The pose of a head, and what it wears."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.results import Face, FaceLandmarks
from pipelines.config import PipelineConfig
from pipelines.frame import Frame
from pipelines.overlay.faces import draw_face
from pipelines.overlay.pose import CHEEKS, CHIN, FOREHEAD, LEFT_EYE, RIGHT_EYE, head_pose
from pipelines.overlay.stickers import STICKERS, shapes_of
from pipelines.overlay.style import FaceStyle
from pipelines.pipeline import Pipeline

FACES = Path(__file__).parents[3].parent / "shared/media/faces"


def rotation(yaw, pitch, roll):
    """Looks to the picture's right by `yaw`, up by `pitch`, and leans clockwise by `roll`, in degrees."""
    a, b, c = np.radians([-yaw, -pitch, roll])
    around_y = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    around_x = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    around_z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return around_z @ around_y @ around_x


def face(yaw=0.0, pitch=0.0, roll=0.0, size=100.0, at=(320.0, 240.0), count=478):
    """A flat face as wide as `size`, turned; everything but what a pose is made of lies between the eyes."""
    marks = np.zeros((count, 3))
    marks[list(RIGHT_EYE)] = [(-0.32, 0, 0), (-0.14, 0, 0)]
    marks[list(LEFT_EYE)] = [(0.14, 0, 0), (0.32, 0, 0)]
    marks[FOREHEAD], marks[CHIN] = (0, -0.45, 0), (0, 0.75, 0)
    marks[CHEEKS[0]], marks[CHEEKS[1]] = (-0.5, 0, 0), (0.5, 0, 0)
    turned = size * marks @ rotation(yaw, pitch, roll).T + np.array([*at, 0])
    low, high = turned.min(axis=0), turned.max(axis=0)
    return Face(0.9, np.float32([*low[:2], *high[:2]]), turned.astype(np.float32), 1)


@pytest.mark.parametrize("yaw", [-50, 0, 35])
@pytest.mark.parametrize("pitch", [-25, 0, 30])
@pytest.mark.parametrize("roll", [-40, 0, 15])
def test_the_pose_is_that_by_which_the_face_was_turned(yaw, pitch, roll):
    pose = head_pose(face(yaw, pitch, roll))
    np.testing.assert_allclose(pose.axes.T, rotation(yaw, pitch, roll), atol=1e-5)
    assert pose.width == pytest.approx(100, rel=1e-4)
    assert pose.height == pytest.approx(120, rel=1e-4)
    if pitch == roll == 0:
        assert pose.yaw == pytest.approx(yaw, abs=1e-3)
    if yaw == roll == 0:
        assert pose.pitch == pytest.approx(pitch, abs=1e-3)
    if yaw == pitch == 0:
        assert pose.roll == pytest.approx(roll, abs=1e-3)


def test_a_point_of_the_head_is_where_the_head_is():
    pose = head_pose(face(at=(10.0, 20.0)))
    assert pose.point(0, 0) == pytest.approx((10, 20))
    assert pose.point(0.5, 0.25, 3.0) == pytest.approx((60, 45))
    turned = head_pose(face(yaw=90 - 1e-3, at=(0.0, 0.0)))
    assert turned.point(0, 0, -1.0) == pytest.approx((100, 0), abs=0.1)  # what is in front is at the right


def test_the_mirror_turns_the_pose_around():
    one = face(30, 10, 20)
    marks = one.landmarks.copy()
    marks[:, 0] = 639 - marks[:, 0]
    pose, other = head_pose(one), head_pose(Face(0.9, one.box_xyxy, marks, 1))
    assert (other.yaw, other.pitch, other.roll) == pytest.approx((-pose.yaw, pose.pitch, -pose.roll), abs=1e-3)


def test_without_the_mesh_there_is_no_pose():
    assert head_pose(Face(0.9, np.float32([0, 0, 1, 1]), np.zeros((68, 3), np.float32))) is None
    assert head_pose(Face(0.9, np.float32([0, 0, 1, 1]), np.zeros((478, 3), np.float32))) is None


@pytest.mark.parametrize("style", STICKERS)
@pytest.mark.parametrize("turn", [(0, 0, 0), (35, 0, 0), (0, -25, 0), (0, 30, 10), (-60, 10, -30)])
def test_stickers_scale_and_move_with_the_face(style, turn):
    small = shapes_of(head_pose(face(*turn)), style)
    large = shapes_of(head_pose(face(*turn, size=300.0, at=(50.0, 60.0))), style)
    assert len(small) == len(large) >= 4
    for one, other in zip(small, large, strict=True):
        assert (one.colour, one.opacity, one.closed) == (other.colour, other.opacity, other.closed)
        for end in (np.min, np.max):
            np.testing.assert_allclose(
                end(other.points, axis=0) - (50, 60), 3 * (end(one.points, axis=0) - (320, 240)), atol=0.05
            )
        assert np.isfinite(one.points).all()


def changed(style, turn=(0, 0, 0), opacity=1.0):
    image = np.full((480, 640, 3), 200, np.uint8)
    draw_face(image, face(*turn), style, opacity, 1.0)
    return np.argwhere((image != 200).any(axis=2)), image


def test_glasses_are_over_the_eyes_and_the_hat_above_the_brows():
    where, image = changed(FaceStyle.GLASSES)
    assert abs(where[:, 1].mean() - 320) < 1
    assert abs(where[:, 0].mean() - 240) < 5
    assert image[240, 320 - 23].max() < 150  # on a lens
    where, _ = changed(FaceStyle.HAT)
    assert abs(where[:, 1].mean() - 320) < 1
    assert where[:, 0].max() < 240 - 20
    assert where[:, 0].min() < 240 - 90


def test_the_temple_on_the_far_side_is_hidden():
    frontal = len(shapes_of(head_pose(face()), FaceStyle.GLASSES))
    assert len(shapes_of(head_pose(face(yaw=30)), FaceStyle.GLASSES)) == frontal - 1
    where, _ = changed(FaceStyle.GLASSES, (40, 0, 0))
    # The face looks to the right: the temple goes to the left, to the ear that is seen.
    assert 320 - where[:, 1].min() > 1.2 * (where[:, 1].max() - 320)


def test_the_hat_shows_its_top_when_the_head_bows():
    bowed, raised = (shapes_of(head_pose(face(pitch=pitch)), FaceStyle.HAT) for pitch in (-30, 20))
    assert len(bowed) != len(raised)


def test_opacity():
    _, half = changed(FaceStyle.HAT, opacity=0.5)
    _, full = changed(FaceStyle.HAT)
    difference = np.abs((half.astype(int) - 200) * 2 - (full.astype(int) - 200))
    assert np.percentile(difference, 99.5) <= 4
    where, _ = changed(FaceStyle.HAT, opacity=0.0)
    assert not len(where)


@pytest.mark.parametrize("style", STICKERS)
def test_a_face_at_the_edge_is_no_trouble(style):
    image = np.zeros((60, 60, 3), np.uint8)
    for at in ((-500.0, -500.0), (0.0, 0.0), (59.0, 30.0), (1e5, 1e5)):
        draw_face(image, face(at=at), style, 1.0, 1.0)
    few = Face(0.9, np.float32([10, 10, 30, 30]), np.full((68, 3), 20, np.float32))
    draw_face(image, few, style, 1.0, 1.0)
    assert image.max() > 0


@pytest.mark.media
@pytest.mark.skipif(not FACES.is_dir(), reason="the pictures are not here")
def test_on_a_real_face_the_lenses_cover_the_eyes():
    """The eyes' contours, as the model finds them, lie inside of the glasses."""
    image = cv2.imread(str(FACES / "2008_001322.jpg"))
    with_face = Pipeline(PipelineConfig(tasks=("face",), pipeline="cpu", max_faces=3))
    found = with_face.process(Frame(image, 0, 0.0, "picture")).results["face"]
    with_face.close()
    assert isinstance(found, FaceLandmarks)
    assert len(found.faces) == 3
    for one in found.faces:
        lenses = [s for s in shapes_of(head_pose(one), FaceStyle.GLASSES) if not s.line and s.opacity == 0.45]
        assert len(lenses) == 2
        for eye in ((33, 133, 159, 145), (362, 263, 386, 374)):
            for index in eye:
                x, y, _ = (float(value) for value in one.landmarks[index])
                assert any(cv2.pointPolygonTest(s.points.astype(np.float32), (x, y), False) > 0 for s in lenses)
