"""A software GPU is called one wherever its name stands, in a comparison too."""

from dataclasses import replace

import pytest

from app.card_text import card_text
from app.split import names
from app.widgets.side_panel import SidePanel
from app.words import backends_word
from pipelines.export import result_text
from pipelines.figure_book import FigureBook
from pipelines.figures import Figures, TaskFigures
from pipelines.offline.figures import PipelineMeter
from tests.app.window_fakes import result

GPU = replace(result(backend="litert-gpu"), software=frozenset({"litert-gpu"}))


def test_the_divider_and_the_figures_say_software(qapp):
    assert names(result(backend="ort-cpu"), GPU) == ("ort-cpu", "litert-gpu (software)")
    tasks = {"face": TaskFigures("litert-gpu", None, {}, software=True), "depth": TaskFigures("ort-cpu", None, {})}
    assert card_text(Figures(tasks=tasks), {}, True).rows[0].name == "litert-gpu (software) + ort-cpu"


def test_the_panel_says_it_beside_the_task(qtbot, theme):
    panel = SidePanel(theme)
    qtbot.addWidget(panel)
    panel.show_ran(replace(GPU, backends={"face": "litert-gpu", "depth": "ort-cpu"}))
    assert [panel.cards[name].remark.text() for name in ("face", "segmentation", "depth")] == [
        "litert-gpu (software)",
        "",
        "ort-cpu",
    ]


@pytest.mark.parametrize("software", [False, True])
def test_the_figures_take_it_from_the_results(software):
    book = FigureBook()
    found = GPU if software else result(backend="litert-gpu")
    book.processed("A", found)
    assert {task.software for task in book.snapshot("video", 0).tasks.values()} == {software}


def test_files_say_it_too():
    meter = PipelineMeter("B")
    meter.add(GPU)
    assert meter.row().backend == "litert-gpu (software)"
    assert "face on litert-gpu (software)" in result_text(GPU, "twinlens")["Comment"]


def test_a_real_device_is_not_called_software(qapp):
    assert backends_word(["ort-webgpu", "ort-cpu", "ort-cpu"]) == "ort-cpu + ort-webgpu"
