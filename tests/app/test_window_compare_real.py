"""The comparison in the window with the real engine on real models: two runtimes, and a software GPU."""

import threading

import cv2
import numpy as np
import pytest

from app.card_text import card_text
from app.settings import Settings
from pipelines.backends import get_backend
from pipelines.backends.graphics import ALLOW_SOFTWARE, loader_problem
from pipelines.compare import CompareMode
from pipelines.engine import LiveEngine
from tests.app.window_fakes import CPU, BackendEntry, FakeInventory
from tests.pipelines.backends.test_gpu import DRIVER, MISSING

LITERT = BackendEntry("litert-cpu", "cpu", True, device="XNNPACK")
GPU = BackendEntry("ort-webgpu", "gpu", True, device="SwiftShader", software=True)
PATIENCE_MS = 300_000
"""A first use is a trial, and the machine may be busy."""


class RealEngine(LiveEngine):
    """What the bench expects of an engine that can be held up; this one cannot."""

    def __init__(self, on_update):
        super().__init__(on_update)
        self.stop_stalls = threading.Event()


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def shared_cache(cache, monkeypatch):
    monkeypatch.setenv("TWINLENS_CACHE_DIR", str(cache))


def begin(bench, tmp_path, entry, **settings):
    settings = Settings(folder=str(tmp_path), pipeline="ort-cpu", pipeline_b=entry.id, **settings)
    one = bench(settings, FakeInventory(backends=(CPU, entry)), RealEngine)
    one.begin("demo")
    return one


def wait(one, condition):
    def is_so():
        told = [notice.text for notice in one.notifications.notices]
        assert not any(text.startswith("Not compared") for text in told), told
        return condition()

    one.qtbot.waitUntil(is_so, timeout=PATIENCE_MS)


def text(one):
    return card_text(one.controller.figures, one.controller.history.latencies_ms, True)


def is_measured(one):
    figures = one.controller.figures
    return figures.speed_up is not None and figures.b is not None


@pytest.mark.timeout(1200)
@pytest.mark.skipif(not get_backend("litert-cpu").prerequisites().available, reason="LiteRT is not installed")
def test_two_runtimes_split_and_in_turns(bench, tmp_path):
    one = begin(bench, tmp_path, LITERT, compare="split")
    view = one.window.view
    wait(one, lambda: view.picture is not None and view.picture.other is not None)
    wait(one, lambda: is_measured(one) and one.controller.figures.agreement is not None)
    rows = text(one).rows
    assert [(row.letter, row.name) for row in rows] == [("A", "ort-cpu"), ("B", "litert-cpu")]
    agreement = one.controller.figures.agreement
    # LiteRT has the mesh of 468 points only: another network for the face, the same for the rest.
    assert agreement.mask_iou > 0.999
    assert agreement.depth_rank > 0.999
    assert 0 < agreement.landmark_px < 10
    assert view.handle.isVisible()

    view.move_divider(0.25)
    one.act("pause")
    wait(one, lambda: one.controller.state == "paused" and view.picture.view.divider == 0.25)
    with one.qtbot.waitSignal(one.controller.files.screenshot_saved, timeout=PATIENCE_MS) as signal:
        shown = one.controller.picture.view
        one.act("screenshot")
    saved = cv2.imread(str(signal.args[0].path))
    assert saved.shape == shown.image_bgr.shape
    edge = saved.shape[1] // 4
    # Above the labels, beside the divider.
    np.testing.assert_array_equal(saved[:600, : edge - 4], shown.image_bgr[:600, : edge - 4])
    np.testing.assert_array_equal(saved[:600, edge + 4 :], shown.other_bgr[:600, edge + 4 :])

    one.act("pause")
    one.controller.comparison.choose("alternate")
    wait(one, lambda: one.controller.figures.mode is CompareMode.ALTERNATE and is_measured(one))
    sides = set()
    one.controller.picture_changed.connect(lambda: sides.add(one.controller.picture.view.side))
    wait(one, lambda: sides == {"A", "B"})
    assert text(one).agreement == ()
    assert not view.handle.isVisible()

    one.controller.comparison.choose("off")
    wait(one, lambda: one.controller.figures.b is None)
    assert len(text(one).rows) == 1
    assert one.notifications.notices == () or all("instead" in notice.text for notice in one.notifications.notices)


@pytest.mark.gpu
@pytest.mark.timeout(1200)
@pytest.mark.skipif(DRIVER is None, reason=MISSING)
@pytest.mark.skipif(loader_problem() is not None, reason="no Vulkan loader (apt install libvulkan1)")
def test_the_processor_and_a_software_gpu(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("VK_DRIVER_FILES", DRIVER or "")
    monkeypatch.setenv(ALLOW_SOFTWARE, "1")
    one = begin(bench, tmp_path, GPU, compare="split", tasks=("segmentation",))
    wait(one, lambda: is_measured(one) and one.controller.figures.agreement is not None)
    a, b = text(one).rows
    assert (a.name, b.name) == ("ort-cpu", "ort-webgpu (software)")
    # An emulated GPU is slower than the processor that emulates it, and the badge says so.
    assert (a.is_winner, b.is_winner) == (True, False)
    assert one.controller.figures.agreement.mask_iou > 0.999
    assert one.window.view.handle.isVisible()
    # The emulated GPU may need seconds for a frame; without it the threads end at once.
    one.controller.comparison.choose("off")
    wait(one, lambda: one.controller.figures.b is None)
