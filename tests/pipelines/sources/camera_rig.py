"""A camera that is a fake, on a clock of its own."""

import cv2
import numpy as np
import pytest

from pipelines.cameras import CameraInfo
from pipelines.errors import SourceError
from pipelines.sources import SourceOptions
from pipelines.sources.camera import CameraSource

LIST = (
    CameraInfo(0, "Integrated Camera", "V4L2"),
    CameraInfo(2, "Logitech C920", "V4L2"),
    CameraInfo(3, "Logitech BRIO 4K", "V4L2"),
    CameraInfo(7, "OBS Virtual Camera", "V4L2"),
)


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def shade(level, size_wh=(64, 48)):
    """A picture with some detail."""
    image = np.full((size_wh[1], size_wh[0], 3), level % 256, np.uint8)
    image[10, 10] = 255 - level % 256
    return image


class FakeDevice:
    """Gives what `answers` says, one after the other and the last one for ever; an exception is raised.

    Each read takes `read_s` seconds.
    """

    def __init__(self, clock, answers, opens=True, fps=30.0, read_s=0.0, code=0.0):
        self.clock, self.answers, self.opens, self.fps, self.read_s = clock, list(answers), opens, fps, read_s
        self.code = code
        self.reads = self.released = 0

    def isOpened(self):
        return self.opens and not self.released

    def read(self):
        assert not self.released, "read after release"
        self.clock.now += self.read_s
        answer = self.answers[min(self.reads, len(self.answers) - 1)]
        self.reads += 1
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, tuple) else (True, answer)

    def get(self, prop):
        return {cv2.CAP_PROP_FPS: self.fps, cv2.CAP_PROP_FOURCC: self.code}[prop]

    def release(self):
        self.released += 1


FAIL = (False, None)


class Rig:
    """A camera source with fakes around it."""

    def __init__(self, answers=None, text="camera", options=None, listed=LIST, **device):
        self.clock = Clock()
        self.device = FakeDevice(self.clock, [shade(1)] if answers is None else answers, **device)
        self.opened = []

        def opener(index, wishes):
            self.opened.append((index, wishes))
            return self.device

        self.options = options or SourceOptions()
        self.source = CameraSource(text, self.options, opener, lambda: listed, self.clock, self.clock.sleep)


def complaint(rig):
    with pytest.raises(SourceError) as caught:
        rig.source.open()
    assert "\n" not in str(caught.value)
    return str(caught.value)
