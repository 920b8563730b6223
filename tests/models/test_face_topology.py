"""The index tables: complete, closed, and what lies where on a real face's mirror symmetry."""

import numpy as np
import pytest

from models import face_topology as topology


@pytest.mark.parametrize("contour", [*topology.CONTOURS, *topology.IRISES], ids=lambda contour: contour.name)
def test_contours_have_no_point_twice(contour: topology.Contour) -> None:
    assert len(set(contour.indices)) == len(contour.indices) > 3
    limit = 478 if contour in topology.IRISES else 468
    assert all(0 <= index < limit for index in contour.indices)


def test_left_and_right_do_not_share_points() -> None:
    left = {*topology.EYE_LEFT.indices, *topology.BROW_LEFT.indices, *topology.IRIS_LEFT.indices}
    right = {*topology.EYE_RIGHT.indices, *topology.BROW_RIGHT.indices, *topology.IRIS_RIGHT.indices}
    assert not left & right
    assert len(left) == len(right)


def test_triangles_have_three_corners_within_the_mesh() -> None:
    triangles = topology.triangles()
    assert triangles.dtype == np.int32
    assert len(triangles) > 700
    assert (np.diff(np.sort(triangles, axis=1), axis=1) > 0).all()
    assert triangles.min() >= 0
    assert triangles.max() < 468


def test_the_surface_has_four_borders() -> None:
    """Sides of one triangle only are the borders: the oval, two eyes, the lips. No other holes, nothing twice."""
    triangles = topology.triangles()
    sides = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    unique, counts = np.unique(sides, axis=0, return_counts=True)
    assert counts.max() == 2
    border = {tuple(side) for side in unique[counts == 1].tolist()}
    rings = set()
    for contour in (topology.FACE_OVAL, topology.EYE_LEFT, topology.EYE_RIGHT, topology.LIPS_OUTER):
        ring = contour.indices
        rings |= {tuple(sorted(pair)) for pair in zip(ring, (*ring[1:], ring[0]), strict=True)}
    assert border == rings
    np.testing.assert_array_equal(topology.edges(), unique)


def test_tables_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        topology.triangles()[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        topology.edges()[0, 0] = 1
