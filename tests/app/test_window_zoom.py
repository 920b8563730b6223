"""The picture looked at closely: zoom and pan, what lies under the pointer, one face."""

import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.face_view import next_pin, pin_at, pin_of
from app.pictures import Wish, make_picture
from app.qimage import to_bgr
from app.settings import Settings
from app.widgets.face_card import lines
from app.widgets.pointing import told_at
from app.zoom import Zoom
from models.results import Face, FaceLandmarks
from pipelines.engine import View
from pipelines.overlay import OverlayStyle
from tests.app.window_fakes import picture, result


def sharp(one):
    """Wait until what is shown is what was asked for."""
    view = one.window.view
    one.qtbot.waitUntil(
        lambda: view.picture.wish.place == (view.room_wh, view.zooming.zoom) and view.picture.wish.pin == view.pin,
    )


def on_screen(one):
    return to_bgr(one.window.view.grab().toImage()).astype(int)


@pytest.fixture
def one(bench):
    return bench(Settings(figures="off", panel=False, strip=False, style={"face": "off", "mask": "off"})).play()


def test_one_to_one_each_pixel_of_the_picture_is_one_of_the_screen(one):
    one.act("zoom_one")
    sharp(one)
    view = one.window.view
    assert view.picture.image.size() == view.picture.image.size().boundedTo(view.picture.image.size())
    assert (view.picture.image.width(), view.picture.image.height()) == (160, 90)
    left, top = (view.width() - 160) // 2, (view.height() - 90) // 2
    shown = on_screen(one)[top : top + 90, left : left + 160]
    drawn = view.picture.view.image_bgr
    # Beside the depth card, which is drawn on it.
    np.testing.assert_array_equal(shown[:40, :80], drawn[:40, :80])
    assert on_screen(one)[top - 2, left].max() < 20


def test_filling_leaves_no_bars(one):
    one.window.resize(700, 640)
    one.act("zoom_fill")
    sharp(one)
    screen = on_screen(one)
    assert screen[0, :200].max() > 30 or screen[0].std() > 10
    assert screen[-1].max() > 100
    one.act("zoom_fit")
    sharp(one)
    assert on_screen(one)[0].max() < 20


