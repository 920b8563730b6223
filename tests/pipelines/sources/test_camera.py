"""Cameras without a camera: every way in which a driver can misbehave, through a fake that does."""

from fractions import Fraction

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines import cameras
from pipelines.cameras import CameraInfo, list_cameras
from pipelines.errors import SourceError
from pipelines.sources import SourceOptions, camera
from pipelines.sources.camera import FAILED_READS, FIRST_S, FROZEN_S, CameraSource, open_device

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


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("camera", 0),
        ("camera:", 0),
        ("camera: ", 0),
        ("camera:0", 0),
        ("camera:2", 2),
        ("camera:02", 2),
        ("camera:C920", 2),
        ("camera:brio", 3),
        ("camera: BRIO 4k ", 3),
        ("camera:logitech c920", 2),
        ("camera:Virtual", 7),
        ("camera:4K", 3),
    ],
)
def test_choice_by_number_and_name(text, index):
    rig = Rig(text=text)
    info = rig.source.open()
    assert rig.opened == [(index, rig.options)]
    assert info.name == next(entry.name for entry in LIST if entry.index == index)
    assert (info.kind, info.live, info.still, info.loops) == ("camera", True, False, False)


KNOWN = "0 Integrated Camera, 2 Logitech C920, 3 Logitech BRIO 4K, 7 OBS Virtual Camera"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("camera:1", f"there is no camera 1 (there is {KNOWN})"),
        ("camera:99", f"there is no camera 99 (there is {KNOWN})"),
        ("camera:Kinect", f"no camera is called 'Kinect' (there is {KNOWN})"),
        ("camera:logi", f"several cameras are called 'logi' (there is {KNOWN})"),
        ("camera:-1", f"no camera is called '-1' (there is {KNOWN})"),
        ("camera:²", f"no camera is called '²' (there is {KNOWN})"),
    ],
)
def test_choices_that_mean_nothing(text, sentence):
    rig = Rig(text=text)
    assert complaint(rig) == sentence
    assert rig.opened == []


@pytest.mark.parametrize("text", ["camera", "camera:0", "camera:Logi"])
def test_no_camera_at_all(text):
    rig = Rig(text=text, listed=())
    assert complaint(rig) == "no camera was found: connect one, or choose a file or the demo"
    assert rig.opened == []


def test_a_whole_name_wins_over_a_part_and_the_first_of_two_namesakes_is_taken():
    listed = tuple(CameraInfo(index, name, "V4L2") for index, name in enumerate(["HD Cam Pro", "HD Cam", "HD Cam"]))
    rig = Rig(text="camera:hd cam", listed=listed)
    rig.source.open()
    assert rig.opened[0][0] == 1


def test_a_camera_in_use():
    rig = Rig(opens=False)
    sentence = "Integrated Camera cannot be opened: another program may be using it, or access to it is not allowed"
    assert complaint(rig) == sentence
    assert rig.device.released == 1


@pytest.mark.parametrize(
    "answer",
    [
        FAIL,
        (True, None),
        (True, 3.5),
        (True, "picture"),
        (True, np.zeros((0, 0, 3), np.uint8)),
        (True, np.zeros((0,), np.uint8)),
        (True, np.zeros((4, 4, 5), np.uint8)),
        (True, np.zeros((4, 4, 3), np.int32)),
        (True, np.zeros(16, np.uint8)),
        cv2.error("driver"),
    ],
    ids=["no", "None", "number", "text", "empty", "nothing", "five channels", "int32", "flat", "error"],
)
def test_never_a_picture(answer):
    rig = Rig([answer])
    begin = rig.clock.now
    sentence = "Integrated Camera is open but gives no picture: another program may be using it"
    assert complaint(rig) == sentence
    assert FIRST_S <= rig.clock.now - begin < FIRST_S + 0.1
    assert rig.device.released == 1


def test_a_driver_that_waits_itself_is_not_asked_ten_times():
    rig = Rig([FAIL], read_s=10.0)
    begin = rig.clock.now
    complaint(rig)
    assert rig.clock.now - begin == pytest.approx(10.0)


def test_a_slow_start_is_waited_for():
    rig = Rig([FAIL] * 60 + [shade(9)])
    rig.source.open()
    assert (rig.source.read().image_bgr == shade(9)).all()


