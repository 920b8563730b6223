"""Comparing two pipelines in the window: the ways of it, B's pipeline, and what cannot be compared."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.comparison import counterpart
from app.settings import COMPARISONS, Settings
from app.widgets.top_bar import COMPARISONS as OFFERED
from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig
from tests.app.comparing import BOTH, GPU, KEY, LITERT, asked, press, wait_for
from tests.app.window_fakes import CAMERAS, CPU, NO_GPU, FakeInventory, pick

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


@pytest.fixture
def one(bench):
    """A window with a picture and three backends."""
    return bench(Settings(), FakeInventory(backends=BOTH)).play()


# -- choosing


def test_c_goes_through_the_ways_of_comparing(one):
    seen = []
    for _ in range(3):
        press(one, KEY.Key_C)
        seen.append(one.settings.compare)
    assert seen == ["split", "alternate", "off"]
    # B is built once: from split to turns only the mode changes.
    assert asked(one) == [("split", "ort-webgpu"), ("alternate", None), ("off", None)]


def test_the_chooser_does_the_same(one):
    bar = one.window.top_bar
    assert not bar.pipeline_b.isVisible()
    pick(bar.compare, "alternate")
    wait_for(one, "alternate", "ort-webgpu")
    assert bar.pipeline_b.isVisible()
    assert bar.pipeline_b.currentData() == "ort-webgpu"
    pick(bar.pipeline_b, "litert-cpu")
    wait_for(one, "alternate", "litert-cpu")
    pick(bar.compare, "off")
    wait_for(one, "off", None)
    assert not bar.pipeline_b.isVisible()
    # Whom it was compared with is remembered.
    pick(bar.compare, "split")
    wait_for(one, "split", "litert-cpu")


def test_the_keyboard_reaches_the_choosers(one):
    bar = one.window.top_bar
    bar.compare.setFocus()
    press(one, KEY.Key_Down)
    assert one.settings.compare == "split"
    bar.pipeline_b.setFocus()
    assert QApplication.focusWidget() is bar.pipeline_b
    press(one, KEY.Key_Down)
    assert one.settings.pipeline_b == "litert-cpu"


def test_what_is_offered_is_what_the_settings_know():
    assert tuple(OFFERED) == COMPARISONS
    assert set(COMPARISONS) == {mode.value for mode in CompareMode}


def test_b_computes_the_same_as_a(one):
    one.controller.change(models={"landmarks": "face_mesh_468"}, max_faces=4, smooth=False)
    press(one, KEY.Key_C)
    expected = PipelineConfig(pipeline="ort-webgpu", models={"landmarks": "face_mesh_468"}, max_faces=4, smooth=False)
    one.qtbot.waitUntil(lambda: one.engine.comparisons == [(CompareMode.SPLIT, expected)])
    one.controller.change(tasks=("face",))
    one.qtbot.waitUntil(lambda: one.engine.comparisons[-1][1].tasks == ("face",))
    assert one.engine.configs[-1].tasks == ("face",)


@pytest.mark.parametrize(
    ("backends", "busy", "expected"),
    [
        (BOTH, {"ort-cpu"}, "ort-webgpu"),
        (BOTH, {"ort-cpu", "ort-webgpu"}, "litert-cpu"),
        ((CPU, NO_GPU, LITERT), {"ort-cpu"}, "litert-cpu"),
        ((CPU, replace(NO_GPU, untried=True), LITERT), {"ort-cpu"}, "litert-cpu"),
        ((CPU, replace(NO_GPU, untried=True)), {"ort-cpu"}, "ort-webgpu"),
        ((CPU, NO_GPU), {"ort-cpu"}, ""),
        (BOTH, {"litert-cpu"}, "ort-cpu"),
    ],
)
def test_b_is_the_first_that_a_does_not_run_on(backends, busy, expected):
    assert counterpart(backends, busy) == expected


def test_with_nothing_to_compare_with_the_window_says_so(bench):
    one = bench(inventory=FakeInventory(backends=(CPU, NO_GPU))).play()
    press(one, KEY.Key_C)
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "There is nothing to compare with: no other backend can be used here."
    assert "ort-webgpu: no GPU adapter" in one.window.message_bar.details.toPlainText()
    assert one.settings.compare == "off"
    assert one.window.top_bar.compare.currentData() == "off"
    assert not one.engine.comparisons


def test_a_b_that_cannot_be_used_is_taken_back(bench):
    one = bench(inventory=FakeInventory(backends=(CPU, NO_GPU, LITERT))).play()
    press(one, KEY.Key_C)
    assert one.settings.pipeline_b == "litert-cpu"
    bar = one.window.top_bar
    assert not bar.pipeline_b.model().item(bar.pipeline_b.findData("ort-webgpu")).isEnabled()
    bar.pipeline_b_chosen.emit("ort-webgpu")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert "ort-webgpu cannot be compared with: no GPU adapter" in one.window.message_bar.text
    assert bar.pipeline_b.currentData() == "litert-cpu"
    assert one.settings.compare == "split"


def test_a_remembered_comparison_begins_with_the_run(bench):
    one = bench(Settings(compare="split", pipeline_b="litert-cpu"), FakeInventory(backends=BOTH)).play()
    assert asked(one) == [("split", "litert-cpu")]
    one.act("toggle")
    one.qtbot.waitUntil(lambda: one.controller.state == "idle")
    one.act("toggle")
    assert asked(one) == [("split", "litert-cpu")] * 2


def test_a_comparison_without_a_b_finds_one_when_the_backends_are_known(bench):
    one = bench(Settings(compare="alternate"), FakeInventory(backends=(CPU, NO_GPU, LITERT))).play()
    one.qtbot.waitUntil(lambda: asked(one) == [("alternate", "litert-cpu")])


# -- builds for A and for B, one after the other


def test_wishes_wait_for_each_other(one):
    one.engine.hold_changes = one.engine.hold_b = True
    one.controller.change(pipeline="cpu")
    press(one, KEY.Key_C)
    assert not one.engine.comparisons
    one.engine.finish_change()
    one.qtbot.waitUntil(lambda: asked(one) == [("split", "ort-webgpu")])
    one.qtbot.waitUntil(lambda: one.window.view.pill == "Loading B, ort-webgpu…")
    one.controller.change(pipeline="ort-cpu")
    one.controller.comparison.choose_b("litert-cpu")
    # Another B takes the place of the one before at once; A waits, or no answer could be told apart.
    assert asked(one) == [("split", "ort-webgpu"), ("split", "litert-cpu")]
    assert one.engine.configs[-1].pipeline == "cpu"
    one.engine.finish_b()
    one.qtbot.waitUntil(lambda: one.engine.configs[-1].pipeline == "ort-cpu")
    one.engine.finish_change()
    one.qtbot.waitUntil(lambda: one.window.view.pill == "")


def test_to_stop_needs_no_waiting(one):
    one.engine.hold_b = True
    press(one, KEY.Key_C)
    one.controller.comparison.choose("off")
    assert asked(one) == [("split", "ort-webgpu"), ("off", None)]
    one.engine.hold_b = False
    press(one, KEY.Key_C)
    assert asked(one)[-1] == ("split", "ort-webgpu")


# -- failing


def test_a_b_that_does_not_load_leaves_a_alone(one):
    one.controller.comparison.choose_b("ort-webgpu")
    one.engine.refusal_b = "ort-webgpu cannot run depth_v2: wrong output"
    press(one, KEY.Key_C)
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "Not compared: ort-webgpu cannot run depth_v2: wrong output."
    assert one.settings.compare == "off"
    assert one.window.top_bar.compare.currentData() == "off"
    assert one.controller.state == "running"
    # The next one is not blamed for it.
    one.engine.refusal_b = ""
    one.controller.comparison.choose_b("litert-cpu")
    one.controller.comparison.choose("split")
    one.qtbot.waitUntil(lambda: not one.window.message_bar.isVisible())
    assert one.settings.compare == "split"


def test_a_b_that_fails_in_mid_run_leaves_a_alone(one):
    press(one, KEY.Key_C)
    one.deliver()
    assert one.window.view.handle.isVisible()
    one.engine.mode = CompareMode.OFF
    one.engine.say("Not compared: ort-webgpu: device lost")
    one.deliver()
    one.qtbot.waitUntil(lambda: one.settings.compare == "off")
    assert not one.window.view.handle.isVisible()
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert "device lost" in one.window.message_bar.text
    # The engine stopped comparing by itself: nothing more is asked of it until somebody wants to compare again.
    assert asked(one) == [("split", "ort-webgpu")]
    press(one, KEY.Key_C)
    assert asked(one)[-1] == ("split", "ort-webgpu")


# -- guessing


def test_a_guess_that_does_not_load_is_followed_by_another(bench):
    untried = replace(GPU, available=False, untried=True)
    one = bench(inventory=FakeInventory(backends=(CPU, untried, replace(LITERT, available=False, untried=True)))).play()
    one.engine.hold_b = True
    press(one, KEY.Key_C)
    assert asked(one) == [("split", "ort-webgpu")]
    one.engine.refusal_b = "ort-webgpu cannot be used here: no GPU"
    one.engine.finish_b()
    one.qtbot.waitUntil(lambda: asked(one)[1:] == [("split", "litert-cpu")])
    one.engine.refusal_b = "litert-cpu cannot be used here: too old"
    one.engine.finish_b()
    # Nobody is left, and that is the end of it.
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    told = "There is nothing to compare with: litert-cpu cannot be used here: too old."
    one.qtbot.waitUntil(lambda: one.window.message_bar.text == told)
    assert "ort-webgpu cannot be used here: no GPU" in one.window.message_bar.details.toPlainText()
    assert len(asked(one)) == 2
    assert one.settings.compare == "off"


def test_whom_the_user_chose_is_not_replaced(one):
    one.engine.refusal_b = "litert-cpu cannot run face_mesh: wrong output"
    one.controller.comparison.choose_b("litert-cpu")
    press(one, KEY.Key_C)
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text.startswith("Not compared: litert-cpu")
    assert (one.settings.compare, one.settings.pipeline_b) == ("off", "litert-cpu")
    assert asked(one) == [("split", "litert-cpu")]


# -- room


@pytest.mark.parametrize("mode", COMPARISONS)
def test_a_small_screen_has_room_for_all_of_the_bar(bench, mode):
    """1920 x 1080 at 200 %."""
    entry = replace(GPU, software=True)
    settings = Settings(compare=mode, pipeline_b="ort-webgpu" if mode != "off" else "")
    one = bench(settings, FakeInventory(CAMERAS, (CPU, entry))).play("camera:Front")
    window, bar = one.window, one.window.top_bar
    window.fit_into(QSize(960, 540))
    one.qtbot.waitUntil(lambda: window.width() <= 960)
    parts = [part for part in bar.findChildren(QWidget, options=DIRECT) if part.isVisible()]
    boxes = sorted((part.geometry() for part in parts), key=lambda box: box.left())
    assert bar.width() <= 960
    assert boxes[-1].right() < bar.width()
    assert all(box.right() < after.left() for box, after in pairwise(boxes))


def test_a_small_window_does_not_grow_when_it_compares(bench):
    """At 800 x 600 the right of it would be out of the screen."""
    one = bench(inventory=FakeInventory((), (CPU, replace(GPU, software=True)))).play()
    one.window.resize(800, 560)
    one.qtbot.waitUntil(lambda: one.window.width() == 800)
    one.act("compare")
    one.qtbot.waitUntil(one.window.top_bar.pipeline_b.isVisible)
    one.deliver()
    assert one.window.width() == 800
    assert one.window.top_bar.folds[-1].geometry().right() < one.window.top_bar.width()


def test_where_the_user_put_the_window_it_stays(bench):
    one = bench(Settings(geometry="AAAA"))
    one.window.resize(1100, 700)
    one.window.fit_into(QSize(960, 540))
    assert one.window.width() == 1100
