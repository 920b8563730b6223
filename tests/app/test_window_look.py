"""The look: contrast, icons, and a window that is sharp and complete in both themes."""

import re
from dataclasses import fields
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QColor

from app.colors import DARK, LIGHT
from app.commands import COMMANDS
from app.i18n.language import language_of
from app.icons import FOLDER, icon, pixmap
from app.qimage import to_bgr
from app.settings import Settings
from app.sources import (
    facts,
    facts_in_full,
    is_address,
    is_camera,
    is_file,
    mode_label,
    mode_options,
    source_icon,
    source_label,
)
from app.style import style_from
from app.style_sheet import style_sheet
from app.theme import AMBER, CONTROL_HEIGHT, TEAL, Type, font
from pipelines.config import TASKS
from pipelines.mirror import mirrored
from pipelines.overlay import COLOUR_A, COLOUR_B, FaceStyle, OverlayStyle
from pipelines.sources.base import SourceInfo, SourceOptions
from tests.app.window_fakes import result


def luminance(color):
    """Relative luminance, WCAG 2.2."""
    parts = [part / 255 for part in (QColor(color).red(), QColor(color).green(), QColor(color).blue())]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colors", [DARK, LIGHT], ids=["dark", "light"])
def test_text_can_be_read(colors):
    for ground in (colors.window, colors.panel, colors.raised, colors.hover):
        assert contrast(colors.text, ground) >= 7
        assert contrast(colors.muted, ground) >= 4.5
    assert contrast(colors.on_ink, colors.ink) >= 7
    for mark in (colors.focus, colors.error, colors.warning):
        assert contrast(mark, colors.panel) >= 3


def test_a_and_b_have_the_colours_of_the_overlay():
    assert (AMBER, TEAL) == (COLOUR_A, COLOUR_B)
    assert contrast("#15181c", AMBER) >= 7


@pytest.mark.parametrize("colors", [DARK, LIGHT], ids=["dark", "light"])
def test_the_style_sheet_names_files_that_exist(colors):
    names = re.findall(r'url\("([^"]+)"\)', style_sheet(colors))
    assert names
    for name in names:
        assert FOLDER.joinpath(name).exists()


def test_icons_are_of_one_family():
    for path in FOLDER.glob("*.svg"):
        root = ElementTree.parse(path).getroot()
        if path.stem == "twinlens":
            continue
        assert root.get("viewBox") == "0 0 24 24", path.name
        assert root.get("stroke-width") == "1.75", path.name
        assert root.get("stroke-linecap") == "round", path.name


