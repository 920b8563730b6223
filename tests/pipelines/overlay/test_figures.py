"""Figures: nothing invented, nothing jumps, and the table fits or is left out."""

import numpy as np
import pytest

from pipelines.overlay import COLOUR_A, COLOUR_B, FigureRow, bgr, draw_figures
from pipelines.overlay.text import CAP_HEIGHT, Align, draw_text, text_width

A = FigureRow("A", "ort-cpu", 116.2, 8.61, 9.9, COLOUR_A, {"face": 2.1, "segmentation": 3.04, "depth": 3.31})
B = FigureRow("B", "ort-webgpu", 322.0, 3.1, 3.62, COLOUR_B, {"face": 0.9, "segmentation": 1.0}, "2.8x faster")


def blank(width=1280, height=720):
    return np.full((height, width, 3), 140, np.uint8)


def extent(picture):
    """Left, top, right, bottom of what was drawn."""
    y, x = np.nonzero((picture != 140).any(axis=2))
    return x.min(), y.min(), x.max(), y.max()


def test_the_table_stands_in_the_top_left_corner(make):
    image = make.noise(1280, 720)
    before = image.copy()
    picture = draw_figures(image, [A, B], "camera gives 30 fps")
    assert np.array_equal(image, before)
    y, x = np.nonzero((picture != image).any(axis=2))
    assert 5 < x.min() < 40
    assert 5 < y.min() < 40
    assert x.max() < 800
    assert y.max() < 150


def test_rows_carry_the_colours_of_their_pipelines():
    picture = draw_figures(blank(), [A, B])
    amber = np.argwhere((picture == bgr(COLOUR_A)).all(axis=2))
    teal = np.argwhere((picture == bgr(COLOUR_B)).all(axis=2))
    assert len(amber) > 20
    assert len(teal) > 20
    assert amber[:, 0].max() < teal[:, 0].min(), "A above B"
    assert amber[:, 1].min() == teal[:, 1].min()


def test_digits_do_not_jump():
    narrow = FigureRow("A", "ort-cpu", 1.1, 1.1, 1.1, COLOUR_A, dict.fromkeys(("face", "segmentation", "depth"), 1.1))
    wide = FigureRow(
        "A", "ort-cpu", 888.8, 888.8, 888.8, COLOUR_A, dict.fromkeys(("face", "segmentation", "depth"), 888.8)
    )
    one, other = draw_figures(blank(), [narrow]), draw_figures(blank(), [wide])
    assert extent(one) == extent(other)
    changed = (one != other).any(axis=2)
    _, y0, _, y1 = extent(one)
    head = slice(y0, y0 + (y1 - y0) // 3)
    assert changed.any()
    assert not changed[head].any(), "the titles stay"
    # The last digit of each column is where it was: with only the digits before it changed, its pixels are the same.
    longer = draw_figures(blank(), [FigureRow("A", "ort-cpu", 21.0, 21.1, 31.1, COLOUR_A)])
    shorter = draw_figures(blank(), [FigureRow("A", "ort-cpu", 31.0, 31.1, 41.1, COLOUR_A)])
    columns = np.nonzero((longer != shorter).any(axis=(0, 2)))[0]
    assert len(columns) < 3 * 16, "only one digit a column changed"


def test_what_was_not_measured_is_a_dash():
    empty = FigureRow("A", "ort-cpu", None, None, None, COLOUR_A, {"face": None, "segmentation": None, "depth": None})
    zero = FigureRow("A", "ort-cpu", 0.0, 0.0, 0.0, COLOUR_A, dict.fromkeys(("face", "segmentation", "depth"), 0.0))
    dashes, zeros = draw_figures(blank(), [empty]), draw_figures(blank(), [zero])
    assert extent(dashes) == extent(zeros)
    x0, y0, x1, y1 = extent(dashes)
    rows = slice(y0 + (y1 - y0) // 2, y1)
    columns = slice(x0 + 110, x1 - 3)  # right of the name
    bright_dash = (dashes[rows, columns].max(axis=2) > 150).sum()
    bright_zero = (zeros[rows, columns].max(axis=2) > 150).sum()
    assert 0 < bright_dash < bright_zero / 4


def test_a_missing_task_is_a_dash_only_where_another_row_has_it():
    without = FigureRow("A", "ort-cpu", 30.0, 8.6, 9.9, COLOUR_A)
    one = extent(draw_figures(blank(), [without]))
    two = extent(draw_figures(blank(), [without, B]))
    assert one[2] < two[2], "no columns for tasks that nobody measured"


def test_extra_and_note_are_written():
    plain = draw_figures(blank(), [A])
    more = draw_figures(blank(), [FigureRow("A", "ort-cpu", 116.2, 8.61, 9.9, COLOUR_A, A.tasks_ms, "agree 0.998")])
    noted = draw_figures(blank(), [A], "depth is 41% of the work")
    assert extent(more)[2] > extent(plain)[2] + 40
    assert extent(noted)[3] > extent(plain)[3] + 10
    assert np.array_equal(draw_figures(blank(), []), blank())


@pytest.mark.parametrize("size", [(320, 240), (480, 853), (640, 480), (1280, 720), (3840, 2160)])
def test_the_table_fits(size):
    picture = draw_figures(blank(*size), [A, B], "camera gives 30 fps")
    x0, y0, x1, y1 = extent(picture)
    assert x0 > 0
    assert y0 > 0
    assert x1 < size[0] - 1
    assert y1 < size[1] - 1


@pytest.mark.parametrize("size", [(1, 1), (64, 64), (120, 90), (2000, 20)])
def test_a_picture_too_small_gets_no_table(size):
    assert np.array_equal(draw_figures(blank(*size), [A, B]), blank(*size))


def test_a_note_too_long_is_left_out_before_the_table():
    picture = draw_figures(blank(320, 240), [A], "word " * 60)
    assert np.array_equal(picture, draw_figures(blank(320, 240), [A]))
    assert (picture != 140).any()


@pytest.mark.parametrize("size", [9, 12, 16, 27, 48])
@pytest.mark.parametrize("weight", [400, 600])
def test_all_digits_have_one_width(size, weight):
    assert len({text_width(str(digit) * 8, size, weight) for digit in range(10)}) == 1


def test_text_stands_on_its_baseline_and_ends_at_its_right():
    image = np.zeros((100, 300, 3), np.uint8)
    draw_text(image, "HEI", 150, 70, 40, (255, 255, 255), align=Align.RIGHT)
    y, x = np.nonzero(image[..., 0] > 127)
    assert abs(y.max() - 69) <= 1
    assert abs((y.max() - y.min() + 1) - CAP_HEIGHT * 40) <= 2
    assert 140 < x.max() < 151
