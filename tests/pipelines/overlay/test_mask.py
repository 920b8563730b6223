"""The person mask: closed forms of every blend, and outlines of shapes that are known."""

import numpy as np
import pytest

from models.soft_mask import SoftMask
from pipelines.overlay import MaskStyle, OverlayStyle, Tint, bgr, draw_results
from pipelines.overlay.colours import CUTOUT
from pipelines.overlay.mask import OUTLINES, TINT_STRENGTH, TINTS, dimmed, draw_tint, outlines


def drawn(make, image, alpha, mask, opacity=1.0, **options):
    style = OverlayStyle(mask=mask, mask_opacity=opacity, **options)
    return draw_results(make.result(image, alpha=alpha), style)


def off_the_outline(alpha, reach=8):
    """Pixels at least `reach` away from any edge of the mask."""
    inside = alpha > 127
    keep = np.ones_like(inside)
    for dy in range(-reach, reach + 1, reach):
        for dx in range(-reach, reach + 1, reach):
            keep &= np.roll(inside, (dy, dx), (0, 1)) == inside
    return keep


@pytest.mark.parametrize("tint", list(Tint))
@pytest.mark.parametrize("opacity", [1.0, 0.6])
def test_tint_is_the_stated_mixture(make, tint, opacity):
    image = make.noise(320, 240)
    alpha = make.disc(320, 240, (150, 120), 70, soft=30)
    picture = drawn(make, image, alpha, MaskStyle.TINT, opacity, mask_tint=tint).astype(float)
    share = 0.25 * opacity
    colour = np.array(bgr(TINTS[tint]))
    expected = image * (1 - share) + share * colour * (alpha / 255)[..., None]
    away = off_the_outline(alpha)
    assert np.abs(picture - expected)[away].max() <= 2
    background = away & (alpha == 0)
    assert background.sum() > 30_000
    assert np.abs(picture - image * (1 - share))[background].max() <= 1


def test_an_empty_mask_only_darkens(make):
    image = make.noise(64, 64)
    alpha = np.zeros((64, 64), np.uint8)
    assert np.abs(drawn(make, image, alpha, MaskStyle.TINT) - 0.75 * image).max() <= 1
    assert np.array_equal(drawn(make, image, alpha, MaskStyle.OUTLINE), image)
    assert np.abs(drawn(make, image, alpha, MaskStyle.CUTOUT).astype(int) - bgr(CUTOUT)).max() == 0


def test_a_full_mask_has_no_outline(make):
    image = make.noise(64, 64)
    alpha = np.full((64, 64), 255, np.uint8)
    assert np.array_equal(drawn(make, image, alpha, MaskStyle.OUTLINE), image)
    for mask in (MaskStyle.SPOTLIGHT, MaskStyle.CUTOUT):
        assert np.array_equal(drawn(make, image, alpha, mask), image)


def test_the_spotlight_takes_colour_and_light_from_the_background(make):
    image = make.noise(200, 150)
    alpha = make.disc(200, 150, (100, 75), 40, soft=20)
    picture = drawn(make, image, alpha, MaskStyle.SPOTLIGHT).astype(float)
    grey = (image @ np.array([0.114, 0.587, 0.299]))[..., None]
    share = (alpha / 255)[..., None]
    assert np.abs(picture - (image * share + grey * (1 - share) * 0.45)).max() <= 2.5
    assert np.array_equal(picture[alpha == 255], image[alpha == 255])
    assert np.ptp(picture[alpha == 0], axis=1).max() == 0


def test_the_cutout_puts_one_colour_behind_the_person(make):
    image = make.noise(200, 150)
    alpha = make.disc(200, 150, (100, 75), 40, soft=20)
    picture = drawn(make, image, alpha, MaskStyle.CUTOUT).astype(float)
    share = (alpha / 255)[..., None]
    assert np.abs(picture - (image * share + np.array(bgr(CUTOUT)) * (1 - share))).max() <= 2


def traced(alpha):
    return outlines(SoftMask.of(alpha), (alpha.shape[1], alpha.shape[0]))


