"""Depth: the card in its corner, near is bright, colours that are those of the legend."""

import numpy as np
import pytest

from models.results import DepthMap
from pipelines.overlay import DepthColours, DepthStyle, MaskStyle, OverlayStyle, draw_results
from pipelines.overlay.depth import card_layout, colour_table, colourise

GREY = 90


def flat(width=1280, height=720):
    return np.full((height, width, 3), GREY, np.uint8)


def level(value, size_wh=(1280, 720)):
    """Depth of one value on the scale 0 (far) to 1 (near)."""
    return DepthMap(np.full((192, 320), value, np.float32), size_wh, near=1.0, far=0.0)


def luminance(bgr):
    return bgr.astype(float) @ np.array([0.114, 0.587, 0.299])


def drawn(make, depth, style=DepthStyle.INSET, image=None, **options):
    image = flat(*depth.size_wh) if image is None else image
    return draw_results(make.result(image, depth=depth), OverlayStyle(depth=style, **options))


def test_the_card_lies_in_the_lower_right_corner(make):
    changed = (drawn(make, make.slope((1280, 720))) != GREY).any(axis=2)
    y, x = np.nonzero(changed)
    assert 0.24 < np.ptp(x) / 1280 < 0.28
    assert 1280 - 30 < x.max() < 1280 - 5
    assert 720 - 30 < y.max() < 720 - 5
    assert y.min() > 720 / 2


