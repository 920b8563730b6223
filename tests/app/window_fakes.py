"""An engine and an inventory that do what a test says: stall, fail, deliver pictures."""

import threading
from dataclasses import replace
from fractions import Fraction

import numpy as np

from app.inventory import BackendEntry, CameraEntry
from models.results import DepthMap, Face, FaceLandmarks, SegmentationMask
from pipelines.compare import CompareMode, agreement
from pipelines.engine import NOT_CHANGED, NOT_COMPARED, EngineState, EngineStatus, View
from pipelines.figures import Figures, PipelineFigures, TaskFigures
from pipelines.frame import Frame
from pipelines.overlay import Effect, OverlayStyle, draw_results, effect_on
from pipelines.pipeline import FrameResult
from pipelines.playback import Playback
from pipelines.sources.base import SourceInfo
from pipelines.timing import LatencyStats, StageTimes
from tests.patience import PATIENCE_S

CPU = BackendEntry("ort-cpu", "cpu", True, device="Test processor")
NO_GPU = BackendEntry("ort-webgpu", "gpu", False, "no GPU adapter: the Vulkan loader found no driver")
CAMERAS = (
    CameraEntry("camera:Front", "Front", ("640x480@30 MJPG", "1280x720@30 MJPG")),
    CameraEntry("camera:Back", "Back"),
)


def stats(ms):
    """Latencies that are all the same."""
    return LatencyStats(100, ms, ms + 1, ms + 2, ms + 3, ms)


