"""Frames with hand-made results, so that it is known where which pixel has to change."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from models.results import DepthMap, Face, FaceLandmarks, SegmentationMask
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult

REFERENCE = Path(__file__).parents[2] / "data" / "mediapipe_face.json"


@cache
def unit_face(points):
    """A real face as MediaPipe found it, moved into the unit square (x, y) and with z in the same unit."""
    face = np.array(json.loads(REFERENCE.read_text())[str(points)]["plain"][0], np.float64).reshape(-1, 3)
    face[:, :2] -= face[:, :2].min(axis=0)
    return face / face[:, :2].max()


def make_face(x, y, size, points=478, score=0.98):
    """A face whose landmarks fill a square of `size` pixels at (x, y)."""
    landmarks = unit_face(points) * size + (x, y, 0)
    low, high = landmarks[:, :2].min(axis=0), landmarks[:, :2].max(axis=0)
    return Face(score, np.concatenate([low, high]).astype(np.float32), landmarks.astype(np.float32))


def noise(width, height, seed=1):
    """A picture without any two neighbours alike."""
    return np.random.default_rng(seed).integers(30, 226, (height, width, 3), dtype=np.uint8)


def disc(width, height, center, radius, soft=2.0):
    """A round person with an edge `soft` pixels wide."""
    y, x = np.mgrid[:height, :width]
    distance = np.hypot(x - center[0], y - center[1])
    return np.rint(np.clip((radius - distance) / soft + 0.5, 0, 1) * 255).astype(np.uint8)


def slope(size_wh, near=1.2, far=0.2):
    """Depth that comes nearer from left to right."""
    return DepthMap(np.tile(np.linspace(far, near, 320, dtype=np.float32), (192, 1)), size_wh, near, far)


def make_result(image, faces=None, alpha=None, depth=None):
    """A frame's results; what is None was not asked for."""
    results = {}
    if faces is not None:
        results["face"] = FaceLandmarks(tuple(faces))
    if alpha is not None:
        results["segmentation"] = SegmentationMask(alpha, float(alpha.mean() / 255))
    if depth is not None:
        results["depth"] = depth
    return FrameResult(Frame(image), results, {}, 1.0, {})


@pytest.fixture(scope="session")
def make():
    """What this file offers, for test files that cannot import it by name."""

    class Make:
        face = staticmethod(make_face)
        noise = staticmethod(noise)
        disc = staticmethod(disc)
        slope = staticmethod(slope)
        result = staticmethod(make_result)

    return Make
