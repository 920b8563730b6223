"""Switch backend, model and tasks of a running engine, and report memory and frames (run by `test_live`).

The next frame is given when the one before has been shown, so that none may be missing. Prints one JSON object:
``rss_mb`` after each switch, ``used_mb`` of the C library's heap (0 where it does not tell), ``longest_ms`` between two
pictures around it, ``order`` of the frames shown.
"""

import ctypes
import json
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import cv2

from pipelines.config import PipelineConfig
from pipelines.engine import LiveEngine
from pipelines.frame import Frame
from pipelines.overlay import OverlayStyle
from pipelines.qualify.sample import PORTRAIT
from pipelines.sources import SourceInfo, SourceOptions

CONFIGS = (
    PipelineConfig(pipeline="ort-cpu"),
    PipelineConfig(pipeline="litert-cpu", tasks=("face", "segmentation")),
    PipelineConfig(pipeline="ort-cpu", tasks=("face", "depth"), models={"landmarks": "face_mesh_468"}),
    PipelineConfig(pipeline="litert-cpu"),
    PipelineConfig(pipeline="ort-cpu", tasks=("segmentation",), models={"mask": "selfie_square"}),
)


class Camera:
    """A live source that gives a picture whenever the one before has been shown."""

    def __init__(self, picture, fps=30):
        self.info = SourceInfo("fake", "camera", True, (picture.shape[1], picture.shape[0]), Fraction(fps))
        self.picture = picture
        self.given = 0
        self.wanted = threading.Event()

    def open(self):
        return self.info

    def read(self):
        self.wanted.wait(110)  # a picture given unasked would take the place of one that waits
        self.wanted.clear()
        self.given += 1
        return Frame(self.picture, self.given - 1, self.given / 30, "fake")

    def rewind(self):
        return False

    def close(self):
        self.wanted.set()


def rss_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


class HeapInfo(ctypes.Structure):
    """`struct mallinfo2` of glibc 2.33 and later."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def used_mb():
    """Bytes that somebody holds, in all heaps; unlike the resident pages they do not breathe."""
    mallinfo = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo is None:
        return 0.0
    mallinfo.restype = HeapInfo
    info = mallinfo()
    return (info.uordblks + info.hblkhd) / 2**20


def main():
    switches = int(sys.argv[1])
    camera = Camera(cv2.resize(cv2.imread(str(PORTRAIT)), (640, 640)))
    news = threading.Event()
    engine = LiveEngine(news.set, source_factory=lambda text, options: camera)
    engine.start("fake", SourceOptions(), CONFIGS[0], OverlayStyle())
    shown, gaps, memory, used, order = 0, [], [], [], []

    def until_runs(config):
        nonlocal shown
        last = time.monotonic()
        longest = 0.0
        deadline = last + 120
        extra = 3
        camera.wanted.set()
        while extra:
            news.wait(0.2)
            news.clear()
            if engine.status().state.value == "failed" or time.monotonic() > deadline:
                raise SystemExit(f"stuck: {engine.status()}")
            view = engine.view()
            if view is None or view.serial == shown:
                continue
            now = time.monotonic()
            longest, last = max(longest, now - last), now
            shown = view.serial
            order.append(view.result.frame.index)
            if tuple(view.result.results) == config.tasks and set(view.result.backends.values()) == {config.pipeline}:
                extra -= 1
            if extra:
                camera.wanted.set()
        # No frame is under way: what is measured is what stays.
        gaps.append(longest * 1e3)
        for thread in threading.enumerate():
            if thread.name == "releasing":  # what is out of service goes in a thread of its own
                thread.join(60)
        memory.append(rss_mb())
        used.append(used_mb())

    until_runs(CONFIGS[0])
    for number in range(1, switches + 1):
        config = CONFIGS[number % len(CONFIGS)]
        engine.set_config(config)
        until_runs(config)
    engine.stop(0.0)
    camera.wanted.set()
    assert engine.stop(60.0)
    sys.stdout.write(json.dumps({"rss_mb": memory, "used_mb": used, "longest_ms": gaps, "order": order}))


if __name__ == "__main__":
    main()