def test_every_icon_that_is_named_exists(qapp):
    names = {command.icon for command in COMMANDS if command.icon}
    names |= {source_icon(source) for source in ("demo", "camera:0", "http://x", "/a/b.mp4", "/a/b.JPG", "/a/b")}
    for name in names:
        assert (FOLDER / f"{name}.svg").exists(), name


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_icons_take_colour_and_scale(qapp, scale):
    picture = pixmap("stop", "#ff0000", 20, scale)
    assert picture.width() == round(20 * scale)
    image = picture.toImage()
    middle = image.pixelColor(image.width() // 2, image.height() // 2)
    assert middle.name() == "#ff0000"
    assert image.pixelColor(0, 0).alpha() == 0
    assert not icon("stop", "#ff0000", "#0000ff").isNull()


def test_the_type_scale_follows_the_system(qapp):
    sizes = {kind: font(kind).pointSizeF() for kind in Type}
    assert sizes[Type.CAPTION] < sizes[Type.BODY] < sizes[Type.TITLE]
    assert sizes[Type.BODY] == pytest.approx(qapp.font().pointSizeF())


@pytest.mark.parametrize("theme_name", ["light", "dark"])
@pytest.mark.parametrize("state", ["empty", "running", "error"])
def test_the_whole_window_can_be_looked_at(bench, theme_name, state, tmp_path):
    """Nothing lies outside the window or over another part, and the picture gets most of the room."""
    one = bench()
    one = one.begin() if state == "empty" else one.play()
    one.act(f"theme_{theme_name}")
    if state == "error":
        one.engine.fail("clip.mp4 is empty")
        one.qtbot.waitUntil(one.window.message_bar.isVisible)
    window = one.window
    window.resize(1280, 800)
    one.qtbot.waitUntil(lambda: window.stack.width() == 1280 - window.panel.width())
    parts = [window.top_bar, window.stack, window.panel, window.strip]
    boxes = [part.geometry() for part in parts]
    for index, box in enumerate(boxes):
        assert window.rect().contains(window.centralWidget().mapTo(window, box.topLeft()))
        assert not any(box.intersects(other) for other in boxes[index + 1 :])
    assert window.stack.width() * window.stack.height() > 0.5 * 1280 * 800
    image = to_bgr(window.grab().toImage())
    assert image.std() > 5


def test_controls_beside_each_other_are_of_one_height(bench):
    one = bench(Settings(unfolded=("face",))).play()
    bar, panel = one.window.top_bar, one.window.panel
    parts = (bar.source, bar.start, bar.pipeline, bar.compare, *bar.folds, panel.max_faces, panel.styles["face"])
    one.qtbot.waitUntil(lambda: {part.height() for part in parts} == {CONTROL_HEIGHT})


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_what_is_chosen_is_marked_in_the_list_of_a_box(bench):
    """Below the box, and filled: a list of the style's own lies over it, and marks nothing."""
    one = bench().play()
    box, hover = one.window.panel.effect, one.window.theme.colors.hover
    box.showPopup()
    view = box.view()

    def marked():
        row = view.visualRect(view.currentIndex())
        return view.viewport().grab().toImage().pixelColor(row.right() - 8, row.center().y()).name()

    one.qtbot.waitUntil(lambda: marked() == hover)
    assert view.mapToGlobal(view.rect().topLeft()).y() >= box.mapToGlobal(box.rect().center()).y()
    box.hidePopup()


def test_cards_do_not_move_when_the_panel_can_be_scrolled(bench):
    one = bench().play()
    one.window.resize(1280, 800)
    panel = one.window.panel
    card, bar = panel.cards["face"], panel.verticalScrollBar()
    one.qtbot.waitUntil(lambda: bar.maximum() == 0)
    width = card.width()
    one.controller.change(unfolded=TASKS)
    one.qtbot.waitUntil(lambda: bar.maximum() > 0)
    # Of the width of the bar (10) no more is lost than a pixel of rounding.
    one.qtbot.waitUntil(lambda: abs(card.width() - width) <= 1)


def test_the_command_to_stop_looks_like_one(bench):
    one = bench().play()
    action, theme = one.window.actions_by_id["toggle"], one.window.theme
    assert action.icon().cacheKey() == theme.icon("stop").cacheKey()
    one.act("theme_light")
    assert action.icon().cacheKey() == theme.icon("stop").cacheKey()
    one.act("toggle")
    one.qtbot.waitUntil(lambda: action.icon().cacheKey() == theme.icon("play").cacheKey())


# -- words about sources


@pytest.mark.parametrize(
    ("source", "label", "kind"),
    [
        ("demo", "Demo", "demo"),
        ("camera", "Camera", "camera"),
        ("camera:2", "Camera 2", "camera"),
        ("camera:Logi: C920", "Logi: C920", "camera"),
        ("/videos/clip one.mp4", "clip one.mp4", "file"),
        ("rtsp://me:secret@10.0.0.7/a", "10.0.0.7", "address"),
        ("HTTPS://cam.local/x", "cam.local", "address"),
        ("", "No source", ""),
    ],
)
def test_sources_have_names(source, label, kind):
    assert source_label(source) == label
    assert is_camera(source) is (kind == "camera")
    assert is_address(source) is (kind == "address")
    assert is_file(source) is (kind == "file")


@pytest.mark.parametrize(
    ("mode", "options", "label"),
    [
        (
            "1280x720@30 MJPG",
            SourceOptions((1280, 720), 30.0, "MJPG"),
            "1280 \N{MULTIPLICATION SIGN} 720, 30 fps  MJPG",
        ),
        ("640x480 YUYV", SourceOptions((640, 480), None, "YUYV"), "640 \N{MULTIPLICATION SIGN} 480  YUYV"),
        ("640x480@29.97", SourceOptions((640, 480), 29.97), "640 \N{MULTIPLICATION SIGN} 480, 29.97 fps"),
        ("640x480", SourceOptions((640, 480)), "640 \N{MULTIPLICATION SIGN} 480"),
        ("", SourceOptions(), ""),
    ],
)
def test_camera_modes(mode, options, label):
    assert mode_options(mode) == options
    assert mode_label(mode) == label


@pytest.mark.parametrize(
    ("asked", "fps", "measured", "rate"),
    [
        (SourceOptions(), 30, 29.1, "30 fps"),
        (SourceOptions(), 30, 0.0, "30 fps"),
        (SourceOptions(), 30, 14.6, "15 of 30 fps"),
        (SourceOptions((640, 480), 60.0), 30, 30.0, "30 of 60 fps"),
        (SourceOptions((640, 480), 30.0), 30, 7.49, "7.5 of 30 fps"),
        (SourceOptions(), None, 25.0, ""),
    ],
)
def test_what_a_camera_gives_is_told_beside_what_was_asked(qapp, asked, fps, measured, rate):
    language_of(qapp)
    info = SourceInfo("Front", "camera", True, (640, 480), Fraction(fps) if fps else None, pixel_format="YUYV")
    size = "640 \N{MULTIPLICATION SIGN} 480"
    assert facts(info, asked, measured) == " \N{MIDDLE DOT} ".join([size, rate] if rate else [size])
    file = SourceInfo("clip.mp4", "video", False, (640, 480), Fraction(60))
    assert facts(file, asked, measured).endswith("60 fps")  # played as fast as the pipeline is


def test_everything_about_a_camera_mode(qapp):
    language_of(qapp)
    told = ("asked for MJPG, the camera gives YUYV",)
    info = SourceInfo("Front", "camera", True, (640, 480), Fraction(30), notices=told, pixel_format="YUYV")
    size = "640 \N{MULTIPLICATION SIGN} 480"
    assert facts_in_full(info, SourceOptions((640, 480), 60, "MJPG"), 14.96).splitlines() == [
        f"Asked for: {size}, 60 fps, MJPG",
        f"The camera says: {size}, 30 fps, YUYV",
        "Measured: 15.0 fps",
        *told,
    ]
    assert facts_in_full(info).splitlines()[0] == "Asked for: the camera's choice"
    assert facts_in_full(SourceInfo("clip.mp4", "video", False, (8, 8), notices=("turned",))) == "turned"
    assert facts_in_full(None) == ""


def test_facts_of_a_folder_of_pictures(qapp):
    language_of(qapp)
    info = SourceInfo("folder", "images", False, (640, 480), frame_count=12, still=True)
    assert facts(info) == "640 \N{MULTIPLICATION SIGN} 480 \N{MIDDLE DOT} 12 pictures"
    assert facts(None) == ""


# -- style and mirror


def test_settings_become_a_style():
    assert style_from({}) == OverlayStyle()
    style = style_from({"face": "mesh", "mask_opacity": 0.5, "depth_opacity": 1})
    assert style == OverlayStyle(face=FaceStyle.MESH, mask_opacity=0.5, depth_opacity=1)


@pytest.mark.parametrize(
    "values", [{"face": "hologram"}, {"unheard_of": 1.0}, {"mask_opacity": "much"}, {"mask_opacity": 7.0}, {"face": 3}]
)
def test_what_a_style_does_not_know_is_left_at_its_default(values):
    assert style_from(values) == OverlayStyle()


def test_a_mirrored_result_is_the_result_of_the_mirrored_frame():
    found = result(161, 90)
    there = mirrored(found)
    np.testing.assert_array_equal(there.frame.image_bgr, found.frame.image_bgr[:, ::-1])
    np.testing.assert_array_equal(there.mask.alpha, found.mask.alpha[:, ::-1])
    np.testing.assert_array_equal(there.depth.inverse_depth, found.depth.inverse_depth[:, ::-1])
    before, after = found.faces.faces[0], there.faces.faces[0]
    np.testing.assert_allclose(before.landmarks[:, 0] + after.landmarks[:, 0], 160, atol=1e-3)
    np.testing.assert_array_equal(before.landmarks[:, 1:], after.landmarks[:, 1:])
    np.testing.assert_allclose(after.box_xyxy[[0, 2]], 160 - before.box_xyxy[[2, 0]], atol=1e-3)
    back = mirrored(there)
    np.testing.assert_allclose(back.faces.faces[0].landmarks, before.landmarks, atol=1e-3)
    assert {item.name for item in fields(type(back))} == {item.name for item in fields(type(found))}
