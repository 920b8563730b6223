"""What OpenCV and the system are asked for, and what a machine without a camera says."""

import cv2
import pytest

from pipelines import cameras
from pipelines.cameras import CameraInfo, list_cameras
from pipelines.errors import SourceError
from pipelines.sources import SourceOptions, camera
from pipelines.sources.camera import CameraSource, open_device


class TestOpening:
    """What OpenCV is asked for, and what a machine without a camera says."""

    def asked(self, monkeypatch, options, opens=True):
        calls = []

        class Capture:
            def __init__(self, index, interface, wishes=()):
                calls.append((index, interface, dict(zip(wishes[::2], wishes[1::2], strict=True))))

            def isOpened(self):
                return opens

            def release(self):
                calls.append("released")

        monkeypatch.setattr(camera.cv2, "VideoCapture", Capture)
        open_device(5, options)
        return calls

    def test_one_call_with_all_wishes(self, monkeypatch):
        (call,) = self.asked(monkeypatch, SourceOptions((1280, 720), 29.97))
        index, interface, wishes = call
        assert index == 5
        assert interface == cameras.capture_interface()[0]
        assert wishes == {
            cv2.CAP_PROP_BUFFERSIZE: 1,
            cv2.CAP_PROP_FOURCC: int.from_bytes(b"MJPG", "little"),
            cv2.CAP_PROP_FRAME_WIDTH: 1280,
            cv2.CAP_PROP_FRAME_HEIGHT: 720,
            cv2.CAP_PROP_FPS: 30,
        }

    def test_another_pixel_format_than_motion_jpeg(self, monkeypatch):
        (call,) = self.asked(monkeypatch, SourceOptions((640, 480), pixel_format="YUYV"))
        assert call[2][cv2.CAP_PROP_FOURCC] == int.from_bytes(b"YUYV", "little")

    def test_no_wishes(self, monkeypatch):
        assert self.asked(monkeypatch, SourceOptions())[0][2] == {cv2.CAP_PROP_BUFFERSIZE: 1}

    def test_a_driver_that_refuses_wishes_is_asked_without(self, monkeypatch):
        calls = self.asked(monkeypatch, SourceOptions((1280, 720)), opens=False)
        assert calls[1] == "released"
        assert calls[2] == (5, cameras.capture_interface()[0], {})

    @pytest.mark.parametrize("index", [90, 99])
    def test_a_camera_that_is_not_there_is_quick_and_quiet(self, capfd, index):
        if any(entry.index == index for entry in list_cameras()):
            pytest.skip("this machine has that many cameras")
        listed = (CameraInfo(index, "Ghost", "any"),)
        source = CameraSource(f"camera:{index}", SourceOptions((640, 480), 30), lister=lambda: listed)
        with pytest.raises(SourceError, match="Ghost cannot be opened"):
            source.open()
        assert capfd.readouterr() == ("", "")

    def test_a_machine_without_a_camera(self, capfd):
        if list_cameras():
            pytest.skip("this machine has a camera")
        with pytest.raises(SourceError) as caught:
            CameraSource("camera:0", SourceOptions()).open()
        assert str(caught.value) == "no camera was found: connect one, or choose a file or the demo"
        assert capfd.readouterr() == ("", "")


class Found:
    """What cv2_enumerate_cameras says of a camera."""

    def __init__(self, index, name, path=""):
        self.index, self.name, self.path = index, name, path


class TestListing:
    def listed(self, monkeypatch, found, platform="win32"):
        import cv2_enumerate_cameras

        def enumerate_cameras(interface):
            if isinstance(found, Exception):
                raise found
            assert interface == cameras.INTERFACE[platform][0]
            return found

        monkeypatch.setattr(cv2_enumerate_cameras, "enumerate_cameras", enumerate_cameras)
        monkeypatch.setattr(cameras.sys, "platform", platform)
        return list_cameras()

    def test_in_order_with_plain_numbers(self, monkeypatch):
        base = cv2.CAP_DSHOW
        found = [Found(base + 2, "B"), Found(base, "A", None), Found(1, "C")]
        entries = self.listed(monkeypatch, found)
        assert [(entry.index, entry.name, entry.backend) for entry in entries] == [
            (0, "A", "DirectShow"),
            (1, "C", "DirectShow"),
            (2, "B", "DirectShow"),
        ]

    def test_a_camera_without_a_name(self, monkeypatch):
        assert self.listed(monkeypatch, [Found(3, "")])[0].name == "camera 3"

    def test_modes_are_asked_on_linux_only(self, monkeypatch):
        monkeypatch.setattr(cameras, "camera_modes", lambda path: (f"modes of {path}",))
        found = [Found(0, "A", "/dev/video0")]
        assert self.listed(monkeypatch, found, "linux")[0].modes == ("modes of /dev/video0",)
        assert self.listed(monkeypatch, found, "win32")[0].modes == ()
        assert self.listed(monkeypatch, [Found(0, "A")], "linux")[0].modes == ()

    @pytest.mark.parametrize("error", [OSError("x"), RuntimeError("x"), NotImplementedError("x"), ImportError("x")])
    def test_a_system_that_cannot_tell_has_none(self, monkeypatch, caplog, error):
        assert self.listed(monkeypatch, error) == ()
        assert "cameras cannot be listed" in caplog.text
