"""The three custom operators of the attention mesh, as this package's own operators.

The network computes a coarse mesh, cuts three 16x16 crops out of a feature map at places that the mesh gives (lips and
both eyes), and refines the points of those places with five small heads. Three operators that plain TensorFlow Lite
does not have do the cutting:

Landmarks2TransformMatrix
    From mesh points to the affine map of a crop. Its axis runs from one given point to another; the box of a given
    subset of points, measured along that axis and enlarged, is the crop.
TransformTensorBilinear
    Bilinear samples of the feature map under that map. A sample outside the map is zero altogether.
TransformLandmarks
    Points of a crop back into the frame of the mesh, by the same map times a constant, element by element.

An affine map A takes a crop's pixel (u, v) to the feature map. It is kept as a 2x3 matrix; the published 4x4 form has
nothing else in it but a row and a column for z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flatbuffers import flexbuffers
from numpy.typing import NDArray

from models.convert.graph import Graph, Op
from models.errors import ModelError

MESH_POINTS = 468
IRIS_POINTS = 5
EYE_RING = 16
"""The first points of an eye's subset are its contour; their mean depth is the depth of the iris."""


@dataclass(frozen=True)
class CropTransform:
    """Options of Landmarks2TransformMatrix.

    Parameters
    ----------
    axis : tuple of int
        The two points between which the crop's axis runs.
    subset : tuple of int
        The points that the crop is about.
    scale_xy : tuple of float
        Side of the crop over side of the points' box.
    size_wh : tuple of float
        Size of the crop in its own pixels.
    """

    axis: tuple[int, int]
    subset: tuple[int, ...]
    scale_xy: tuple[float, float]
    size_wh: tuple[float, float]


def read_crop_transform(op: Op) -> CropTransform:
    """Decode the options of a Landmarks2TransformMatrix.

    Raises
    ------
    ModelError
        If they ask for a rotation that is not along the axis, which no known model does.
    """
    values = flexbuffers.Loads(op.custom)
    if values["target_rotation_radians"] != 0:
        raise ModelError("a crop transform with a target rotation is not supported")
    return CropTransform(
        axis=(values["left_rotation_idx"], values["right_rotation_idx"]),
        subset=tuple(int(index) for index in values["subset_idxs"]),
        scale_xy=(values["scale_x"], values["scale_y"]),
        size_wh=(float(values["output_width"]), float(values["output_height"])),
    )


def read_crop_size(op: Op) -> tuple[int, int]:
    """Width and height of a TransformTensorBilinear's result."""
    values = flexbuffers.Loads(op.custom)
    return int(values["output_width"]), int(values["output_height"])


@dataclass
class Crops(Op):
    """All crops at once: feature map and mesh in; crops (one behind the other along the channels) and affines out."""

    transforms: tuple[CropTransform, ...] = ()
    scale: float = 1.0
    """Mesh coordinates times this are feature map coordinates."""


@dataclass
class Select(Op):
    """Some of the equal parts into which the channels fall."""

    positions: tuple[int, ...] = ()
    parts: int = 1


@dataclass(frozen=True)
class Head:
    """What a refinement head is for.

    Parameters
    ----------
    crop : int
        Which crop it looks at.
    scale : ndarray, shape (2, 3)
        What the crop's affine is multiplied by, element by element, to lead into the mesh's frame.
    points : int
        How many points it gives.
    """

    crop: int
    scale: NDArray[np.float32]
    points: int


@dataclass
class Refine(Op):
    """Mesh, the heads' numbers and the affines in; the finished 478 points out."""

    heads: tuple[Head, ...] = ()
    transforms: tuple[CropTransform, ...] = ()
    slots: int = 0
    """Points that each head has room for."""


def shrink_affines(graph: Graph) -> None:
    """Bring the constant factor of every affine into the 2x3 form in which this package keeps affines."""
    affines = {op.outs[0] for op in graph.ops if op.kind == "Landmarks2TransformMatrix"}
    for op in graph.ops:
        if op.kind == "MUL" and op.ins[0] in affines and op.ins[1] in graph.const:
            full = graph.const[op.ins[1]].reshape(4, 4)
            graph.const[op.ins[1]] = np.ascontiguousarray(full[:2][:, [0, 1, 3]])
            graph.shape[op.outs[0]] = [2, 3]


def refinement_plan(
    heads: tuple[Head, ...], transforms: tuple[CropTransform, ...], slots: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Where each of the 478 points comes from.

    Parameters
    ----------
    heads : tuple of Head
        One each for lips, left eye, right eye, left iris and right iris, left before right.
    transforms : tuple of CropTransform
        One a crop.
    slots : int
        Points that each head has room for.

    Returns
    -------
    pick : ndarray of int64, shape (478,)
        For x and y: an index into the mesh's 468 points followed by `slots` points a head.
    iris_depth : ndarray of float32, shape (10, 468)
        z of the irises is this matrix times z of the mesh; all other z are the mesh's own.
    """
    irises = sum(head.points == IRIS_POINTS for head in heads) * IRIS_POINTS
    pick = np.arange(MESH_POINTS + irises)
    iris_depth = np.zeros((irises, MESH_POINTS), np.float32)
    done = 0
    for number, head in enumerate(heads):
        base = MESH_POINTS + number * slots
        subset = list(transforms[head.crop].subset)
        if head.points == len(subset):
            pick[subset] = base + np.arange(head.points)
        else:
            pick[MESH_POINTS + done : MESH_POINTS + done + head.points] = base + np.arange(head.points)
            iris_depth[done : done + head.points, subset[:EYE_RING]] = 1 / EYE_RING
            done += head.points
    return pick.astype(np.int64), iris_depth
