"""What a camera gives: pictures, failures, stalls and frozen ones, and how it is closed."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.errors import SourceError
from pipelines.sources import SourceOptions
from pipelines.sources.camera import FAILED_READS, FIRST_S, FROZEN_S, CameraSource
from tests.pipelines.sources.camera_rig import FAIL, LIST, Clock, FakeDevice, Rig, complaint, shade


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
