"""How near everything is: relative inverse depth, and a range for showing it that does not pump."""

from __future__ import annotations

from typing import Final

from models import depth
from models.results import DepthMap
from pipelines.backends.base import SessionReport
from pipelines.config import RunningMode
from pipelines.frame import Frame
from pipelines.state import State, take_size, take_state
from pipelines.tasks.base import TASK_REGISTRY, TaskContext
from pipelines.temporal import MapSmoother, RangeSmoother
from pipelines.timing import StageTimes

TIME_CONSTANT_S: Final = 0.12
STILL: Final = 0.02
MOVING: Final = 0.06
"""In the network's unit (a scene spans about 0.5 to 1)."""
RANGE_TIME_CONSTANT_S: Final = 2.0
"""Long enough that a hand passing the camera does not change everybody's colour, short enough that a new scene has its
full range of colours after a few seconds."""


@TASK_REGISTRY.register("depth")
class DepthTask:
    """Inverse depth of pictures or of a video.

    Parameters
    ----------
    context : TaskContext
        Configuration and backend. Role of its model: "depth" (default `depth_v2`).

    Raises
    ------
    VisionError
        If the model is damaged, made for another role, or refused by the backend.

    Notes
    -----
    `near` and `far` of the result are robust percentiles. In VIDEO mode they follow the picture slowly, also when
    `smooth` is off: they only decide how the map is shown, and a range of its own for every frame is what makes colours
    flicker. `smooth` steadies the map itself. In IMAGE mode every picture stands alone.
    """

    name = "depth"

    def __init__(self, context: TaskContext) -> None:
        self._manifest, self._session = context.open_model("depth", "depth_v2")
        video = context.config.mode is RunningMode.VIDEO
        self._range = RangeSmoother(RANGE_TIME_CONSTANT_S) if video else None
        self._smoother = MapSmoother(TIME_CONSTANT_S, STILL, MOVING) if video and context.config.smooth else None
        self._size_wh: tuple[int, int] | None = None

    def process(self, frame: Frame, times: StageTimes) -> DepthMap:
        """Return the depth of one frame (see `Task`).

        Raises
        ------
        BackendError
            If the model failed.
        ModelError
            If its output has another shape than expected.
        """
        if frame.size_wh != self._size_wh:
            self.reset()
            self._size_wh = frame.size_wh
        input_wh = self._manifest.input.size_wh
        with times.stage("preprocess"):
            tensor = depth.preprocess(frame.image_bgr, input_wh)
        with times.stage("inference"):
            output = self._session.run(tensor)["depth"]
        with times.stage("decode"):
            inverse_depth = depth.decode(output, self._manifest.output("depth").size_wh)
            if self._smoother is not None:
                inverse_depth = self._smoother.update(inverse_depth, frame.timestamp_s)
            near, far = depth.robust_range(inverse_depth)
            if self._range is not None:
                near, far = self._range.update(near, far, frame.timestamp_s)
            return DepthMap(inverse_depth, frame.size_wh, near, far)

    def reset(self) -> None:
        """Forget earlier frames (see `Task`)."""
        if self._range is not None:
            self._range.reset()
        if self._smoother is not None:
            self._smoother.reset()

    def state(self) -> State:
        """Everything that earlier frames left behind (see `Task`)."""
        return {
            "size_wh": self._size_wh,
            "range": self._range.state() if self._range is not None else None,
            "smoother": self._smoother.state() if self._smoother is not None else None,
        }

    def restore(self, state: State) -> None:
        """Go on from a `state` (see `Task`)."""
        self._size_wh = take_size(state, "size_wh")
        if self._range is not None:
            self._range.restore(take_state(state, "range"))
        if self._smoother is not None:
            self._smoother.restore(take_state(state, "smoother"))

    def close(self) -> None:
        """Release the model (see `Task`)."""
        self._session.close()

    @property
    def reports(self) -> tuple[SessionReport, ...]:
        """The report of the network (see `Task`)."""
        return (self._session.report,)