def test_frames_have_numbers_and_times_since_the_first():
    rig = Rig([shade(level) for level in range(5)], read_s=0.04)
    info = rig.source.open()
    assert info.size_wh == (64, 48)
    assert info.fps == 30
    frames = [rig.source.read() for _ in range(5)]
    assert [frame.index for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame.timestamp_s for frame in frames] == pytest.approx([0.0, 0.04, 0.08, 0.12, 0.16])
    assert [int(frame.image_bgr[0, 0, 0]) for frame in frames] == [0, 1, 2, 3, 4]
    assert frames[0].source == "Integrated Camera"
    assert not rig.source.rewind()
    assert rig.device.reads == 5  # the picture of `open` is not lost


@pytest.mark.parametrize("failures", range(1, FAILED_READS))
def test_failures_that_end_are_survived(failures):
    rig = Rig([shade(1), *[FAIL] * failures, shade(2), *[FAIL] * failures, shade(3)])
    rig.source.open()
    assert [int(rig.source.read().image_bgr[0, 0, 0]) for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("failure", [FAIL, (True, None), cv2.error("gone")], ids=["no", "None", "error"])
def test_ten_failures_are_a_loss(failure):
    rig = Rig([shade(1), shade(2), failure])
    rig.source.open()
    rig.source.read()
    rig.source.read()
    with pytest.raises(SourceError) as caught:
        rig.source.read()
    assert str(caught.value) == "Integrated Camera stopped delivering pictures: was it unplugged?"
    assert rig.device.reads == 2 + FAILED_READS
    rig.source.close()
    rig.source.close()
    assert rig.device.released == 1


def test_a_stalled_driver_is_a_loss_after_its_own_limit():
    rig = Rig([shade(1), FAIL])
    rig.source.open()
    rig.source.read()
    rig.device.read_s = 10.0
    begin = rig.clock.now
    with pytest.raises(SourceError, match="stopped delivering"):
        rig.source.read()
    assert rig.clock.now - begin == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        (np.full((48, 64), 70, np.uint8), 70),
        (np.full((48, 64, 1), 70, np.uint8), 70),
        (np.full((48, 64, 4), (70, 70, 70, 255), np.uint8), 70),
        (np.full((48, 64), 70 * 257, np.uint16), 70),
        (np.full((48, 64, 3), 70 / 255, np.float32), 70),
        (np.full((48, 128, 3), 70, np.uint8)[:, ::2], 70),
    ],
    ids=["grey", "one channel", "BGRA", "16 bits", "float", "strided"],
)
def test_unusual_pictures_become_bgr(image, expected):
    rig = Rig([image])
    assert rig.source.open().size_wh == (64, 48)
    found = rig.source.read().image_bgr
    assert found.shape == (48, 64, 3)
    assert found.dtype == np.uint8
    assert found.flags.c_contiguous
    assert (found == expected).all()


def test_a_size_may_change():
    rig = Rig([shade(1), shade(2, (32, 24)), shade(3)])
    rig.source.open()
    assert [rig.source.read().size_wh for _ in range(3)] == [(64, 48), (32, 24), (64, 48)]


def read_for(rig, seconds, step=0.5):
    for _ in range(round(seconds / step)):
        rig.clock.now += step
        rig.source.read()


def test_a_frozen_driver_is_noticed():
    rig = Rig([shade(1), shade(2), shade(3)])
    rig.source.open()
    for _ in range(3):
        rig.source.read()
    read_for(rig, FROZEN_S)
    rig.clock.now += 0.5
    with pytest.raises(SourceError) as caught:
        rig.source.read()
    assert str(caught.value) == "Integrated Camera repeats the same picture: its driver lost it"


def test_a_picture_that_stood_still_from_the_start_is_allowed():
    rig = Rig([shade(1)])
    rig.source.open()
    read_for(rig, 10 * FROZEN_S)


def test_a_covered_lens_is_allowed():
    rig = Rig([shade(1), shade(2), np.zeros((48, 64, 3), np.uint8)])
    rig.source.open()
    read_for(rig, 10 * FROZEN_S)


@pytest.mark.parametrize("spot", [(0, 0), (47, 63), (13, 21)])
def test_the_smallest_change_anywhere_counts_as_life(spot):
    """Noise in one value of one pixel."""

    def picture(number):
        image = shade(7)
        image[*spot, number % 3] ^= 1 + (number & 1)
        return image

    rig = Rig([picture(number) for number in range(200)])
    rig.source.open()
    read_for(rig, 10 * FROZEN_S)


