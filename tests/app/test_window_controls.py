"""Every control of the window: it asks for the right thing, and shows what is so."""

from dataclasses import fields, replace

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QLabel, QPushButton, QSlider, QSpinBox

from app.choices import DEFAULT_MODELS, EFFECTS, OPACITIES, REPLACE, STYLES, model_choices
from app.commands import COMMANDS
from app.inventory import BackendEntry
from app.settings import Settings
from app.style import style_from
from models.errors import VisionError
from pipelines.overlay import FaceStyle, MaskStyle, OverlayStyle
from tests.app.window_fakes import CAMERAS, CPU, NO_GPU, FakeInventory, result


def pick(combo, data):
    """Choose an entry as a user does."""
    index = combo.findData(data)
    assert index >= 0, f"{data} is not offered"
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


# -- start


def test_the_demo_starts_at_once_when_asked_for(bench):
    one = bench().begin("demo")
    assert one.engine.started[0][0] == "demo"
    assert one.settings.source == "demo"


def test_the_last_source_is_played_again(bench):
    one = bench(Settings(source="/videos/clip.mp4"), FakeInventory(CAMERAS)).begin()
    assert [call[0] for call in one.engine.started] == ["/videos/clip.mp4"]


def test_the_first_camera_is_played_when_there_is_no_last_source(bench):
    one = bench(inventory=FakeInventory(CAMERAS)).begin()
    one.qtbot.waitUntil(lambda: bool(one.engine.started))
    assert one.engine.started[0][0] == "camera:Front"


def test_without_a_camera_the_window_says_so_and_offers_two_ways_on(bench):
    one = bench().begin()
    empty = one.window.empty
    assert one.window.stack.currentWidget() is empty
    assert empty.title.text() == "No camera found"
    assert not one.engine.started
    assert not one.window.top_bar.start.isEnabled()
    assert empty.demo_button.isVisible()
    assert empty.file_button.isVisible()
    one.qtbot.mouseClick(empty.demo_button, Qt.MouseButton.LeftButton)
    assert one.engine.started[0][0] == "demo"


def test_cameras_can_be_looked_for_again(bench):
    one = bench().begin()
    one.inventory.found = CAMERAS
    with one.qtbot.waitSignal(one.controller.cameras_changed):
        one.qtbot.mouseClick(one.window.empty.cameras_button, Qt.MouseButton.LeftButton)
    assert one.engine.started[0][0] == "camera:Front"
    assert one.window.empty.title.text() == "Opening Front…"


def test_nothing_waits_for_a_camera_list_that_hangs(bench):
    inventory = FakeInventory(CAMERAS)
    inventory.gate.clear()
    one = bench(inventory=inventory).begin()
    assert one.window.empty.title.text().startswith("Looking for a camera")
    one.qtbot.mouseClick(one.window.empty.demo_button, Qt.MouseButton.LeftButton)
    one.engine.open()
    one.deliver()
    inventory.gate.set()
    one.qtbot.waitUntil(lambda: one.controller.cameras == CAMERAS)
    assert [call[0] for call in one.engine.started] == ["demo"]


def test_a_long_name_is_shortened_in_its_middle(bench):
    one = bench().begin(f"/videos/{'very ' * 30}long.mp4")
    one.engine.fail("it is empty")
    one.qtbot.waitUntil(lambda: one.window.empty.title.text().endswith("mp4 cannot be shown"))
    assert one.window.empty.title.text().startswith("very")
    assert one.window.empty.title.sizeHint().width() <= one.window.empty.title.width()


# -- source


def test_the_source_menu_offers_what_there_is(bench):
    settings = Settings(recent=("/videos/a & b.mp4", "/pictures"))
    one = bench(settings, FakeInventory(CAMERAS)).play()
    entries = one.window.top_bar.source.entries()
    assert list(entries) == ["demo", "camera:Front", "camera:Back", "/videos/a & b.mp4", "/pictures"]
    assert entries["demo"].isChecked()
    assert entries["/videos/a & b.mp4"].text() == "a && b.mp4"
    entries["camera:Back"].trigger()
    assert one.engine.started[-1][0] == "camera:Back"
    assert "Back" in one.window.top_bar.source.text()
    texts = [action.text() for action in one.window.top_bar.source.menu().actions()]
    assert {"Open file…", "Open folder of pictures…", "Open network camera…"} <= set(texts)


def test_opening_the_source_menu_looks_for_cameras(bench):
    one = bench().play()
    asked = one.inventory.asked
    one.window.top_bar.source.menu().aboutToShow.emit()
    one.qtbot.waitUntil(lambda: one.inventory.asked == asked + 1)


