"""The figures in each corner of the picture, put there by menu or mouse, on the screen and in files."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt

from app.card_text import card_text
from app.figures_place import MARGIN, clear_of, file_card, nearest_corner, placed
from app.screenshots import shown_bgr
from app.settings import FIGURE_CORNERS, Settings
from app.split import labels_height
from app.widgets.face_card import card_rect
from app.widgets.figures_view import FiguresView
from pipelines.compare import CompareMode
from pipelines.engine import View
from pipelines.overlay import DepthStyle, OverlayStyle, depth_place, draw_results
from tests.app.test_window_figures import FIGURES
from tests.app.window_fakes import result

ROOM = QRectF(10, 10, 1000, 500)
CARD = QSizeF(300, 100)


@pytest.mark.parametrize(
    ("corner", "at"),
    [("top_left", (10, 10)), ("top_right", (710, 54)), ("bottom_left", (10, 410)), ("bottom_right", (710, 410))],
)
def test_a_corner_is_a_corner(corner, at):
    box = placed(corner, CARD, ROOM, None, 8, over=44)
    assert (box.left(), box.top()) == at
    assert nearest_corner(box, ROOM) == corner


@pytest.mark.parametrize(("beside", "top"), [(690, 10), (710, 54)])
def test_a_card_that_would_reach_the_buttons_goes_below_them(beside, top):
    assert placed("top_left", CARD, ROOM, None, 8, over=44, beside=beside).top() == top


@pytest.mark.parametrize(("left", "top"), [(700, 202), (1000, 202), (300, 410)])
def test_depth_is_not_covered(left, top):
    """The card goes above what it would cover, and nowhere else."""
    depth = QRectF(left, 310, 100, 200)
    assert placed("bottom_right", CARD, ROOM, depth, 8).top() == top


def test_the_face_fits_above_the_foot(qapp):
    whole, small = card_rect(500, 56, 700), card_rect(500, 56, 270)
    assert whole.height() > small.height()
    assert (whole.width(), small.bottom()) == (small.width(), 270)


def test_words_go_above_the_card():
    box = QRectF(10, 410, 300, 100)
    assert clear_of(510, 40, box, 8) == 402
    assert clear_of(510, 40, QRectF(10, 10, 300, 100), 8) == 510
    assert clear_of(510, 40, None, 8) == 510


@pytest.fixture
def play(bench):
    """Makes a window that shows a picture and the figures on it."""

    def make(settings=None):
        one = bench(settings).play()
        one.qtbot.waitUntil(one.window.view.figures.isVisible)
        return one

    return make


def boxes_of(window):
    """What lies on the picture beside the card, each with its name."""
    view = window.view
    boxes = {name: QRectF(button.geometry()) for name, button in window.on_picture.items()}
    if window.badge.isVisible():
        boxes["badge"] = QRectF(window.badge.geometry())
    depth = view._depth_rect()
    if depth is not None:
        boxes["depth"] = depth
    return boxes


@pytest.mark.parametrize("corner", FIGURE_CORNERS)
def test_the_menu_puts_them_into_each_corner(play, corner):
    one = play()
    one.window.resize(1400, 900)
    one.deliver(result(1280, 720))
    one.act("record")
    one.qtbot.waitUntil(one.window.badge.isVisible)
    one.act(f"corner_{corner}")
    assert one.settings.figures_corner == corner
    checked = [name for name in FIGURE_CORNERS if one.window.actions_by_id[f"corner_{name}"].isChecked()]
    assert checked == [corner]
    view, card = one.window.view, one.window.view.figures
    assert nearest_corner(QRectF(card.geometry()), QRectF(view.rect())) == corner
    assert view.rect().contains(card.geometry())
    boxes = boxes_of(one.window)
    assert set(boxes) == {"screenshot", "record", "full", "badge", "depth"}
    for name, box in boxes.items():
        assert not box.intersects(QRectF(card.geometry())), name
    one.act("record")


def drag(one, card, to):
    start = card.rect().center()
    one.qtbot.mousePress(card, Qt.MouseButton.LeftButton, pos=start)
    for part in (0.3, 0.7, 1.0):
        here = QPointF(card.mapToParent(start)) * (1 - part) + QPointF(to) * part
        one.qtbot.mouseMove(card, card.mapFromParent(here.toPoint()))
    return start


def test_the_mouse_drags_them_to_another_corner(play):
    one = play()
    view, card = one.window.view, one.window.view.figures
    assert card.cursor().shape() is Qt.CursorShape.OpenHandCursor
    drag(one, card, QPoint(view.width() - 200, view.height() - 100))
    assert card.cursor().shape() is Qt.CursorShape.ClosedHandCursor
    assert card.target == placed(
        "bottom_right", card.card.deviceIndependentSize(), card._room(), view._depth_rect(), 8, card._over
    )
    # What is measured meanwhile does not pull it back.
    before = card.pos()
    one.window.news.show_figures()
    assert card.pos() == before
    one.qtbot.mouseRelease(card, Qt.MouseButton.LeftButton)
    assert one.settings.figures_corner == "bottom_right"
    assert card.geometry() == card.box.toAlignedRect()
    assert card.target is None
    assert card.cursor().shape() is Qt.CursorShape.OpenHandCursor


def test_a_short_way_or_none_leaves_them_where_they_are(play):
    one = play()
    card = one.window.view.figures
    home = card.geometry()
    one.qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert one.window.view.pin is None
    drag(one, card, home.center() + QPoint(30, 20))
    one.qtbot.mouseRelease(card, Qt.MouseButton.LeftButton)
    assert (card.geometry(), one.settings.figures_corner) == (home, "top_left")


def test_what_is_said_below_goes_above_them(play):
    one = play(Settings(figures_corner="bottom_left"))
    view = one.window.view
    one.act("pause")
    top = view.figures.geometry().top()
    assert view._pill_foot() == top - 8
    one.window.toast.show_text("Picture copied")
    toast = one.window.toast.geometry()
    assert toast.bottom() < view.mapTo(one.window.stack, QPoint(0, top)).y()
    one.act("corner_top_left")
    assert one.window.toast.geometry().bottom() > toast.bottom()


def view_of(found, other=None):
    style = OverlayStyle()
    drawn = None if other is None else draw_results(other, style)
    return View(draw_results(found, style), found, 1, "A", other, drawn)


@pytest.mark.parametrize("size_wh", [(1280, 720), (720, 1280)])
@pytest.mark.parametrize("corner", FIGURE_CORNERS)
def test_files_show_them_in_the_corner_too(qapp, corner, size_wh):
    found = result(*size_wh)
    card = file_card(card_text(FIGURES, {}, True), size_wh, corner, OverlayStyle())
    view = view_of(found)
    plain, shown = shown_bgr(view, 0.5), shown_bgr(view, 0.5, card)
    rows, columns = np.nonzero((plain != shown).any(axis=2))
    changed = QRectF(QPointF(columns.min(), rows.min()), QPointF(columns.max() + 1, rows.max() + 1))
    frame = QRectF(0, 0, *size_wh)
    # In a portrait the figures are as wide as the picture.
    assert nearest_corner(changed, frame).startswith(corner if size_wh == (1280, 720) else corner.partition("_")[0])
    box = card.box(found)
    assert frame.contains(box)
    assert box.adjusted(-1, -1, 1, 1).contains(changed)
    assert not box.intersects(QRectF(*depth_place(found, OverlayStyle())))


@pytest.mark.parametrize("corner", ["bottom_left", "bottom_right"])
def test_labels_of_a_split_stand_above_them(qapp, corner):
    found = result(1280, 720, tasks=("face",))
    card = file_card(card_text(FIGURES, {}, True), (1280, 720), corner, OverlayStyle())
    view = view_of(found, replace(found, backends={"face": "litert-cpu"}))
    box = card.box(found)
    foot = round(box.top()) - 8
    with_card, without = shown_bgr(view, 0.5, card), shown_bgr(view, 0.5)
    band = slice(round(foot - labels_height()), foot)
    assert (with_card[band] != without[band]).any()
    # Nothing of a label on the card: all that a split adds there is the line.
    lone = shown_bgr(replace(view, other=None, other_drawn=None), 0.5, card)
    inside = np.s_[round(box.top()) : round(box.bottom()), round(box.left()) : round(box.right())]
    columns = np.nonzero((with_card != lone)[inside].any(axis=(0, 2)))[0] + round(box.left())
    assert columns.size == 0 or (columns.min() > 635 and columns.max() < 645)


@pytest.mark.parametrize(
    ("depth", "share"), [(DepthStyle.INSET, 0.26), (DepthStyle.FULL, 0.04), (DepthStyle.RELIEF, None)]
)
def test_where_depth_lies_is_where_it_is_drawn(depth, share):
    found = result(1280, 720, tasks=("depth",))
    style = OverlayStyle(depth=depth)
    place = depth_place(found, style)
    if share is None:
        assert place is None
        return
    left, top, width, height = place
    assert height == pytest.approx(720 * share, rel=0.35)
    drawn = draw_results(found, style)
    edge = drawn[top + height // 2, left - 3 : left + 3].astype(int)
    assert np.abs(np.diff(edge.sum(axis=1))).max() > 10
    if depth is DepthStyle.INSET:
        changed = np.nonzero((drawn != found.frame.image_bgr).any(axis=2))
        assert (changed[1].min(), changed[0].min()) == (left, top)
        assert (changed[1].max() + 1, changed[0].max() + 1) == (left + width, top + height)


def test_a_screenshot_has_them_where_they_are(play, tmp_path):
    one = play(Settings(figures_corner="bottom_right", figures_on_screenshot=True, folder=str(tmp_path)))
    one.deliver(result(1280, 720, tasks=("face",)))
    with one.qtbot.waitSignal(one.controller.files.screenshot_saved) as signal:
        one.act("screenshot")
    shot = cv2.imread(str(signal.args[0].path))
    same = (shot == one.controller.picture.view.image_bgr).all(axis=2)
    assert same[:360].all()
    assert same[:, :400].all()
    assert not same[-100:, -200:].all()


def test_the_figures_have_a_name(play):
    one = play()
    assert isinstance(one.window.view.figures, FiguresView)
    assert one.window.view.figures.accessibleName() == "Figures"
    assert one.engine.mode is CompareMode.OFF


@pytest.mark.parametrize("corner", FIGURE_CORNERS)
@pytest.mark.parametrize("size", ["usual", "smallest"])
def test_the_face_and_the_figures_do_not_cover_each_other(play, size, corner):
    one = play()
    if size == "smallest":
        one.window.resize(one.window.minimumSizeHint())
    one.act(f"corner_{corner}")
    view = one.window.view
    assert not view._face_rect().intersects(view.figures.box)
    assert QRectF(view.rect()).contains(view._face_rect())


def test_figures_at_rest_follow_the_room(play):
    one = play()
    one.act("pause")
    full = one.window.view.figures.card.height()
    one.window.resize(one.window.minimumSizeHint())
    one.qtbot.waitUntil(lambda: one.window.view.figures.card.height() < full)


def test_in_the_smallest_window_the_figures_end_before_the_buttons(play):
    one = play()
    view = one.window.view
    one.window.resize(one.window.minimumSizeHint())
    one.qtbot.waitUntil(lambda: view.figures.box.right() < view.width() - view.buttons_width)
    assert view.figures.box.top() == MARGIN
    one.act("corner_bottom_left")
    one.qtbot.waitUntil(lambda: view.figures.box.right() > view.width() - view.buttons_width - MARGIN)
