"""Results made by hand."""

import numpy as np

from models.results import DepthMap, Face, FaceLandmarks, SegmentationMask
from pipelines.frame import Frame
from pipelines.pipeline import FrameResult
from pipelines.timing import StageTimes


def make_face(x=10.0, points=478, score=0.98765):
    landmarks = np.empty((points, 3), np.float32)
    landmarks[:] = np.array([x, 20.126, -3.5], np.float32)
    landmarks[:, 0] += np.arange(points, dtype=np.float32)
    return Face(score, np.array([x, 1.0, x + 100.123, 50.0], np.float32), landmarks)


def make_result(index=0, time_s=0.0, size_wh=(64, 48), faces=(), tasks=("face", "segmentation", "depth"), fill=0):
    width, height = size_wh
    frame = Frame(np.full((height, width, 3), fill, np.uint8), index, time_s, "test")
    results = {}
    if "face" in tasks:
        results["face"] = FaceLandmarks(tuple(faces))
    if "segmentation" in tasks:
        alpha = np.zeros((height, width), np.uint8)
        alpha[:, : width // 4] = 255
        results["segmentation"] = SegmentationMask(alpha, 0.25)
    if "depth" in tasks:
        ramp = np.tile(np.linspace(0.0, 1.0, 32, dtype=np.float32), (20, 1))
        results["depth"] = DepthMap(ramp, size_wh, near=1.0, far=0.0)
    times = {}
    for number, task in enumerate(results, 1):
        times[task] = StageTimes()
        times[task].ms = {"inference": number + 0.1234567}
    return FrameResult(frame, results, times, 6.5, dict.fromkeys(results, "ort-cpu"))