def test_the_wheel_zooms_around_the_pointer(one):
    view = one.window.view
    at = QPointF(view.width() * 0.3, view.height() * 0.5)
    before = view.layout_now(view.picture).to_picture(at.x(), at.y())
    for _ in range(6):
        turn = QWheelEvent(
            at,
            QPointF(view.mapToGlobal(at.toPoint())),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(view, turn)
    assert view.zooming.zoom.kind == "free"
    assert view.layout_now(view.picture).to_picture(at.x(), at.y()) == pytest.approx(before, abs=1.0)
    sharp(one)
    x0, _, x1, _ = view.picture.layout.crop_xyxy
    assert x1 - x0 < 160


def test_the_keys_zoom_and_the_mouse_pans(one, qtbot):
    view, window = one.window.view, one.window
    window.activateWindow()
    for _ in range(8):
        qtbot.keyClick(window, Qt.Key.Key_Plus)
    sharp(one)
    before = view.picture.layout.crop_xyxy
    assert before[2] - before[0] < 160
    middle = QPoint(view.width() // 2, view.height() // 2)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(view, middle + QPoint(60, 0))
    qtbot.mouseMove(view, middle + QPoint(150, 0))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=middle + QPoint(150, 0))
    qtbot.waitUntil(lambda: view.layout_now(view.picture).crop_xyxy != before)
    sharp(one)
    assert view.picture.layout.crop_xyxy[0] < before[0]
    assert view.pin is None  # a drag is no click
    for _ in range(30):
        qtbot.keyClick(window, Qt.Key.Key_Minus)
    assert view.zooming.zoom.scale == pytest.approx(1.0) or view.zooming.zoom == Zoom()


def test_until_a_sharp_picture_comes_the_old_one_is_stretched(one):
    view = one.window.view
    before = view.picture
    view.zooming.take(Zoom("free", 20.0))
    target = view._target(before)
    assert target.width() == pytest.approx(160 * 20.0)
    assert target.center().x() == pytest.approx(view.width() / 2, abs=20)
    sharp(one)
    assert view._target(view.picture).width() < view.width() + 2 * 20


# -- under the pointer


def test_the_pointer_tells_depth_and_person(one, qtbot):
    view = one.window.view
    qtbot.mouseMove(view, QPoint(view.width() // 4, view.height() // 2))
    qtbot.waitUntil(lambda: view.told() != "")
    place, depth, person = view.told().split(" \N{MIDDLE DOT} ")
    x, y = (int(value) for value in place.split(", "))
    assert (x, y) == (pytest.approx(40, abs=2), pytest.approx(45, abs=2))
    assert depth == f"Depth {40 / 160:.2f}" or abs(float(depth.split()[1]) - 0.25) < 0.04
    assert person == "Person 100% here, 50% of the picture"
    qtbot.mouseMove(view, QPoint(3 * view.width() // 4, view.height() // 2))
    qtbot.waitUntil(lambda: "Person 0% here" in view.told())
    QApplication.sendEvent(view, _leave())
    assert view.told() == ""


def _leave():
    from PySide6.QtCore import QEvent

    return QEvent(QEvent.Type.Leave)


def test_beside_the_frame_nothing_is_told():
    found = result()
    assert told_at(found, -1, 0) == told_at(found, 0, 90) == ""
    assert told_at(found, 0, 0).startswith("0, 0 ")
    assert told_at(result(tasks=("face",)), 3, 4) == "3, 4"


# -- a face


def center(face):
    return (face.box_xyxy[:2] + face.box_xyxy[2:]) / 2


def test_a_click_on_a_face_pins_it_and_another_lets_it_go(one, qtbot):
    view = one.window.view
    face = view.picture.view.result.results["face"].faces[0]
    x, y = view.layout_now(view.picture).to_screen(*center(face))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert view.pin == 1
    qtbot.waitUntil(lambda: view.picture.face is not None)
    assert lines(view.picture.face)[:2] == ("Face 1", "score 0.90, 478 points")
    one.deliver()
    assert view.picture.face is not None
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert view.pin is None


def test_a_double_click_pins_nothing(one, qtbot):
    view = one.window.view
    face = view.picture.view.result.results["face"].faces[0]
    x, y = view.layout_now(view.picture).to_screen(*center(face))
    where = QPoint(round(x), round(y))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=where)
    assert view.pin is None
    assert one.window.isFullScreen()


def test_the_key_goes_from_face_to_face_and_ends(one):
    one.act("look")
    assert one.window.view.pin == 1
    one.act("look")
    assert one.window.view.pin is None


def test_without_a_face_the_key_says_so(bench):
    one = bench().begin()
    one.act("look")
    assert "no face" in one.window.toast.text


def test_faces_without_a_track_are_pinned_by_their_place():
    found = result()
    face = found.results["face"].faces[0]
    object.__setattr__(face, "track_id", -1)
    assert pin_of(face, 0) == -1
    assert pin_at(found, *center(face)) == -1
    assert pin_at(found, 159, 89) is None
    assert next_pin(found, None) == -1
    assert next_pin(found, -1) is None


def test_in_the_mirror_the_face_is_where_it_is_seen(bench, qtbot):
    one = bench(Settings(mirror=True)).play("camera:0")
    view = one.window.view
    face = view.picture.view.result.results["face"].faces[0]
    x, y = view.layout_now(view.picture).to_screen(159 - center(face)[0], center(face)[1])
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert view.pin == 1
    qtbot.mouseMove(view, QPoint(round(x), round(y)))
    qtbot.waitUntil(lambda: "Person 100%" in view.told())


def test_the_close_look_shows_the_face_of_the_frame():
    """Twice as large: two landmarks 50 pixels apart lie in the corners, and its middle is the middle between them."""
    found = result(320, 180)
    box = np.array([100, 60, 150, 110], np.float32)
    corners = np.array([[100, 60, 0], [150, 110, 0]], np.float32)
    found.results["face"] = FaceLandmarks((Face(0.5, box, corners, 7),))
    view = View(found.frame.image_bgr, found, 1)
    made = make_picture(view, Wish((320, 180), pin=7, face_px=130))
    assert (made.face.image.width(), made.face.image.height()) == (130, 130)
    assert made.face.pose is None
    assert lines(made.face) == ("Face 1", "score 0.50, 2 points")
    close = to_bgr(made.face.image).astype(int)
    np.testing.assert_allclose(close[65, 65], picture(320, 180)[85, 125], atol=2)
    for x, y in ((15, 15), (115, 115)):
        assert close[y, x].min() > 140
    assert make_picture(view, Wish((320, 180), pin=8, face_px=100)).face is None


# -- costs


def test_painting_a_picture_of_1080p_costs_the_gui_thread_less_than_two_milliseconds(one):
    """With zoom, readout and a face beside it; the processor's time, since the clock belongs to everybody."""
    found = result(1920, 1080)
    one.deliver(found)
    view = one.window.view
    view.look_at(1)
    view.pointer = QPointF(view.width() / 3, view.height() / 2)
    view.looked.emit()
    for zoom in (Zoom(), Zoom("fill"), Zoom("free", 1.0)):
        view.zooming.take(zoom)
        sharp(one)
        one.qtbot.waitUntil(lambda: view.told() != "")
        target = QImage(view.size(), QImage.Format.Format_RGB32)
        costs = []
        for _ in range(30):
            painter = QPainter(target)
            start = time.thread_time()
            view._paint_picture(painter, view.picture)
            costs.append((time.thread_time() - start) * 1e3)
            painter.end()
        assert np.median(costs) < 2.0, zoom


def test_a_mirrored_picture_is_cropped_after_it_is_drawn():
    found = result(320, 180, tasks=("segmentation",))
    view = View(found.frame.image_bgr, found, 1)
    wish = Wish((100, 100), mirror=OverlayStyle(), zoom=Zoom("free", 1.0, (0.0, 0.0)))
    made = make_picture(view, wish)
    assert made.layout.crop_xyxy == (0, 0, 100, 100)
    # The frame is dark on its left; in the mirror that is the right.
    assert to_bgr(made.image)[:, :, 0].mean() > 150
