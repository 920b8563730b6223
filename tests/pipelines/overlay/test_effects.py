"""Background effects: what is read from the command line, and that nothing of the person gets into the background."""

import cv2
import numpy as np
import pytest

from models.results import DepthMap
from pipelines.errors import ConfigError
from pipelines.overlay import EffectKind, apply_effect, parse_effect

RED, BLUE = (20, 20, 220), (200, 60, 10)


def scene(make, width=640, height=360, radius=110, **options):
    """A red disc of a person on blue."""
    image = np.full((height, width, 3), BLUE, np.uint8)
    center = (0.4 * width, 0.5 * height)
    image[make.disc(width, height, center, radius, soft=0.01) > 127] = RED
    return make.result(image, alpha=make.disc(width, height, center, radius, soft=4), **options)


@pytest.mark.parametrize(
    ("text", "kind", "tasks"),
    [
        ("none", EffectKind.NONE, ()),
        ("blur", EffectKind.BLUR, ("segmentation",)),
        (" Bokeh ", EffectKind.BOKEH, ("segmentation",)),
        ("color:#1e90FF", EffectKind.COLOR, ("segmentation",)),
    ],
)
def test_effects_are_read(text, kind, tasks):
    effect = parse_effect(text)
    assert effect.kind is kind
    assert effect.tasks == tasks


def test_colours_are_read_as_red_green_blue():
    assert parse_effect("color:#1e90ff").colour_bgr == (0xFF, 0x90, 0x1E)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no effect '': use none, blur, bokeh, color:#RRGGBB, or replace: and a picture file"),
        ("sepia", "there is no effect 'sepia'"),
        ("blur:3", "the effect blur takes nothing after a colon, not 'blur:3'"),
        ("color", "the effect color needs a colour like color:#1e90ff, not 'color'"),
        ("color:#12345", "the effect color needs a colour like color:#1e90ff, not 'color:#12345'"),
        ("color:#12345g", "not 'color:#12345g'"),
        ("color:red", "not 'color:red'"),
        ("replace", "the effect replace needs a picture, as in replace:beach.jpg"),
        ("replace:/nowhere/at/all.jpg", "cannot read the background /nowhere/at/all.jpg: No such file or directory"),
    ],
)
def test_what_is_no_effect_is_refused(text, message):
    with pytest.raises(ConfigError) as caught:
        parse_effect(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "the file is empty"),
        (b"a text, not a picture", "not a picture"),
        (b"\x89PNG\r\n\x1a\n1234", "not a picture"),
    ],
)
def test_a_background_that_is_no_picture_is_refused(tmp_path, content, cause):
    path = tmp_path / "beach.png"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        parse_effect(f"replace:{path}")
    assert str(caught.value) == f"cannot read the background {path}: {cause}"


def test_a_folder_is_no_background(tmp_path):
    with pytest.raises(ConfigError, match="cannot read the background"):
        parse_effect(f"replace:{tmp_path}")


def test_none_gives_the_frame_itself(make):
    result = make.result(make.noise(64, 48))
    assert apply_effect(result, parse_effect("none")) is result.frame.image_bgr


def test_effects_need_the_mask(make):
    with pytest.raises(ConfigError, match=r"^the effect blur needs the task segmentation$"):
        apply_effect(make.result(make.noise(64, 48)), parse_effect("blur"))


@pytest.mark.parametrize("text", ["blur", "bokeh", "color:#00ff00"])
def test_the_person_is_left_alone(make, text):
    image = make.noise(640, 360)
    alpha = make.disc(640, 360, (300, 180), 110)
    before = image.copy()
    result = make.result(image, alpha=alpha)
    picture = apply_effect(result, parse_effect(text))
    assert np.array_equal(picture[alpha == 255], image[alpha == 255])
    assert not np.array_equal(picture[alpha == 0], image[alpha == 0])
    assert np.array_equal(image, before)


@pytest.mark.parametrize("text", ["blur", "bokeh"])
@pytest.mark.parametrize("size", [(640, 360), (360, 640), (1280, 720), (97, 61)])
def test_the_persons_colour_does_not_bleed_into_the_background(make, text, size):
    result = scene(make, *size, radius=0.3 * min(size))
    picture = apply_effect(result, parse_effect(text)).astype(int)
    background = result.mask.alpha == 0
    assert np.abs(picture[background] - BLUE).max() <= 3
    # An ordinary blur fails this by far: the bound above is about the method, not about the scene.
    smeared = cv2.GaussianBlur(result.frame.image_bgr, (0, 0), 0.03 * size[0]).astype(int)
    assert np.abs(smeared[background] - BLUE).max() > 30


@pytest.mark.parametrize("text", ["blur", "bokeh"])
def test_the_background_is_smooth_and_keeps_its_brightness(make, text):
    image = make.noise(640, 360)
    alpha = make.disc(640, 360, (300, 180), 60)
    picture = apply_effect(make.result(image, alpha=alpha), parse_effect(text)).astype(float)
    away = make.disc(640, 360, (300, 180), 100) == 0
    assert picture[away].std() < 0.25 * image[away].std()
    assert picture[away].mean() == pytest.approx(image[away].mean(), abs=12)


