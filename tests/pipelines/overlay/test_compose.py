"""All results on one picture: every size, every style, nothing lost, nothing touched that should not be."""

import itertools
import threading
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.results import DepthMap
from pipelines.config import PipelineConfig, RunningMode
from pipelines.errors import ConfigError
from pipelines.frame import Frame
from pipelines.overlay import (
    DepthColours,
    DepthStyle,
    FaceStyle,
    FigureRow,
    MaskStyle,
    OverlayStyle,
    Tint,
    apply_effect,
    draw_figures,
    draw_results,
    draw_split,
    parse_effect,
)
from pipelines.pipeline import Pipeline

OFF = OverlayStyle(face=FaceStyle.OFF, mask=MaskStyle.OFF, depth=DepthStyle.OFF)
SIZES = [(1, 1), (1, 90), (90, 1), (3, 2), (64, 64), (37, 113), (321, 199), (480, 853)]


def everything(make, width, height):
    """A face, a person and depth that fit a picture of any size."""
    short = min(width, height)
    return make.result(
        make.noise(width, height),
        faces=[make.face(width / 2 - short / 4, height / 4, short / 2)],
        alpha=make.disc(width, height, (width / 2, height / 2), short / 2.5),
        depth=make.slope((width, height)),
    )


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_style_draws_on_every_size(make, width, height):
    result = everything(make, width, height)
    for face, mask, depth in itertools.product(FaceStyle, MaskStyle, DepthStyle):
        picture = draw_results(result, OverlayStyle(face=face, mask=mask, depth=depth))
        assert picture.shape == (height, width, 3)
        assert picture.dtype == np.uint8
    figures = draw_figures(picture, [FigureRow("A", "ort-cpu", 30.0, 8.6, 9.9, "#f5a524")], "a note")
    assert figures.shape == picture.shape


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_effect_works_on_every_size(make, width, height):
    result = everything(make, width, height)
    for text in ("none", "blur", "bokeh", "color:#102030"):
        assert apply_effect(result, parse_effect(text)).shape == (height, width, 3)


@pytest.mark.parametrize(
    "styles",
    [
        [OverlayStyle(depth_colours=colours) for colours in DepthColours],
        [OverlayStyle(mask_tint=tint) for tint in Tint],
        [OverlayStyle(face=face) for face in FaceStyle],
        [OverlayStyle(mask=mask) for mask in MaskStyle],
        [OverlayStyle(depth=depth) for depth in DepthStyle if depth is not DepthStyle.AUTO],
        [OverlayStyle(depth=DepthStyle.RELIEF, relief_yaw=yaw) for yaw in (-45.0, 0.0, 20.0)],
        [OverlayStyle(line_scale=scale) for scale in (1.0, 2.0, 4.0)],
    ],
    ids=["depth colours", "tints", "faces", "masks", "depth", "relief", "lines"],
)
def test_every_choice_looks_different(make, styles):
    result = everything(make, 640, 360)
    assert len({draw_results(result, style).tobytes() for style in styles}) == len(styles)


@pytest.mark.parametrize("mask", list(MaskStyle))
@pytest.mark.parametrize("depth", [DepthStyle.INSET, DepthStyle.FULL])
def test_a_split_shows_half_of_each(make, mask, depth):
    """Also where the divider cuts a face, the legend, or the person.

    Beside it a shadow may be a little lighter, and a line around half a person may begin its pieces elsewhere.
    """
    a = everything(make, 640, 360)
    b = make.result(
        a.frame.image_bgr,
        faces=[make.face(330, 80, 170)],
        alpha=make.disc(640, 360, (340, 190), 120, soft=20),
        depth=make.slope((640, 360), far=0.5),
    )
    b = replace(b, frame=a.frame)
    for face in FaceStyle if mask is MaskStyle.TINT and depth is DepthStyle.INSET else (FaceStyle.CONTOURS,):
        style = OverlayStyle(face=face, mask=mask, depth=depth, mask_opacity=0.7, face_opacity=0.8)
        whole_a, whole_b = draw_results(a, style), draw_results(b, style)
        for first in (0, 1, 290, 333, 500, 640):
            picture = draw_split(a, b, style, first)
            expected = np.hstack([whole_a[:, :first], whole_b[:, first:]])
            difference = np.abs(picture.astype(int) - expected)
            difference[:, max(0, first - 8) : first + 8] = 0
            is_line = mask in (MaskStyle.OUTLINE, MaskStyle.TINT)  # over depth colours a tint is an outline
            assert (difference > 3).any(axis=2).mean() < (0.004 if is_line else 1e-9), (face, first)


