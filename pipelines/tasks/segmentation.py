"""Where the people are: a confidence map from a small network, steadied over time, with an edge from the picture."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models import selfie
from models.manifest import Manifest
from models.results import SegmentationMask
from models.soft_mask import SoftMask
from pipelines.backends.base import Session, SessionReport
from pipelines.config import RunningMode
from pipelines.frame import Frame
from pipelines.matting import GAIN_AFTER, GAIN_BEFORE, contrast, refined
from pipelines.state import State, take_size, take_state
from pipelines.tasks.base import TASK_REGISTRY, TaskContext
from pipelines.temporal import MapSmoother
from pipelines.timing import StageTimes

ROLE: Final = "mask"
TIME_CONSTANT_S: Final = 0.12
STILL: Final = 0.08
MOVING: Final = 0.3
"""Confidence changes of a person who sits still stay below the first, those at the edge of one who moves exceed the
second within a frame or two."""
GRID_SHARE: Final = 2
"""The guided filter's grid is the network's, halved: as good as the full one, a quarter of the work."""


@TASK_REGISTRY.register("segmentation")
class SegmentationTask:
    """Person mask of pictures or of a video.

    Parameters
    ----------
    context : TaskContext
        Configuration and backend. Role of its model: "mask". Unless the configuration names one, wide frames go to
        `selfie_landscape`, portrait and square ones to `selfie_square`, which is loaded when the first of them comes.

    Raises
    ------
    VisionError
        If the model is damaged, made for another role, or refused by the backend.

    Notes
    -----
    In VIDEO mode, unless `smooth` is off, the confidence is steadied before the edge is refined: the edge itself always
    comes from the newest picture. It is refined when somebody asks for the mask's pixels, not before.
    """

    name = "segmentation"

    def __init__(self, context: TaskContext) -> None:
        self._context = context
        self._pinned = ROLE in context.config.models
        self._models: dict[str, tuple[Manifest, Session]] = {}
        self._current = self._open(context.config.models.get(ROLE, "selfie_landscape"))
        steady = context.config.smooth and context.config.mode is RunningMode.VIDEO
        self._smoother = MapSmoother(TIME_CONSTANT_S, STILL, MOVING) if steady else None
        self._size_wh: tuple[int, int] | None = None

    def _open(self, name: str) -> str:
        if name not in self._models:
            self._models[name] = self._context.open_model(ROLE, name)
        return name

    def process(self, frame: Frame, times: StageTimes) -> SegmentationMask:
        """Return the mask of one frame (see `Task`).

        Raises
        ------
        BackendError
            If the model failed.
        ModelError
            If the network for this shape of frame is damaged, or its output has another shape than expected.
        """
        if frame.size_wh != self._size_wh:
            self.reset()
            self._size_wh = frame.size_wh
            if not self._pinned:
                self._current = self._open(selfie.model_for(frame.size_wh))
        manifest, session = self._models[self._current]
        input_wh = manifest.input.size_wh
        with times.stage("preprocess"):
            tensor = selfie.preprocess(frame.image_bgr, input_wh)
        with times.stage("inference"):
            mask = session.run(tensor)["mask"]
        with times.stage("decode"):
            coarse = on_grid(selfie.decode(mask, manifest.output("mask").size_wh), frame.size_wh)
            if self._smoother is not None:
                coarse = self._smoother.update(coarse, frame.timestamp_s)
            # The pixels are a matter of whoever draws or stores them (see `SegmentationMask`).
            edges = Edges(coarse, tensor[0], frame.image_bgr)
            return SegmentationMask(edges.pixels, coverage_of(coarse), edges.soften)

    def reset(self) -> None:
        """Forget earlier frames (see `Task`)."""
        if self._smoother is not None:
            self._smoother.reset()

    def state(self) -> State:
        """Everything that earlier frames left behind (see `Task`)."""
        return {
            "size_wh": self._size_wh,
            "model": self._current,
            "smoother": self._smoother.state() if self._smoother is not None else None,
        }

    def restore(self, state: State) -> None:
        """Go on from a `state` (see `Task`)."""
        self._size_wh = take_size(state, "size_wh")
        if not self._pinned:
            self._current = self._open(str(state.get("model")))
        if self._smoother is not None:
            self._smoother.restore(take_state(state, "smoother"))

    def close(self) -> None:
        """Release the models (see `Task`)."""
        for _, session in self._models.values():
            session.close()

    @property
    def reports(self) -> tuple[SessionReport, ...]:
        """One report for each network that was loaded, the one in use first."""
        others = (session for name, (_, session) in self._models.items() if name != self._current)
        return (self._models[self._current][1].report, *(session.report for session in others))


def on_grid(confidence: NDArray[np.float32], frame_wh: tuple[int, int]) -> NDArray[np.float32]:
    """Move a confidence map (h, w) from the network's grid to the guided filter's, whose cells share the frame."""
    h, w = confidence.shape
    width, height = frame_wh
    grid_wh = (max(1, min(w // GRID_SHARE, width)), max(1, min(h // GRID_SHARE, height)))
    return selfie.to_frame(confidence, frame_wh, grid_wh)


def coverage_of(coarse: NDArray[np.float32]) -> float:
    """Return the share of a person, in [0, 1], of a confidence map, with the contrast that the mask has in the end."""
    return float(cv2.mean(contrast(coarse, GAIN_BEFORE * GAIN_AFTER))[0])


class Edges:
    """What a mask is made of, until somebody wants to see it.

    Parameters
    ----------
    coarse : ndarray of float32, shape (h, w)
        From `on_grid`, in [0, 1].
    seen_bgr : ndarray of uint8, shape (network's height, network's width, 3)
        What the network looked at.
    image_bgr : ndarray of uint8, shape (H, W, 3)
        The frame.
    """

    def __init__(self, coarse: NDArray[np.float32], seen_bgr: NDArray[np.uint8], image_bgr: NDArray[np.uint8]) -> None:
        self._coarse, self._seen, self._image = coarse, seen_bgr, image_bgr
        self._whole: SoftMask | None = None

    def soften(self, first: int, end: int) -> SoftMask:
        """Return the mask of some columns of the frame, its edge refined; the whole is made once."""
        height, width = self._image.shape[:2]
        is_whole = (first, end) == (0, width)
        if is_whole and self._whole is not None:
            return self._whole
        rows, columns = self._coarse.shape
        guide = selfie.to_frame(self._seen, (width, height), (columns, rows))
        found = refined(self._coarse, guide, self._image, first, end)
        if is_whole:
            self._whole = found
        return found

    def pixels(self) -> NDArray[np.uint8]:
        """Return the mask at the size of the frame, uint8 (H, W)."""
        return self.soften(0, self._image.shape[1]).pixels()