@pytest.mark.parametrize(("value", "entry"), [(-1.0, 0), (0.0, 0), (0.5, 128), (1.0, 255), (7.0, 255)])
@pytest.mark.parametrize("colours", list(DepthColours))
def test_the_card_shows_the_colours_of_the_map(make, value, entry, colours):
    picture = drawn(make, level(value), depth_colours=colours)
    layout = card_layout((1280, 720))
    middle = picture[layout.y + layout.picture_height // 2, layout.x + layout.width // 2]
    assert np.abs(middle.astype(int) - colour_table(colours)[entry, 0]).max() <= 3


def test_left_is_left_and_near_is_bright(make):
    layout = card_layout((1280, 720))
    picture = drawn(make, make.slope((1280, 720)))
    row = luminance(picture[layout.y + layout.picture_height // 2, layout.x + 10 : layout.x + layout.width - 10])
    assert row[-1] > row[0] + 150
    assert np.diff(row).min() > -3


def test_the_legend_goes_from_far_to_near(make):
    layout = card_layout((1280, 720))
    picture = drawn(make, make.slope((1280, 720)), depth_colours=DepthColours.GREY)
    middle = layout.y + layout.picture_height + layout.legend_height // 2
    bar = luminance(picture[middle, layout.x + 60 : layout.x + layout.width - 60])
    assert np.diff(bar).min() >= 0
    assert bar[-1] - bar[0] > 150


def test_the_cards_corners_are_round_and_see_through(make):
    layout = card_layout((1280, 720))
    picture = drawn(make, level(1.0))
    left, top = layout.x, layout.y
    bottom, right = top + layout.height - 1, left + layout.width - 1
    for y, x in ((top, left), (top, right), (bottom, left), (bottom, right)):
        assert (picture[y, x] == GREY).all()
    under_legend = drawn(make, level(1.0), image=np.full((720, 1280, 3), 250, np.uint8))
    legend = (layout.y + layout.picture_height + 2, layout.x + layout.width // 2)
    assert luminance(under_legend[legend]) > luminance(picture[legend]) + 20


@pytest.mark.parametrize("colours", [colours for colours in DepthColours if colours is not DepthColours.TURBO])
def test_uniform_maps_grow_brighter_all_the_way(colours):
    steps = luminance(colour_table(colours)[:, 0])
    assert np.diff(steps).min() > -1.5
    assert steps[-1] - steps[0] > 150


def test_turbo_goes_from_cold_to_warm():
    far, near = colour_table(DepthColours.TURBO)[[40, 230], 0].astype(int)
    assert far[0] > far[2]
    assert near[2] > near[0]


def test_depth_alone_fills_the_picture_and_beside_others_it_does_not(make):
    image = make.noise(640, 480)
    depth = make.slope((640, 480))
    alone = draw_results(make.result(image, depth=depth), OverlayStyle())
    assert np.array_equal(alone, drawn(make, depth, DepthStyle.FULL, image))
    beside = draw_results(make.result(image, faces=[], depth=depth), OverlayStyle())
    assert np.array_equal(beside, drawn(make, depth, DepthStyle.INSET, image))
    assert np.array_equal(beside[:240], image[:240])


def test_over_the_picture_it_lets_an_eighth_through(make):
    image = make.noise(640, 480)
    picture = drawn(make, level(1.0, (640, 480)), DepthStyle.FULL, image)
    expected = 0.88 * colour_table(DepthColours.INFERNO)[255, 0] + 0.12 * image
    assert np.abs(picture[:300] - expected[:300]).max() <= 1
    assert np.abs(picture[300:, :300] - expected[300:, :300]).max() <= 1
    half = drawn(make, level(1.0, (640, 480)), DepthStyle.FULL, image, depth_opacity=0.5)
    mixed = 0.44 * colour_table(DepthColours.INFERNO)[255, 0] + 0.56 * image
    assert np.abs(half[:300] - mixed[:300]).max() <= 1


def test_no_tint_falsifies_the_colours(make):
    alpha = make.disc(640, 480, (320, 200), 120)
    depth = level(0.6, (640, 480))
    with_mask = draw_results(make.result(flat(640, 480), alpha=alpha, depth=depth), OverlayStyle(depth=DepthStyle.FULL))
    without = drawn(make, depth, DepthStyle.FULL)
    assert np.array_equal(with_mask[200, 320], without[200, 320])
    assert np.array_equal(with_mask[20, 20], without[20, 20])
    assert not np.array_equal(with_mask, without), "the outline is there"
    style = OverlayStyle(depth=DepthStyle.FULL, mask=MaskStyle.CUTOUT)
    cut = draw_results(make.result(flat(640, 480), alpha=alpha, depth=depth), style)
    assert np.array_equal(cut[200, 320], without[200, 320])
    assert not np.array_equal(cut[20, 20], without[20, 20])


@pytest.mark.parametrize(
    ("size", "fits", "legend"),
    [
        ((1, 1), False, False),
        ((40, 40), False, False),
        ((64, 64), True, False),
        ((320, 240), True, False),
        ((480, 853), True, True),
        ((1280, 720), True, True),
        ((3840, 2160), True, True),
        ((4000, 20), False, False),
        ((20, 4000), False, False),
    ],
)
def test_the_card_fits_or_is_left_out(size, fits, legend):
    layout = card_layout(size)
    assert (layout is not None) == fits
    if layout is not None:
        assert layout.x >= 0
        assert layout.y >= 0
        assert layout.x + layout.width <= size[0]
        assert layout.y + layout.height <= size[1]
        assert (layout.legend_height > 0) == legend
        assert layout.picture_height / layout.width == pytest.approx(size[1] / size[0], rel=0.05)


def test_small_cards_without_legend_have_round_corners_too(make):
    layout = card_layout((320, 240))
    picture = drawn(make, level(1.0, (320, 240)))
    middle = picture[layout.y + layout.height // 2, layout.x + layout.width // 2]
    right, bottom = layout.x + layout.width - 1, layout.y + layout.height - 1
    corners = picture[[layout.y, layout.y, bottom, bottom], [layout.x, right, layout.x, right]]
    assert luminance(corners).max() < luminance(middle) - 60, "mostly what lies below"
    assert np.ptp(luminance(corners)) <= 2, "all four alike"
    assert np.abs(middle.astype(int) - colour_table(DepthColours.INFERNO)[255, 0]).max() <= 2


@pytest.mark.parametrize("size_wh", [(333, 187), (1000, 562), (40, 24)])
def test_cards_of_every_size_show_the_same_colours(size_wh):
    """Whether colours are looked up before or after enlarging: at most what interpolation between entries differs."""
    ramp = np.broadcast_to(np.linspace(-0.2, 1.2, 320, dtype=np.float32), (192, 320)).copy()
    depth = DepthMap(ramp, (1280, 720), near=1.0, far=0.0)
    picture = colourise(depth, DepthColours.GREY, size_wh)
    assert picture.shape == (size_wh[1], size_wh[0], 3)
    x = (np.arange(size_wh[0]) + 0.5) / size_wh[0]
    expected = np.clip(-0.2 + 1.4 * (x * 320 - 0.5) / 319, 0, 1) * 255
    assert np.abs(picture[size_wh[1] // 2, :, 0] - expected).max() <= 2
