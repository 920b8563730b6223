"""The virtual camera sends the newest picture at a steady rate, and says why where it cannot."""

import sys
import threading
import types

import numpy as np
import pytest

from pipelines.errors import ExportError
from pipelines.recording.availability import why_no_virtual_camera
from pipelines.recording.virtual_camera import FPS, VirtualCamera, open_device
from tests.numbered import number_of
from tests.patience import PATIENCE_S
from tests.pipelines.recording.helpers import view


class FakeCamera:
    """Has what is used of `pyvirtualcam.Camera`."""

    made = []
    error = None

    def __init__(self, width, height, fps, fmt):
        if self.error is not None:
            raise self.error
        self.size_wh, self.fps, self.fmt = (width, height), fps, fmt
        self.device = "/dev/video9"
        self.sent = []
        self.is_closed = False
        self.thread = threading.current_thread().name
        self.fails_at = None
        type(self).made.append(self)

    def send(self, frame):
        if self.fails_at is not None and len(self.sent) >= self.fails_at:
            raise RuntimeError("error sending frame")
        assert frame.shape == (self.size_wh[1], self.size_wh[0], 3)
        assert frame.dtype == np.uint8
        assert frame.flags.c_contiguous
        self.sent.append(number_of(frame))

    def close(self):
        self.is_closed = True


@pytest.fixture
def module(monkeypatch):
    """A fake pyvirtualcam that can be imported."""
    fake = types.ModuleType("pyvirtualcam")
    fake.Camera = FakeCamera
    fake.PixelFormat = types.SimpleNamespace(BGR="bgr")
    fake.__spec__ = types.SimpleNamespace(name="pyvirtualcam")
    monkeypatch.setitem(sys.modules, "pyvirtualcam", fake)
    monkeypatch.setattr(FakeCamera, "made", [])
    monkeypatch.setattr(FakeCamera, "error", None)
    return fake


class Turns:
    """A clock that only moves while the camera waits, and lets a test act between two pictures."""

    def __init__(self, acts):
        self.now = 50.0
        self.waited = []
        self.acts = list(acts)

    def clock(self):
        return self.now

    def wait(self, seconds):
        self.waited.append(seconds)
        self.now += seconds
        if not self.acts:
            return True
        act = self.acts.pop(0)
        if act is not None:
            act()
        return False


def run(acts, first=None):
    turns = Turns(acts)
    camera = VirtualCamera(lambda shown: shown.image_bgr, clock=turns.clock, wait=turns.wait)
    for index, act in enumerate(turns.acts):
        if isinstance(act, int):
            turns.acts[index] = lambda number=act: camera.offer(view(number))
    camera.offer(first or view(1))
    camera.start()
    assert camera.join(PATIENCE_S)
    return camera, turns


def test_pictures_are_sent_at_a_steady_rate_and_the_last_one_again(module):
    camera, turns = run([None, 5, None, None, 6, 7])
    (device,) = FakeCamera.made
    assert device.sent == [1, 1, 5, 5, 5, 6, 7]
    assert (device.size_wh, device.fps, device.fmt) == ((96, 64), FPS, "bgr")
    assert device.thread == "virtual camera"
    assert device.is_closed
    assert camera.sent == 7
    assert camera.error == ""
    np.testing.assert_allclose(turns.waited, 1 / FPS)


def test_only_the_newest_counts(module):
    turns = Turns([None])
    camera = VirtualCamera(lambda shown: shown.image_bgr, clock=turns.clock, wait=turns.wait)
    for number in range(10, 20):
        camera.offer(view(number))
    camera.start()
    assert camera.join(PATIENCE_S)
    assert FakeCamera.made[0].sent == [19, 19]


def test_who_is_late_does_not_race(module):
    turns = Turns([None, None, None])
    slow = iter([0.0, 0.5, 0.0, 0.0, 0.0])

    def draw(shown):
        return shown.image_bgr

    camera = VirtualCamera(draw, clock=turns.clock, wait=turns.wait)
    send = FakeCamera.send

    def late(self, frame):
        send(self, frame)
        turns.now += next(slow)

    camera.offer(view(1))
    module.Camera = type("Late", (FakeCamera,), {"send": late})
    camera.start()
    assert camera.join(PATIENCE_S)
    np.testing.assert_allclose(turns.waited, [1 / FPS, 0.0, 1 / FPS, 1 / FPS])


def test_another_size_is_fitted(module):
    big = view(3, size_wh=(192, 128))
    turns = Turns([])
    camera = VirtualCamera(lambda shown: shown.image_bgr, clock=turns.clock, wait=turns.wait)
    turns.acts = [lambda: camera.offer(big)]
    camera.offer(view(1))
    camera.start()
    assert camera.join(PATIENCE_S)
    assert FakeCamera.made[0].sent == [1, 3]


def test_a_device_that_is_not_there_is_one_sentence(module, monkeypatch):
    monkeypatch.setattr(
        FakeCamera, "error", RuntimeError("No camera registered. Did you install any virtual camera?\nx")
    )
    camera, _ = run([])
    assert camera.error == (
        "the virtual camera cannot be opened: No camera registered. Did you install any virtual camera?"
    )
    assert camera.device == ""


def test_a_device_that_fails_ends_it_with_a_sentence(module, monkeypatch):
    def fails(self, frame):
        raise RuntimeError("error sending frame")

    monkeypatch.setattr(FakeCamera, "send", fails)
    camera, _ = run([None, None])
    assert camera.error == "the virtual camera failed: error sending frame"
    assert FakeCamera.made[0].is_closed


def test_stopping_before_the_first_picture_opens_nothing(module):
    camera = VirtualCamera(lambda shown: shown.image_bgr)
    camera.start()
    camera.stop()
    assert camera.join(PATIENCE_S)
    assert FakeCamera.made == []


def test_stopping_lets_go_of_the_device(module):
    opened = threading.Event()
    camera = VirtualCamera(lambda shown: shown.image_bgr, on_change=opened.set)
    camera.start()
    camera.offer(view(1))
    assert opened.wait(PATIENCE_S)
    camera.stop()
    assert camera.join(PATIENCE_S)
    assert camera.is_over
    assert FakeCamera.made[0].is_closed


def test_without_the_package_the_reason_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyvirtualcam", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install twinlens[virtualcam]" in why_no_virtual_camera()
    with pytest.raises(ExportError, match="cannot be opened"):
        open_device(64, 48, 30)


def test_without_a_device_the_reason_names_the_kernel_module(module, tmp_path):
    assert "v4l2loopback" in why_no_virtual_camera(tmp_path / "missing", "linux")
    (tmp_path / "there").mkdir()
    assert "v4l2loopback" in why_no_virtual_camera(tmp_path / "there", "linux")
    (tmp_path / "there" / "video9").mkdir()
    assert why_no_virtual_camera(tmp_path / "there", "linux") == ""
    assert why_no_virtual_camera(tmp_path / "missing", "win32") == ""
