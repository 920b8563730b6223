"""Where a picture lies: closed form, and what must hold at any zoom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.qimage import fitted
from app.zoom import LARGEST, Layout, Zoom

SIZE, ROOM = (1920, 1080), (1000, 700)


def test_fitted_in_all_of_it_is_seen_with_equal_bars():
    layout = Zoom().layout(SIZE, ROOM)
    assert layout == Layout((0, 0, 1920, 1080), (0, 69, 1000, 562), 1000 / 1920)


def test_filling_the_room_leaves_no_bars_and_cuts_both_sides_alike():
    layout = Zoom("fill").layout(SIZE, ROOM)
    assert layout.scale == 700 / 1080
    x0, y0, x1, y1 = layout.crop_xyxy
    assert (y0, y1) == (0, 1080)
    assert abs(x0 - (1920 - x1)) <= 1
    assert layout.target_xywh[1::2] == (0, 700)
    assert layout.target_xywh[0] <= 0
    assert layout.target_xywh[0] + layout.target_xywh[2] >= 1000


def test_one_to_one_a_pixel_is_a_pixel():
    layout = Zoom("free", 1.0).layout(SIZE, ROOM)
    assert layout.crop_xyxy == (460, 190, 1460, 890)
    assert layout.target_xywh == (0, 0, 1000, 700)


def test_a_small_picture_at_one_to_one_stands_in_the_middle():
    layout = Zoom("free", 1.0).layout((100, 50), ROOM)
    assert layout.target_xywh == (450, 325, 100, 50)


sizes = st.tuples(st.integers(1, 4000), st.integers(1, 4000))
zooms = st.builds(
    Zoom,
    st.sampled_from(["fit", "fill", "free"]),
    st.floats(0.05, LARGEST),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
)


@given(sizes, sizes, zooms)
def test_there_are_bars_only_where_the_picture_is_too_small(size, room, zoom):
    layout = zoom.layout(size, room)
    for axis in (0, 1):
        start, end = layout.crop_xyxy[axis], layout.crop_xyxy[axis + 2]
        left, width = layout.target_xywh[axis], layout.target_xywh[axis + 2]
        assert 0 <= start < end <= size[axis]
        if size[axis] * layout.scale <= room[axis] + 0.5:
            assert (start, end) == (0, size[axis])
            assert 0 <= left <= max(1, room[axis])
        else:
            assert left <= 0
            assert left + width >= room[axis] - 1
            # Not more is scaled than is seen, but for the pixels at the edges.
            assert width <= room[axis] + 2 * layout.scale + 2


@given(sizes, zooms, st.floats(0, 1), st.floats(0, 1))
def test_there_and_back(size, zoom, x, y):
    layout = zoom.layout(size, (640, 480))
    there = layout.to_screen(x * size[0], y * size[1])
    assert layout.to_picture(*there) == pytest.approx((x * size[0], y * size[1]), abs=1e-6 * max(size) + 1e-6)


@pytest.mark.parametrize("point", [(0, 0), (500, 350), (321, 123), (999, 699)])
def test_what_is_under_the_pointer_stays_there(point):
    zoom = Zoom("free", 1.5, (0.4, 0.6))
    before = zoom.layout(SIZE, ROOM).to_picture(*point)
    larger = zoom.around(1.25, point, SIZE, ROOM)
    after = larger.layout(SIZE, ROOM).to_picture(*point)
    assert larger.scale == 1.875
    assert after == pytest.approx(before, abs=1.0)


def test_zooming_out_ends_with_the_whole_picture_and_in_with_the_largest():
    zoom = Zoom("free", 1.0)
    for _ in range(20):
        zoom = zoom.around(1 / 1.25, (10, 10), SIZE, ROOM)
    assert zoom == Zoom("fit")
    for _ in range(40):
        zoom = zoom.around(1.25, (10, 10), SIZE, ROOM)
    assert zoom.scale == LARGEST


def test_a_small_picture_can_be_shown_smaller_than_fitted():
    zoom = Zoom().around(1 / 1.25, (10, 10), (100, 100), ROOM)
    assert zoom.kind == "free"
    assert zoom.scale == pytest.approx(7 / 1.25)
    for _ in range(20):
        zoom = zoom.around(1 / 1.25, (10, 10), (100, 100), ROOM)
    assert zoom.scale == 1.0


def test_dragging_stops_at_the_edges():
    zoom = Zoom("free", 1.0)
    assert zoom.can_move(SIZE, ROOM)
    assert zoom.moved(-100, 0, SIZE, ROOM).layout(SIZE, ROOM).crop_xyxy[0] == 560
    assert zoom.moved(1e6, 1e6, SIZE, ROOM).layout(SIZE, ROOM).crop_xyxy == (0, 0, 1000, 700)
    assert not Zoom().can_move(SIZE, ROOM)
    assert Zoom().moved(50, 50, SIZE, ROOM).layout(SIZE, ROOM) == Zoom().layout(SIZE, ROOM)


@pytest.mark.parametrize("size", [(160, 90), (1920, 1080), (101, 333)])
def test_fitting_is_what_it_was(size):
    assert Zoom().layout(size, ROOM).target_xywh[2:] == fitted(size, ROOM)
