"""Modes of Linux cameras against a driver that answers from the layouts in linux/videodev2.h, packed by hand."""

import errno
import struct

import pytest

from pipelines.v4l2 import ENUM_FMT, ENUM_FRAMEINTERVALS, ENUM_FRAMESIZES, camera_modes

DISCRETE, CONTINUOUS, STEPWISE = 1, 2, 3
CAPTURE = 1


def request_number(letter, number, size):
    """_IOWR of asm-generic/ioctl.h: direction (read and write = 3), size, letter, number."""
    return 3 << 30 | size << 16 | ord(letter) << 8 | number


def test_request_numbers():
    # struct v4l2_fmtdesc: 3 words, 32 characters, 5 words
    assert request_number("V", 2, 3 * 4 + 32 + 5 * 4) == ENUM_FMT
    # struct v4l2_frmsizeenum: 3 words, a union of at most 6 words, 2 words
    assert request_number("V", 74, (3 + 6 + 2) * 4) == ENUM_FRAMESIZES
    # struct v4l2_frmivalenum: 5 words, a union of 3 fractions, 2 words
    assert request_number("V", 75, (5 + 6 + 2) * 4) == ENUM_FRAMEINTERVALS


class Driver:
    """Answers ioctls from a table {format: [(size, [interval, ...]), ...]}.

    A size is (width, height) or six numbers min, max, step of both; an interval (numerator, denominator) or three of
    them, the shortest first.
    """

    def __init__(self, table, kind=STEPWISE):
        self.table, self.kind = table, kind

    def __call__(self, descriptor, request, buffer):
        if request == ENUM_FMT:
            assert len(buffer) == 64
            index, what = struct.unpack_from("2I", buffer)
            assert what == CAPTURE
            code = self.pick(list(self.table), index)
            struct.pack_into("I32s", buffer, 8, 0, b"described")
            struct.pack_into("4s", buffer, 44, code)
        elif request == ENUM_FRAMESIZES:
            assert len(buffer) == 44
            index, code = struct.unpack_from("I4s", buffer)
            size, _ = self.pick(self.table[code], index)
            kind = DISCRETE if len(size) == 2 else self.kind
            struct.pack_into(f"I{len(size)}I", buffer, 8, kind, *size)
        elif request == ENUM_FRAMEINTERVALS:
            assert len(buffer) == 52
            index, code, width, height = struct.unpack_from("I4s2I", buffer)
            intervals = next(
                found
                for size, found in self.table[code]
                if size == (width, height)
                or (len(size) == 6 and size[0] <= width <= size[1] and size[3] <= height <= size[4])
            )
            interval = self.pick(intervals, index)
            kind = DISCRETE if len(interval) == 2 else self.kind
            struct.pack_into(f"I{len(interval)}I", buffer, 16, kind, *interval)
        else:
            raise AssertionError(hex(request))
        return 0

    @staticmethod
    def pick(entries, index):
        if index >= len(entries):
            raise OSError(errno.EINVAL, "Invalid argument")
        return entries[index]


@pytest.fixture
def node(tmp_path):
    path = tmp_path / "video0"
    path.write_bytes(b"")
    return str(path)


def test_a_webcam(node):
    driver = Driver(
        {
            b"YUYV": [((640, 480), [(1, 30), (1, 15)]), ((1280, 720), [(1, 10)])],
            b"MJPG": [((1280, 720), [(1, 30), (1001, 30000)]), ((640, 480), [(1, 30)])],
        }
    )
    assert camera_modes(node, driver) == (
        "1280x720@30 MJPG",
        "1280x720@29.97 MJPG",
        "1280x720@10 YUYV",
        "640x480@30 MJPG",
        "640x480@30 YUYV",
        "640x480@15 YUYV",
    )


@pytest.mark.parametrize("kind", [STEPWISE, CONTINUOUS])
def test_any_size_of_a_range_offers_the_usual_ones(node, kind):
    driver = Driver({b"NV12": [((160, 1920, 2, 120, 1080, 2), [(1, 60, 1, 1, 1, 60)])]}, kind)
    assert camera_modes(node, driver) == ("1920x1080@60 NV12", "1280x720@60 NV12", "640x480@60 NV12")


def test_a_range_that_holds_no_usual_size(node):
    assert camera_modes(node, Driver({b"GREY": [((8, 100, 1, 8, 100, 1), [(1, 30)])]})) == ()


def test_a_driver_that_tells_no_rates(node):
    assert camera_modes(node, Driver({b"YUYV": [((640, 480), [])]})) == ("640x480 YUYV",)


def test_impossible_rates_are_left_out(node):
    assert camera_modes(node, Driver({b"YUYV": [((640, 480), [(0, 0), (0, 1), (1, 25)])]})) == ("640x480@25 YUYV",)


def test_the_same_mode_twice_is_one(node):
    driver = Driver({b"YUYV": [((640, 480), [(1, 30)]), ((640, 480), [(2, 60)])]})
    assert camera_modes(node, driver) == ("640x480@30 YUYV",)


@pytest.mark.parametrize(("code", "name"), [(b"Y16 ", "Y16"), (b"\xff\xfeA1", "\ufffd\ufffdA1"), (b"BA81", "BA81")])
def test_names_of_formats(node, code, name):
    assert camera_modes(node, Driver({code: [((640, 480), [(1, 30)])]})) == (f"640x480@30 {name}",)


def test_a_driver_that_never_says_no_comes_to_an_end(node):
    asked = []

    def endless(descriptor, request, buffer):
        asked.append(request)
        if request == ENUM_FMT:
            struct.pack_into("4s", buffer, 44, b"YUYV")
        elif request == ENUM_FRAMESIZES:
            if len(asked) > 3:
                raise OSError(errno.EINVAL, "no more")
            struct.pack_into("3I", buffer, 8, DISCRETE, 640, 480)
        else:
            struct.pack_into("3I", buffer, 16, DISCRETE, 1, 30)
        return 0

    assert camera_modes(node, endless) == ("640x480@30 YUYV",)
    assert len(asked) < 2000


@pytest.mark.parametrize("error", [errno.ENOTTY, errno.ENODEV, errno.EIO])
def test_a_driver_that_tells_nothing(node, error):
    def refuse(*arguments):
        raise OSError(error, "refused")

    assert camera_modes(node, refuse) == ()


def test_what_is_no_camera_has_no_modes(tmp_path, node):
    assert camera_modes(str(tmp_path / "missing")) == ()
    assert camera_modes(node) == ()  # a plain file, the real ioctl
    assert camera_modes("") == ()