def test_life_after_a_pause_starts_the_clock_again():
    rig = Rig([shade(1), shade(2), *[shade(3)] * 9, *[shade(4)] * 9, *[shade(5)] * 9, shade(6)])
    rig.source.open()
    read_for(rig, 29 * 0.5)


def test_opening_again_forgets_the_frozen_picture():
    rig = Rig([shade(1), shade(2)])
    rig.source.open()
    read_for(rig, FROZEN_S)
    rig.device = FakeDevice(rig.clock, [shade(2)])
    rig.source.open()
    read_for(rig, 4 * FROZEN_S)


@pytest.mark.parametrize(
    ("options", "fps", "said"),
    [
        (SourceOptions(), 30.0, ()),
        (SourceOptions((64, 48), 30), 30.0, ()),
        (SourceOptions((64, 48), 30), 29.97, ()),
        (SourceOptions((1280, 720)), 30.0, ("asked for 1280x720, the camera gives 64x48",)),
        (SourceOptions(fps=30), 4.0, ("asked for 30 fps, the camera says it gives 4",)),
        (SourceOptions(fps=30), 0.0, ()),
        (
            SourceOptions((1280, 720), 60),
            7.5,
            ("asked for 1280x720, the camera gives 64x48", "asked for 60 fps, the camera says it gives 7.5"),
        ),
    ],
)
def test_another_mode_than_wished_for_is_told(options, fps, said):
    assert Rig(options=options, fps=fps).source.open().notices == said


@pytest.mark.parametrize(
    ("code", "name"),
    [(0x47504A4D, "MJPG"), (0x56595559, "YUYV"), (0.0, ""), (-1.0, ""), (float("nan"), ""), (1.0, ""), (2.0**40, "")],
)
def test_the_pixel_format_is_read_back(code, name):
    info = Rig(options=SourceOptions(pixel_format="NV12"), code=code).source.open()
    assert info.pixel_format == name
    assert info.notices == ((f"asked for NV12, the camera gives {name}",) if name else ())


@pytest.mark.parametrize(
    ("told", "fps"),
    [
        (30.0, Fraction(30)),
        (30000 / 1001, Fraction(30000, 1001)),
        (7.5, Fraction(15, 2)),
        (0.0, None),
        (-1.0, None),
        (float("nan"), None),
        (float("inf"), None),
        (1e-9, None),
        (90_000.0, None),
    ],
)
def test_rates_that_can_be_none_are_none(told, fps):
    assert Rig(fps=told).source.open().fps == fps


class TestClosing:
    def test_without_opening(self):
        rig = Rig()
        rig.source.close()
        with pytest.raises(SourceError, match="stopped delivering"):
            rig.source.read()
        assert rig.device.reads == 0

    def test_once_however_often(self):
        rig = Rig()
        rig.source.open()
        rig.source.read()
        for _ in range(3):
            rig.source.close()
        assert rig.device.released == 1

    def test_opening_again_releases_first(self):
        clock = Clock()
        devices = [FakeDevice(clock, [shade(1)]), FakeDevice(clock, [shade(2)])]
        given = iter(devices)
        source = CameraSource("camera", SourceOptions(), lambda *_: next(given), lambda: LIST, clock, clock.sleep)
        source.open()
        source.open()
        assert devices[0].released == 1
        assert int(source.read().image_bgr[0, 0, 0]) == 2
        source.close()
        assert [device.released for device in devices] == [1, 1]

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("a bug in a driver")])
    def test_an_exception_while_opening(self, error):
        rig = Rig([error]) if isinstance(error, Exception) else Rig()
        if not isinstance(error, Exception):
            rig.device.get = lambda prop: (_ for _ in ()).throw(error)
        with pytest.raises(type(error)):
            rig.source.open()
        assert rig.device.released == 1


@given(st.lists(st.one_of(st.just(FAIL), st.integers(0, 255).map(shade)), max_size=60))
def test_reading_ends_in_pictures_or_in_one_error(answers):
    rig = Rig([shade(1), *answers, FAIL])
    rig.source.open()
    pictures, said = 0, ""
    while not said:
        try:
            rig.source.read()
            pictures += 1
        except SourceError as error:
            said = str(error)
    assert "stopped delivering" in said
    assert 1 <= pictures <= 1 + len(answers)
    rig.source.close()
    assert rig.device.released == 1


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