def test_a_camera_list_that_fails_is_reported_and_can_be_tried_again(bench):
    one = bench()
    one.inventory.error = VisionError("the camera service is not running")
    one.begin()
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert one.window.message_bar.text == "The camera service is not running."
    assert one.window.empty.title.text() == "No camera found"
    one.inventory.error, one.inventory.found = None, CAMERAS
    with one.qtbot.waitSignal(one.controller.cameras_changed):
        one.qtbot.mouseClick(one.window.message_bar.action_button, Qt.MouseButton.LeftButton)
    assert not one.window.message_bar.isVisible()


def test_camera_modes_are_offered_and_asked_for(bench):
    one = bench(inventory=FakeInventory(CAMERAS)).play("camera:Front")
    mode = one.window.top_bar.mode
    assert mode.isVisible()
    pick(mode, "1280x720@30 MJPG")
    options = one.engine.started[-1][1]
    assert (options.size_wh, options.fps, options.pixel_format) == ((1280, 720), 30.0, "MJPG")
    one.engine.open("Front", "camera")
    one.deliver()
    one.engine.now = replace(one.engine.now, frames=60, source_fps=14.9)
    one.qtbot.waitUntil(lambda: one.window.top_bar._facts.text().endswith("15 of 30 fps"))
    assert "Measured: 14.9 fps" in one.window.top_bar._facts.toolTip()
    one.controller.open("camera:Back")
    assert one.engine.started[-1][1].size_wh is None
    assert not mode.isVisible()


def test_a_file_is_opened_through_the_dialog(bench, tmp_path):
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"")
    one = bench().play()
    one.act("open_file")
    dialog = one.window.findChild(QFileDialog)
    dialog.setDirectory(str(tmp_path))
    dialog.filesSelected.emit([str(clip)])
    dialog.reject()
    assert one.engine.started[-1][0] == str(clip)
    assert one.settings.recent == (str(clip),)


@pytest.mark.parametrize(("name", "mode"), [("open_folder", "Directory"), ("screenshot_folder", "Directory")])
def test_folders_are_asked_for_without_blocking(bench, tmp_path, name, mode):
    one = bench().play()
    one.act(name)
    dialog = one.window.findChild(QFileDialog)
    assert dialog.fileMode() is getattr(QFileDialog.FileMode, mode)
    one.deliver()
    dialog.fileSelected.emit(str(tmp_path))
    dialog.reject()
    if name == "open_folder":
        assert one.engine.started[-1][0] == str(tmp_path)
    else:
        assert one.settings.screenshot_folder() == tmp_path


def drag(window, data):
    """Drag something over the window; return the event."""
    event = QDropEvent(
        QPointF(window.rect().center()),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QEvent.Type.DragEnter,
    )
    event.ignore()
    window.dragEnterEvent(event)
    return event


def test_a_dropped_file_is_opened(bench, tmp_path):
    one = bench().play()
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/x.png"), QUrl.fromLocalFile(str(tmp_path / "dropped.png"))])
    assert one.window.acceptDrops()
    assert drag(one.window, data).isAccepted()
    keys, buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    where = QPointF(one.window.rect().center())
    drop = QDropEvent(where, Qt.DropAction.CopyAction, data, buttons, keys, QEvent.Type.Drop)
    one.window.dropEvent(drop)
    assert one.engine.started[-1][0] == str(tmp_path / "dropped.png")


def test_text_cannot_be_dropped(bench):
    one = bench().play()
    data = QMimeData()
    data.setText("hello")
    assert not drag(one.window, data).isAccepted()


# -- start and stop


def test_the_button_stops_and_starts(bench):
    one = bench().play()
    button = one.window.top_bar.start
    assert button.text() == "Stop"
    one.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    one.qtbot.waitUntil(lambda: button.text() == "Start")
    assert one.engine.calls[-1] == "stop"
    assert one.window.stack.currentWidget() is one.window.view
    assert one.window.view.pill == "Stopped. Press Space to start."
    one.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert one.engine.calls[-1] == "start"


def test_holding_the_picture(bench):
    one = bench().play()
    one.act("pause")
    assert one.engine.calls[-1] == "pause True"
    assert one.window.actions_by_id["pause"].isChecked()
    assert "Held" in one.window.view.pill
    one.act("pause")
    assert one.engine.calls[-1] == "pause False"
    assert not one.window.actions_by_id["pause"].isChecked()


def test_the_facts_of_the_source_are_shown(bench):
    one = bench().begin("demo")
    one.engine.open(notices=("Rotated by 90 degrees as the file asks.",))
    one.qtbot.waitUntil(lambda: "160" in one.window.top_bar._facts.text())
    assert one.window.top_bar._facts.text() == "160 \N{MULTIPLICATION SIGN} 90 \N{MIDDLE DOT} 30 fps"
    assert "Rotated" in one.window.top_bar._facts.toolTip()


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
    more = next(button for button in one.window.panel.findChildren(QPushButton) if button.text() == "Show 1 more")
    one.qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    assert reason.isVisible()


