"""What speed depends on and no machine changes: nodes, sessions, copies, memory, lost frames."""

import threading
import tracemalloc
from fractions import Fraction

import cv2
import numpy as np
import pytest
from skimage import data

import pipelines.backends.ort as ort_backend
from models.manifest import manifests
from pipelines.backends import get_backend
from pipelines.config import PipelineConfig
from pipelines.engine import EngineState, LiveEngine
from pipelines.frame import Frame
from pipelines.overlay import OverlayStyle, draw_results, draw_split
from pipelines.pipeline import Pipeline
from pipelines.sources import SourceInfo, SourceOptions
from tests.patience import PATIENCE_S

NODES = {
    "depth_v2": 84,
    "face_detection": 90,
    "face_mesh": 303,
    "face_mesh_468": 169,
    "selfie_landscape": 165,
    "selfie_square": 165,
}
"""Nodes that ONNX Runtime places on the CPU after its own rewriting: each costs some microseconds whatever its size."""
MODELS_OF_ALL_TASKS = ["depth_v2", "face_detection", "face_mesh", "selfie_landscape"]


def frames(width: int, height: int, count: int) -> list[Frame]:
    """A person who moves a little from frame to frame."""
    portrait = np.ascontiguousarray(data.astronaut()[:288, :, ::-1])
    picture = cv2.resize(portrait, (width, height), interpolation=cv2.INTER_CUBIC)
    return [Frame(np.roll(picture, index % 8, axis=1), index, index / 30) for index in range(count)]


@pytest.fixture(scope="module")
def pipeline():
    with Pipeline(PipelineConfig(pipeline="ort-cpu", parallel=False)) as made:
        yield made


def test_every_model_has_a_budget():
    assert {manifest.name for manifest in manifests()} == set(NODES)


@pytest.mark.parametrize("manifest", manifests(), ids=lambda manifest: manifest.name)
def test_graphs_do_not_grow(manifest, monkeypatch):
    monkeypatch.setattr("pipelines.backends.ort_cpu.preferred_variant", lambda: "cpu")
    session = get_backend("ort-cpu").open(manifest)
    nodes = sum(session.report.placement.values())
    session.close()
    assert nodes <= NODES[manifest.name]


def test_each_model_is_loaded_once(monkeypatch):
    """Also while frames run: nothing is loaded again."""
    created = []
    create = ort_backend.create_session

    def counted(*arguments, **options):
        created.append(None)
        return create(*arguments, **options)

    monkeypatch.setattr(ort_backend, "create_session", counted)
    with Pipeline(PipelineConfig(pipeline="ort-cpu")) as made:
        for frame in frames(640, 360, 6):
            made.process(frame)
        loaded = sorted(report.model for reports in made.reports.values() for report in reports)
    assert loaded == MODELS_OF_ALL_TASKS
    assert len(created) == len(loaded)


def peak_bytes(work) -> int:
    """Most memory that `work` held at a time beyond what was there before."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def test_tasks_do_not_copy_the_frame(pipeline):
    """At 4K one copy would be 25 MB, one plane 8 MB; the tasks' own arrays are as small as for any other frame."""
    first, second, third = frames(3840, 2160, 3)
    pipeline.reset()
    pipeline.process(first)
    pipeline.process(second)
    assert peak_bytes(lambda: pipeline.process(third)) < third.image_bgr.nbytes / 12


def test_the_pixels_of_a_mask_are_made_without_a_copy_of_the_frame(pipeline):
    """8 MB of mask at 4K, and working arrays that do not grow with the frame."""
    pipeline.reset()
    results = [pipeline.process(frame) for frame in frames(3840, 2160, 2)]
    assert results[0].mask.alpha.shape == (2160, 3840)
    peak = peak_bytes(lambda: results[1].mask.alpha)
    assert results[1].mask.alpha.nbytes <= peak < 2 / 3 * results[1].frame.image_bgr.nbytes


def test_drawing_makes_one_picture(pipeline):
    first, second = frames(1920, 1080, 2)
    pipeline.reset()
    draw_results(pipeline.process(first), OverlayStyle())  # working arrays stay from frame to frame
    result = pipeline.process(second)
    assert result.mask.soft(0, 1920).levels.size < 1920 * 1080 / 16  # drawn from few pixels; has a test of its own
    peak = peak_bytes(lambda: draw_results(result, OverlayStyle()))
    assert second.image_bgr.nbytes <= peak < 1.5 * second.image_bgr.nbytes


def test_drawing_a_split_makes_one_picture_too(pipeline):
    first, second = frames(1920, 1080, 2)
    pipeline.reset()
    results = [pipeline.process(frame) for frame in (first, second)]
    draw_split(results[0], results[0], OverlayStyle(), 960)
    peak = peak_bytes(lambda: draw_split(results[1], results[1], OverlayStyle(), 960))
    assert second.image_bgr.nbytes <= peak < 1.5 * second.image_bgr.nbytes


def test_memory_does_not_grow_from_frame_to_frame(pipeline):
    pipeline.reset()
    stream = frames(640, 360, 60)
    for frame in stream[:20]:
        draw_results(pipeline.process(frame), OverlayStyle())
    tracemalloc.start()
    try:
        held = []
        for frame in stream[20:]:
            draw_results(pipeline.process(frame), OverlayStyle())
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    # The state of a frame replaces that of the frame before: less than a kilobyte a frame is left over.
    assert held[-1] - held[10] < 1024 * (len(held) - 11)


class Paced:
    """A file of a few frames at a low rate."""

    def __init__(self, fps: int, count: int) -> None:
        self._fps = fps
        self._left = [Frame(frame.image_bgr, frame.index, frame.index / fps) for frame in frames(640, 360, count)][::-1]

    def open(self) -> SourceInfo:
        return SourceInfo("paced", "video", live=False, size_wh=(640, 360), fps=Fraction(self._fps))

    def read(self) -> Frame | None:
        return self._left.pop() if self._left else None

    def rewind(self) -> bool:
        return False

    def close(self) -> None:
        self._left = []


def test_a_slow_source_loses_no_frame():
    count = 8
    news = threading.Event()
    engine = LiveEngine(news.set, source_factory=lambda text, options: Paced(4, count))
    engine.start("paced", SourceOptions(), PipelineConfig(tasks=("segmentation",), pipeline="ort-cpu"), OverlayStyle())
    try:
        serial = 0
        while engine.status().state in (EngineState.OPENING, EngineState.RUNNING) or serial < count:
            assert news.wait(PATIENCE_S)
            news.clear()
            view = engine.view()
            serial = view.serial if view is not None else 0
        figures = engine.figures()
    finally:
        assert engine.stop(5)
    assert serial == count
    assert figures.dropped == 0