def test_colour_is_the_stated_mixture(make):
    image = make.noise(200, 150)
    alpha = make.disc(200, 150, (100, 75), 40, soft=20)
    picture = apply_effect(make.result(image, alpha=alpha), parse_effect("color:#1e90ff"))
    share = (alpha / 255)[..., None]
    assert np.abs(picture - (image * share + np.array([0xFF, 0x90, 0x1E]) * (1 - share))).max() <= 2


@pytest.mark.parametrize("text", ["blur", "bokeh", "color:#00ff00"])
@pytest.mark.parametrize("value", [0, 255])
def test_nobody_and_nothing_but_somebody(make, text, value):
    image = make.noise(160, 90)
    result = make.result(image, alpha=np.full((90, 160), value, np.uint8), depth=make.slope((160, 90)))
    assert np.array_equal(apply_effect(result, parse_effect(text)), image) == (value == 255)


def stripes(path, width, height):
    """A picture of a red, a green and a blue third."""
    picture = np.zeros((height, width, 3), np.uint8)
    for third, channel in enumerate((2, 1, 0)):
        picture[:, third * width // 3 : (third + 1) * width // 3, channel] = 255
    cv2.imwrite(str(path), picture)
    return path


@pytest.mark.parametrize(("width", "height"), [(300, 100), (1800, 600)])
def test_a_wide_picture_is_cut_at_its_sides(make, tmp_path, width, height):
    effect = parse_effect(f"replace:{stripes(tmp_path / 'wide.png', width, height)}")
    image = make.noise(200, 200)
    picture = apply_effect(make.result(image, alpha=np.zeros((200, 200), np.uint8)), effect)
    assert (picture[100, 10:190] == (0, 255, 0)).all(), "the middle third fills a square"
    alpha = make.disc(200, 200, (100, 100), 50)
    for _ in range(2):  # the fitted picture is kept, and must not be painted on
        over = apply_effect(make.result(image, alpha=alpha), effect)
        assert np.array_equal(over[alpha == 255], image[alpha == 255])
        assert np.array_equal(over[alpha == 0], picture[alpha == 0])


def test_a_replaced_background_follows_the_frames_size(make, tmp_path):
    effect = parse_effect(f"replace:{stripes(tmp_path / 'stripes.png', 90, 30)}")
    for width, height in ((90, 30), (640, 360), (30, 90), (1, 1)):
        result = make.result(make.noise(width, height), alpha=np.zeros((height, width), np.uint8))
        assert apply_effect(result, effect).shape == (height, width, 3)


def test_bokeh_leaves_sharp_what_is_as_near_as_the_person(make):
    image = make.noise(640, 360)
    alpha = make.disc(640, 360, (320, 180), 60)
    nearness = np.full((192, 320), 0.1, np.float32)
    nearness[:, 110:210] = 0.9  # person
    nearness[150:] = 0.9  # a table in front
    depth = DepthMap(nearness, (640, 360), near=1.0, far=0.0)
    picture = apply_effect(make.result(image, alpha=alpha, depth=depth), parse_effect("bokeh"))
    assert np.array_equal(picture[310:, 20:620], image[310:, 20:620])
    assert picture[20:200, 20:180].std() < 0.3 * image[20:200, 20:180].std()
    uniform = apply_effect(make.result(image, alpha=alpha), parse_effect("bokeh"))
    assert uniform[310:, 20:620].std() < 0.3 * image[310:, 20:620].std()


def test_bokeh_blurs_more_with_distance(make):
    image = np.zeros((360, 640, 3), np.uint8)
    image[::24, :] = 255  # lines
    alpha = make.disc(640, 360, (320, 180), 60)
    nearness = np.full((192, 320), 0.9, np.float32)
    nearness[:, :80] = 0.7  # somewhat behind
    nearness[:, 240:] = 0.0  # far behind
    depth = DepthMap(nearness, (640, 360), near=1.0, far=0.0)
    picture = apply_effect(make.result(image, alpha=alpha, depth=depth), parse_effect("bokeh")).astype(float)
    contrast = [np.ptp(picture[60:300, column].mean(axis=1)) for column in (slice(30, 120), slice(520, 610))]
    assert contrast[0] > 1.5 * contrast[1]


def test_highlights_become_discs(make):
    image = np.full((360, 640, 3), 30, np.uint8)
    image[80:84, 500:504] = 255
    picture = apply_effect(make.result(image, alpha=make.disc(640, 360, (200, 180), 60)), parse_effect("bokeh"))
    bright = picture[..., 1] > 45
    y, x = np.nonzero(bright)
    assert len(y)
    area = bright.sum()
    assert 0.6 < area / (np.pi * (np.ptp(x) + 1) * (np.ptp(y) + 1) / 4) < 1.3, "round"
    assert 14 < np.ptp(x) < 40
    assert abs(x.mean() - 502) < 3
    assert abs(y.mean() - 82) < 3
