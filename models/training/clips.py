"""A network's file on recordings: is it calm from frame to frame, and do people end where they end?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.errors import ModelError
from models.training.metrics import aligned
from models.training.outlines import outline_distances
from models.training.pictures import resized

SIZE_HW: Final = (480, 640)
"""Distances are in pixels of this size, whatever the clip's."""
STILL: Final = 3
"""Levels (of 255) that a still pixel changes by at most."""


Map = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""From a picture of any size, uint8 (h, w, 3) BGR, to a map of some size."""


class OnnxNetwork:
    """A network with one input and one output, on one thread.

    Parameters
    ----------
    path : Path
        Takes uint8 (1, h, w, 3) BGR or float32 (1, 3, h, w) RGB in 0..255; gives one map.

    Raises
    ------
    ModelError
        If there is no such file.
    """

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        if not path.is_file():
            raise ModelError(f"the network {path} cannot be found")
        self._session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
        (entry,) = self._session.get_inputs()
        self._name, self._planar = entry.name, entry.shape[1] == 3
        self.size = tuple(entry.shape[2:4] if self._planar else entry.shape[1:3])

    def tensor(self, image_bgr: NDArray[np.uint8]) -> NDArray[Any]:
        """Return a picture as the network takes it, stretched to its input."""
        image = resized(image_bgr, self.size)
        if self._planar:
            return np.ascontiguousarray(image[:, :, ::-1].transpose(2, 0, 1)[None], np.float32)
        return image[None]

    def run(self, tensor: NDArray[Any]) -> NDArray[np.float32]:
        """Return the map of what `tensor` gave."""
        return self._session.run(None, {self._name: tensor})[0][0, 0]

    def __call__(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the map of a picture of any size, at the network's size."""
        return self.run(self.tensor(image_bgr))


@dataclass(frozen=True)
class ClipFigures:
    """What a clip says about one network.

    Parameters
    ----------
    change, change_still : float
        Mean change from frame to frame, aligned, in percent of the range: of all pixels, and of those where the picture
        itself hardly changes.
    edge_px, edge_found : float
        Median distance of the depth step from the person's outline, at 640x480, and the share of the outline that has
        a step; not a number and 0 without a person.
    frames : int
        How many were looked at.
    """

    change: float
    change_still: float
    edge_px: float
    edge_found: float
    frames: int


def frames(path: Path, every: int = 1) -> Iterator[NDArray[np.uint8]]:
    """Yield a clip's frames, uint8 (h, w, 3) BGR.

    Raises
    ------
    ModelError
        If it cannot be opened.
    """
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise ModelError(f"the clip {path} cannot be opened")
    try:
        index = 0
        while True:
            read, image = capture.read()
            if not read:
                return
            if index % every == 0:
                yield np.asarray(image, np.uint8)
            index += 1
    finally:
        capture.release()


def clip_figures(path: Path, network: Map, segment: Map, limit: int = 120) -> ClipFigures:
    """Return the figures of the first `limit` frames of a clip; outlines of every tenth.

    Raises
    ------
    ModelError
        If the clip cannot be opened or has fewer than two frames.
    """
    changes, still_changes, spans, distances, found = [], [], [], [], []
    before: tuple[NDArray[np.uint8], NDArray[np.float32]] | None = None
    count = 0
    for count, image in enumerate(frames(path), 1):
        depth = network(image)
        small = resized(image, depth.shape)
        spans.append(float(np.subtract(*np.percentile(depth, (98, 2)))))
        if before is not None:
            change = np.abs(aligned(depth, before[1]) - before[1])
            still = np.abs(small.astype(np.int16) - before[0]).max(2) <= STILL
            changes.append(float(change.mean()))
            if still.any():
                still_changes.append(float(change[still].mean()))
        before = small, depth
        if count % 10 == 1:
            there, share = outline_distances(resized(depth, SIZE_HW), resized(segment(image), SIZE_HW))
            distances.append(np.abs(there))
            found.append(share)
        if count >= limit:
            break
    if count < 2:
        raise ModelError(f"the clip {path} has fewer than two frames")
    span = float(np.median(spans)) / 100
    edges = np.concatenate(distances)
    edge = float(np.median(edges)) if len(edges) else float("nan")
    calm = float(np.mean(still_changes)) / span if still_changes else float("nan")
    return ClipFigures(float(np.mean(changes)) / span, calm, edge, float(np.mean(found)), count)


def speed_ratio(network: OnnxNetwork, teacher: OnnxNetwork, rounds: int = 200) -> tuple[float, float, float]:
    """Return the median milliseconds of network and teacher, run in turn, and how many times the network is as fast.

    The time is that of this thread on the processor, so that what else runs on the machine matters less.
    """
    image = np.random.default_rng(3).integers(0, 256, (*SIZE_HW, 3), np.uint8)
    pairs = [(network, network.tensor(image)), (teacher, teacher.tensor(image))]
    times: list[list[float]] = [[], []]
    for _ in range(rounds):
        for taken, (one, tensor) in zip(times, pairs, strict=True):
            begun = time.thread_time()
            one.run(tensor)
            taken.append((time.thread_time() - begun) * 1e3)
    ours, theirs = (float(np.median(taken[rounds // 10 :])) for taken in times)
    return ours, theirs, theirs / ours