def picture(width=160, height=90, seed=0):
    """A picture in which every pixel has its own colour, darker to the left."""
    rows, columns = np.mgrid[0:height, 0:width]
    blue = (columns * 255 // max(1, width - 1)).astype(np.uint8)
    green = (rows * 255 // max(1, height - 1)).astype(np.uint8)
    return np.dstack([blue, green, np.full_like(blue, seed % 251)])


def result(width=160, height=90, index=0, tasks=("face", "segmentation", "depth"), backend="ort-cpu"):
    """A frame with a person in the left half, a face on it, and depth that grows to the right."""
    frame = Frame(picture(width, height, index), index, index / 30, "fake")
    everything = {}
    if "face" in tasks:
        rng = np.random.default_rng(1)
        points = rng.uniform([0.1 * width, 0.2 * height, -1], [0.4 * width, 0.8 * height, 1], (478, 3))
        box = np.concatenate([points[:, :2].min(0), points[:, :2].max(0)]).astype(np.float32)
        everything["face"] = FaceLandmarks((Face(0.9, box, points.astype(np.float32), 1),))
    if "segmentation" in tasks:
        alpha = np.zeros((height, width), np.uint8)
        alpha[:, : width // 2] = 255
        everything["segmentation"] = SegmentationMask(alpha, 0.5)
    if "depth" in tasks:
        ramp = np.tile(np.linspace(0, 1, 32, dtype=np.float32), (20, 1))
        everything["depth"] = DepthMap(ramp, (width, height), 1.0, 0.0)
    times = {name: StageTimes() for name in everything}
    for spent in times.values():
        spent.ms.update(preprocess=0.5, inference=2.0, decode=0.25)
    return FrameResult(frame, everything, times, 3.1, dict.fromkeys(everything, backend))


def pick(combo, data):
    """Choose an entry as a user does."""
    index = combo.findData(data)
    assert index >= 0, f"{data} is not offered"
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


class FakeEngine:
    """Has the methods of `LiveEngine`; a test plays the engine's part with `deliver`, `say` and `refuse`."""

    def __init__(self, on_update):
        self.on_update = on_update
        self.calls = []
        self.started = []
        self.configs = []
        self.styles = []
        self.style = OverlayStyle()
        self.effect = Effect()
        self.divider = 0.5
        self.is_mirror = False
        self.refusal = ""
        self.comparisons = []
        self.mode = CompareMode.OFF
        self.refusal_b = ""
        self.hold_b = False
        self.hold_changes = False
        self.stop_stalls = threading.Event()
        self.stop_stalls.set()
        self.file = Playback()
        self._view = None
        self._preview = None
        self._serial = 0
        self._status = EngineStatus(EngineState.IDLE)
        self.now = Figures()

    # -- what the window calls

    def start(self, source, options, config, style, mode, config_b):
        self.calls.append("start")
        self.started.append((source, options, config, style))
        self.configs.append(config)
        self.style = style
        self._status = EngineStatus(EngineState.OPENING)
        self.mode = CompareMode.OFF
        self.on_update()
        if mode is not CompareMode.OFF:
            self.set_compare(mode, config_b)

    def stop(self, timeout_s=1.0):
        self.calls.append("stop")
        if not self.stop_stalls.wait(timeout_s):
            return False
        self._status = EngineStatus(EngineState.IDLE, "", self._status.source_info)
        return True

    def pause(self, paused):
        self.calls.append(f"pause {paused}")
        state = EngineState.PAUSED if paused else EngineState.RUNNING
        self._status = replace(self._status, state=state)

    def seek(self, time_s):
        self.calls.append(f"seek {time_s:g}")
        self.file = replace(self.file, position_s=time_s)

    def step(self, frames):
        self.calls.append(f"step {frames}")
        self._status = replace(self._status, state=EngineState.PAUSED)

    def set_speed(self, speed):
        self.calls.append(f"speed {speed:g}")
        self.file = replace(self.file, speed=speed)

    def set_loop(self, loop):
        self.file = replace(self.file, loop=loop)

    def playback(self):
        return self.file

    def set_config(self, config):
        self.calls.append("set_config")
        self.configs.append(config)
        self._status = replace(self._status, loading=True, message="")
        if not self.hold_changes:
            self.finish_change()

    def set_compare(self, mode, config_b):
        self.calls.append("set_compare")
        self.comparisons.append((mode, config_b))
        if mode is CompareMode.OFF or config_b is None:
            self.mode = mode
        else:
            self._status = replace(self._status, loading=True, message="")
            if not self.hold_b:
                self.finish_b()
        self.on_update()

    def set_style(self, style):
        self.calls.append("set_style")
        self.styles.append(style)
        self.style = style

    def view(self):
        return self._view

    def preview(self):
        return self._preview if self._view is None else None

    def figures(self):
        return self.now

    def status(self):
        return self._status

    def set_divider(self, divider):
        self.divider = divider

    def set_mirror(self, is_mirror):
        self.is_mirror = is_mirror

    def set_effect(self, effect):
        self.calls.append("set_effect")
        self.effect = effect

    # -- what a test does

    def finish_change(self):
        message = f"{NOT_CHANGED}{self.refusal}" if self.refusal else ""
        self._status = replace(self._status, loading=False, message=message)
        self.on_update()

    def finish_b(self):
        """B is built, or is not."""
        message = f"{NOT_COMPARED}{self.refusal_b}" if self.refusal_b else ""
        self.mode = CompareMode.OFF if self.refusal_b else self.comparisons[-1][0]
        self._status = replace(self._status, loading=False, message=message)
        self.on_update()

    def open(self, name="Fake", kind="demo", **more):
        info = SourceInfo(name, kind, kind in ("camera", "stream"), (160, 90), Fraction(30), **more)
        self._status = replace(self._status, state=EngineState.RUNNING, source_info=info)
        self.on_update()

    def show_ahead(self, frame):
        """Show a frame before anything was looked for on it."""
        self._preview = View.preview(frame)
        self._status = replace(self._status, starting=True)
        self.on_update()

    def deliver(self, found=None, other=None):
        """Deliver a picture as the drawing thread would; in a split `other` is B's result on the same frame."""
        self._serial += 1
        found = found or result(index=self._serial, tasks=self.configs[-1].tasks if self.configs else ("face",))
        compared = None
        if self.mode is CompareMode.SPLIT:
            name = self.comparisons[-1][1] or next(config for _, config in reversed(self.comparisons) if config)
            other = other or replace(found, backends=dict.fromkeys(found.results, name.pipeline))
            compared = agreement(found, other)
        side = "B" if self.mode is CompareMode.ALTERNATE and self._serial % 2 == 0 else "A"
        self._view = View(
            draw_results(found, self.style, effect_on(found, self.effect)),
            found,
            self._serial,
            side,
            other,
            draw_results(other, self.style, effect_on(other, self.effect)) if other is not None else None,
        )
        self._status = replace(self._status, starting=False)
        names = tuple(found.results)
        self.now = Figures(
            source_fps=30.0,
            processed_fps=29.9,
            capacity_fps=116.0,
            frames=self._serial,
            dropped=self._serial // 10,
            age_ms=21.0,
            capture=stats(0.4),
            pipeline=stats(8.6),
            draw=stats(1.1),
            tasks={name: TaskFigures("ort-cpu", stats(2.8), {"inference": stats(2.0)}) for name in names},
            load_ms=80.0,
            bottleneck="demo clip plays at 30 fps",
        )
        if self.mode is not CompareMode.OFF:
            tasks = {name: TaskFigures("litert-cpu", stats(1.4), {}) for name in names}
            self.now = replace(
                self.now,
                mode=self.mode,
                b=PipelineFigures(14.9, 232.0, stats(4.3), tasks, 60.0),
                speed_up=2.0,
                agreement=compared,
                agree=compared.overall if compared is not None else None,
            )
        self.on_update()

    def say(self, message, state=EngineState.RUNNING):
        self._status = EngineStatus(state, message, self._status.source_info)
        self.on_update()

    def fail(self, message):
        self._status = EngineStatus(EngineState.FAILED, message)
        self.on_update()


class FakeInventory:
    """Cameras and backends as told; `gate` holds the answer back."""

    def __init__(self, cameras=(), backends=(CPU, NO_GPU)):
        self.found = cameras
        self.known = backends
        self.error = None
        self.asked = 0
        self.to_try = ()
        self.trials = threading.Event()
        self.trials.set()
        self.gate = threading.Event()
        self.gate.set()

    def cameras(self):
        self.asked += 1
        self.gate.wait(PATIENCE_S)
        if self.error is not None:
            raise self.error
        return self.found

    def backends(self):
        return self.known

    def try_backends(self, progress):
        for name in self.to_try:
            progress(name)
            self.trials.wait(PATIENCE_S)
        return bool(self.to_try)
