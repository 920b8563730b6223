"""The bar under a file: play, hold, steps, places, loop and speed, by mouse and key."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.controller import Controller
from app.main_window import MainWindow
from app.notifications import Notifications
from app.playback import clock
from app.settings import Settings
from pipelines.engine import EngineState, LiveEngine
from pipelines.playback import Playback
from tests.app.window_fakes import CAMERAS, FakeInventory
from tests.numbered import number_of, write_numbered
from tests.pipelines.test_playback import NumberPipeline

KEY = Qt.Key


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00.00"),
        (3.48, "0:03.48"),
        (62.5, "1:02.50"),
        (59.999, "1:00.00"),
        (3725.1, "1:02:05.10"),
        (-1, "0:00.00"),
    ],
)
def test_times_are_written_with_hundredths(seconds, text):
    assert clock(seconds) == text


@pytest.fixture
def film(bench):
    """A window with a file of 100 s, held by nobody, at 40 s."""
    one = bench(Settings(panel=False, strip=False)).begin("/videos/clip.mp4")
    one.engine.file = Playback(40.0, 100.0)
    one.engine.open("clip.mp4", kind="video", seekable=True)
    one.deliver()
    one.qtbot.waitUntil(one.window.transport.isVisible)
    one.press = lambda key: one.qtbot.keyClick(QApplication.focusWidget() or one.window, key)
    return one


def news(one):
    one.engine.on_update()
    one.qtbot.waitUntil(lambda: one.controller.playback.now == one.engine.file)


def test_the_bar_is_there_for_files_alone(bench):
    one = bench(inventory=FakeInventory(CAMERAS)).play("demo")
    bar = one.window.transport
    assert not bar.isVisible()
    assert not one.window.actions_by_id["step_on"].isEnabled()
    for kind, more, wanted in (
        ("video", {"seekable": True}, True),
        ("camera", {}, False),
        ("images", {"still": True}, False),
    ):
        one.controller.open(kind)
        one.engine.open(kind, kind=kind, **more)
        one.qtbot.waitUntil(lambda wanted=wanted: bar.isVisible() is wanted)
    one.controller.open("clip")
    one.engine.open("clip", kind="video", seekable=True)
    one.qtbot.waitUntil(bar.isVisible)
    one.act("toggle")
    one.qtbot.waitUntil(lambda: not bar.isVisible())


def test_it_shows_where_the_file_is(film):
    bar = film.window.transport
    film.engine.file = Playback(62.5, 100.0, speed=2.0)
    news(film)
    assert (bar.position.text(), bar.length.text()) == ("1:02.50", "1:40.00")
    assert bar.slider.value() == 62_500
    assert bar.slider.maximum() == 100_000
    assert bar.speed.currentData() == 2.0


def test_digits_do_not_move_the_bar(film):
    bar = film.window.transport
    places = set()
    for position_s in (0.0, 9.99, 11.11, 99.99):
        film.engine.file = Playback(position_s, 100.0)
        news(film)
        film.window.layout().activate()
        places.add((bar.slider.x(), bar.slider.width()))
    assert len(places) == 1


@pytest.mark.parametrize(
    ("key", "call"),
    [
        (KEY.Key_Period, "step 1"),
        (KEY.Key_Comma, "step -1"),
        (KEY.Key_J, "seek 30"),
        (KEY.Key_L, "seek 50"),
        (KEY.Key_K, "pause True"),
        (KEY.Key_P, "pause True"),
        (KEY.Key_BracketLeft, "speed 0.5"),
        (KEY.Key_BracketRight, "speed 2"),
    ],
)
def test_keys(film, key, call):
    film.press(key)
    assert film.engine.calls[-1] == call


def test_skipping_stays_within_the_file(film):
    film.engine.file = Playback(96.0, 100.0)
    news(film)
    film.press(KEY.Key_L)
    assert film.engine.calls[-1] == "seek 100"
    film.engine.file = Playback(4.0, 100.0)
    news(film)
    film.press(KEY.Key_J)
    assert film.engine.calls[-1] == "seek 0"


def test_space_still_stops(film):
    film.press(KEY.Key_Space)
    film.qtbot.waitUntil(lambda: film.controller.state == "idle")


def test_speeds_end_at_the_last(film):
    for _ in range(5):
        film.press(KEY.Key_BracketRight)
    assert film.engine.file.speed == 4.0
    for _ in range(9):
        film.press(KEY.Key_BracketLeft)
    assert film.engine.file.speed == 0.25
    assert film.window.transport.speed.currentData() == 0.25


def test_the_speed_is_chosen_in_the_list(film):
    box = film.window.transport.speed
    box.setCurrentIndex(box.findData(4.0))
    box.activated.emit(box.currentIndex())
    assert film.engine.calls[-1] == "speed 4"


def test_the_loop_is_a_setting(film):
    film.qtbot.mouseClick(film.window.transport.loop, Qt.MouseButton.LeftButton)
    assert film.settings.loop is False
    assert film.engine.file.loop is False
    assert not film.window.actions_by_id["loop"].isChecked()
    film.act("loop")
    assert film.settings.loop is True
    assert film.engine.file.loop is True


def test_the_loop_that_was_remembered_is_told_to_the_engine(bench):
    assert bench(Settings(loop=False)).begin().engine.file.loop is False


def test_the_button_holds_and_plays(film):
    bar = film.window.transport
    assert bar.play.accessibleName() == "Pause"
    film.qtbot.mouseClick(bar.play, Qt.MouseButton.LeftButton)
    film.qtbot.waitUntil(lambda: film.controller.state == "paused")
    assert bar.play.accessibleName() == "Play"
    assert film.window.view.pill == ""
    film.qtbot.mouseClick(bar.play, Qt.MouseButton.LeftButton)
    film.qtbot.waitUntil(lambda: film.controller.state == "running")


def test_at_the_end_it_can_be_played_again(film):
    film.engine.say("", EngineState.ENDED)
    film.qtbot.waitUntil(lambda: film.controller.state == "ended")
    assert film.window.transport.isVisible()
    assert film.window.transport.play.accessibleName() == "Play"
    film.press(KEY.Key_P)
    assert film.engine.calls[-1] == "pause False"


def at(slider, time_s):
    """Where the middle of the handle is at a time."""
    share = time_s * 1000 / slider.maximum()
    return QPoint(round(7 + share * (slider.width() - 14)), slider.height() // 2)


def test_a_click_goes_to_the_place(film):
    slider = film.window.transport.slider
    film.qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=at(slider, 75.0))
    (call,) = [call for call in film.engine.calls if call.startswith("seek")]
    assert float(call.split()[1]) == pytest.approx(75.0, abs=0.5)


def test_dragging_goes_there_all_the_while_and_the_file_does_not_pull_the_handle_away(film):
    slider, bar = film.window.transport.slider, film.window.transport
    film.qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=at(slider, 20.0))
    for time_s in (30.0, 50.0, 60.0):
        QTest.mouseMove(slider, at(slider, time_s))
    film.engine.file = Playback(21.0, 100.0)
    news(film)
    assert slider.sliderPosition() / 1000 == pytest.approx(60.0, abs=0.5)
    assert bar.position.text().startswith(("1:00", "0:59"))
    film.qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=at(slider, 80.0))
    asked = [float(call.split()[1]) for call in film.engine.calls if call.startswith("seek")]
    assert asked == pytest.approx([20.0, 30.0, 50.0, 60.0, 80.0], abs=0.5)
    film.engine.file = Playback(80.1, 100.0)
    news(film)
    assert slider.value() == 80_100


def test_arrows_move_the_slider_that_has_the_keyboard(film):
    slider = film.window.transport.slider
    slider.setFocus()
    film.press(KEY.Key_Right)
    assert film.engine.calls[-1] == "seek 45"
    film.press(KEY.Key_PageUp)
    assert film.engine.calls[-1] == "seek 75"
    film.press(KEY.Key_Home)
    assert film.engine.calls[-1] == "seek 0"


def test_the_time_under_the_pointer_is_told(film):
    slider = film.window.transport.slider
    QTest.mouseMove(slider, at(slider, 25.0))
    film.qtbot.waitUntil(slider.hover.isVisible)
    minutes, seconds = slider.hover.text().split(":")
    assert int(minutes) * 60 + float(seconds) == pytest.approx(25.0, abs=0.5)
    below = slider.mapTo(film.window, QPoint(0, 0)).y()
    assert slider.hover.geometry().bottom() < below
    QTest.mouseMove(film.window.view, QPoint(5, 5))
    film.qtbot.waitUntil(lambda: not slider.hover.isVisible())


def test_the_time_under_the_pointer_goes_with_the_bar(film):
    slider = film.window.transport.slider
    film.qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=slider.rect().center())
    film.qtbot.mouseMove(slider, slider.rect().center() + QPoint(5, 0))
    film.qtbot.waitUntil(slider.hover.isVisible)
    film.act("full")
    film.qtbot.waitUntil(lambda: not film.window.transport.isVisible())
    assert slider.hover.isHidden()
    assert not slider.isSliderDown()
    film.act("full")
    film.qtbot.waitUntil(film.window.transport.isVisible)
    film.engine.file = replace(film.engine.file, position_s=70.0)
    news(film)
    assert slider.value() == 70_000


@pytest.mark.parametrize(
    ("more", "file", "word"),
    [
        ({"kind": "video", "seekable": True}, Playback(1.0, None), "length"),
        ({"kind": "stream", "live_file": True}, Playback(1.0, 60.0), "network"),
    ],
)
def test_what_cannot_be_wound_says_why(film, more, file, word):
    more = dict(more)
    is_stream = more.pop("live_file", False)
    film.controller.open("other")
    film.engine.file = file
    film.engine.open("other", **more)
    if is_stream:
        info = replace(film.engine.status().source_info, live=False)
        film.engine._status = replace(film.engine.status(), source_info=info)
        film.engine.on_update()
    bar = film.window.transport
    film.qtbot.waitUntil(lambda: bar.isVisible() and not bar.slider.isEnabled())
    assert word in bar.slider.toolTip()
    assert bar.play.isEnabled()
    assert film.window.actions_by_id["step_on"].isEnabled()


def test_the_length_that_is_learned_enables_the_slider(film):
    film.engine.file = Playback(1.0, None)
    news(film)
    assert not film.window.transport.slider.isEnabled()
    assert film.window.transport.length.text() == "\N{EN DASH}"
    film.engine.file = Playback(2.0, 3.0)
    news(film)
    assert film.window.transport.slider.isEnabled()
    assert film.window.transport.slider.toolTip() == ""


def test_the_real_engine_goes_to_the_frame_that_is_asked_for(qtbot, theme, tmp_path):
    path = write_numbered(tmp_path / "numbers.mp4", 100, options={"crf": "12", "g": "25", "bf": "0"})
    notifications = Notifications()
    controller = Controller(
        Settings(tasks=("face",), panel=False, strip=False, loop=True),  # a slow machine must find it playing
        notifications,
        FakeInventory(),
        lambda settings: None,
        lambda on_update: LiveEngine(on_update, pipeline_factory=NumberPipeline),
    )
    window = MainWindow(controller, theme)
    window.show()
    controller.begin(str(path))

    def shown():
        return number_of(controller.picture.view.plain_bgr) if controller.picture is not None else None

    def shows(number):
        return lambda: shown() == number and window.view.picture is controller.picture

    try:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        # The picture may be there before the news that it plays.
        qtbot.waitUntil(lambda: shown() is not None and controller.state == "running")
        qtbot.waitUntil(window.transport.isVisible)
        qtbot.keyClick(window, KEY.Key_P)
        qtbot.waitUntil(lambda: controller.state == "paused")
        window.transport.slider.sought.emit(50 / 25)
        qtbot.waitUntil(shows(50))
        qtbot.keyClick(window, KEY.Key_Period)
        qtbot.waitUntil(shows(51))
        for _ in range(3):
            qtbot.keyClick(window, KEY.Key_Comma)
        qtbot.waitUntil(shows(48))
        qtbot.waitUntil(lambda: window.transport.position.text() == clock(48 / 25))
        assert window.transport.slider.value() == 48 * 40
    finally:
        window.close()
        ended = controller.close()
        for one in (window, controller, notifications):
            one.deleteLater()
    assert ended
