"""The page "Diagnostics": what went wrong can be read to its end."""

import pytest
from PySide6.QtCore import QModelIndex

from app.pages.window import DIAGNOSTICS, PagesWindow
from tests.app.processing_fakes import FakeLink
from tests.app.test_processing_pages import backend, finished_diagnosis, model

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LONG = (
    "the package onnxruntime-ep-webgpu is not installed, and the one of CUDA needs a driver of version 550 or newer, "
    "which was not found on this machine: reinstall it, or choose another backend in the list of pipelines above"
)


@pytest.fixture
def pages(qtbot, theme):
    links = []

    def start(listen, ended):
        links.append(FakeLink(listen, ended))
        return links[-1]

    one = PagesWindow(theme, start)
    qtbot.addWidget(one)
    one.links = links
    yield one
    one.end()


def test_a_long_reason_is_wrapped(pages, qtbot):
    pages.show_page(DIAGNOSTICS)
    told = finished_diagnosis()
    told["diagnosis"]["backends"] = [
        backend(models=[model(), model(f"failed: {LONG}", placement={}, on_cpu={})]),
        backend("ort-cuda", available=False, reason=LONG),
    ]
    pages.links[0].listen(told)
    tree = pages.diagnostics.tree
    line = tree.fontMetrics().height()

    def heights():
        bad, spanned = tree.topLevelItem(0).child(1), tree.topLevelItem(1)
        return [tree.visualItemRect(item).height() for item in (bad, spanned)]

    def are_complete():
        bad, spanned = heights()
        return 2 * line < spanned < 4 * line < bad

    pages.resize(760, 700)
    qtbot.waitUntil(are_complete)
    narrow = heights()
    pages.resize(1500, 700)
    qtbot.waitUntil(lambda: all(wide < before for wide, before in zip(heights(), narrow, strict=True)))
    for index in (tree.indexFromItem(tree.topLevelItem(1), 0), QModelIndex()):
        assert tree.text_width(index) <= tree.viewport().width()
