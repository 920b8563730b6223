"""From the main window to "Process files" and back: key and menu, what is remembered, and how the program ends."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from app.processing.options import ProcessOptions
from app.processing.remembering import options_from, remembered
from app.settings import Settings, from_json, to_json
from tests.app.processing_fakes import FakeChildren

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def one(bench):
    made = bench().play()
    made.children = FakeChildren()
    made.window.commands.processing.make_link = made.children
    return made


def queue(one):
    one.act("process")
    processing = one.window.commands.processing
    one.qtbot.waitUntil(lambda: processing.window is not None and processing.window.isVisible())
    return processing.window


def work(one):
    window = queue(one)
    window.add(["/v/a.mp4"])
    one.children.find("/v/a.mp4")
    window.commands.start()
    assert window.runner.is_running
    return window


def test_control_p_opens_it_and_the_picture_goes_on(one):
    one.qtbot.keyClick(one.window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    processing = one.window.commands.processing
    one.qtbot.waitUntil(lambda: processing.window is not None and processing.window.isVisible())
    window = processing.window
    assert not window.isModal()
    assert one.controller.state == "running"
    one.deliver()
    window.close()
    assert queue(one) is window
    assert window.isVisible()


def test_the_backends_of_this_machine_are_offered(one):
    pipelines = queue(one).panel.pipeline
    assert [pipelines.itemData(index) for index in range(pipelines.count())] == ["auto", "cpu", "ort-cpu"]


def test_closing_the_main_window_asks_while_files_are_processed(one):
    window = work(one)
    one.window.close()
    assert one.window.isVisible()
    box = window.findChild(QMessageBox)
    box.reject()
    one.qtbot.waitUntil(lambda: window.findChild(QMessageBox) is None)
    assert window.runner.is_running
    one.window.close()
    box = window.findChild(QMessageBox)
    one.qtbot.mouseClick(next(button for button in box.buttons() if button.text() == "Stop"), LEFT)
    assert not one.window.isVisible()
    assert one.children.worker.finished


def test_it_does_not_ask_when_nothing_runs_or_the_terminal_says_so(one):
    window = queue(one)
    window.add(["/v/a.mp4"])
    one.window.close()
    assert not one.window.isVisible()


def test_closing_while_it_is_being_opened(one):
    one.act("process")
    one.window.close()
    assert not one.window.isVisible()
    assert one.window.commands.processing.window is None


def test_an_interrupt_does_not_ask(one):
    work(one)
    one.window.close_now()
    assert not one.window.isVisible()
    assert one.children.worker.finished
    assert one.window.commands.processing.window is None


def test_what_was_chosen_is_remembered(one):
    window = queue(one)
    window.panel._set(folder="/out", format=".webm", layers=("mask",), tasks=("segmentation",))
    kept = from_json(to_json(one.settings))
    assert kept.processing["folder"] == "/out"
    again = options_from(kept)
    assert (again.folder, again.format, again.layers) == ("/out", ".webm", ("mask",))
    assert again.tasks == one.settings.tasks  # those of the live picture


def test_the_first_options_are_those_of_the_live_picture():
    settings = Settings(
        tasks=("face",), pipeline="cpu", max_faces=5, smooth=False, effect="blur", style={"face": "mesh"}
    )
    options = options_from(settings)
    assert (options.tasks, options.pipeline, options.max_faces, options.smooth) == (("face",), "cpu", 5, False)
    assert options.effect == "none"  # it needs the person
    assert options.style == {"face": "mesh"}
    assert options.problem() == ""


@pytest.mark.parametrize(
    "processing",
    [{"crf": "much"}, {"format": ".xyz"}, {"video": False}, {"layers": ["unheard of"]}, {"crf": 900}, {"results": "x"}],
)
def test_settings_of_another_version_are_no_trouble(processing):
    options = options_from(Settings(processing=processing))
    assert options == ProcessOptions(models={}, style={})


def test_only_what_belongs_to_files_is_remembered():
    assert "tasks" not in remembered(ProcessOptions())
    assert remembered(ProcessOptions(layers=("mask",)))["layers"] == ["mask"]
