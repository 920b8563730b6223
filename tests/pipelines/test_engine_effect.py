"""An effect behind the person in a live run: it stays over changes of task, style and source."""

import threading

import numpy as np
import pytest

from models.results import SegmentationMask
from pipelines.config import PipelineConfig
from pipelines.engine import LiveEngine
from pipelines.frame import Frame
from pipelines.overlay import MaskStyle, OverlayStyle, parse_effect
from pipelines.pipeline import FrameResult
from pipelines.sources import SourceInfo, SourceOptions

GREEN = parse_effect("color:#00ff00")


class OnePicture:
    """A grey picture, once."""

    def __init__(self):
        self.given = False

    def open(self):
        return SourceInfo("picture", "images", False, (40, 20), still=True)

    def read(self):
        if self.given:
            return None
        self.given = True
        return Frame(np.full((20, 40, 3), 128, np.uint8), 0, 0.0, "picture")

    def rewind(self):
        return False

    def close(self):
        pass


class LeftHalfPerson:
    """Finds a person in the left half, if the task is on."""

    load_ms = 1.0
    notes = ()

    def __init__(self, config):
        self.config = config

    def process(self, frame):
        results = {}
        if "segmentation" in self.config.tasks:
            alpha = np.zeros((20, 40), np.uint8)
            alpha[:, :20] = 255
            results["segmentation"] = SegmentationMask(alpha, 0.5)
        return FrameResult(frame, results, {}, 1.0, {})

    def reset(self):
        pass

    def close(self):
        pass


@pytest.fixture
def run():
    """Starts an engine on one picture; returns what it shows when asked for."""
    engines = []

    class Bench:
        def __init__(self):
            self.news = threading.Event()
            self.engine = LiveEngine(self.news.set, lambda text, options: OnePicture(), LeftHalfPerson)
            engines.append(self.engine)

        def start(self, tasks):
            style = OverlayStyle(mask=MaskStyle.OFF)
            self.engine.start("picture", SourceOptions(), PipelineConfig(tasks=tasks), style)

        def right_side(self, wanted):
            """Wait until the right side of the picture has a colour."""
            for _ in range(2400):
                view = self.engine.view()
                if view is not None and tuple(int(part) for part in view.image_bgr[10, 35]) == wanted:
                    return view
                self.news.wait(0.05)
                self.news.clear()
            return None

    yield Bench
    for engine in engines:
        engine.stop()


def test_the_background_changes_while_a_picture_rests(run):
    bench = run()
    bench.start(("segmentation",))
    assert bench.right_side((128, 128, 128))
    bench.engine.set_effect(GREEN)
    view = bench.right_side((0, 255, 0))
    assert view is not None
    assert tuple(view.image_bgr[10, 5]) == (128, 128, 128)
    assert tuple(view.plain_bgr[10, 35]) == (128, 128, 128)
    bench.engine.set_effect(parse_effect("none"))
    assert bench.right_side((128, 128, 128))


def test_an_effect_stays_for_the_next_run(run):
    bench = run()
    bench.engine.set_effect(GREEN)
    bench.start(("segmentation",))
    assert bench.right_side((0, 255, 0))
    bench.start(("segmentation",))
    assert bench.right_side((0, 255, 0))


def test_without_the_mask_the_effect_waits(run):
    bench = run()
    bench.engine.set_effect(GREEN)
    bench.start(("face",))
    assert bench.right_side((128, 128, 128))
    bench.engine.set_config(PipelineConfig(tasks=("segmentation",)))
    assert bench.right_side((0, 255, 0))
