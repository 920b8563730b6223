"""What is seen of a source while the models are being loaded: its picture, and nothing that was not found."""

from collections import deque

import numpy as np
import pytest

from app.qimage import to_bgr
from app.settings import Settings
from pipelines.frame import Frame
from tests.app.window_fakes import CAMERAS, FakeInventory, picture

LOADING = "Loading the models…"


def show_ahead(one, seed=0):
    frame = Frame(picture(seed=seed), seed, seed / 30, "fake")
    one.engine.show_ahead(frame)
    return frame


def begun(bench, **settings):
    one = bench(Settings(source="camera:Front", **settings), FakeInventory(CAMERAS)).begin()
    one.engine.open(kind="camera")
    return one


@pytest.mark.parametrize("mirror", [False, True], ids=["as it is", "mirrored"])
def test_the_camera_is_seen_at_once_and_the_window_says_that_models_are_loading(bench, mirror):
    one = begun(bench, mirror=mirror)
    frame = show_ahead(one)
    view = one.window.view
    one.qtbot.waitUntil(lambda: view.picture is not None and view.picture.wish.room_wh == view.room_wh)
    assert view.picture.view.is_preview
    assert one.window.stack.currentWidget() is view
    one.qtbot.waitUntil(lambda: view.pill == LOADING)
    shown = to_bgr(view.picture.image)
    expected = frame.image_bgr[:, ::-1] if mirror else frame.image_bgr
    rows = np.linspace(0.1, 0.9, 5)
    for row in rows:
        for column in rows:
            pixel = shown[round(row * shown.shape[0]), round(column * shown.shape[1])].astype(int)
            wanted = expected[round(row * expected.shape[0]), round(column * expected.shape[1])]
            assert np.abs(pixel - wanted).max() <= 6


def test_the_first_picture_is_made_for_the_room_that_it_has(bench):
    """The page of the picture was as small as a hidden page is, and the first thing seen one pixel, spread over it."""
    one = begun(bench)
    shown = []
    one.controller.picture_changed.connect(lambda: shown.append(one.controller.picture.wish.room_wh))
    one.window.resize(1000, 700)  # while there is no picture
    show_ahead(one)
    one.qtbot.waitUntil(lambda: bool(shown))
    assert shown[0] == one.window.view.room_wh
    assert min(shown[0]) > 300


def test_before_there_are_results_there_are_no_figures(bench):
    one = begun(bench, figures="full")
    show_ahead(one)
    one.qtbot.waitUntil(lambda: one.controller.picture is not None)
    one.controller._on_tick()
    assert one.window.view.figures.card is None
    assert one.controller.history.latencies_ms == {"A": deque(), "B": deque()}
    assert all(card.remark.text() == "" for card in one.window.panel.cards.values())
    one.deliver()
    assert not one.window.view.picture.view.is_preview
    one.qtbot.waitUntil(lambda: one.window.view.pill == "")
    one.controller._on_tick()
    assert one.window.view.figures.card is not None


def test_with_an_effect_nothing_is_seen_before_it_can_be_drawn(bench):
    """The room behind the person is what the effect hides."""
    one = begun(bench, effect="blur")
    show_ahead(one)
    one.qtbot.waitUntil(lambda: one.controller._scaling.picture is not None)
    one.controller._look()
    assert one.controller.picture is None
    assert one.window.stack.currentWidget() is one.window.empty
    one.deliver()
    assert one.window.stack.currentWidget() is one.window.view


def test_a_recording_begins_with_the_first_results(bench, tmp_path, monkeypatch):
    one = begun(bench, folder=str(tmp_path))
    show_ahead(one)
    one.qtbot.waitUntil(lambda: one.controller.picture is not None)
    seen = []
    monkeypatch.setattr(one.controller.recording, "see", seen.append)
    one.act("record")
    assert one.controller.recording.is_on
    one.deliver()
    one.controller._on_engine_news()
    one.act("record")
    assert seen[0] is None
    assert {view for view in seen if view is not None} == {one.engine.view()}
