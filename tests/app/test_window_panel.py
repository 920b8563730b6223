"""The side panel: tasks, looks, models and effects; and how changes of the pipeline follow each other."""

from dataclasses import fields, replace

import cv2
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from app import pipeline_wishes
from app.choices import DEFAULT_MODELS, EFFECTS, OPACITIES, REPLACE, STYLES, model_choices
from app.settings import Settings
from app.style import style_from
from pipelines.overlay import FaceStyle, MaskStyle, OverlayStyle
from tests.app.window_fakes import pick, result

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


# -- changes of the pipeline, of which the newest counts


def test_the_newest_change_waits_for_no_other(bench):
    one = bench().play()
    one.engine.hold_changes = True
    for count in (3, 4, 5):
        one.window.panel.max_faces.setValue(count)
    assert [config.max_faces for config in one.engine.configs] == [2, 3, 4, 5]
    one.qtbot.waitUntil(lambda: one.window.view.pill == "Loading the models…")
    one.engine.finish_change()
    one.qtbot.waitUntil(lambda: one.window.view.pill == "")
    assert [config.max_faces for config in one.engine.configs] == [2, 3, 4, 5]


def test_models_that_take_long_at_the_start_are_not_waited_for(bench, monkeypatch):
    one = bench().begin("demo")
    one.engine.open()
    one.engine.show_ahead(result().frame)
    one.qtbot.waitUntil(lambda: one.controller.status.starting)
    one.controller.change(pipeline="cpu")
    # Not long yet: what was begun is as good as ready.
    assert (len(one.engine.started), one.engine.configs[-1].pipeline) == (1, "cpu")
    monkeypatch.setattr(pipeline_wishes, "FIRST_LOAD_S", 0.0)
    one.controller.change(pipeline="ort-cpu")
    assert (len(one.engine.started), one.engine.configs[-1].pipeline) == (2, "ort-cpu")
    one.engine.open()
    one.deliver()
    one.controller.change(pipeline="cpu")
    assert len(one.engine.started) == 2


def test_a_refusal_leads_back_to_what_works(bench):
    """Not to the wish before, which nobody has waited for."""
    one = bench().play()
    one.engine.hold_changes = True
    one.controller.change(pipeline="ort-cpu")
    one.controller.change(pipeline="cpu")
    one.engine.refusal = "no"
    one.engine.finish_change()
    one.qtbot.waitUntil(lambda: one.settings.pipeline == "auto")
    assert [config.pipeline for config in one.engine.configs] == ["auto", "ort-cpu", "cpu"]
    one.qtbot.waitUntil(lambda: one.window.message_bar.text == "Not changed: no.")
