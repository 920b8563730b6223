"""The comparison in the window: chosen by mouse and key, told to the engine, shown on the picture, and given up."""

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget

from app.comparison import counterpart
from app.qimage import to_bgr
from app.settings import COMPARISONS, Settings
from app.theme import AMBER, TEAL
from app.widgets.top_bar import COMPARISONS as OFFERED
from pipelines.compare import CompareMode
from pipelines.config import PipelineConfig
from tests.app.window_fakes import CAMERAS, CPU, NO_GPU, BackendEntry, FakeInventory, pick, picture, result

KEY = Qt.Key
LITERT = BackendEntry("litert-cpu", "cpu", True, device="XNNPACK")
GPU = BackendEntry("ort-webgpu", "gpu", True, device="Some GPU")
BOTH = (CPU, GPU, LITERT)
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


@pytest.fixture
def one(bench):
    """A window with a picture and three backends."""
    return bench(Settings(), FakeInventory(backends=BOTH)).play()


def press(one, key, modifier=Qt.KeyboardModifier.NoModifier):
    one.qtbot.keyClick(QApplication.focusWidget() or one.window, key, modifier)


def asked(one):
    """What the engine was asked for: mode and B's pipeline."""
    return [(mode.value, config.pipeline if config else None) for mode, config in one.engine.comparisons]


def wait_for(one, *newest):
    """Wait until this is what the engine was last asked for."""
    one.qtbot.waitUntil(lambda: asked(one)[-1:] == [newest])


def near(image, color, tolerance=12):
    value = QColor(color)
    return np.abs(image.astype(int) - (value.blue(), value.green(), value.red())).max(axis=2) <= tolerance


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


# -- one build at a time


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
    assert len(one.engine.comparisons) == 1
    assert one.engine.configs[-1].pipeline == "cpu"
    one.engine.finish_b()
    one.qtbot.waitUntil(lambda: one.engine.configs[-1].pipeline == "ort-cpu")
    one.engine.finish_change()
    one.qtbot.waitUntil(lambda: asked(one)[-1] == ("split", "litert-cpu"))
    one.engine.finish_b()
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


# -- the picture


def halves(one, width=1280, height=720):
    """Show a split of which A's picture is black and B's white."""
    press(one, KEY.Key_C)
    a = replace(result(width, height, tasks=("segmentation",)), results={})
    one.engine.deliver(a, a)
    view = one.engine.view()
    black, white = np.zeros((height, width, 3), np.uint8), np.full((height, width, 3), 255, np.uint8)
    one.engine._view = replace(view, drawn=black, other_drawn=white, serial=view.serial + 1)
    one.engine.on_update()
    one.qtbot.waitUntil(lambda: one.window.view.picture.view.serial == view.serial + 1)
    one.controller.change(figures="off")
    return one.window.view


def edge(view):
    """First column in which B's white is seen, counted from the left of the picture, and how wide the picture is."""
    image = to_bgr(view.grab().toImage())
    box = view.picture_rect()
    row = image[box.top() + box.height() // 4, box.left() : box.right() + 1]
    return int(np.nonzero((row > 250).all(axis=1))[0].min()), box.width()


def test_a_is_left_of_the_divider_and_b_right_of_it(one):
    view = halves(one)
    image = to_bgr(view.grab().toImage())
    box = view.picture_rect()
    row = image[box.top() + box.height() // 4]
    middle = box.left() + box.width() // 2
    assert not row[box.left() : middle - 4].any()
    assert (row[middle + 4 : box.right()] == 255).all()
    assert near(row[None, middle - 3 : middle], AMBER).any()
    assert near(row[None, middle : middle + 3], TEAL).any()


def test_the_divider_can_be_dragged(one):
    view = halves(one)
    handle = view.handle
    assert handle.width() == 24
    start = handle.rect().center()
    one.qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    one.qtbot.mouseMove(handle, start + QPoint(-200, 0))
    one.qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=handle.rect().center())
    first, width = edge(view)
    assert first == pytest.approx(width / 2 - 200, abs=4)
    assert view.divider == pytest.approx(0.5 - 200 / width, abs=0.003)
    # Not out of the picture, and a double click brings it back without going into full screen.
    one.qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=handle.rect().center())
    one.qtbot.mouseMove(handle, QPoint(-5000, 10))
    one.qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton)
    assert view.divider == 0.05
    one.qtbot.mouseDClick(handle, Qt.MouseButton.LeftButton)
    assert view.divider == 0.5
    assert not one.window.isFullScreen()


