"""Which camera a text means, and in which mode it is opened."""

from fractions import Fraction

import pytest

from pipelines.cameras import CameraInfo
from pipelines.sources import SourceOptions
from tests.pipelines.sources.camera_rig import LIST, Rig, complaint


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
