"""A software GPU is called one wherever its name stands, in a comparison too."""

import pytest

from app.card_text import card_text
from app.split import names
from app.words import EMULATED, backends_word
from pipelines.figures import Figures, TaskFigures
from tests.app.window_fakes import result


@pytest.fixture
def emulated():
    EMULATED.add("litert-gpu")
    yield
    EMULATED.discard("litert-gpu")


def test_the_divider_and_the_figures_say_software(qapp, emulated):
    assert names(result(backend="ort-cpu"), result(backend="litert-gpu")) == ("ort-cpu", "litert-gpu (software)")
    figures = Figures(tasks={"face": TaskFigures("litert-gpu", None, {}), "depth": TaskFigures("ort-cpu", None, {})})
    assert card_text(figures, {}, True).rows[0].name == "litert-gpu (software) + ort-cpu"


def test_a_real_device_is_not_called_software(qapp):
    assert backends_word(["ort-webgpu", "ort-cpu", "ort-cpu"]) == "ort-cpu + ort-webgpu"
