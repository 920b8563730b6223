"""Agreement of two pipelines, against closed forms and SciPy's rank correlation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from models.results import DepthMap, Face, FaceLandmarks, SegmentationMask
from pipelines.compare import agreement, spearman
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult

FRAME = Frame(np.zeros((120, 160, 3), np.uint8))


def face(shift=(0.0, 0.0), points=478, at=(40.0, 30.0)):
    rng = np.random.default_rng(5)
    xyz = np.concatenate([rng.uniform(0, 50, (points, 2)), np.zeros((points, 1))], 1).astype(np.float32)
    xyz[33, :2], xyz[263, :2] = (10, 20), (40, 20)  # 30 px apart
    xyz[:, :2] += np.float32(at) + np.float32(shift)
    box = np.concatenate([xyz[:, :2].min(0), xyz[:, :2].max(0)]).astype(np.float32)
    return Face(0.9, box, xyz)


def result(frame=FRAME, **results):
    return FrameResult(frame, results, {}, 1.0, {})


def mask(columns):
    alpha = np.zeros((120, 160), np.uint8)
    alpha[:, columns] = 255
    return SegmentationMask(alpha, float(alpha.mean() / 255))


def depth(values):
    return DepthMap(np.asarray(values, np.float32), (160, 120), 1.0, 0.0)


def test_equal_results_agree_fully():
    one = result(face=FaceLandmarks((face(),)), segmentation=mask(slice(0, 80)), depth=depth(np.eye(64)))
    found = agreement(one, one)
    assert (found.landmark_px, found.mask_iou, found.overall) == (0.0, 1.0, 1.0)
    assert found.depth_rank == pytest.approx(1.0)
    assert not found.faces_differ


def test_a_shift_is_told_in_pixels_and_in_eye_distances():
    found = agreement(result(face=FaceLandmarks((face(),))), result(face=FaceLandmarks((face((3.0, 4.0)),))))
    assert found.landmark_px == pytest.approx(5.0, rel=1e-4)
    assert found.landmark_of_eyes == pytest.approx(5.0 / 30.0, rel=1e-4)
    assert found.overall == pytest.approx(1 - 5.0 / 30.0, rel=1e-4)
    assert found.mask_iou is None


def test_meshes_of_different_size_are_compared_where_both_have_points():
    found = agreement(result(face=FaceLandmarks((face(),))), result(face=FaceLandmarks((face(points=468),))))
    assert found.landmark_px is not None


def test_faces_are_paired_by_place_not_by_order():
    left, right = face(), face(at=(100.0, 30.0))
    found = agreement(result(face=FaceLandmarks((left, right))), result(face=FaceLandmarks((right, left))))
    assert found.landmark_px == 0.0
    assert not found.faces_differ


@pytest.mark.parametrize("others", [(), (face(at=(100.0, 60.0)),)])
def test_a_face_that_only_one_found_is_no_agreement(others):
    found = agreement(result(face=FaceLandmarks((face(),))), result(face=FaceLandmarks(others)))
    assert found.faces_differ
    assert found.overall == 0.0


def test_nobody_on_both_sides_leaves_nothing_to_compare():
    found = agreement(result(face=FaceLandmarks()), result(face=FaceLandmarks()))
    assert found.overall is None
    assert not found.faces_differ


def test_mask_overlap_is_intersection_over_union():
    found = agreement(result(segmentation=mask(slice(0, 80))), result(segmentation=mask(slice(40, 120))))
    assert found.mask_iou == pytest.approx(40 / 120)
    assert agreement(
        result(segmentation=mask(slice(0, 0))), result(segmentation=mask(slice(0, 0)))
    ).mask_iou == pytest.approx(1.0)


def test_depth_is_compared_by_rank_not_by_scale():
    ramp = np.linspace(0, 1, 64 * 64).reshape(64, 64)
    assert agreement(result(depth=depth(ramp)), result(depth=depth(3 * ramp**3))).depth_rank == pytest.approx(1.0)
    assert agreement(result(depth=depth(ramp)), result(depth=depth(-ramp))).depth_rank == pytest.approx(-1.0)
    assert agreement(result(depth=depth(ramp)), result(depth=depth(-ramp))).overall == 0.0


@given(
    hnp.arrays(np.float32, 40, elements=st.integers(0, 12).map(float)),
    hnp.arrays(np.float32, 40, elements=st.integers(0, 12).map(float)),
)
def test_rank_correlation_equals_scipys_with_ties(a, b):
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert spearman(a, b) == (1.0 if len(set(a)) == len(set(b)) else 0.0)
    else:
        assert spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-9)


def test_results_of_different_frames_are_refused():
    other = Frame(np.zeros((120, 160, 3), np.uint8), 1)
    with pytest.raises(ValueError, match="different frames"):
        agreement(result(face=FaceLandmarks()), result(other, face=FaceLandmarks()))
