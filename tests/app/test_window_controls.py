"""The other controls of the window: they ask for the right thing, and show what is so."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPushButton, QSlider, QSpinBox

from app.commands import COMMANDS
from app.inventory import BackendEntry
from app.settings import Settings
from tests.app.window_fakes import CAMERAS, CPU, NO_GPU, FakeInventory, pick, result

# -- pipeline


def test_pipelines_that_cannot_be_used_are_grey_and_say_why(bench):
    one = bench().play()
    model = one.window.top_bar.pipeline.model()
    state = {}
    for row in range(model.rowCount()):
        item = model.item(row)
        state[item.data(Qt.ItemDataRole.UserRole)] = (item.isEnabled(), item.toolTip())
    assert [name for name, (enabled, _) in state.items() if enabled] == ["auto", "cpu", "ort-cpu"]
    reason = "No GPU adapter: the Vulkan loader found no driver."
    assert state["ort-webgpu"] == (False, reason)
    assert state["gpu"] == (False, reason)


def test_a_machine_without_gpu_backend_says_so(bench):
    one = bench(inventory=FakeInventory(backends=(CPU,))).play()
    one.act("gpu")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "GPU cannot be used here: no GPU backend is installed."
    assert one.settings.pipeline == "auto"


def test_of_many_reasons_the_message_gives_the_details(bench):
    others = (NO_GPU, BackendEntry("ort-cuda", "gpu", False, "not installed"))
    one = bench(inventory=FakeInventory(backends=(CPU, *others))).play()
    one.act("gpu")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "GPU cannot be used here: none of the 2 GPU backends can be used."
    assert one.window.message_bar.details.toPlainText().splitlines()[1] == "ort-cuda: not installed"


def test_a_backend_that_was_never_tried_can_be_chosen(bench):
    untried = BackendEntry("ort-webgpu", "gpu", False, "not tried yet", untried=True)
    one = bench(inventory=FakeInventory(backends=(CPU, untried))).play()
    combo = one.window.top_bar.pipeline
    assert combo.itemText(combo.findData("ort-webgpu")) == "ort-webgpu (not tried yet)"
    one.inventory.known = (CPU, BackendEntry("ort-webgpu", "gpu", True, device="Some GPU"))
    one.act("gpu")
    assert one.engine.configs[-1].pipeline == "gpu"
    one.qtbot.waitUntil(lambda: combo.itemText(combo.findData("ort-webgpu")) == "ort-webgpu")


def test_a_backend_given_up_in_mid_run_is_reported_once(bench):
    one = bench().play()
    for _ in range(2):
        one.engine.say("depth: ort-webgpu failed 3 times; the CPU goes on")
        one.deliver()
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "Depth: ort-webgpu failed 3 times; the CPU goes on."
    assert one.notifications.notices[-1].count == 1


def test_choosing_a_pipeline(bench):
    one = bench().play()
    pick(one.window.top_bar.pipeline, "ort-cpu")
    assert one.engine.configs[-1].pipeline == "ort-cpu"
    assert one.settings.pipeline == "ort-cpu"


def test_a_refused_pipeline_is_taken_back_and_explained(bench):
    one = bench().play()
    one.engine.refusal = "face_mesh does not load on ort-cpu: out of memory"
    pick(one.window.top_bar.pipeline, "ort-cpu")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text.startswith("Not changed: face_mesh")
    assert one.settings.pipeline == "auto"
    assert one.window.top_bar.pipeline.currentData() == "auto"


def test_the_pipeline_of_the_settings_is_shown_even_if_unknown(bench):
    one = bench(Settings(pipeline="ort-cuda"))
    one.begin("demo")
    assert one.window.top_bar.pipeline.currentData() == "ort-cuda"


def test_backends_are_listed_with_device_or_reason(bench):
    one = bench().play()
    one.qtbot.waitUntil(lambda: "Test processor" in texts_in(one.window.panel))
    reason = one.window.panel.findChild(QLabel, "reason of ort-webgpu")
    assert reason.text() == f"Not usable here: {NO_GPU.reason}"
    assert not reason.isVisible()
    word = "Show 1 not usable here"
    more = next(button for button in one.window.panel.findChildren(QPushButton) if button.text() == word)
    one.qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert reason.isVisible()
    # A verdict comes in while the reasons are being read.
    one.inventory.known = (replace(CPU, device="Other processor"), NO_GPU)
    one.controller.refresh_backends()
    one.qtbot.waitUntil(lambda: "Other processor" in texts_in(one.window.panel))
    panel = one.window.panel
    one.qtbot.waitUntil(lambda: any(label.isVisible() for label in panel.findChildren(QLabel, "reason of ort-webgpu")))


def test_a_backend_that_was_not_tried_is_not_called_unusable(bench):
    untried = BackendEntry("ort-webgpu", "gpu", False, "not tried yet", untried=True)
    one = bench(inventory=FakeInventory(backends=(CPU, untried))).play()
    one.qtbot.waitUntil(lambda: "Test processor" in texts_in(one.window.panel))
    assert one.window.panel.findChild(QLabel, "reason of ort-webgpu").isVisible()
    assert not any("not usable" in button.text() for button in one.window.panel.findChildren(QPushButton))


def texts_in(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


# -- mirror


def test_a_camera_is_mirrored_on_the_screen_only(bench):
    one = bench(inventory=FakeInventory(CAMERAS)).play("camera:Front")
    found = result(tasks=("segmentation",))
    one.deliver(found)
    one.qtbot.waitUntil(lambda: one.controller.picture.wish.mirror is not None)
    shown = one.window.view.grab().toImage()
    middle = shown.height() // 2
    # The plain picture is dark on the left and blue on the right; as in a mirror it is the other way round.
    assert shown.pixelColor(shown.width() // 5, middle).blue() > 150
    assert shown.pixelColor(shown.width() * 4 // 5, middle).blue() < 110
    assert one.controller.picture.view.plain_bgr[45, 150, 0] > 150
    with one.qtbot.waitSignal(one.controller.picture_changed):
        one.act("mirror")
    shown = one.window.view.grab().toImage()
    assert shown.pixelColor(shown.width() // 5, middle).blue() < 110
    assert one.settings.mirror is False


def test_a_file_is_never_mirrored(bench):
    one = bench().play("/videos/clip.mp4")
    assert one.settings.mirror
    assert one.controller.picture.wish.mirror is None


# -- looks


@pytest.mark.parametrize(("name", "part"), [("panel", "panel"), ("strip", "strip")])
def test_parts_fold_away(bench, name, part):
    one = bench().play()
    widget = getattr(one.window, part)
    room = one.window.view.size()
    assert widget.isVisible()
    one.act(name)
    assert not widget.isVisible()
    assert one.settings.panel is (name != "panel")
    one.qtbot.waitUntil(lambda: one.window.view.size() != room)
    button = next(button for button in one.window.top_bar.folds if button.defaultAction().objectName() == name)
    one.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert widget.isVisible()


def test_light_and_dark(bench):
    one = bench().play()
    for name in ("light", "dark", "light"):
        one.act(f"theme_{name}")
        assert one.window.theme.is_dark is (name == "dark")

        def is_dark():
            image = one.window.grab().toImage()
            return image.pixelColor(one.window.width() - 20, one.window.height() - 20).lightness() < 80

        one.qtbot.waitUntil(lambda dark=name == "dark": is_dark() is dark)
    one.act("theme_system")
    assert one.settings.theme == "system"


def test_every_command_stands_in_a_menu(bench):
    one = bench()
    shown = set()
    for top in one.window.menuBar().actions():
        for action in top.menu().actions():
            inner = action.menu()
            shown |= {action.objectName()} if inner is None else {item.objectName() for item in inner.actions()}
    assert {command.id for command in COMMANDS} <= shown


def test_everything_can_be_named_by_a_screen_reader(bench):
    one = bench().play()
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for kind in (QAbstractButton, QComboBox, QSlider, QSpinBox)
        for widget in one.window.findChildren(kind)
        if not widget.objectName().startswith("qt_")
        and not (widget.accessibleName() or getattr(widget, "text", str)() or widget.property("text"))
        and widget.isVisible()
    ]
    assert not nameless


# -- the picture


def test_the_picture_keeps_its_shape_and_is_dark_around(bench):
    one = bench().play()
    one.deliver(result(90, 160, tasks=("segmentation",)))
    view = one.window.view
    box = view.picture_rect()
    assert box.height() == view.height()
    assert box.width() == pytest.approx(box.height() * 90 / 160, abs=1)
    shown = view.grab().toImage()
    assert shown.pixelColor(2, view.height() // 2).lightness() < 16
    assert shown.pixelColor(view.width() - 3, view.height() - 3).lightness() < 16


def test_the_pixels_on_the_screen_are_those_of_the_frame(bench):
    one = bench(Settings(figures="off")).play()
    found = result(320, 180, tasks=("depth",))
    one.controller.change(style={"depth": "off"})
    one.deliver(found)
    one.qtbot.waitUntil(lambda: one.controller.picture.wish.room_wh == one.window.view.room_wh)
    view = one.window.view
    shown = view.grab().toImage()
    box = view.picture_rect()
    for across, down in ((0.1, 0.5), (0.5, 0.9), (0.6, 0.5)):
        color = shown.pixelColor(box.left() + int(across * box.width()), box.top() + int(down * box.height()))
        expected = found.frame.image_bgr[int(down * 180), int(across * 320)]
        np.testing.assert_allclose((color.blue(), color.green(), color.red()), expected, atol=4)


def test_nothing_is_drawn_after_the_settings_only_changed_looks(bench):
    one = bench().play()
    calls = len(one.engine.calls)
    for name in ("panel", "strip", "figures", "theme_light", "figures_on_screenshot"):
        one.act(name)
    assert len(one.engine.calls) == calls