def texts_in(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


# -- panel


def test_tasks_are_switched_on_and_off_but_for_the_last(bench):
    one = bench().play()
    cards = one.window.panel.cards

    def press(task):
        cards[task].switch.setFocus()
        one.qtbot.keyClick(cards[task].switch, Qt.Key.Key_Space)
        one.qtbot.waitUntil(lambda: one.engine.configs[-1].tasks == one.settings.tasks)
        return one.settings.tasks

    assert press("segmentation") == ("face", "depth")
    assert press("face") == ("depth",)
    assert not cards["depth"].switch.isEnabled()
    assert cards["depth"].switch.toolTip() == "One task has to stay on"
    assert press("face") == ("face", "depth")
    assert cards["depth"].switch.isEnabled()


@pytest.mark.parametrize("choice", [choice for choices in STYLES.values() for choice in choices], ids=lambda c: c.name)
def test_every_style_is_drawn_differently(bench, choice):
    one = bench().play()
    found = result(tasks=("face", "segmentation", "depth"))
    seen = set()
    for option in choice.options:
        pick(one.window.panel.styles[choice.name], option.value)
        style = style_from(one.settings.style)
        assert getattr(style, choice.name).value == option.value
        assert one.engine.style == style
        one.deliver(found)
        seen.add(one.controller.picture.view.image_bgr.tobytes())
    # "Automatic" is one of the others, depending on the tasks.
    assert len(seen) >= len(choice.options) - (choice.name == "depth")


def test_every_member_of_a_style_can_be_chosen():
    defaults = OverlayStyle()
    offered = {choice.name: {option.value for option in choice.options} for c in STYLES.values() for choice in c}
    for item in fields(OverlayStyle):
        default = getattr(defaults, item.name)
        if hasattr(default, "value"):
            assert offered[item.name] == {member.value for member in type(default)}, item.name


@pytest.mark.parametrize("task", OPACITIES)
def test_opacity_reaches_the_overlay(bench, task):
    one = bench().play()
    one.qtbot.mouseClick(one.window.panel.cards[task].fold, Qt.MouseButton.LeftButton)
    slider = one.window.panel.opacities[OPACITIES[task]]
    assert slider.isVisible()
    slider.setValue(40)
    assert getattr(one.engine.style, OPACITIES[task]) == pytest.approx(0.4)
    assert one.settings.style[OPACITIES[task]] == pytest.approx(0.4)


def test_models_are_chosen(bench):
    one = bench().play()
    for role, model in (("landmarks", "face_mesh_468"), ("mask", "selfie_square")):
        pick(one.window.panel.models[role], model)
        one.qtbot.waitUntil(lambda role=role, model=model: one.engine.configs[-1].models.get(role) == model)
    assert one.engine.configs[-1].models == {"landmarks": "face_mesh_468", "mask": "selfie_square"}


def test_the_default_models_come_first():
    for task in ("face", "segmentation"):
        for choice in model_choices(task):
            assert choice.options[0].value == DEFAULT_MODELS[choice.name]


def test_the_number_of_faces(bench):
    one = bench().play()
    one.window.panel.max_faces.setValue(5)
    assert one.engine.configs[-1].max_faces == 5


def test_smoothing(bench):
    one = bench().play()
    one.window.panel.smooth.click()
    assert one.engine.configs[-1].smooth is False
    assert one.settings.smooth is False


def test_a_card_remembers_that_it_is_unfolded(bench):
    one = bench().play()
    card = one.window.panel.cards["face"]
    assert not one.window.panel.max_faces.isVisible()
    one.qtbot.mouseClick(card.fold, Qt.MouseButton.LeftButton)
    assert one.window.panel.max_faces.isVisible()
    assert one.settings.unfolded == ("face",)
    one.qtbot.mouseClick(card.fold, Qt.MouseButton.LeftButton)
    assert not one.window.panel.max_faces.isVisible()


def test_the_panel_shows_the_settings(bench):
    settings = Settings(
        tasks=("face", "depth"),
        models={"landmarks": "face_mesh_468"},
        max_faces=9,
        smooth=False,
        style={"face": "mesh", "depth_opacity": 0.5},
    )
    panel = bench(settings).window.panel
    assert [name for name, card in panel.cards.items() if card.switch.isChecked()] == ["face", "depth"]
    assert panel.styles["face"].currentData() == FaceStyle.MESH.value
    assert panel.styles["mask"].currentData() == MaskStyle.TINT.value
    assert panel.models["landmarks"].currentData() == "face_mesh_468"
    assert panel.opacities["depth_opacity"].value() == 50
    assert panel.max_faces.value() == 9
    assert not panel.smooth.isChecked()


def test_the_backend_that_really_ran_stands_beside_the_task(bench):
    one = bench().play()
    one.deliver(result(tasks=("face",), backend="ort-other"))
    assert one.window.panel.cards["face"].remark.text() == "ort-other"
    assert one.window.panel.cards["depth"].remark.text() == ""


@pytest.mark.parametrize("effect", [o.value for o in EFFECTS.options if o.value not in ("none", REPLACE)])
def test_effects_change_the_background_and_not_the_person(bench, effect):
    one = bench().play()
    pick(one.window.panel.effect, effect)
    one.qtbot.waitUntil(lambda: one.engine.effect.kind.value == effect.partition(":")[0])
    assert one.settings.effect == effect
    assert not one.window.panel.styles["mask"].isEnabled()
    rng = np.random.default_rng(0)
    found = result(tasks=("segmentation",))
    frame = replace(found.frame, image_bgr=rng.integers(0, 255, (90, 160, 3), np.uint8))
    one.deliver(replace(found, frame=frame))
    same = (one.controller.picture.view.image_bgr == frame.image_bgr).all(axis=2)
    assert same[:, :60].mean() > 0.9
    assert same[:, 100:].mean() < 0.1


def test_without_an_effect_the_mask_is_drawn_again(bench):
    one = bench(Settings(effect="blur")).play()
    one.qtbot.waitUntil(lambda: one.engine.effect.kind.value == "blur")
    assert one.engine.style.mask is MaskStyle.OFF
    pick(one.window.panel.effect, "none")
    one.qtbot.waitUntil(lambda: one.engine.effect.kind.value == "none")
    assert one.engine.style.mask is MaskStyle.TINT
    assert one.window.panel.styles["mask"].isEnabled()


def test_a_picture_as_the_background(bench, tmp_path):
    path = tmp_path / "beach.png"
    cv2.imwrite(str(path), np.full((90, 160, 3), (10, 200, 30), np.uint8))
    one = bench().play()
    pick(one.window.panel.effect, REPLACE)
    dialog = one.window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    one.qtbot.waitUntil(lambda: one.engine.effect.kind.value == "replace")
    assert one.settings.effect == f"replace:{path}"
    assert one.window.panel.effect.currentText() == "Picture…"
    one.deliver(result(tasks=("segmentation",)))
    assert tuple(one.controller.picture.view.image_bgr[45, 140]) == (10, 200, 30)


def test_a_background_that_is_no_picture_is_reported_and_taken_back(bench, tmp_path):
    path = tmp_path / "notes.png"
    path.write_text("no picture")
    one = bench().play()
    one.controller.change(effect=f"replace:{path}")
    one.qtbot.waitUntil(one.window.message_bar.isVisible)
    assert "notes.png" in one.window.message_bar.text
    assert one.settings.effect == "none"
    assert one.window.panel.effect.currentText() == "None"


def test_who_does_not_choose_a_picture_keeps_the_effect(bench):
    one = bench().play()
    pick(one.window.panel.effect, REPLACE)
    one.window.findChild(QFileDialog).reject()
    assert one.window.panel.effect.currentText() == "None"


def test_an_effect_needs_the_person(bench):
    panel = bench(Settings(tasks=("face",))).window.panel
    assert not panel.effect.isEnabled()
    assert panel.effect.toolTip() == "Needs the task Person"


# -- changes of the pipeline, one after the other


def test_changes_wait_for_each_other_and_the_newest_wins(bench):
    one = bench().play()
    one.engine.hold_changes = True
    for count in (3, 4, 5):
        one.window.panel.max_faces.setValue(count)
    assert [config.max_faces for config in one.engine.configs] == [2, 3]
    one.engine.hold_changes = False
    one.engine.finish_change()
    one.qtbot.waitUntil(lambda: one.engine.configs[-1].max_faces == 5)
    assert [config.max_faces for config in one.engine.configs] == [2, 3, 5]


def test_a_refused_change_does_not_undo_a_later_wish(bench):
    one = bench().play()
    one.engine.hold_changes = True
    one.engine.refusal = "no"
    one.controller.change(pipeline="ort-cpu")
    one.controller.change(pipeline="cpu")
    one.engine.hold_changes = False
    one.engine.finish_change()
    one.qtbot.waitUntil(lambda: len(one.engine.configs) == 3)
    one.engine.refusal = ""
    assert one.engine.configs[-1].pipeline == "cpu"


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