@pytest.mark.parametrize("size", [(640, 480), (1280, 720), (3840, 2160)])
def test_the_outline_of_a_disc_is_its_circle(make, size):
    width, height = size
    radius, center = 0.35 * height, np.array([0.45 * width, 0.5 * height])
    (line,) = traced(make.disc(width, height, center, radius, soft=4))
    distance = np.linalg.norm(line - center, axis=1)
    step = max(1.0, width / 640)
    assert np.abs(distance - radius).max() < 1.3 * step
    angles = np.sort(np.arctan2(*(line - center).T))
    assert np.diff(angles).max() < 0.4, "all around"


def test_holes_are_outlined_and_specks_are_not(make):
    alpha = make.disc(640, 480, (320, 240), 180)
    alpha = np.minimum(alpha, 255 - make.disc(640, 480, (330, 240), 60))
    alpha = np.maximum(alpha, make.disc(640, 480, (40, 40), 4))
    assert len(traced(alpha)) == 2


def test_no_line_runs_along_the_pictures_edge(make):
    image = np.full((480, 640, 3), 100, np.uint8)
    alpha = np.zeros((480, 640), np.uint8)
    alpha[200:, 220:420] = 255  # cut off by the lower edge
    picture = drawn(make, image, alpha, MaskStyle.OUTLINE)
    changed = (picture != image).any(axis=2)
    assert changed[198:204, 300].any(), "across the shoulders"
    assert changed[470, 216:224].any(), "down to the edge"
    assert not changed[440:, 240:400].any(), "but not along it"


def test_the_outline_is_a_line_of_the_tints_light_colour(make):
    image = np.full((720, 1280, 3), 60, np.uint8)
    alpha = make.disc(1280, 720, (640, 360), 200)
    picture = drawn(make, image, alpha, MaskStyle.OUTLINE, mask_tint=Tint.ROSE)
    changed = (picture != image).any(axis=2)
    y, x = np.nonzero(changed)
    assert np.abs(np.hypot(x - 640, y - 360) - 200).max() < 6
    assert (picture == bgr(OUTLINES[Tint.ROSE])).all(axis=2).sum() > 1000


def test_a_wider_outline_covers_more(make):
    image = np.full((480, 640, 3), 60, np.uint8)
    alpha = make.disc(640, 480, (320, 240), 150)

    def covered(scale):
        return (drawn(make, image, alpha, MaskStyle.OUTLINE, line_scale=scale) != image).any(axis=2).sum()

    assert covered(1.0) < covered(2.0) < covered(4.0)


@pytest.mark.parametrize("opacity", [1.0, 0.5])
@pytest.mark.parametrize("size_wh", [(1280, 720), (101, 7)])
@pytest.mark.parametrize("step", [1, 2])
def test_dimming_takes_the_same_share_from_every_value(size_wh, opacity, step):
    """In whole words, in bytes where the picture does not fill words, and where rows are not adjacent."""
    width, height = size_wh
    picture = np.random.default_rng(1).integers(0, 256, (height, width * step, 3), np.uint8)[:, ::step]
    before = picture.copy()
    lighter = dimmed(picture, opacity)
    assert lighter.shape == picture.shape
    assert np.abs(lighter - picture * (1 - TINT_STRENGTH * opacity)).max() < 1
    np.testing.assert_array_equal(picture, before)


@pytest.mark.parametrize("tint", [Tint.VIOLET, Tint.WHITE])
def test_a_tint_reaches_what_lies_beside_the_box(make, tint):
    image = np.full((90, 160, 3), 255, np.uint8)
    soft = SoftMask((0, 160), 90, (40, 20, 60, 30), np.full((10, 20), 128, np.uint8), (0, 64, 255, 255))
    alpha = soft.pixels()
    picture = dimmed(image, 1.0)
    draw_tint(picture, soft, tint, 1.0)
    expected = image * 0.75 + 0.25 * np.array(bgr(TINTS[tint])) * (alpha / 255)[..., None]
    assert np.abs(picture - np.minimum(expected, 255)).max() <= 2
    # The edge of what is cut off by the frame runs out of it.
    for line in outlines(soft, (160, 90)):
        inside = ((line > 0) & (line < (159, 89))).all(axis=1)
        assert inside.any()
        assert not inside.all()