def test_a_split_of_a_relief_shows_half_of_each(make):
    a = everything(make, 320, 180)
    b = replace(make.result(a.frame.image_bgr, depth=make.slope((320, 180), far=0.5)), frame=a.frame)
    style = OverlayStyle(depth=DepthStyle.RELIEF)
    expected = np.hstack([draw_results(a, style)[:, :100], draw_results(b, style)[:, 100:]])
    np.testing.assert_array_equal(draw_split(a, b, style, 100), expected)


def test_a_split_is_drawn_on_other_bases(make):
    result = everything(make, 320, 240)
    dark, light = np.zeros((240, 320, 3), np.uint8), np.full((240, 320, 3), 200, np.uint8)
    picture = draw_split(result, result, OFF, 100, (dark, light))
    assert not picture[:, :100].any()
    assert (picture[:, 100:] == 200).all()
    tinted = draw_split(result, result, OverlayStyle(), 100, (dark, light))
    np.testing.assert_array_equal(tinted[:, 140:], draw_results(result, OverlayStyle(), light)[:, 140:])


def test_the_frame_stays_as_it_was(make):
    result = everything(make, 640, 360)
    before = result.frame.image_bgr.copy()
    alpha = result.mask.alpha.copy()
    picture = draw_results(result, OverlayStyle())
    assert np.array_equal(result.frame.image_bgr, before)
    assert np.array_equal(result.mask.alpha, alpha)
    assert not np.shares_memory(picture, result.frame.image_bgr)
    assert picture.flags.writeable


@pytest.mark.parametrize(
    "style",
    [OFF, OverlayStyle(face_opacity=0, mask_opacity=0, depth_opacity=0)],
    ids=["everything off", "everything invisible"],
)
@pytest.mark.parametrize("only_depth", [False, True])
def test_off_and_invisible_leave_the_frame(make, style, only_depth):
    result = everything(make, 320, 240)
    if only_depth:
        result = make.result(result.frame.image_bgr, depth=result.depth)
    assert np.array_equal(draw_results(result, style), result.frame.image_bgr)


def test_tasks_that_are_off_or_found_nothing_draw_nothing(make):
    image = make.noise(320, 240)
    assert np.array_equal(draw_results(make.result(image), OverlayStyle()), image)
    assert np.array_equal(draw_results(make.result(image, faces=[]), OverlayStyle()), image)


def test_results_are_drawn_on_another_base(make):
    result = everything(make, 320, 240)
    base = np.zeros((240, 320, 3), np.uint8)
    assert np.array_equal(draw_results(result, OFF, base), base)
    on_base = draw_results(result, OverlayStyle(), base)
    on_black = draw_results(everything(make, 320, 240), OverlayStyle(), base.copy())
    assert np.array_equal(on_base, on_black)
    assert not base.any()
    with pytest.raises(ValueError, match="240, 320, 3"):
        draw_results(result, OFF, np.zeros((10, 10, 3), np.uint8))