def test_the_pointer_moves_nothing_without_a_button(one):
    view = halves(one)
    one.qtbot.mouseMove(view.handle, QPoint(200, 10))
    assert view.divider == 0.5


@pytest.mark.parametrize(
    ("key", "modifier", "share"),
    [
        (KEY.Key_Left, Qt.KeyboardModifier.NoModifier, 0.48),
        (KEY.Key_Right, Qt.KeyboardModifier.NoModifier, 0.52),
        (KEY.Key_Right, Qt.KeyboardModifier.ShiftModifier, 0.6),
        (KEY.Key_Home, Qt.KeyboardModifier.NoModifier, 0.05),
        (KEY.Key_End, Qt.KeyboardModifier.NoModifier, 0.95),
    ],
)
def test_the_divider_moves_with_the_arrow_keys(one, key, modifier, share):
    view = halves(one)
    view.handle.setFocus()
    press(one, key, modifier)
    assert view.divider == pytest.approx(share)
    first, width = edge(view)
    assert first == pytest.approx(share * width, abs=4)
    assert f"{share:.0%} A" in view.handle.accessibleDescription()


def test_other_keys_still_reach_the_window_from_the_divider(one):
    view = halves(one)
    view.handle.setFocus()
    press(one, KEY.Key_C)
    assert one.settings.compare == "alternate"


def test_the_divider_has_a_name_and_is_reached_with_tab(one):
    view = halves(one)
    assert view.handle.accessibleName() == "Divider between A and B"
    for _ in range(40):
        press(one, KEY.Key_Tab)
        if QApplication.focusWidget() is view.handle:
            return
    pytest.fail("the divider cannot be reached")


def test_the_divider_follows_the_picture(one):
    view = halves(one)
    view.move_divider(0.25)
    one.window.resize(1000, 760)
    one.qtbot.waitUntil(lambda: view.picture.wish.room_wh == view.room_wh)
    box = view.picture_rect()
    assert view.handle.geometry().center().x() == pytest.approx(box.left() + box.width() / 4, abs=2)
    first, width = edge(view)
    assert first == pytest.approx(0.25 * width, abs=4)


def test_labels_say_who_is_who(one):
    view = halves(one)
    image = to_bgr(view.grab().toImage())
    box = view.picture_rect()
    middle = box.left() + box.width() // 2
    foot = image[box.bottom() - 50 : box.bottom()]
    assert near(foot[:, middle - 150 : middle - 8], AMBER).sum() > 200
    assert near(foot[:, middle + 8 : middle + 150], TEAL).sum() > 200


def test_a_mirrored_split_is_mirrored_on_both_sides(bench):
    one = bench(Settings(mirror=True), FakeInventory(CAMERAS, BOTH)).play("camera:Front")
    press(one, KEY.Key_C)
    one.engine.open(kind="camera")
    found = replace(result(1280, 720, tasks=("segmentation",)), results={})
    one.deliver(found, replace(found, backends={"segmentation": "ort-webgpu"}))
    shown = one.window.view.picture
    flipped = cv2.flip(picture(1280, 720), 1)
    for image in (shown.image, shown.other):
        small = cv2.resize(to_bgr(image), (128, 72), interpolation=cv2.INTER_AREA)
        assert np.abs(small.astype(int) - cv2.resize(flipped, (128, 72), interpolation=cv2.INTER_AREA)).max() <= 4


def test_taking_turns_shows_no_divider_and_the_panel_tells_of_a(one):
    one.controller.comparison.choose("alternate")
    one.qtbot.waitUntil(lambda: one.engine.mode is CompareMode.ALTERNATE)
    sides = []
    for _ in range(2):
        # The fake gives B every second picture.
        backend = "ort-cpu" if one.engine._serial % 2 == 0 else "ort-webgpu"
        one.deliver(result(backend=backend))
        sides.append(one.controller.picture.view.side)
        assert not one.window.view.handle.isVisible()
        assert one.window.panel.cards["face"].remark.text() == "ort-cpu"
    assert sorted(sides) == ["A", "B"]


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
