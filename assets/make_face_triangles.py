"""Make assets/face_triangles.csv: a triangulation of the 468 points of the face mesh.

``python assets/make_face_triangles.py`` (needs SciPy and scikit-image: the "test" dependencies)

The mesh is fitted to a portrait and to its mirror image; the portrait is blurred, for the mesh then shows an average
face, its smile gone. From both we learn which point is whose mirror twin, and average the face with its reflection. The
symmetrical face is unrolled onto a cylinder around the head and triangulated (Delaunay). What lies outside the face
oval or inside the eyes and the lips is left out: the lips roll inwards, which no flat map shows without folds.
"""

from __future__ import annotations

import csv
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial import Delaunay
from scipy.spatial.distance import cdist
from skimage import data

from models.face_topology import EYE_LEFT, EYE_RIGHT, FACE_OVAL, LIPS_OUTER, Contour
from pipelines.backends import get_backend
from pipelines.config import PipelineConfig, RunningMode
from pipelines.frame import Frame
from pipelines.tasks.base import TaskContext
from pipelines.tasks.face import FaceTask
from pipelines.timing import StageTimes

POINTS = 468
BLUR_PX = 4.0


def fit_both() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the landmarks (468, 3) of a portrait, and of its mirror image as they lie there."""
    image = cv2.GaussianBlur(cv2.cvtColor(data.astronaut(), cv2.COLOR_RGB2BGR), (0, 0), BLUR_PX)
    config = PipelineConfig(models={"landmarks": "face_mesh_468"}, mode=RunningMode.IMAGE, max_faces=1)
    task = FaceTask(TaskContext(config, get_backend("ort-cpu")))
    fits = []
    for picture in (image, np.ascontiguousarray(image[:, ::-1])):
        face = task.process(Frame(picture), StageTimes()).faces[0]
        fits.append(face.landmarks.astype(np.float64) - face.landmarks.mean(axis=0))
    task.close()
    return fits[0], fits[1]


def symmetrical(face: NDArray[np.float64], mirrored: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the face averaged with its reflection, upright and looking straight ahead."""
    reflected = mirrored * [-1, 1, 1]
    _, twins = linear_sum_assignment(cdist(face, reflected))
    if not np.array_equal(twins[twins], np.arange(POINTS)):
        raise SystemExit("the twins do not come in pairs: use another portrait")
    other = face[twins] * [-1, 1, 1]
    # The rotation half way between the face and its reflection (Kabsch) makes the plane of symmetry x = 0.
    u, _, vt = np.linalg.svd(face.T @ other)
    turn = (u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt).T
    vector, _ = cv2.Rodrigues(turn)
    half, _ = cv2.Rodrigues(vector / 2)
    straight = face @ half.T
    return (straight + straight[twins] * [-1, 1, 1]) / 2


def unroll(face: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return angle around an upright axis inside the head, in the unit of the points, and height: (468, 2)."""
    z = face[:, 2]
    radius = np.ptp(z)
    # A quarter of a radius behind the hindmost point, so that no point comes near the axis.
    forward = z.max() - z + radius / 4
    return np.stack([np.arctan2(face[:, 0], forward) * radius, face[:, 1]], axis=1)


def inside(contour: Contour, flat: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether points (M, 2) lie within a contour of the flat face."""
    polygon = flat[list(contour.indices)].astype(np.float32)
    return np.array([cv2.pointPolygonTest(polygon, (float(x), float(y)), False) > 0 for x, y in points])


def main() -> None:
    """Write the triangulation."""
    flat = unroll(symmetrical(*fit_both()))
    holes = (EYE_LEFT, EYE_RIGHT, LIPS_OUTER)
    # Without what lies inside the holes, nothing can tie their rims to it.
    used = np.flatnonzero(~np.any([inside(hole, flat, flat) for hole in holes], axis=0))
    triangles = np.sort(used[Delaunay(flat[used]).simplices], axis=1)
    centers = flat[triangles].mean(axis=1)
    keep = inside(FACE_OVAL, flat, centers)
    for hole in holes:
        keep &= ~inside(hole, flat, centers)
    rows = sorted(triangles[keep].tolist())
    target = Path(__file__).resolve().parent / "face_triangles.csv"
    with target.open("w", newline="", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    print(f"{len(rows)} triangles on {len(np.unique(rows))} points")


if __name__ == "__main__":
    main()