def test_partial_opacity_lies_between(make):
    result = everything(make, 640, 360)
    plain = result.frame.image_bgr.astype(int)
    full = draw_results(result, OverlayStyle()).astype(int)
    half = draw_results(result, OverlayStyle(face_opacity=0.5, mask_opacity=0.5, depth_opacity=0.5)).astype(int)
    assert np.abs(half - plain).sum() < 0.8 * np.abs(full - plain).sum()
    assert np.abs(half - plain).sum() > 0.2 * np.abs(full - plain).sum()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"face_opacity": 1.5}, "the opacity of face must be between 0 and 1, not 1.5"),
        ({"mask_opacity": -0.1}, "the opacity of mask must be between 0 and 1, not -0.1"),
        ({"depth_opacity": float("nan")}, "the opacity of depth must be between 0 and 1, not nan"),
        ({"line_scale": 9.0}, "the line width must be between 0.5 and 4 times the usual one, not 9"),
        ({"relief_yaw": 46.0}, "a relief is turned by 45 degrees at most, not by 46"),
        ({"relief_pitch": float("nan")}, "a relief is turned by 35 degrees at most, not by nan"),
    ],
)
def test_impossible_styles_are_refused(change, message):
    with pytest.raises(ConfigError) as caught:
        OverlayStyle(**change)
    assert str(caught.value) == message


def test_threads_do_not_share_working_arrays(make):
    results = [everything(make, 320 + 32 * k, 240 - 16 * k) for k in range(4)]
    alone = [draw_results(result, OverlayStyle()) for result in results]
    effect = parse_effect("blur")
    alone_blurred = [apply_effect(result, effect) for result in results]
    wrong = []

    def work(k):
        for _ in range(15):
            if not np.array_equal(draw_results(results[k], OverlayStyle()), alone[k]):
                wrong.append(("overlay", k))
            if not np.array_equal(apply_effect(results[k], effect), alone_blurred[k]):
                wrong.append(("effect", k))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_large_pictures_get_wider_lines(make):
    def share(width, height):
        result = make.result(make.noise(width, height), faces=[make.face(width * 0.3, height * 0.2, height * 0.5)])
        changed = (draw_results(result, OverlayStyle()) != result.frame.image_bgr).any(axis=2)
        return changed.mean()

    # Seen on one screen, 4K and 720p shall look alike: the share of the picture that the lines take is similar.
    assert share(3840, 2160) == pytest.approx(share(1280, 720), rel=0.35)


def test_depth_that_is_all_alike_is_drawn(make):
    flat = DepthMap(np.full((192, 320), 0.5, np.float32), (320, 240), near=0.6, far=0.4)
    picture = draw_results(make.result(make.noise(320, 240), depth=flat), OverlayStyle())
    assert picture.std(axis=(0, 1)).max() < 20


def test_real_results_of_the_real_pipeline():
    data = pytest.importorskip("skimage.data")
    small = np.ascontiguousarray(data.astronaut()[:, :, ::-1])
    image = np.ascontiguousarray(cv2.resize(small, (1280, 1280), interpolation=cv2.INTER_LINEAR)[:720])
    with Pipeline(PipelineConfig(pipeline="cpu", mode=RunningMode.IMAGE)) as pipeline:
        result = pipeline.process(Frame(image))
    picture = draw_results(result, OverlayStyle())
    difference = np.abs(picture.astype(int) - image).sum(axis=2)
    points = result.faces.faces[0].landmarks
    for index in (10, 152, 234, 454, 61, 291, 70, 300):  # oval, corners of the mouth, brows
        x, y = points[index, :2].round().astype(int)
        assert difference[y - 1 : y + 2, x - 1 : x + 2].max() > 60
    # Cheek and wall, by eye in this picture: tinted by the colour's quarter, and a quarter darker.
    x, y = ((points[205, :2] + points[50, :2]) / 2).round().astype(int)
    violet_bgr = np.array([255, 92, 124])
    assert np.abs(picture[y, x] - (0.75 * image[y, x] + 0.25 * violet_bgr)).max() < 6
    assert np.abs(picture[300, 820] - 0.75 * image[300, 820]).max() < 3
